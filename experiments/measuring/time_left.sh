#!/bin/sh
# Measures how accurately a run predicts its remaining time. Runs a config to the end, then runs it
# again, stops after about half of the points, and resumes. Compares each prediction in the progress
# line, which appears every five seconds, with the time that measuring took from then on. After the
# first tenth of the time, no prediction may be off by more than a factor of two and more than a
# second. Runs on GPUs, or on the simulator with DEVICE=sim:
#
#   experiments/measuring/time_left.sh [CONFIG [OPTION…]]      CONFIG: configs/ladder.json; OPTIONs of `redsweep run`
#
# OUT names a folder for the runs and their logs; the default is temporary. HALF=no skips the second
# run. STOP=SECONDS makes a single run, stops it after it has measured for this long, and resumes
# it. The predictions of its first session are compared with the measuring time of both sessions
# together.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
config=${1:-$root/configs/ladder.json}
[ $# -eq 0 ] || shift
export REDSWEEP_HOME="${REDSWEEP_HOME:-$root}"
if [ -n "${OUT:-}" ]; then
    out=$OUT && mkdir -p "$out" || exit 1
else
    out=$(mktemp -d) || exit 1
    trap 'rm -rf "$out"' EXIT
fi
failed=0

# LOG SECONDS NAME: compares the predictions of a session that measured for SECONDS with this time.
judge() {
    awk -v all="$2" -v name="$3" '
        $1 == "measuring" && match($0, /  [0-9.]+ (s|min|h) left after [0-9]+ s/) {
            split(substr($0, RSTART, RLENGTH), w, " ")
            unit = w[2] == "h" ? 3600 : w[2] == "min" ? 60 : 1
            estimates++
            since = w[5]; left = w[1] * unit; truth = all - since
            rounding = (w[2] == "h" ? 180 : unit / 2) + 0.5 # of both times
            if (since < all / 10)
                next
            judged++
            low = left - rounding > 0 ? left - rounding : 0; high = left + rounding
            nearest = truth < low ? low : truth > high ? high : truth
            factor = nearest > truth ? nearest / (truth > 0.1 ? truth : 0.1) : truth / (nearest > 0.1 ? nearest : 0.1)
            if (nearest - truth <= 1 && truth - nearest <= 1)
                factor = 1
            if (factor > worst) { worst = factor; at = since; shown = left; was = truth }
        }
        END {
            printf "%s: measured for %.0f s; %d estimates, %d after the first tenth", name, all, estimates, judged
            if (judged)
                printf "; the worst is off by a factor of %.2f (after %.0f s: %.0f s, and it took %.0f s)", worst, at, shown, was
            print ""
            exit judged == 0 || worst > 2
        }' "$1"
}

# FOLDER SESSION: prints how long the session's measurements took.
seconds() { "$redsweep" show "$1" --info | awk -v key="sessions.$2.seconds.measuring" '$1 == key { print $2 }'; }

# SECONDS FOLDER [OPTION…]: makes a run of the config that is stopped after it has measured for
# SECONDS, and resumes it.
stop_and_resume() {
    until=$1 folder=$2
    shift 2
    : >"$folder.log"
    "$redsweep" run "$config" "$@" --device "${DEVICE:-cuda}" --out "$folder" 2>"$folder.log" >/dev/null &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! awk -v until="$until" '
        $1 == "measuring" && match($0, /left after [0-9]+ s/) && substr($0, RSTART + 11) + 0 >= until { found = 1 }
        END { exit !found }' "$folder.log"; do
        sleep 1
    done
    kill -TERM $pid 2>/dev/null
    wait $pid
    "$redsweep" resume "$folder" 2>"$folder-resumed.log" >/dev/null
    [ $? -le 1 ] || { tail -3 "$folder-resumed.log"; exit 1; }
}

if [ -n "${STOP:-}" ]; then
    stop_and_resume "$STOP" "$out/half" "$@"
    first=$(seconds "$out/half" 0) second=$(seconds "$out/half" 1)
    both=$(echo "$first $second" | awk '{ print $1 + $2 }')
    judge "$out/half.log" "$both" "stopped after $(printf %.0f "$first") s" || failed=1
    judge "$out/half-resumed.log" "$second" resumed || failed=1
    exit $failed
fi

# Checks the complete run's predictions.
"$redsweep" run "$config" "$@" --device "${DEVICE:-cuda}" --out "$out/whole" 2>"$out/whole.log" >/dev/null
[ $? -le 1 ] || { tail -3 "$out/whole.log"; exit 1; }
whole=$(seconds "$out/whole" 0)
judge "$out/whole.log" "$whole" "whole run" || failed=1
[ "${HALF:-yes}" = yes ] || exit $failed

# Stops a run after it has measured for half of that time, and resumes it.
stop_and_resume "$(echo "$whole" | awk '{ print $1 / 2 }')" "$out/half" "$@"
judge "$out/half-resumed.log" "$(seconds "$out/half" 1)" "resumed at half" || failed=1
exit $failed
