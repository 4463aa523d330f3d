#!/usr/bin/env bash
# shot.sh FST GTKW PNG [WIDTHxHEIGHT] - what GTKWave shows, as a picture, on a screen of its own.
set -eu
. "$(dirname "$0")/files.inc"
[ $# -ge 3 ] || { echo "shot: needs FST GTKW PNG [WIDTHxHEIGHT]" >&2; exit 2; }
fst=$1 layout=$2 png=$3 size=${4:-1280x800}
fault=$(wave_fault "$fst" "$layout")
[ -z "$fault" ] || { echo "shot: $fault" >&2; exit 2; }
display=:$((100 + $$ % 800))
Xvfb "$display" -screen 0 "${size}x24" >/dev/null 2>&1 &
screen=$!
trap 'kill $viewer $screen 2>/dev/null || true' EXIT
viewer=
# The viewer's own settings: no splash, no file of the user's.
rc=$(mktemp)
printf 'splash_disable 1\nenable_fast_exit 1\nhide_sst 1\ninitial_window_x %s\ninitial_window_y %s\ninitial_window_xpos 0\ninitial_window_ypos 0\nfill_waveform 0\n' "${size%x*}" "${size#*x}" >"$rc"
for _ in $(seq 50); do
    DISPLAY=$display xwininfo -root >/dev/null 2>&1 && break
    [ -e "/tmp/.X11-unix/X${display#:}" ] && break
    sleep 0.1
done
DISPLAY=$display gtkwave --rcfile "$rc" --nomenus "$fst" "$layout" >/dev/null 2>&1 &
viewer=$!
# Drawn when two pictures in a row are the same and not empty.
last=
for _ in $(seq 40); do
    sleep 0.5
    DISPLAY=$display import -window root "$png" 2>/dev/null || continue
    now=$(cksum <"$png")
    colours=$(identify -format %k "$png")
    [ "$now" = "$last" ] && [ "$colours" -gt 8 ] && break
    last=$now
done
rm -f "$rc"
[ "$colours" -gt 8 ] || { echo "shot: GTKWave shows nothing of $fst; try: gtkwave $fst $layout" >&2; exit 1; }
