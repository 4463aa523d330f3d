#!/usr/bin/env bash
# install.sh - an installed copy works without the tree, is not written to, and its library serves other
# programs: in C, in C++ and in Python.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
make -s install PREFIX="$work/to" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
export HOME=$work/home XDG_CACHE_HOME=$work/home/cache PATH=$work/to/bin:$PATH
export PKG_CONFIG_PATH=$work/to/lib/pkgconfig LD_LIBRARY_PATH=$work/to/lib
mkdir -p "$HOME"
chmod -R a-w "$work/to/lib/warplock"
same() { [ "$1" = "$2" ] || { echo "install: '$1', expected '$2'"; exit 1; }; }

cd "$work"
as=()
# Root writes whatever the mode says: then the program is started as somebody else.
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$work" && chown -R nobody "$HOME"
    as=(setpriv --reuid=nobody --clear-groups --)
fi
"${as[@]}" warplock check fup20 --steps 1000 | grep -q '^PASS fup20' || { echo "install: check fails"; exit 1; }
"${as[@]}" warplock run -w vecadd --size tiny -m fup20 -b fup20=lockstep | grep -q 'all equal' || { echo "install: run fails"; exit 1; }
same "$(find "$work/to" -newer "$work/log" -type f | head -n 3)" ""
# A page for each command, which man sets without a word, with what it is used as.
for name in "" $("$work/to/bin/warplock" --help | sed -n 's/^  \([a-z]*\)  .*/-\1/p'); do
    page=$work/to/share/man/man1/warplock$name.1
    said=$(MANWIDTH=80 man --warnings -l "$page" 2>&1 >"$work/page") && [ -z "$said" ] || { echo "install: warplock$name.1: $said"; exit 1; }
    for part in NAME SYNOPSIS DESCRIPTION; do
        grep -q "^$part" "$work/page" || { echo "install: warplock$name.1 has no $part"; exit 1; }
    done
done
for version in 11.0 12 13; do
    nm -D --defined-only "$work/to/lib/warplock/build/cuda/libcudart.so.$version" | grep -q ' cudaMalloc' || { echo "install: no libcudart.so.$version"; exit 1; }
done
examples=$work/to/lib/warplock/tb/api/examples
read -ra flags < <(pkg-config --cflags --libs warplock-units)
cc -Wall -Werror -o c "$examples/set_index.c" "${flags[@]}"
c++ -Wall -Werror -o cpp "$examples/cache_model.cpp" "${flags[@]}"
same "$(./c)" "32 lines in 32 sets"
same "$(./cpp)" "period 32, from the saved state 22 and again 22"
# BXOR: a stride of a line meets all sets; rows of 4 KB and a power of two meet all, too; 33 lines fall together.
same "$(python3 "$examples/entropy.py")" "stride 128: 32 sets
stride 4096: 32 sets
stride 4224: 1 sets"
