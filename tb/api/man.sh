#!/usr/bin/env bash
# man.sh PROGRAM FOLDER - man pages of warplock and of each of its commands, from what --help prints:
# what it is used as, what it does, its options, its exit status.
set -euo pipefail
program=$1 folder=$2
version=$("$program" --version)
version=${version%%,*}

# page NAME WORDS: the help text of NAME on standard input as a page, which WORDS describe.
page() {
    awk -v name="$1" -v words="$2" -v version="$version" '
    # Signs that roff would read.
    function text(line) {
        gsub(/\\/, "\\e", line); gsub(/-/, "\\-", line)
        return line ~ /^[.\047]/ ? "\\\\&" line : line
    }
    function section(name) { if (at != name) {print (at == "EXAMPLES" ? ".fi\n" : "") ".SH " name (name == "EXAMPLES" ? "\n.nf" : ""); at = name} }
    function flush() { if (option != "") {print ".TP\n.B " text(option) "\n" text(about); option = ""} }
    BEGIN {
        printf ".TH %s 1 \"\" \"%s\" \"Warplock\"\n", toupper(name), version
        print ".SH NAME\n" name " \\- " text(words)
    }
    # warplock run [OPTION...]
    sub(/^(Usage:|  or: ) */, "") {section("SYNOPSIS"); sub(/^ladder /, "warplock "); sub(/^[a-z]+( [a-z]+)?/, "\\fB&\\fR"); print $0 "\n.br"; next}
    /^Mandatory or optional arguments/ {flush(); getline; next}
    /^Examples:$/ {flush(); section("EXAMPLES"); next}
    /^Commands:$/ {section("COMMANDS"); in_list = 1; next}
    # "  -s, --seed=N     what it is", or a command with its words
    (/^ +(-.,? |--)/ || /^ +-\?/) || (in_list && /^  [a-z]/) {
        flush()
        if (!in_list) section("OPTIONS")
        sub(/^ +/, "")
        split_at = match($0, /   */)
        option = split_at ? substr($0, 1, split_at - 1) : $0
        about = split_at ? substr($0, split_at + RLENGTH) : ""
        next
    }
    /^$/ {flush(); in_list = 0; if (at != "" && at != "SYNOPSIS" && at != "OPTIONS") print ".PP"; next}
    # Options under a heading of their own
    (at == "OPTIONS") && /^ [A-Z].*:$/ {flush(); sub(/^ /, ""); sub(/:$/, ""); print ".SS " text($0); next}
    option != "" {line = $0; sub(/^ +/, "", line); about = about (about == "" ? "" : " ") line; next}
    /^Exit status: / {section("EXIT STATUS"); sub(/^Exit status: /, "")}
    {
        if (at == "" || at == "SYNOPSIS") section("DESCRIPTION")
        else if (at == "COMMANDS" || at == "OPTIONS") section("NOTES")
        if (split($0, part, "Exit status: ") > 1) {
            if (part[1] != "") print text(part[1])
            section("EXIT STATUS")
            $0 = part[2]
        }
        print text($0)
        # A line that could have been longer ends on purpose.
        if (at == "DESCRIPTION" && length($0) < 60) print ".br"
    }
    END {
        flush()
        section("SEE ALSO")
        print (name == "warplock" ? "\\fBwarplock\\-check\\fR(1), \\fBwarplock\\-run\\fR(1), \\fBwarplock\\-new\\fR(1)" : "\\fBwarplock\\fR(1)")
    }'
}

"$program" --help >"$folder/.help"
page warplock 'hardware proposals for GPU memory systems, made checkable' <"$folder/.help" >"$folder/warplock.1"
while read -r name about; do
    # A program of its own folder reads no project; each command prints its help without running.
    "$program" "$name" --help >"$folder/.text" && page "warplock-$name" "$about" <"$folder/.text" >"$folder/warplock-$name.1"
done < <(sed -n 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p' "$folder/.help" | grep -v '^COMMAND')
rm -f "$folder/.help" "$folder/.text"
