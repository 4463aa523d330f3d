#!/usr/bin/env bash
# names.sh SYMBOLS OBJECT... - assembler for the names of SYMBOLS (a CSV, name first) that no object
# defines: name_ptsz and name_ptds go on to name, the others refuse (cuda_refuse_name).
set -euo pipefail
symbols=$1
shift
nm -g --defined-only "$@" | awk -v csv="$symbols" '
    $2 == "T" {have[$3] = 1}
    END {
        print "# made by names.sh\n\t.text"
        n = 0
        while ((getline line < csv) > 0) {
            split(line, field, ",")
            name = field[1]
            if (name !~ /^_*cuda/ || name in have) continue
            plain = name
            sub(/_pt(sz|ds)$/, "", plain)
            printf "\t.globl %s\n\t.type %s, @function\n%s:\n", name, name, name
            if (plain != name && plain in have) {
                printf "\tjmp %s@PLT\n", plain
            } else {
                printf "\tleaq .Lname%d(%%rip), %%rdi\n\tjmp cuda_refuse@PLT\n", n
                text[n++] = name
            }
            printf "\t.size %s, .-%s\n", name, name
        }
        print "\t.section .rodata"
        for (i = 0; i < n; i++) printf ".Lname%d:\t.string \"%s\"\n", i, text[i]
        print "\t.section .note.GNU-stack,\"\",@progbits"
    }'
