#!/usr/bin/env bash
# man.sh PROGRAM FOLDER - man pages of warplock and of each of its commands, from what --help prints.
set -euo pipefail
program=$1 folder=$2
version=$("$program" --version)
# The lines of a help text as they are: argp has laid them out for 80 columns.
page() { # title, section-1 name, help text
    printf '.TH %s 1 "" "%s"\n.SH NAME\n%s \\- %s\n.SH HELP\n.nf\n' "${1^^}" "${version%%,*}" "$1" "$2"
    sed -e 's/\\/\\\\/g' -e 's/^\([.'"'"']\)/\\\&\1/' -e 's/-/\\-/g'
    printf '.fi\n'
}
"$program" --help >"$folder/.help"
page warplock 'hardware proposals for GPU memory systems, made checkable' <"$folder/.help" >"$folder/warplock.1"
while read -r name about; do
    # A program of its own folder reads no project; each command prints its help without running.
    "$program" "$name" --help >"$folder/.text" && page "warplock-$name" "$about" <"$folder/.text" >"$folder/warplock-$name.1"
done < <(sed -n 's/^  \([a-z]*\)  *\(.*\)/\1 \2/p' "$folder/.help" | grep -v '^COMMAND')
rm -f "$folder/.help" "$folder/.text"
