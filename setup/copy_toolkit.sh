#!/bin/sh
# Copies the parts of a CUDA Toolkit that redsweep needs at run time: copy_toolkit.sh
# CUDA CUDA_MAJOR FOLDER
#
# Copies the runtime, NVRTC, CUPTI, libcudadevrt.a and the headers, under the names that programs
# ask for. NVJITLINK=yes also copies nvJitLink (90 MB); without it, kernels that launch kernels are
# skipped.
set -eu
cuda=$1 major=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/lib64" "$folder/include"
for name in libcudart libnvrtc libnvrtc-builtins libcupti libnvperf_host libnvperf_target \
    ${NVJITLINK:+libnvJitLink}; do
    for from in "$cuda/lib64" "$cuda/extras/CUPTI/lib64"; do
        # under the names that programs ask for: libnvrtc.so.12, libnvrtc-builtins.so.12.9
        for file in "$from/$name.so" "$from/$name.so.$major" "$from/$name.so.$major".[0-9]; do
            [ ! -f "$file" ] || cp -L "$file" "$folder/lib64/"
        done
    done
done
[ ! -f "$cuda/lib64/libcudadevrt.a" ] || cp -L "$cuda/lib64/libcudadevrt.a" "$folder/lib64/"
# without cub and thrust, which only nvcc needs
(cd "$cuda/include" && tar chf - --exclude=cub --exclude=thrust .) | tar xf - -C "$folder/include"
