#!/usr/bin/env bash
# setup_provers.sh - makes cbmc, kissat and drat-trim runnable as build/tools/<name>.  Debian 13 has
# their packages; on Debian 12 they come from the next release, with the libraries they need,
# into a prefix of its own under build/: the system is not touched.  The versions of the programs
# are those that the proofs were made with; of libraries a mirror has none but the latest.
set -euo pipefail
cd "$(dirname "$0")/.."
# As apt names their files.
pinned=(cbmc_6.6.0-4 kissat_4.0.2-1 drat-trim_0.0~git20240428.effa1dc-2 minisat_1%3a2.2.1-8)
missing=()
for program in cbmc kissat drat-trim; do
    [ -x "build/tools/$program" ] && continue
    mkdir -p build/tools
    if command -v "$program" >/dev/null; then
        ln -sf "$(command -v "$program")" "build/tools/$program"
    else
        missing+=("$program")
    fi
done
[ ${#missing[@]} -gt 0 ] || exit 0
prefix=$PWD/build/provers
apt=$prefix/apt
mkdir -p "$apt"/{lists/partial,cache/archives/partial,state,packages}
touch "$apt/state/status"
# The machine's own sources of its release, with the next release's name.
{ cat /etc/apt/sources.list 2>/dev/null || true
  cat /etc/apt/sources.list.d/*.list 2>/dev/null || true; } | grep -E '^deb .* bookworm ' |
    sed 's/ bookworm / trixie /' >"$apt/sources.list" || true
for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    awk -v RS= -v ORS='\n\n' '/Suites:[^\n]*bookworm( |\n|$)/' "$file"
done | sed 's/^Suites:.*/Suites: trixie/' >"$apt/next.sources"
mkdir -p "$apt/parts" && cp "$apt/next.sources" "$apt/parts/"
options=(-o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts"
    -o Dir::State="$apt/state" -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/state/status"
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root -o Debug::NoLocking=1)
echo "fetching ${missing[*]} from the next release into build/provers"
apt-get "${options[@]}" -qq update
pinned=("${pinned[@]/_/=}")
(cd "$apt/packages" &&
    apt-get "${options[@]}" -qq download "${pinned[@]//%3a/:}" libc6 libstdc++6 libgcc-s1 zlib1g)
for package in "$apt"/packages/*.deb; do
    dpkg -x "$package" "$prefix"
done
loader=$(find "$prefix" -name 'ld-linux-*.so.*' | head -n 1)
libraries=$(find "$prefix" -name 'libc.so.6' -printf '%h\n' | head -n 1)
for program in "${missing[@]}"; do
    cat >"build/tools/$program" <<END
#!/bin/sh
exec "$loader" --library-path "$libraries:$prefix/usr/lib/$(uname -m)-linux-gnu:$prefix/usr/lib" "$prefix/usr/bin/$program" "\$@"
END
    chmod +x "build/tools/$program"
    [ -n "$("build/tools/$program" -h 2>&1)" ] ||
        { rm -f "build/tools/$program"; echo "setup_provers: $program does not run" >&2; exit 2; }
done
