#!/usr/bin/env bash
# pack.sh FOLDER ARCHIVE - the files of a folder as one archive; the same files, whenever and by
# whomever they were made, give the same bytes.
set -eu
[ $# = 2 ] && [ -d "$1" ] || { echo "pack.sh FOLDER ARCHIVE: '${1:-}' is no folder" >&2; exit 2; }
find "$1" -maxdepth 1 -type f -printf '%f\0' | LC_ALL=C sort -z |
    tar --null --no-recursion --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 \
        -C "$1" -cf - -T - | xz -9 --threads=1 >"$2.new"
mv "$2.new" "$2"
