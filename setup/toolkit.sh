#!/bin/sh
# Finds a CUDA Toolkit, or fetches what redsweep needs of one, and says where it is:
#
#   setup/toolkit.sh TOOLKIT.MK FOLDER
#
# writes the line `CUDA := PATH` to TOOLKIT.MK, and only when that changes the file. The toolkit is
# the first of $CUDA_HOME, /usr/local/cuda and the one whose nvcc is on PATH that is CUDA 13.0 or
# newer and complete. Where there is none, NVIDIA's redistributable wheels are fetched from PyPI
# into FOLDER, laid out like a toolkit (include/, lib64/).
#
# TOOLKIT=fetch passes over installed toolkits; TOOLKIT=installed never fetches; SETUP=no: neither
# that nor a package is installed.
set -u

# One set of versions that belong together; FOLDER/versions remembers what was fetched.
wheels='nvidia-cuda-nvrtc==13.0.88
nvidia-nvjitlink==13.0.88
nvidia-cuda-runtime==13.0.96
nvidia-cuda-crt==13.0.88
nvidia-cuda-cccl==13.0.85
nvidia-cuda-cupti==13.0.85'

# What must be in a toolkit that is used.
files='include/cuda_runtime.h include/nvrtc.h include/nvJitLink.h include/cooperative_groups.h
include/crt/host_config.h lib64/libcudart_static.a'
fetched_files="$files include/cupti.h include/cccl/cuda/std/type_traits lib64/libcudadevrt.a
lib64/libnvrtc.so.13 lib64/libnvrtc-builtins.so.13.0 lib64/libnvJitLink.so.13 lib64/libcupti.so.13
lib64/libnvperf_host.so"

result=$1
folder=$2
here=$(dirname "$0")

say() { printf 'setup: %s\n' "$*" >&2; }

# The first file of a list that a toolkit lacks; nothing when it is complete.
lacks() {
    for file in $2; do
        [ -s "$1/$file" ] || {
            echo "$file"
            return
        }
    done
}

# CUDA 13.0 is 13000 in cuda.h.
usable() {
    [ -n "$1" ] && [ -r "$1/include/cuda.h" ] || return 1
    version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$1/include/cuda.h")
    if [ "${version:-0}" -lt 13000 ]; then
        note="$1 is older than CUDA 13.0."
        return 1
    fi
    lack=$(lacks "$1" "$files")
    [ -z "$lack" ] && return 0
    note="$1 lacks $lack."
    return 1
}

finish() {
    line="CUDA := $1"
    if [ ! -e "$result" ] || [ "$(cat "$result")" != "$line" ]; then
        mkdir -p "$(dirname "$result")" && printf '%s\n' "$line" >"$result" || exit 1
    fi
    exit 0
}

fail() {
    say "$1"
    say "redsweep needs CUDA 13.0 or newer: install NVIDIA's CUDA Toolkit and set CUDA_HOME to it"
    exit 1
}

note=
if [ "${TOOLKIT:-auto}" != fetch ]; then
    usable "${CUDA_HOME:-}" && finish "$CUDA_HOME"
    usable /usr/local/cuda && finish /usr/local/cuda
    nvcc=$(command -v nvcc 2>/dev/null) &&
        nvcc=$(readlink -f "$nvcc") && root=${nvcc%/bin/nvcc} &&
        usable "$root" && finish "$root"
fi

case $folder in
/*) ;;
*) folder=$PWD/$folder ;;
esac
[ "$(cat "$folder/versions" 2>/dev/null)" = "$wheels" ] &&
    [ -z "$(lacks "$folder" "$fetched_files")" ] && finish "$folder"

[ "${TOOLKIT:-auto}" = installed ] && fail "no CUDA Toolkit is found. $note"
[ "${SETUP:-yes}" = no ] && fail "no CUDA Toolkit is found and SETUP=no: none is fetched. $note"
[ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ] ||
    fail "NVIDIA has no CUDA libraries for $(uname -m)."
say "no CUDA Toolkit is used. ${note:+$note }Fetching NVIDIA's libraries (150 MB) into $folder"
"$here/packages.sh" pip || exit 1

# Whole or not at all: everything happens in a folder of our own, which is renamed at the end.
part=$folder.part.$$
trap 'rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$part" || exit 1
# shellcheck disable=SC2086 # the list is meant to be split into words
PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
    --only-binary=:all: --target "$part/wheels" $wheels >&2 ||
    fail "pip cannot fetch NVIDIA's libraries."
mv "$part/wheels/nvidia/cu13/include" "$part/include" &&
    mv "$part/wheels/nvidia/cu13/lib" "$part/lib64" || fail "NVIDIA's wheels are laid out anew."
rm -rf "$part/wheels"
rm -f "$part"/lib64/*.alt.so* # a second NVRTC, 110 MB, that nobody asks for
printf '%s\n' "$wheels" >"$part/versions"
lack=$(lacks "$part" "$fetched_files")
[ -z "$lack" ] || fail "NVIDIA's wheels came without $lack."
rm -rf "$folder" && mv "$part" "$folder" || fail "$folder cannot be written."
say "CUDA $(sed -n 's/^nvidia-cuda-nvrtc==//p' "$folder/versions") is in $folder"
finish "$folder"
