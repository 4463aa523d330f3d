#!/usr/bin/env bash
# tutorial.sh - docs/tutorial.md as a new user follows it, from an empty folder: each block below a line
# **path** becomes that file, each command after "$ " in a block `console` is run, and must print what
# stands behind it; a line "..." stands for any lines, "..." in a line for any words.
set -u
cd "$(dirname "$0")/.."
tree=$PWD
. tests/fst.inc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 commands=0 files=0
PATH=$tree/build:$PATH
# Without a display: as a picture.
gtkwave() { "$tree/waves/shot.sh" "$1" "$2" "$work/picture.png" 1280x450; }

# What a command has printed, against what the page says.
compare() { # expected, printed
    perl -0777 -e '
        my ($want, $got) = map {local @ARGV = $_; scalar <>} @ARGV;
        my $pattern = join "", map {
            $_ eq "..." ? "(?:.*\n)*?" : join(".*?", map {quotemeta} split /\.\.\./, $_, -1) . "\n"
        } split /\n/, $want;
        exit($got !~ /\A$pattern\z/)' "$1" "$2"
}
run() { # command, expected
    local command=$1
    printf '%s' "$2" >"$work/want"
    eval "$command" >"$work/got" 2>&1
    commands=$((commands + 1))
    compare "$work/want" "$work/got" && return
    echo "tutorial: \$ $command"; echo "printed:"; tail -n 25 "$work/got"; echo "the page says:"; cat "$work/want"; bad=1
}

mkdir "$work/empty" && cd "$work/empty" || exit 1
file='' block='' command='' expected='' text=''
while IFS= read -r line; do
    case $block in
    '')
        case $line in
        '```console') block=console ;;
        '```'*) block=file text='' ;;
        '**'*'**') file=${line#\*\*} file=${file%\*\*} ;;
        esac ;;
    file)
        if [ "$line" = '```' ]; then
            [ -n "$file" ] && [ -d "$(dirname "$file")" ] || { echo "tutorial: no file for the block that begins '${text:0:40}'"; bad=1; }
            printf '%s' "$text" >"$file"
            files=$((files + 1)) file='' block=''
        else
            text+=$line$'\n'
        fi ;;
    console)
        if [ "$line" = '```' ] || [[ $line == '$ '* ]]; then
            [ -z "$command" ] || run "$command" "$expected"
            command=${line#\$ } expected=''
            [ "$line" != '```' ] || command='' block=''
        else
            expected+=$line$'\n'
        fi ;;
    esac
done <"$tree/docs/tutorial.md"
[ $commands -ge 15 ] && [ $files -ge 9 ] || { echo "tutorial: $commands commands, $files files"; bad=1; }

# What the page says of the picture, read from the waveform; and the picture.
wave=build/fail/tripoly-sm0.l1d.index-short.fst
for pair in hash=111 third=00 block=$(perl -e 'print "0" x 8, sprintf "%025b", 0x80500800 >> 7'); do
    name=$(fst2vcd "$wave" 2>/dev/null | awk -v of="${pair%%=*}" '$1 == "$scope" {s[++n] = $3} $1 == "$upscope" {n--}
        $1 == "$var" && $5 == of {for (i = 1; i <= n; i++) printf "%s.", s[i]; print $5 ($6 != "$end" ? $6 : "")}')
    value=$(fst_value "$wave" "$name" 5)
    [ "$value" = "${pair#*=}" ] || { echo "tutorial: ${pair%%=*} is '$value' in the waveform, not ${pair#*=}"; bad=1; }
done
[ -s "$work/picture.png" ] || { echo "tutorial: no picture"; bad=1; }
[ -z "${KEEP:-}" ] || cp "$work/picture.png" "$KEEP"
exit $bad
