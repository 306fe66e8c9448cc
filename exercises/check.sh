#!/bin/sh
# Checks the exercises of docs/what-the-kernels-teach.md on the simulator; no GPU is needed.
#
#   exercises/check.sh [race] [coalesce] [beat]
#
# For each exercise, the script prints that it passes, or why it fails. An exercise passes if its
# result is right at several sizes, if there is no data race, and if its own condition holds. FOLDER is
# the folder of the .cu files (exercises), and REDSWEEP is the program (build/redsweep). The exit code
# is 0 if all exercises pass, 1 if one fails, and 2 if the arguments are wrong.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${FOLDER:-$here}
redsweep=${REDSWEEP:-$here/../build/redsweep}
[ -x "$redsweep" ] || { echo "check.sh: $redsweep: no such program; make builds it" >&2; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

N=1048576
# Prints the METRIC of the row for N elements in which the kernel is KERNEL and WHERE holds.
count() { # KERNEL METRIC WHERE
    "$redsweep" show "$work/run" --where "kernel = $1 and n = $N and $3" --columns "$2" --csv - | tail -n 1
}

# Runs kernels. If a result is wrong, `why` says which one and why.
results_are_right() { # KERNELS
    rm -rf "$work/run"
    "$redsweep" run --kernels "$1" --kernel-folder "$folder" --sizes "1,1000,100003,$N" --blocks 256 --unrolls 16 \
        --metrics gld_transactions,gst_transactions,inst_executed,gld_efficiency --device sim --quiet --out "$work/run" \
        >"$work/out" 2>&1
    case $? in
    0 | 1) ;;
    *) why=$(head -n 1 "$work/out") && return 1 ;;
    esac
    why=$("$redsweep" show "$work/run" --where "kernel = ${1%%,*} and status != ok" --columns n,status,reason --csv - |
        sed -n '2s/^\([^,]*\),\([^,]*\),\(.*\)/at n = \1: \2: \3/p')
    [ -z "$why" ]
}

has_no_race() { # KERNEL
    "$redsweep" racecheck "$1" --kernel-folder "$folder" >"$work/out" 2>&1 && return
    why="redsweep racecheck $1 --kernel-folder exercises finds something; run it, it names the two lines"
    return 1
}

check_race() {
    has_no_race race && results_are_right race
}

check_coalesce() {
    results_are_right coalesce || return 1
    sectors=$(count coalesce gld_transactions 'block = 256')
    [ "$sectors" -le $((N / 8 * 105 / 100)) ] || {
        why="it loads $sectors sectors of 32 bytes for $N elements of 4; $((N / 8)) would do (at most 5 % more are allowed)"
        return 1
    }
    has_no_race coalesce
}

check_beat() {
    results_are_right beat,smem_unroll || return 1
    mine=$(count beat inst_executed 'block = 256') theirs=$(count smem_unroll inst_executed 'unroll = 16')
    stored=$(count beat gst_transactions 'block = 256')
    [ "$mine" -lt "$theirs" ] || {
        why="its warps execute $mine instructions, those of smem_unroll $theirs"
        return 1
    }
    [ "$stored" -le $((N / 32)) ] || {
        why="it stores $stored sectors: too much is left to the second pass"
        return 1
    }
    has_no_race beat
}

[ $# -gt 0 ] || set -- race coalesce beat
failed=0
for exercise; do
    case $exercise in
    race | coalesce | beat) ;;
    *) echo "check.sh: no exercise is called '$exercise'; there are race, coalesce and beat" >&2; exit 2 ;;
    esac
    why=
    if "check_$exercise"; then
        echo "$exercise: pass"
    else
        echo "$exercise: not yet: $why"
        failed=1
    fi
done
exit $failed
