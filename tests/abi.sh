#!/usr/bin/env bash
# abi.sh [--record] - the headers that users' projects are compiled against are those of the version in
# cmodel/base/abi.h: who changes one of them raises the version, and records both with --record.
set -u
cd "$(dirname "$0")/.."
headers() {
    printf '%s\n' cmodel/units/{unit,table,clocking,model,promises}.h tb/stimulus.h tb/random.h cmodel/mechanisms/{mechanism,instances,ports}.h \
        cmodel/machine/plug/*.h cmodel/machine/memory/node.h cmodel/machine/noc/message.h cmodel/machine/config/config.h cmodel/machine/config/config_keys.h \
        cmodel/machine/host/host.h cmodel/workloads/{workload,run,check,approx}.h tb/api/warplock-units.h
}
# Comments may change.
now="$(sed -n 's/#define WARPLOCK_ABI //p' cmodel/base/abi.h) $(headers | xargs cat | gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null | sha256sum | cut -c1-32)"
if [ "${1:-}" = --record ]; then
    echo "$now" >tests/abi.recorded
elif [ "$now" != "$(cat tests/abi.recorded)" ]; then
    echo "abi: the headers of users' projects are not those recorded for version ${now% *}: raise WARPLOCK_ABI in cmodel/base/abi.h if one was released with it, then tests/abi.sh --record"
    exit 1
fi
