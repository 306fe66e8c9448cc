#!/bin/sh
# Fetches the headers of CUB (CCCL) for `make cub`:
#
#   setup/cccl.sh VERSION FOLDER
#
# Puts the headers from this version of nvidia-cuda-cccl (4 MB from PyPI) into FOLDER, completely or
# not at all. SETUP=no fetches nothing.
set -u
version=$1 folder=$2 here=$(dirname "$0")
# shellcheck source=setup/fetch_wheels.sh
. "$here/fetch_wheels.sh"
advice="CUB=toolkit takes those of the CUDA Toolkit"

fail() {
    echo "make cub: $*" >&2
    exit 1
}

[ -e "$folder/cub/version.cuh" ] && exit 0
[ "${SETUP:-yes}" = no ] && fail "CUB's headers of nvidia-cuda-cccl $version are not in $folder, and SETUP=no forbids fetching them; $advice"
fetch_wheels "$folder" "nvidia-cuda-cccl==$version" || fail "pip cannot fetch nvidia-cuda-cccl $version; $advice"
found=$(find "$part" -path '*/cub/version.cuh' | head -n 1)
[ -n "$found" ] || fail "nvidia-cuda-cccl $version contains no cub/version.cuh; $advice"
rm -rf "$folder"
mv "${found%/cub/version.cuh}" "$folder"
