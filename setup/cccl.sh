#!/bin/sh
# Fetches the headers of CUB (CCCL) for `make cub`:
#
#   setup/cccl.sh VERSION FOLDER
#
# puts those of the package nvidia-cuda-cccl of that version, 4 MB from PyPI, into FOLDER, whole or not at all. With
# SETUP=no nothing is fetched.
set -u
version=$1 folder=$2 here=$(dirname "$0")
advice="CUB=toolkit takes those of the CUDA Toolkit"

fail() {
    echo "make cub: $*" >&2
    exit 1
}

[ -e "$folder/cub/version.cuh" ] && exit 0
[ "${SETUP:-yes}" = no ] && fail "CUB's headers of nvidia-cuda-cccl $version are not in $folder, and SETUP=no: $advice"
"$here/packages.sh" pip || exit 1
part=$folder.part.$$
trap 'rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$part" || exit 1
PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
    --only-binary=:all: --target "$part" "nvidia-cuda-cccl==$version" >&2 ||
    fail "pip cannot fetch nvidia-cuda-cccl $version: $advice"
found=$(find "$part" -path '*/cub/version.cuh' | head -n 1)
[ -n "$found" ] || fail "nvidia-cuda-cccl $version has no cub/version.cuh: $advice"
rm -rf "$folder"
mv "${found%/cub/version.cuh}" "$folder"
