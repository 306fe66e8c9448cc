#!/bin/sh
# Checks what `doctor` and `list devices` print about fake GPUs (fake_cuda.h, fake_nvml.c,
# fake_cupti.c). Also chooses devices with --device by number, UUID and MIG instance.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
devices=$(cd "${BUILD:-$root/build}/tests/devices" && pwd) || exit 1
redsweep=$devices/fake_gpu/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CACHE="$work/cache" REDSWEEP_PCI="$work/pci"
export REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100
unset CUDA_VISIBLE_DEVICES
failed=0
cd "$work" || exit 1

# try SETTING CODE ARGUMENTS…: runs redsweep, expects the exit code CODE, and stores the output in a
# file. SETTING is a list of environment variables.
try() {
    setting=$1 code=$2
    shift 2
    env ${setting:+"$setting"} "$redsweep" "$@" >said 2>&1
    got=$?
    [ "$got" -eq "$code" ] || { echo "test_cuda_doctor: FAILED: $setting $*: exit code $got, not $code"; cat said; failed=1; }
}

has() {
    grep -q -e "$1" said || { echo "test_cuda_doctor: FAILED: no '$1' in:"; cat said; failed=1; }
}

lacks() {
    ! grep -q -e "$1" said || { echo "test_cuda_doctor: FAILED: '$1' in:"; cat said; failed=1; }
}

first=GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff
second=GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfefe

# This machine has no problem, so all lines are printed and none of them is marked.
try "FAKE_CUDA_DEVICES=2" 0 doctor
has '^cuda:0  NVIDIA Fake 0'
has '^cuda:1  NVIDIA Fake 1'
has "UUID  *$second"
has 'compute capability 9.0'
has 'driver  *NVIDIA 580.65.06'
has 'SM 1980 MHz of at most 1995 MHz, the clocks are not locked'
has 'ECC  *on'
has 'MIG  *off'
has 'power limit  *700 W'
has 'other processes  *none'
has 'counters  *CUPTI 13'
has 'compiler  *NVRTC'
has 'cache  *.*GiB free'
has "^--device auto: NVIDIA Fake 0 (no GPU), $first"
lacks '^!'
try "FAKE_NVML_REASONS=2" 0 doctor
has 'someone has set the clocks (undo this with nvidia-smi -rgc'
try "FAKE_NVML_PROCESSES=3" 0 doctor
has 'other processes  *2, '
try "FAKE_CUDA_DEVICES=2" 0 doctor --device cuda:1
has "^--device cuda:1: NVIDIA Fake 1"

# Each of these GPUs has a problem, which doctor must report.
try "FAKE_CUPTI_FAIL=cuptiRangeProfilerEnable:35" 1 doctor
has '^! counters  *.*ERR_NVGPUCTRPERM'
has 'echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee'
has '^1 problem found, marked with !'
try "FAKE_NVML_MIG=1" 1 doctor
has '^! MIG  *MIG is on; choose an instance'
try "REDSWEEP_NVML=/none" 1 doctor
has '^! clocks, power'
try "FAKE_CUDA_FAIL=cudaSetDevice:1+=46" 1 doctor
has '^! cannot be opened'
has '^--device auto: simulator'
try "FAKE_NVML_FAIL=nvmlDeviceGetMigMode:3" 0 doctor # a card that has no MIG
has 'MIG  *unknown'

# A machine without a GPU has no problem, unless a GPU is on the bus.
try "FAKE_CUDA_DEVICES=0" 0 doctor
has 'not available  *.*has no visible NVIDIA GPU'
has '^--device auto: simulator .*; not cuda: '
mkdir -p pci/0000:3b:00.0 pci/0000:00:01.0
echo 0x8086 >pci/0000:00:01.0/vendor
echo 0x030000 >pci/0000:00:01.0/class
echo 0x10de >pci/0000:3b:00.0/vendor
echo 0x040300 >pci/0000:3b:00.0/class # the class of audio devices
try "FAKE_CUDA_FAIL=cudaGetDeviceCount:1+=35" 0 doctor
echo 0x030200 >pci/0000:3b:00.0/class
try "FAKE_CUDA_FAIL=cudaGetDeviceCount:1+=35" 1 doctor
has '^! cannot be used  *.*install an NVIDIA driver'
has '^--device auto: simulator'

# These tests choose devices by name.
try "FAKE_CUDA_DEVICES=2" 0 list devices
has "^cuda:1 *NVIDIA Fake 1 (no GPU), $second, compute capability 9.0"
try "FAKE_CUDA_DEVICES=2" 0 list devices --json
has "\"uuid\":.*\"$second\""
try "CUDA_VISIBLE_DEVICES=1 " 0 list devices # the fake has one GPU, and this hides it
lacks '^cuda:0'

echo '{"kernels": "smem", "sizes": 1024, "blocks": 128, "metrics": [], "timing": {"max_samples": 3, "contexts": 1}}' >c.json
export FAKE_CUDA_DEVICES=2
try "" 0 run c.json --device "cuda:$second" --out uuid
has "^device: NVIDIA Fake 1 (no GPU), $second"
try "" 2 run c.json --device cuda:GPU-f0f1 --out none
has "the UUIDs of several GPUs begin with these characters; there are $first, $second"
try "" 2 run c.json --device cuda:GPU-0 --out none
has 'no GPU has this UUID'
try "" 2 run c.json --device cuda:f0 --out none
has "'f0' does not name a device; write cuda, cuda:0"
try "CUDA_VISIBLE_DEVICES=1" 0 run c.json --device cuda --out visible
has '^device: NVIDIA Fake 1'
try "CUDA_VISIBLE_DEVICES=1" 2 run c.json --device cuda:1 --out none
try "" 0 run c.json --device cuda:MIG-f0f1 --out mig
has '^device: NVIDIA Fake MIG 1g.5gb (no GPU), MIG-f0f1'
try "CUDA_VISIBLE_DEVICES=0" 2 run c.json --device cuda:MIG-f0f1 --out none
has 'CUDA_VISIBLE_DEVICES is 0, which does not name this MIG instance'
try "" 2 run c.json --device cuda:MIG-77 --out none
has 'nvidia-smi -L'
[ ! -e none ] || { echo "test_cuda_doctor: FAILED: a device that is not there left a folder"; failed=1; }

# If there is no GPU, `make test-gpu` says so once and runs nothing.
FAKE_CUDA_DEVICES=0 OUT="$work/gpu" BUILD="$devices/fake_gpu" "$root/tests/gpu/run.sh" >said 2>&1 &&
    { echo "test_cuda_doctor: FAILED: test-gpu ends with 0 where there is no GPU"; failed=1; }
has '^test-gpu: these tests need an NVIDIA GPU'
has 'no CUDA-capable device is detected'
lacks 'FAILED'

[ "$failed" -eq 0 ] && echo "test_cuda_doctor: passed"
exit "$failed"
