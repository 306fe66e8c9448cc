#!/bin/sh
# Installs the wheel (make wheel) in an empty virtual environment and runs the first sweep from it.
# Uses this system, or the root file systems of other systems, and prints how many seconds each step
# takes:
#
#   tests/python/wheel.sh [ROOT…]
#
# A ROOT is the folder of a system with python3 and venv, for example one made with
#   debootstrap --variant=minbase --include=python3-venv,ca-certificates bookworm ROOT
# A ROOT can be used only by the user root. NVRTC's wheel comes from PyPI, or from the folder that
# WHEELS names. With qemu-user-static a ROOT may be a system for ARM (debootstrap --arch=arm64).
set -u
cd "$(dirname "$0")/../.." || exit 1
set -- "${@:-/}"
failed=0

# This script runs inside of the ROOT. It prints the seconds of both steps, and how many points were
# right.
cat >dist/steps.sh <<'END'
set -eu
cd "$1"
unset CUDA_HOME
seconds() { "$@" >log 2>&1 && t1=$(date +%s.%N) || { cat log; exit 1; }; }
python3 -m venv venv
t0=$(date +%s.%N); seconds venv/bin/pip install --find-links . redsweep-*.whl
echo "install $t0 $t1"
t0=$(date +%s.%N); seconds venv/bin/redsweep run --kernels interleaved,unroll --sizes 2^14..2^20 --device sim --out run
echo "run $t0 $t1"
echo "right $(venv/bin/redsweep show run --where 'status = ok' --csv - | sed 1d | wc -l)"
echo "compiler $(venv/bin/redsweep doctor | sed -n 's/^ *compiler *//p')"
venv/bin/redsweep plots run >log 2>&1 && echo 'charts drawn' || echo "charts $(cat log)"
END

for root in "$@"; do
    machine=$(uname -m)
    [ "$root" = / ] || machine=$(chroot "$root" uname -m) || exit 1
    wheel=$(ls dist/redsweep-*-manylinux_2_28_"$machine".whl 2>/dev/null) || { echo "wheel: make wheel MACHINE=$machine first" >&2; exit 2; }
    scratch=$(mktemp -d "${root%/}/tmp/redsweep-wheel-XXXXXX") || exit 1
    cp "$wheel" dist/steps.sh "$scratch"
    [ -z "${WHEELS:-}" ] || cp "$WHEELS"/*.whl "$scratch"
    inside=${scratch#"${root%/}"}
    if [ "$root" = / ]; then
        sh "$inside/steps.sh" "$inside" >"$scratch/said" 2>&1
    else
        cp /etc/resolv.conf "$root/etc/" 2>/dev/null
        mount -t proc proc "$root/proc" && chroot "$root" sh "$inside/steps.sh" "$inside" >"$scratch/said" 2>&1
        umount "$root/proc"
    fi
    system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$root/etc/os-release")
    awk -v name="$system, $machine" '$1 == "install" || $1 == "run" { took[$1] = $3 - $2; next }
        $1 == "right" { right = $2; next } { rest = rest "; " $0 }
        END { printf "%s: installed in %.1f s, ran in %.1f s, %d points right%s\n", name, took["install"], took["run"], right, rest
              exit !("run" in took && took["run"] < 60 && right == 35) }' "$scratch/said" || failed=1
    rm -rf "$scratch"
done
rm -f dist/steps.sh
exit $failed
