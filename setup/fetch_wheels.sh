# shellcheck shell=sh disable=SC2154 # $here is that of who sources this
# toolkit.sh and cccl.sh source this file. It installs wheels from PyPI, completely or not at all:
#
#   fetch_wheels FOLDER WHEEL==VERSION…
#
# installs pip if it is missing and unpacks the wheels into $part, a folder beside FOLDER that the caller
# arranges and finally renames to FOLDER. However the script ends, $part is then gone. Returns false if
# pip cannot fetch them; without pip the script ends after packages.sh has said what to install.
fetch_wheels() {
    part=$1.part.$$
    shift
    "$here/packages.sh" pip || exit 1
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "$part" || exit 1
    # WHEELS_FOR=aarch64: the wheels of another machine (make wheel), whose names have one of the suitable C libraries.
    if [ "${WHEELS_FOR:-$(uname -m)}" != "$(uname -m)" ]; then
        for library in 2014 _2_17 _2_24 _2_25 _2_26 _2_27 _2_28; do
            set -- --platform "manylinux${library}_$WHEELS_FOR" "$@"
        done
    fi
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
        --only-binary=:all: --target "$part/wheels" "$@" >&2
}
