# Fakes a machine for the cases of setup.txt: the scripts of setup/ find only the programs in $bin.
unset SETUP TOOLKIT CUDA_HOME CC
export NVIDIA_DRIVER=580.65 LC_ALL=C work
bin=$work/bin kit=$work/kit
mkdir "$bin" "$work/setup"
for program in sh env cat mkdir mv rm sed uname dirname readlink; do ln -s "$(command -v $program)" "$bin/$program"; done
for script in packages toolkit fetch_wheels; do sed 's|/usr/local/cuda|/nowhere/cuda|g' "setup/$script.sh" >"$work/setup/$script.sh"; done
chmod +x "$work/setup/"*.sh

program() { # NAME LINES: adds a program to this machine
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/.new" && chmod +x "$bin/.new" && mv -f "$bin/.new" "$bin/$1"
}
program id 'echo 0'
no_root() { program id 'echo 1000'; }

packages() { PATH=$bin "$work/setup/packages.sh" "$@"; }
toolkit() { # writes the toolkit's folder to $work/mk and prints it
    PATH=$bin "$work/setup/toolkit.sh" "$work/mk" "$kit" && cat "$work/mk"
}

# Adds a fake apt-get that installs nothing until `apt-get update` was called, as on a new machine.
# It logs the arguments of each call to $work/log.
fresh_apt_get() {
    ln -s "$(command -v touch)" "$bin/touch"
    program apt-get 'echo "apt-get $*" >>"$work/log"
case "$*" in *update*) touch "$work/lists" ;; *) test -e "$work/lists" ;; esac'
}

# Makes $work/NAME, which looks like a CUDA Toolkit of this version to the scripts of setup/.
put_toolkit() { # NAME VERSION (12040: 12.4)
    mkdir -p "$work/$1/include/crt" "$work/$1/lib64"
    for file in cuda_runtime nvrtc nvJitLink cooperative_groups crt/host_config; do echo x >"$work/$1/include/$file.h"; done
    echo "#define CUDA_VERSION $2" >"$work/$1/include/cuda.h"
    echo x >"$work/$1/lib64/libcudart_static.a"
}

# Adds a fake python3. Its `-m pip install … --target FOLDER …` makes the folders that the CUDA 13
# wheels install. The argument names the last file that it makes. With `half`, it fails before it
# makes the libraries.
pip_of_13() { # LAST FILE
    export last="$1"
    program python3 '[ "$3" = --version ] && exit 0
echo "$*" >>"$work/pip.log"
while [ "$1" != --target ]; do shift; done
w=$2/nvidia/cu13
mkdir -p "$w/include/crt" "$w/include/cccl/cuda/std" "$w/lib"
for f in cuda.h cuda_runtime.h nvrtc.h nvJitLink.h cooperative_groups.h crt/host_config.h cupti.h cccl/cuda/std/type_traits; do
    echo x >"$w/include/$f"
done
[ "$last" = half ] && exit 1
for f in libcudart_static.a libcudadevrt.a libnvrtc.so.13 libnvrtc-builtins.so.13.0 libcupti.so.13 libnvperf_host.so \
    libnvrtc.alt.so.13 $last; do echo x >"$w/lib/$f"; done'
}

# Adds a fake python3 like that of pip_of_13, but for CUDA 12, where each wheel has its own folder.
pip_of_12() {
    ln -s "$(command -v touch)" "$bin/touch"
    program python3 '[ "$3" = --version ] && exit 0
while [ "$1" != --target ]; do shift; done
w=$2/nvidia
put() {
    mkdir -p "$w/$1/include" "$w/$1/lib"
    touch "$w/$1/include/__init__.py"
    p=$1
    shift
    for f in "$@"; do mkdir -p "$w/$p/${f%/*}" && echo x >"$w/$p/$f"; done
}
put cuda_runtime include/cuda_runtime.h include/cuda.h include/cooperative_groups.h lib/libcudart_static.a lib/libcudadevrt.a
put cuda_nvrtc include/nvrtc.h lib/libnvrtc.so.12 lib/libnvrtc.alt.so.12 lib/libnvrtc-builtins.so.12.9
put nvjitlink include/nvJitLink.h lib/libnvJitLink.so.12
put cuda_nvcc include/crt/host_config.h bin/ptxas
put cuda_cupti include/cupti.h lib/libcupti.so.12 lib/libnvperf_host.so
put cuda_cccl include/cuda/std/type_traits'
}
