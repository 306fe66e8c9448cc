#!/bin/sh
# Prints a run's rows, sorted, without the columns that may differ between runs of the same points:
# those that say in which run, on which device and when a point was measured, and how long its
# kernel took to compile.
#
#   tests/rows_of.sh REDSWEEP RUN
set -eu
columns=$("$1" show "$2" --info | sed -n 's/^columns\.[0-9]*\.name\t//p' |
    grep -vx 'run\|host\|device_uuid\|device_index\|shard\|session\|measured_at\|compile_ms' | paste -sd ,)
[ -n "$columns" ]
"$1" show "$2" --columns "$columns" --csv - | sort
