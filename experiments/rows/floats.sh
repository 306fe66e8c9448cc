#!/bin/bash
# Compares float sums with int32 sums of the same size in bytes, by running configs/floats.json on a
# GPU.
#
#   experiments/rows/floats.sh [CONFIG [NAME]]     runs CONFIG into $BUILD/floats/NAME and packs this run into $OUT
#
# Builds CUB first if it is missing (half a minute). DEVICE=sim:sms=132 tests the script without a
# GPU.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build}
config=${1:-configs/floats.json}
name=${2:-floats}
run=$build/floats/$name
device=${DEVICE:-cuda}
cd "$root" || exit 1
if [ ! -e "$build/libredsweep_cub.so" ] && command -v nvcc >/dev/null; then
    nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -o "$build/libredsweep_cub.so" kernels/peers/cub.cu
fi
rm -rf "$run"
mkdir -p "$build/floats"
start=$(date +%s)
timeout "${LIMIT:-150}" "$build/redsweep" run "$config" --device "$device" --out "$run" >"$run.log" 2>&1
code=$?
echo "$name: exit code $code, $(($(date +%s) - start)) s"
tail -n 5 "$run.log"
if [ -n "${OUT:-}" ]; then
    tar -C "$build/floats" -cJf "$OUT/$name.tar.xz" "$name" "$name.log"
    ls -l "$OUT"
fi
exit $code
