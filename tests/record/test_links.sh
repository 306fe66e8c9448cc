#!/bin/sh
# redsweep neither changes nor empties what links in a run's folder point to.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$here/build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$here"
cd "$work" || exit 1
failed=0
echo '{"kernels":["interleaved"],"sizes":[64,128,256]}' >x.json
"$redsweep" run x.json --device sim --out whole --quiet || exit 1
# stopped: makes the folder r with a run that was stopped
stopped() {
    rm -rf r && cp -r whole r && head -3 whole/results.csv >r/results.csv && rm r/results.json
    echo precious >victim
}
kept() { # WHAT
    [ "$(cat victim)" = precious ] || { echo "test_links: FAILED: $1: the target was written"; failed=1; }
}
for file in run.json.part results.json.part results.csv.part samples.csv.part results.json; do
    for link in 'ln -s ../victim' 'ln victim'; do
        stopped
        case $link in 'ln victim') ln -f victim "r/$file" ;; *) ln -sf ../victim "r/$file" ;; esac
        timeout 60 "$redsweep" resume r --quiet --retry wrong >out.txt 2>&1
        kept "resume, $link $file"
        [ "$(wc -l <r/results.csv)" -eq 4 ] || { echo "test_links: FAILED: not resumed beside $link $file:"; cat out.txt; failed=1; }
    done
done
for file in results.csv samples.csv; do
    stopped
    mv "r/$file" "own-$file" && cp "own-$file" before && ln -s "../own-$file" "r/$file"
    timeout 60 "$redsweep" resume r --quiet >out.txt 2>&1 && { echo "test_links: FAILED: resumed into a link, $file"; failed=1; }
    cmp -s before "own-$file" || { echo "test_links: FAILED: $file was appended to through a link"; failed=1; }
    grep -q "r/$file is a symbolic link" out.txt || { echo "test_links: FAILED: $file:"; cat out.txt; failed=1; }
done
stopped
ln -s ../victim r/report.html
timeout 60 "$redsweep" report r >out.txt 2>&1 || { echo 'test_links: FAILED: report:'; cat out.txt; failed=1; }
kept 'report, report.html'
[ -f r/report.html ] && [ ! -L r/report.html ] || { echo 'test_links: FAILED: the page is no file of its own'; failed=1; }
for option in --csv --json --html; do
    ln -sf victim named && timeout 60 "$redsweep" show whole $option named >/dev/null 2>&1
    kept "show $option"
    rm -f named && ln victim named && timeout 60 "$redsweep" show whole $option named >/dev/null 2>&1
    kept "show $option, a second name"
    rm -f named
done
# A pipe is not accepted as a lock file, and no command waits for a writer of the pipe.
mkdir -p shards
"$redsweep" run x.json --device sim --shard 0/1 --out shards --quiet >/dev/null || exit 1
mkfifo shards/shard-000/.lock
for command in 'status shards' 'merge shards --out merged'; do
    # shellcheck disable=SC2086 # several words
    timeout 20 "$redsweep" $command >out.txt 2>&1 || { echo "test_links: FAILED: $command, with a pipe as the lock ($?):"; cat out.txt; failed=1; }
done
mkfifo pipe
timeout 20 "$redsweep" show whole --csv pipe >out.txt 2>&1
[ $? -eq 2 ] || { echo 'test_links: FAILED: waits for the reader of a pipe'; failed=1; }
[ $failed -eq 0 ] && echo 'test_links: ok'
exit $failed
