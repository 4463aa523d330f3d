#!/usr/bin/env bash
# setup.sh - install the Debian packages (12 or 13) that are missing; nothing when all are there.
set -euo pipefail
packages=(gcc g++ make clang libclang-rt-dev verilator yosys yosys-dev gtkwave opensta libcmocka-dev libjansson-dev
          libinih-dev libarchive-dev libmuparser-dev zlib1g-dev libzstd-dev xz-utils zstd uthash-dev libcsv-dev nettle-dev libsqlite3-dev sqlite3 graphviz valgrind
          xvfb imagemagick git jq python3)
# Debian 12 names clang's runtime after its version.
if ! apt-cache show libclang-rt-dev >/dev/null 2>&1; then
    packages=("${packages[@]/libclang-rt-dev/libclang-rt-14-dev}")
fi
# Debian 13 has the provers (Debian 12 gets them from there, tb/setup_provers.sh), but no qflow:
# costs are then measured without its library.  tests/lint.sh wants one version of clang-format.
for package in qflow-tech-osu018 cbmc kissat drat-trim clang-format-16; do
    if apt-cache show "$package" >/dev/null 2>&1; then
        packages+=("$package")
    fi
done
# For the tests of sweeps and reports: a cluster, a browser; npm, where none is, for the report's
# plotting library.
for package in slurmctld slurmd slurm-client munge chromium; do
    if apt-cache show "$package" >/dev/null 2>&1; then
        packages+=("$package")
    fi
done
command -v npm >/dev/null || packages+=(npm)
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "setup: not root and no sudo; install by hand: ${missing[*]}" >&2; exit 2; }
    as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "installed ${#missing[@]} packages"
