#!/bin/sh
# What people may give by mistake or malice: one message, exit code 2, nothing written, soon.
set -u
redsweep=$(realpath "${BUILD:-build}")/redsweep
REDSWEEP_HOME=$PWD
export REDSWEEP_HOME
bed=$(mktemp -d "/tmp/red sweep's \"bed\" XXXXXX") || exit 1
trap 'rm -rf "$bed"' EXIT
cd "$bed" || exit 1
failed=0 tried=0

# Four gigabytes are enough, except for AddressSanitizer, which reserves its shadow of all memory.
limit=4000000
! nm "$redsweep" | grep -q __asan_init || limit=unlimited

# refused WHAT WORD ARGUMENT …: the message must hold WORD.
refused() {
    what=$1 word=$2
    shift 2
    tried=$((tried + 1))
    (ulimit -v $limit; timeout 300 "$redsweep" "$@" >out 2>err)
    code=$?
    if [ $code -ne 2 ] || ! grep -q -- "$word" err || [ -s out ] || [ -e results ] || [ -e made ]; then
        echo "FAILED: $what: exit code $code"
        head -c 600 err out
        failed=1
    fi
}
config() {
    printf "$2" >c.json
    refused "$1" "$3" run c.json --out made
}

config 'an empty file' '' 'c.json'
config 'no JSON' 'hello' 'c.json'
config 'a truncated file' '{"sizes": [1, 2' 'c.json'
config 'a size of 0' '{"sizes": [0]}' 'sizes'
config 'a negative size' '{"sizes": [-5]}' 'sizes'
config 'a size of 2^63' '{"sizes": [9223372036854775808]}' 'sizes'
config 'a size of 1e400' '{"sizes": [1e400]}' 'c.json'
config 'NaN' '{"sizes": [NaN]}' 'c.json'
config 'a sweep without end' '{"sizes": {"range": [1, 1099511627776], "step": 1}}' 'sizes'
config 'bytes that are not UTF-8' '{"comment": "caf\351"}' 'UTF-8'
config 'an unknown key' '{"size": [1]}' 'did you mean'
config 'a key twice' '{"seed": 1, "seed": 2}' 'seed'
config 'a name that leaves the folder' '{"name": "../../etc/cron"}' 'name'
config 'a name with a newline' '{"name": "a\\nb"}' 'name'
config 'an unknown kernel' '{"kernels": "unrol"}' 'unroll'
head -c 100000 /dev/zero | tr '\0' '[' >c.json
refused 'deep nesting' 'c.json' run c.json --out made
head -c 9000000 /dev/zero | tr '\0' ' ' >c.json
refused 'a huge file' 'at most 8388608 are read' run c.json --out made
LC_ALL=C awk 'BEGIN { srand(5); for (i = 0; i < 5000; i++) printf "%c", int(256 * rand()) }' >c.json
refused 'random bytes' 'c.json' run c.json --out made
refused 'a folder' 'not a regular file' run .
refused 'no such file' 'No such file' run 'a name with
a newline.json'
refused 'an endless file' 'c' run /dev/zero --out made
refused 'unknown device' 'did you mean' run "$REDSWEEP_HOME/configs/quick.json" --device cude --out made
refused 'no such option' 'did you mean' run c.json --ouut x
refused 'no such command' 'unknown command' runn
refused 'a folder without a run' 'run.json' resume .
refused 'no folder' 'run.json' resume 'it'"'"'s not here'
mkdir run && printf '{"schema": 2}' >run/run.json
refused 'a run without its config' 'cannot be resumed' resume run
printf '\377\376' >run/run.json
refused 'a run.json that is none' 'not valid JSON' resume run
head -c 20000000 /dev/zero | tr '\0' '[' >run/run.json
refused 'a huge run.json' 'run.json' resume run
mkdir kernels && printf '// kernel: bad\n// covers: ((((\n' >kernels/bad.cu
refused 'a kernel with bad facts' 'bad.cu' run "$REDSWEEP_HOME/configs/quick.json" --kernel-folder kernels --out made
echo "bad input: $tried inputs refused"
exit $failed
