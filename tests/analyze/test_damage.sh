#!/bin/sh
# Every command that reads runs notices duplicate rows and missing samples. None hangs on a FIFO or
# reads a device.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${BUILD:-$root/build}")
redsweep=$build/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_CACHE="$work/cache" BUILD="$build" REDSWEEP_HOME="$root"
failed=0 tried=0
fail() { echo "test_damage: FAILED: $*"; failed=1; }

cd "$work" || exit 1
cat >c.json <<'J'
{"kernels": ["interleaved", "cpu_loop"], "sizes": [1000, 2000, 4000],
 "timing": {"min_samples": 4, "max_samples": 4, "budget_s": 0.01}}
J
"$redsweep" run c.json --device sim --out run >said 2>&1 || { cat said; fail "the run"; exit 1; }

# readers COMMANDS PATTERN: each command, given the damaged folder x, must exit with 2 and print
# PATTERN.
readers() {
    echo "$1" >lines
    pattern=$2
    while read -r line; do
        tried=$((tried + 1))
        rm -rf x
        cp -r "$from" x
        damage
        eval "timeout 300 $line" >said 2>&1
        code=$?
        [ $code -eq 2 ] && grep -q -e "$pattern" said ||
            fail "$what: $line: exit code $code, $(tail -2 said)"
    done <lines
}
all='"$redsweep" show x
"$redsweep" show x/results.csv
"$redsweep" best x --metric gld_transactions
"$redsweep" diff x run
"$redsweep" diff run x
"$redsweep" report x
"$redsweep" tuned x
"$redsweep" resume x'

from=run
what='a doubled row'
damage() { sed -i 5p x/results.csv; }
readers "$all" 'has two rows'
readers '"$redsweep" plots x' 'has two rows'

from=run
what='samples cut short'
damage() { truncate -s -20 x/samples.csv; }
readers "$all" 'has 3 samples, but its row in results.csv says 4'
what='samples cut in the middle'
damage() { size=$(wc -c <x/samples.csv); truncate -s $((size / 2)) x/samples.csv; }
readers "$all" 'samples, but its row in results.csv says 4'
what='a sample too many'
damage() { sed -i 3p x/samples.csv; }
readers "$all" 'has 5 samples, but its row in results.csv says 4'

# Optional files may be missing. Without samples.csv, all commands except resume use the medians.
rm -rf x && cp -r run x && rm x/samples.csv
"$redsweep" show x >said 2>&1 || fail "without samples: $(cat said)"
"$redsweep" diff x run >said 2>&1 || fail "diff without samples: $(cat said)"

from=run
for file in results.csv samples.csv run.json; do
    for kind in mkfifo 'ln -s /dev/zero' 'ln -s /dev/tty'; do
        what="$kind $file"
        damage() { rm "x/$file"; $kind "x/$file"; }
        readers "$all" "x/$file is not a regular file\|x/$file cannot be opened: No such device\|x/$file: No such device"
    done
done
what='a FIFO as .lock'
damage() { rm -f x/.lock; mkfifo x/.lock; }
readers '"$redsweep" resume x' 'lock'

# resume takes the config's path from run.json. It must not hang when it opens that path, nor print
# what the file contains.
cp -r run x1
mkfifo x1/fifo
echo 'a secret' >secret

for path in "$work/x1/fifo" "$work/secret" /dev/zero; do
    tried=$((tried + 1))
    sed -i "s#\"config_path\":.*#\"config_path\": \"$path\",#" x1/run.json
    timeout 300 "$redsweep" resume x1 >said 2>&1
    code=$?
    [ $code -ne 124 ] || fail "config_path $path: waits for ever"
    grep -q 'a secret' said x1/*.json x1/*.csv && fail "config_path $path: $(cat said)"
done

[ "$failed" -eq 0 ] && echo "test_damage: $tried damaged runs"
exit "$failed"
