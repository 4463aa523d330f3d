#!/bin/sh
# make_ptx.sh NAME ...          - make <NAME>/<NAME>.ptx from <NAME>/<NAME>.cu with stock clang.
# make_ptx.sh --check NAME ...  - fail if the PTX there is not what the source gives.
# The same source gives the same bytes on any machine: no paths, no dates.
# The CUDA path is empty on purpose: an installed toolkit would change the PTX version.
# CLANG chooses another clang than clang-14.  A source may ask for options of its own in a line
# "/* clang: OPTIONS */": graph kernels keep their blocks in the order of the source, so that a loop ends
# with its backward branch, as nvcc leaves it and as hardware that watches loops expects.
set -eu
cd "$(dirname "$0")"
check=no
[ "${1-}" = --check ] && { check=yes; shift; }
[ $# -gt 0 ] || { echo "make_ptx.sh: no workload named; usage: make_ptx.sh [--check] NAME ..." >&2
                  exit 2; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
for name in "$@"; do
    source="$name/$name.cu"
    [ -f "$source" ] || { echo "make_ptx.sh: $source: no such file" >&2; exit 2; }
    own=$(sed -n 's|^/\* clang: \(.*\) \*/$|\1|p' "$source")
    # shellcheck disable=SC2086  # options are words
    "${CLANG:-clang-14}" $own -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib \
        --cuda-path=/nonexistent -Xclang -target-feature -Xclang +ptx60 -O2 -S -Wall -Wextra \
        -Werror -I. -o "$new" "$source"
    if [ $check = no ]; then
        cat "$new" > "$name/$name.ptx"
    elif ! cmp -s "$new" "$name/$name.ptx"; then
        echo "make_ptx.sh: $name/$name.ptx differs from what $source gives; run make_ptx.sh $name" >&2
        exit 1
    fi
done
