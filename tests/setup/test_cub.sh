#!/bin/sh
# `make cub` takes CUB's headers from the wheel of the named version, which it downloads once. With
# CUB=toolkit, it takes them from the toolkit. A failed download leaves no files behind, and its
# message names a remedy. pip and nvcc are fakes here.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
unset SETUP # set by the make that runs the tests
fail() { echo "test_cub: FAILED: $*"; failed=1; }

mkdir "$work/bin" "$work/build"
cat >"$work/bin/python3" <<'EOF'
#!/bin/sh
case "$*" in *--version*) exit 0 ;; esac
echo "$*" >>"$WORK/pip"
[ -z "${NO_PIP:-}" ] || exit 1
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/nvidia/cu13/include/cccl/cub" && touch "$2/nvidia/cu13/include/cccl/cub/version.cuh"
EOF
cat >"$work/bin/nvcc" <<'EOF'
#!/bin/sh
echo "$*" >>"$WORK/nvcc"
while [ "$1" != -o ]; do shift; done
touch "$2"
EOF
chmod +x "$work/bin/python3" "$work/bin/nvcc"

cub() {
    rm -f "$work/nvcc"
    env -i PATH="$work/bin:$PATH" HOME="$HOME" WORK="$work" NO_PIP="${NO_PIP:-}" SETUP="${SETUP:-yes}" \
        make -C "$root" -s BUILD="$work/build" NVCC="$work/bin/nvcc" CUB_ARCHS=sm_90 \
        "$work/build/libredsweep_cub_rows.so" "$@" >"$work/out" 2>&1
}

cd "$root" && cp "${BUILD:-build}/toolkit.mk" "$work/build/" || exit 1
SETUP=no cub CUB=1.2.3 && fail "headers that are nowhere"
grep -q "SETUP=no forbids fetching them; CUB=toolkit takes those of the CUDA Toolkit" "$work/out" || fail "SETUP=no: $(cat "$work/out")"
NO_PIP=yes cub CUB=1.2.3 && fail "a fetch that failed"
grep -q "pip cannot fetch nvidia-cuda-cccl 1.2.3; CUB=toolkit" "$work/out" || fail "no pip: $(cat "$work/out")"
[ "$(find "$work/build" -name 'cccl*')" = "" ] || fail "a fetch that failed left something"
cub CUB=1.2.3 || fail "the wheel: $(cat "$work/out")"
grep -q "nvidia-cuda-cccl==1.2.3" "$work/pip" || fail "another version was fetched"
grep -q -- "-I$work/build/cccl-1.2.3 " "$work/nvcc" || fail "its headers are not used"
rm "$work/pip"
cub CUB=1.2.3 || fail "what is built: $(cat "$work/out")"
[ ! -e "$work/nvcc" ] || fail "built again"
cub CUB=toolkit || fail "the toolkit: $(cat "$work/out")"
grep -q -- "cccl" "$work/nvcc" && fail "CUB=toolkit uses the wheel"
cub CUB=1.2.3 || fail "the wheel again: $(cat "$work/out")"
[ ! -e "$work/pip" ] || fail "fetched again"
grep -q -- "-I$work/build/cccl-1.2.3 " "$work/nvcc" || fail "not built again with the wheel's"
cub || fail "the version that the Makefile names: $(cat "$work/out")"
grep -q "nvidia-cuda-cccl==13" "$work/pip" || fail "the Makefile's version is not fetched"

[ "$failed" = 0 ] && echo "test_cub: passed"
exit "$failed"
