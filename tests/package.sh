#!/usr/bin/env bash
# package.sh - the Debian package builds, installs, works for a user without the tree, and is removed
# without a trace.  Installed over a copy of this system that is thrown away (an overlay, as root):
# `make package-test`, no part of `make test`.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*WARPLOCK_VERSION "\(.*\)".*/\1/p' cmodel/base/abi.h)
fail() { echo "package: $*"; exit 1; }
grep -q "^warplock ($version)" debian/changelog || fail "debian/changelog does not begin with version $version of cmodel/base/abi.h"
mkdir -p build/package
dpkg-buildpackage -us -uc -b >build/package/log 2>&1 || { tail -n 20 build/package/log; fail "it does not build"; }
mv ../warplock_"${version}"_* ../warplock-dbgsym_"${version}"_* build/package/
deb=$(ls "$PWD"/build/package/warplock_"${version}"_*.deb)
export deb version
unshare -m bash -eu <<'END'
system=$(mktemp -d)
mount -t tmpfs none "$system"
mkdir "$system"/{upper,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$system/upper,workdir=$system/work" "$system/root"
for folder in proc dev sys; do mount --rbind "/$folder" "$system/root/$folder"; done
mkdir -p "$system/root/tmp" && mount -t tmpfs none "$system/root/tmp" && chmod 1777 "$system/root/tmp"
cp "$deb" "$system/root/tmp/warplock.deb"
inside() { chroot "$system/root" "$@"; }
fail() { echo "package: $*"; exit 1; }
inside dpkg -i --force-depends /tmp/warplock.deb >"$system/log" 2>&1 || { cat "$system/log"; fail "dpkg -i fails"; }
user() { inside setpriv --reuid=nobody --clear-groups env -i HOME=/tmp/home PATH=/usr/bin:/bin sh -c "$1"; }
mkdir -m 777 "$system/root/tmp/home"
[ "$(user 'warplock --version')" = "warplock $version, interface 1" ] || fail "warplock --version says $(user 'warplock --version')"
user 'warplock check fup20 --steps 1000' | grep -q '^PASS fup20' || fail "check fails"
user 'cd /tmp/home && warplock new unit hotline >/dev/null && cd hotline && warplock check hotline --steps 1000' | grep -q '^PASS hotline' || fail "a project's unit fails"
user 'warplock run -w vecadd --size tiny -m fup20 -b fup20=lockstep' | grep -q 'all equal' || fail "run fails"
user 'man -w warplock-run' | grep -q man1 || fail "no man page"
user 'printf "#include <warplock-units.h>\nint main(void) {return 0;}\n" >/tmp/home/a.c &&
    cc $(pkg-config --cflags warplock-units) /tmp/home/a.c -o /tmp/home/a $(pkg-config --libs warplock-units) &&
    /tmp/home/a' || fail "the library does not link"
inside dpkg -r warplock >>"$system/log" 2>&1 || fail "dpkg -r fails"
[ ! -e "$system/root/usr/lib/warplock" ] && [ ! -e "$system/root/usr/bin/warplock" ] || fail "something is left"
END
echo "package: $(basename "$deb") builds, installs, works and goes"
