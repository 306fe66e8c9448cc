#!/bin/sh
# Packs folders of experiments/comparing/power.sh (KEEP=yes) into one small archive for
# experiments/comparing/power_again.sh. Keeps each run's files that `redsweep diff` needs, and how
# often each time was sampled at each point ("ID TIME*COUNT …"). This loses the order of the
# samples, which does not affect ranks and medians.
#
#   experiments/comparing/power_pack.sh FOLDER ARCHIVE.tar.xz    FOLDER contains a folder of power.sh for each config
set -eu
cd "$(dirname "$0")/../.."
redsweep=${BUILD:-build}/redsweep
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
columns='id|backend|device|kernel|type|op|n|block|unroll|cache|scope|row_length|t_.*|status|time_us_median|time_us_ci95_..|run|device_uuid'
(cd "$1" && find . -name results.csv) | sort >"$work/list"
mkdir "$work/packed"
while read -r file; do
    run=$(dirname "$file")
    mkdir -p "$work/packed/$run"
    kept=$(head -1 "$1/$file" | tr ',' '\n' | grep -xE "$columns" | tr '\n' ',')
    "$redsweep" show "$1/$run" --columns "${kept%,}" --csv - >"$work/packed/$run/results.csv"
    # Copies run.json without the location of the run.
    sed 's|"/[^"]*/kernels\([/"]\)|"kernels\1|g; s|"command": ".*/redsweep gate|"command": "redsweep gate|
        s|/[^ "]*/\([^/ "]*\)/gate.json|\1/gate.json|; s|/[^ "]*/\([^/ "]*/tries/\)|\1|; s|/[^ "]*/\([^/ "]*/plants/\)|\1|' \
        "$1/$run/run.json" >"$work/packed/$run/run.json"
    sort -t, -k1,1 -k3,3g "$1/$run/samples.csv" | awk -F, '
        $1 == "id" { next }
        $1 != id { if (NR > 1 && id != "") print line "*" count; id = $1; time = $3; count = 0; line = id " " time }
        $3 != time { line = line "*" count " " $3; time = $3; count = 0 }
        { count++ }
        END { print line "*" count }' >"$work/packed/$run/samples.txt"
done <"$work/list"
for config in "$1"/*/list.tsv; do
    name=$(basename "$(dirname "$config")")
    [ -d "$work/packed/$name" ] && cp "$config" "$(dirname "$config")/effects.csv" "$work/packed/$name"
done
# Files of the same kind go next to each other, because that compresses best.
(cd "$work/packed" && find . -type f | awk -F/ '{ print $NF "\t" $0 }' | sort | cut -f2) >"$work/files"
tar cf - -C "$work/packed" --owner=0 --group=0 --sort=none --no-recursion -T "$work/files" | xz -9e >"$2"
