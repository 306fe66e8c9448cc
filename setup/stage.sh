#!/bin/sh
# Packs the parts of a CUDA Toolkit that redsweep needs, for a machine with a driver but no toolkit:
#
#   setup/stage.sh BUILD CUDA CUDA_MAJOR
#
# Puts the runtime, NVRTC, CUPTI, libcudadevrt.a and the headers into BUILD/toolkit, where the
# program finds them, and packs them and the program into BUILD/stage.tar.xz. On the other machine,
# in a checkout of the same commit:
#
#   tar xJf BUILD/stage.tar.xz && BUILD/redsweep run …
#
# NVJITLINK=yes adds nvJitLink (90 MB, 25 MB packed). Without it, kernels that launch kernels need
# nvJitLink to be installed there.
set -eu
build=$1 cuda=$2 major=$3

if [ ! "$build/toolkit" -ef "$cuda" ]; then
    "$(dirname "$0")/copy_toolkit.sh" "$cuda" "$major" "$build/toolkit"
fi
command -v xz >/dev/null || { echo "stage: xz is missing; install it with apt-get install xz-utils" >&2; exit 1; }
programs=
leave=libnvJitLink*
[ -z "${NVJITLINK:-}" ] || leave=nothing
for file in "$build/redsweep" "$build"/lib*.so* "$build/toolkit"; do
    [ ! -e "$file" ] || programs="$programs $file"
done
# shellcheck disable=SC2086 # the list is meant to be split into words
tar chf - --exclude='*_static.a' --exclude='*.alt.so*' --exclude="$leave" $programs |
    xz -6 -T0 >"$build/stage.tar.xz.part"
mv "$build/stage.tar.xz.part" "$build/stage.tar.xz"
ls -lh "$build/stage.tar.xz" | awk '{ print $NF ": " $5 }'
