#!/bin/sh
# Runs the script lines of each CI pipeline in examples/ci in a separate repository. The exit code
# must be 0 for a change that does not affect kernels, and 1 for one that adds work to a kernel. The
# pipelines for a GPU run on the fake GPU, with a smaller config.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost \
    GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost
devices=$build/tests/devices
export REDSWEEP_HOME="$root" REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export FAKE_CUPTI_CHIP=GH100
failed=0

fail() {
    echo "test_gating: FAILED: $*"
    cat "$work/log"
    failed=1
}

# Prints a pipeline's script lines as a shell gets them.
script_of() {
    awk -v name="$1" '
        $1 == "#" && $2 == "end" { on = 0 }
        on { sub(/^ *(- )?/, ""); print }
        $1 == "#" && $2 == "script" && $4 == name { on = 1; seen++ }
        END { exit seen != 1 }' "$root"/examples/ci/*.yml
}

# Makes a repository that looks like a checkout of redsweep. It contains a built program, so `make`
# builds nothing.
repository() {
    mkdir -p "$1/build"
    cp -r "$root/kernels" "$root/configs" "$1"
    printf 'all:\n' >"$1/Makefile"
    echo build >"$1/.gitignore"
    ln -s "$2" "$1/build/redsweep"
    [ -z "$small" ] || printf '%s\n' "$small" | tee "$1/configs/gate.json" >"$1/configs/gate-counts.json"
    (cd "$1" && git init -q . && git add . && git commit -qm base)
}

# Runs a pipeline's script, and sets $code to its exit code.
run_script() { # NAME FOLDER
    script_of "$1" >"$work/script" || fail "$1: not in examples/ci"
    (cd "$2" && rm -rf build/gate build/base && git worktree prune &&
        BASE=$(git rev-parse HEAD^) sh -eu "$work/script") >"$work/log" 2>&1
    code=$?
}

# NAME PROGRAM: the script must exit with 0 without a change, and with 1 after the planted change.
try() {
    folder=$work/$1
    repository "$folder" "$2"
    echo "a change that is none of a kernel's" >>"$folder/configs/README.md"
    (cd "$folder" && git commit -qam "Change a manual")
    run_script "$1" "$folder"
    [ $code -eq 0 ] || fail "$1: an unchanged copy ends with $code"
    for file in gate/baseline/results.csv gate/candidate/results.csv gate.md gate.xml; do
        [ -s "$folder/build/$file" ] || fail "$1: there is no build/$file"
    done
    cp "$work/planted/book/unroll.cu" "$folder/kernels/book/"
    (cd "$folder" && git commit -qam "Do more")
    run_script "$1" "$folder"
    [ $code -eq 1 ] || fail "$1: a kernel that does more ends with $code"
    grep -q unroll "$folder/build/gate.md" || fail "$1: gate.md does not name the kernel"
}

PLANT=loads "$root/tests/gpu/plant.sh" "$root/kernels" unroll 1 "$work/planted" || fail "nothing planted"
small=
try counts-github "$build/redsweep"
small='{"kernels": ["unroll", "interleaved"], "sizes": 16384, "blocks": 128, "unrolls": 4, "metrics": ["gld_requests"]}'
try counts-gitlab "$build/redsweep"
# The fake GPU's clock depends on the number of instructions, and the loop is long enough to be
# found at the smallest size.
export FAKE_CUDA_WORK=16
sed -i '/planted/s/if (threadIdx.x == 0 /for (int k = 0; k < 8; k++) &/' "$work/planted/book/unroll.cu"
small='{"kernels": ["unroll", "smem_unroll", "interleaved"], "sizes": {"log2": [13, 16]}, "cache": "all",
    "blocks": [64, 128, 256], "unrolls": 4, "metrics": [], "timing": {"contexts": 1, "min_samples": 10,
    "max_samples": 10}}'
try gpu-github "$devices/fake_gpu/redsweep"
try gpu-gitlab "$devices/fake_gpu/redsweep"
[ "$failed" -eq 0 ] && echo "test_gating: passed"
exit "$failed"
