#!/bin/sh
# Installs missing Debian or Ubuntu packages for the purposes named on the command line:
#
#   setup/packages.sh [build] [test] [plots] [fuzz] [check] [cluster] [browser] [pip] [venv]
#
# Looks for the headers and programs themselves, so it does not matter how they were installed. If
# nothing is missing, takes a few milliseconds and prints nothing. Otherwise, announces the missing
# packages and installs them with apt-get, through sudo unless run as root. SETUP=no and SETUP=user
# disable installation (SETUP=user lets setup/toolkit.sh fetch wheels into build/). If packages
# cannot be installed, lists them and exits with 1; on systems with dnf, by their Fedora names.
set -u

say() { printf 'setup: %s\n' "$*" >&2; }

have_program() { command -v "$1" >/dev/null 2>&1; }

# Finds a header in the usual places, or anywhere the compiler looks.
have_header() {
    for folder in /usr/include /usr/local/include; do
        [ -e "$folder/$1" ] && return 0
    done
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' "$1" |
        ${CC:-gcc} -E -x c - >/dev/null 2>&1
}

have_fuzzer() {
    [ -n "$(find /usr/lib/llvm-*/lib/clang /usr/lib/clang -name 'libclang_rt.fuzzer-*.a' 2>/dev/null)" ]
}

missing=
need() { missing="$missing $1"; }

for purpose in "$@"; do
    case $purpose in
    build)
        have_program "${CC:-gcc}" || need gcc
        have_program ar || need binutils
        have_header stdio.h || need libc6-dev
        have_header cjson/cJSON.h || need libcjson-dev
        ;;
    test)
        have_header cmocka.h || need libcmocka-dev
        have_program sqlite3 || need sqlite3 # one of the programs that read results.csv
        [ -e /usr/lib/python3/dist-packages/jsonschema ] || python3 -c 'import jsonschema' 2>/dev/null ||
            need python3-jsonschema # validates configs by `redsweep list schema`
        [ -e /usr/lib/python3/dist-packages/pandas ] || python3 -c 'import pandas' 2>/dev/null ||
            need python3-pandas # the tables of the Python module
        for module in nbclient ipykernel; do # run the course's notebook
            [ -e "/usr/lib/python3/dist-packages/$module" ] || python3 -c "import $module" 2>/dev/null || need "python3-$module"
        done
        ;;
    plots) have_program gnuplot || need gnuplot-nox ;;
    fuzz)
        have_program clang || need clang
        # The fuzzer's package name contains clang's version, which is determined at the end of this
        # script.
        ! have_program clang || have_fuzzer || need "libclang-rt-$(clang -dumpversion | sed 's/\..*//')-dev"
        ;;
    check)
        have_program clang-tidy || need clang-tidy
        have_program cppcheck || need cppcheck
        have_program valgrind || need valgrind
        have_program gcovr || need gcovr
        ;;
    cluster)
        have_program munged || need munge
        have_program slurmctld || need slurmctld
        have_program slurmd || need slurmd
        have_program sbatch || need slurm-client
        ;;
    browser)
        have_program chromium-headless-shell || have_program chromium || have_program chromium-browser ||
            have_program google-chrome || need chromium-headless-shell
        ;;
    pip) python3 -m pip --version >/dev/null 2>&1 || need python3-pip ;;
    venv) python3 -c 'import ensurepip' >/dev/null 2>&1 || need python3-venv ;;
    *)
        say "there is no purpose $purpose; name build, test, plots, fuzz, check, cluster, browser, pip or venv"
        exit 2
        ;;
    esac
done
[ -z "$missing" ] && exit 0

# Prints Fedora's name for a package.
fedora_name() {
    case $1 in
    libc6-dev) echo glibc-devel ;;
    libcjson-dev) echo cjson-devel ;;
    libcmocka-dev) echo libcmocka-devel ;;
    sqlite3) echo sqlite ;;
    gnuplot-nox) echo gnuplot ;;
    libclang-rt-*) echo compiler-rt ;;
    clang-tidy) echo clang-tools-extra ;;
    slurmctld | slurmd) echo "slurm-$1" ;;
    slurm-client) echo slurm ;;
    chromium-headless-shell) echo chromium-headless ;;
    *) echo "$1" ;;
    esac
}

give_up() {
    say "$1"
    say "these packages are missing:$missing"
    if have_program dnf; then
        names=
        for package in $missing; do names="$names $(fedora_name "$package")"; done
        say "on Fedora, RHEL, Rocky or Alma (there with EPEL):  dnf install$names"
    else
        say "on Debian or Ubuntu:  apt-get install$missing"
    fi
    [ "$(id -u)" -eq 0 ] || say "without root: docs/install.md"
    exit 1
}

case ${SETUP:-yes} in no | user) give_up "SETUP=$SETUP forbids installing packages." ;; esac
have_program apt-get || give_up "this machine has no apt-get, so nothing can be installed."
as_root=
if [ "$(id -u)" -ne 0 ]; then
    have_program sudo || give_up "packages are installed by root or with sudo, but this user is not root and there is no sudo."
    as_root=sudo
fi

apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null >/dev/null
}

say "installing$missing with ${as_root:+sudo }apt-get (SETUP=no switches this off)"
# New machines have no package lists and old ones outdated lists, so fetch them once and retry.
# shellcheck disable=SC2086 # the list is meant to be split into words
apt install -y --no-install-recommends $missing 2>/dev/null || {
    say "fetching the lists of packages"
    apt update || say "the lists of packages cannot be fetched"
    apt install -y --no-install-recommends $missing || give_up "apt-get cannot install them."
}

# Clang's version is known only once it is installed.
case "$missing " in
*" clang "*) have_program clang || give_up "clang was installed, but is not on PATH."; exec "$0" "$@" ;;
esac
