#!/bin/sh
# Commands with mistakes or malicious input must exit quickly, with one message and exit code 2, and
# must not write anything.
set -u
redsweep=$(realpath "${BUILD:-build}")/redsweep
REDSWEEP_HOME=$PWD
export REDSWEEP_HOME
bed=$(mktemp -d "/tmp/red sweep's \"bed\" XXXXXX") || exit 1
trap 'rm -rf "$bed"' EXIT
cd "$bed" || exit 1
failed=0 tried=0

# Limits the address space to 4 GB, except with AddressSanitizer, whose shadow memory needs more.
limit=4000000
! nm "$redsweep" | grep -q __asan_init || limit=unlimited

# refused WHAT ARGUMENT …: redsweep must refuse the command. tests/texts checks the messages
# (config.txt, commands.txt and runs.txt).
refused() {
    what=$1
    shift
    tried=$((tried + 1))
    (ulimit -v $limit; timeout 300 "$redsweep" "$@" >out 2>err)
    code=$?
    if [ $code -ne 2 ] || [ "$(grep -c '^redsweep: ' err)" -ne 1 ] || [ -s out ] || [ -e results ] || [ -e made ]; then
        echo "FAILED: $what: exit code $code"
        head -c 600 err out
        failed=1
    fi
}
config() {
    printf "$2" >c.json
    refused "$1" run c.json --out made
}

config 'an empty file' ''
config 'no JSON' 'hello'
config 'a truncated file' '{"sizes": [1, 2'
config 'a size of 0' '{"sizes": [0]}'
config 'a negative size' '{"sizes": [-5]}'
config 'a size of 2^63' '{"sizes": [9223372036854775808]}'
config 'a size of 1e400' '{"sizes": [1e400]}'
config 'NaN' '{"sizes": [NaN]}'
config 'a sweep without end' '{"sizes": {"range": [1, 1099511627776], "step": 1}}'
config 'bytes that are not UTF-8' '{"comment": "caf\351"}'
config 'an unknown key' '{"size": [1]}'
config 'a key twice' '{"seed": 1, "seed": 2}'
config 'a name that leaves the folder' '{"name": "../../etc/cron"}'
config 'a name with a newline' '{"name": "a\\nb"}'
config 'an unknown kernel' '{"kernels": "unrol"}'
head -c 100000 /dev/zero | tr '\0' '[' >c.json
refused 'deep nesting' run c.json --out made
head -c 9000000 /dev/zero | tr '\0' ' ' >c.json
refused 'a huge file' run c.json --out made
LC_ALL=C awk 'BEGIN { srand(5); for (i = 0; i < 5000; i++) printf "%c", int(256 * rand()) }' >c.json
refused 'random bytes' run c.json --out made
refused 'a folder' run .
refused 'no such file' run 'a name with
a newline.json'
refused 'an endless file' run /dev/zero --out made
refused 'unknown device' run "$REDSWEEP_HOME/configs/quick.json" --device cude --out made
refused 'no such option' run c.json --ouut x
refused 'no such command' runn
refused 'a folder without a run' resume .
refused 'no folder' resume 'it'"'"'s not here'
mkdir run && printf '{"schema": 2}' >run/run.json
refused 'a run without its config' resume run
printf '\377\376' >run/run.json
refused 'a run.json that is none' resume run
head -c 20000000 /dev/zero | tr '\0' '[' >run/run.json
refused 'a huge run.json' resume run
mkdir kernels && printf '// kernel: bad\n// covers: ((((\n' >kernels/bad.cu
refused 'a kernel with bad facts' run "$REDSWEEP_HOME/configs/quick.json" --kernel-folder kernels --out made
echo "bad input: $tried inputs refused"
exit $failed
