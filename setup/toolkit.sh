#!/bin/sh
# Finds a CUDA Toolkit, or fetches the parts that redsweep needs, and records its place:
#
#   setup/toolkit.sh TOOLKIT.MK FOLDER
#
# It writes `CUDA := PATH` and `CUDA_MAJOR := 12 or 13` to TOOLKIT.MK if that changes the file. It looks at
# $CUDA_HOME, at /usr/local/cuda and at the toolkit whose nvcc is on PATH, and takes the first one that is
# complete, has CUDA 12.4 or newer, and is not too new for the driver here: CUDA 13 needs driver 580 or newer.
# If there is none, it fetches NVIDIA's redistributable wheels from PyPI into FOLDER and arranges them like a
# toolkit (include/, lib64/). It fetches CUDA 12 if the driver is older than 580, and CUDA 13 otherwise.
#
# TOOLKIT=12, TOOLKIT=13 or a version of the table below selects that version, whatever the driver is.
# TOOLKIT=fetch ignores installed toolkits, and TOOLKIT=installed never fetches one. SETUP=no installs neither
# a toolkit nor a package; SETUP=user fetches wheels but installs no packages. NVIDIA_DRIVER=550 names the
# driver to build for, if it is not that of this machine.
set -u

# Versions that belong together; FOLDER/versions records which were fetched. Wheels before 12.9 have
# no static runtime and no libcudadevrt.a (for kernels that launch kernels). Those before 12.6 have
# no range profiler (for counters).
wheels_of() {
    case $1 in
    13 | 13.0) set -- '' 13.0.96 13.0.88 13.0.88 13.0.88 13.0.85 13.0.85 ;;
    12 | 12.9) set -- -cu12 12.9.79 12.9.86 12.9.86 12.9.86 12.9.27 12.9.79 ;;
    12.8) set -- -cu12 12.8.90 12.8.93 12.8.93 12.8.93 12.8.90 12.8.90 ;;
    12.6) set -- -cu12 12.6.77 12.6.85 12.6.85 12.6.85 12.6.77 12.6.80 ;;
    12.4) set -- -cu12 12.4.127 12.4.127 12.4.127 12.4.131 12.4.127.post1 12.4.127 ;;
    *) return 1 ;;
    esac
    # Since CUDA 13, crt/ has its own wheel.
    crt=nvidia-cuda-nvcc$1
    [ -n "$1" ] || crt=nvidia-cuda-crt
    printf '%s\n' "nvidia-cuda-runtime$1==$2" "nvidia-cuda-nvrtc$1==$3" "nvidia-nvjitlink$1==$4" \
        "$crt==$5" "nvidia-cuda-cccl$1==$6" "nvidia-cuda-cupti$1==$7"
}

# Files that a usable toolkit has to have. The runtime can be static or shared.
files='include/cuda_runtime.h include/nvrtc.h include/nvJitLink.h include/cooperative_groups.h
include/crt/host_config.h'

result=$1
folder=$2
here=$(dirname "$0")
# shellcheck source=setup/fetch_wheels.sh
. "$here/fetch_wheels.sh"

say() { printf 'setup: %s\n' "$*" >&2; }

# Prints the first file of a list that a toolkit of this major version lacks, if any.
lacks() { # FOLDER MAJOR FILES
    for file in $3; do
        [ -s "$1/$file" ] || {
            echo "$file"
            return
        }
    done
    [ -s "$1/lib64/libcudart_static.a" ] || [ -s "$1/lib64/libcudart.so.$2" ] ||
        echo lib64/libcudart_static.a
}

# Prints the driver's version ("580.65.06"), or "" without a driver.
driver_version() {
    if [ -n "${NVIDIA_DRIVER:-}" ]; then
        echo "$NVIDIA_DRIVER"
    elif [ -r /sys/module/nvidia/version ]; then
        cat /sys/module/nvidia/version
    elif command -v nvidia-smi >/dev/null 2>&1; then
        nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null |
            sed -n '1s/^\([0-9][0-9.]*\)$/\1/p'
    fi
}

driver=$(driver_version)
driver_major=${driver%%.*}
case $driver_major in '' | *[!0-9]*) driver_major=9999 ;; esac
newest=13 # the newest major version that runs here
[ "$driver_major" -ge 580 ] || newest=12

# Matches the beginnings of accepted versions.
mode=${TOOLKIT:-auto}
case $mode in
auto | installed | fetch) wanted= ;;
12 | 13 | 12.* | 13.*)
    wanted=$mode
    newest=${mode%%.*}
    ;;
*)
    say "TOOLKIT=$mode is not valid; write auto, installed, fetch, 12, 13 or a version such as 12.8"
    exit 2
    ;;
esac

# Remembers why a toolkit was refused. Only the reason for the first toolkit is printed, which is
# $CUDA_HOME if it is set.
refuse() { note=${note:-$1}; }

# Tests whether a toolkit is accepted, and sets `major`.
usable() {
    [ -n "$1" ] && [ -r "$1/include/cuda.h" ] || return 1
    version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$1/include/cuda.h")
    version=${version:-0} # 12.4 is 12040
    major=$((version / 1000))
    number=$major.$((version % 1000 / 10))
    if [ "$version" -lt 12040 ]; then
        refuse "$1 is older than CUDA 12.4."
        return 1
    fi
    case $number in
    "$wanted" | "$wanted".*) ;;
    *)
        if [ -n "$wanted" ]; then
            refuse "$1 is CUDA $number, not $wanted."
            return 1
        fi
        ;;
    esac
    if [ "$major" -gt "$newest" ] && [ "$newest" -lt 13 ]; then
        refuse "$1 is CUDA $number, which needs a driver of 580 or newer; here is $driver."
        return 1
    fi
    lack=$(lacks "$1" "$major" "$files")
    [ -z "$lack" ] && return 0
    refuse "$1 lacks $lack."
    return 1
}

finish() { # FOLDER MAJOR
    lines="CUDA := $1
CUDA_MAJOR := $2"
    if [ ! -e "$result" ] || [ "$(cat "$result")" != "$lines" ]; then
        mkdir -p "$(dirname "$result")" && printf '%s\n' "$lines" >"$result" || exit 1
    fi
    exit 0
}

fail() {
    say "$1"
    say "redsweep needs CUDA 12.4 or newer; install NVIDIA's CUDA Toolkit, and set CUDA_HOME to its folder"
    exit 1
}

note=
if [ "$mode" != fetch ]; then
    usable "${CUDA_HOME:-}" && finish "$CUDA_HOME" "$major"
    usable /usr/local/cuda && finish /usr/local/cuda "$major"
    nvcc=$(command -v nvcc 2>/dev/null) &&
        nvcc=$(readlink -f "$nvcc") && root=${nvcc%/bin/nvcc} &&
        usable "$root" && finish "$root" "$major"
fi

given=$folder # a relative path is written as it is: make takes no path with spaces
case $folder in
/*) ;;
*) folder=$PWD/$folder ;;
esac
wheels=$(wheels_of "${wanted:-$newest}") ||
    fail "no CUDA Toolkit $wanted was found, and only 12.4, 12.6, 12.8, 12.9 and 13.0 can be fetched.${note:+ $note}"
full=$(printf '%s\n' "$wheels" | sed -n 's/^nvidia-cuda-nvrtc.*==//p')
major=${full%%.*}
release=${full%.*}
fetched_files="$files include/cccl/cuda/std/type_traits include/cupti.h lib64/libnvrtc.so.$major
lib64/libnvrtc-builtins.so.$release lib64/libnvJitLink.so.$major lib64/libcupti.so.$major
lib64/libnvperf_host.so"
case $release in 12.4 | 12.6 | 12.8) ;; *) fetched_files="$fetched_files lib64/libcudadevrt.a" ;; esac

[ "$(cat "$folder/versions" 2>/dev/null)" = "$wheels" ] &&
    [ -z "$(lacks "$folder" "$major" "$fetched_files")" ] && finish "$given" "$major"

[ "$mode" = installed ] && fail "no CUDA Toolkit was found.${note:+ $note}"
[ "${SETUP:-yes}" = no ] && fail "no CUDA Toolkit was found, and SETUP=no forbids fetching one.${note:+ $note}"
[ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ] ||
    fail "NVIDIA has no CUDA libraries for $(uname -m)."
[ "$driver_major" -ge 525 ] ||
    say "the NVIDIA driver here ($driver) is too old for CUDA 12, which needs 525 or newer, so the GPU cannot be used"
say "no CUDA Toolkit is used. ${note:+$note }Fetching NVIDIA's libraries of CUDA $release (200 MB) into $folder"
# shellcheck disable=SC2086 # the list is meant to be split into words
fetch_wheels "$folder" $wheels || fail "pip cannot fetch NVIDIA's libraries."

# CUDA 13's wheels share one folder. CUDA 12's each have their own, and CCCL's headers are not in a
# subfolder cccl/.
arrange() {
    if [ "$major" -ge 13 ]; then
        mv "$part/wheels/nvidia/cu13/include" "$part/include" &&
            mv "$part/wheels/nvidia/cu13/lib" "$part/lib64"
        return
    fi
    mkdir -p "$part/include" "$part/lib64" || return
    mv "$part/wheels/nvidia/cuda_cccl/include" "$part/include/cccl" || return
    for package in cuda_runtime cuda_nvrtc nvjitlink cuda_nvcc cuda_cupti; do
        for file in "$part/wheels/nvidia/$package"/include/*; do
            case $file in */__init__.py | */__pycache__ | *'/*') ;; *) mv "$file" "$part/include/" || return ;; esac
        done
        for file in "$part/wheels/nvidia/$package"/lib/*; do
            case $file in */__init__.py | */__pycache__ | *'/*') ;; *) mv "$file" "$part/lib64/" || return ;; esac
        done
    done
}
arrange || fail "NVIDIA's wheels are laid out in an unexpected way."
rm -rf "$part/wheels"
rm -f "$part"/lib64/*.alt.so* # a second NVRTC, 110 MB, that is never opened
printf '%s\n' "$wheels" >"$part/versions"
lack=$(lacks "$part" "$major" "$fetched_files")
[ -z "$lack" ] || fail "NVIDIA's wheels came without $lack."
rm -rf "$folder" && mv "$part" "$folder" || fail "$folder cannot be written."
say "CUDA $full is in $folder"
finish "$given" "$major"
