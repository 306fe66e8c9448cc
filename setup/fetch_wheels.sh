# shellcheck shell=sh disable=SC2154 # the script that sources this file sets $here Sourced by
# toolkit.sh and cccl.sh. Installs wheels from PyPI, completely or not at all:
#
#   fetch_wheels FOLDER WHEEL==VERSION…
#
# Installs pip if it is missing, and unpacks the wheels into $part, a folder next to FOLDER. The
# caller arranges the files there and finally renames the folder to FOLDER. $part is deleted when
# the script exits, for whatever reason. Returns false if pip cannot fetch the wheels. Without pip,
# the script exits after packages.sh has said what to install.
fetch_wheels() {
    part=$1.part.$$
    shift
    "$here/packages.sh" pip || exit 1
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "$part" || exit 1
    # WHEELS_FOR=aarch64 selects another machine's wheels (make wheel). Wheel names contain a
    # version of the C library; these versions work.
    if [ "${WHEELS_FOR:-$(uname -m)}" != "$(uname -m)" ]; then
        for library in 2014 _2_17 _2_24 _2_25 _2_26 _2_27 _2_28; do
            set -- --platform "manylinux${library}_$WHEELS_FOR" "$@"
        done
    fi
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
        --only-binary=:all: --target "$part/wheels" "$@" >&2
}
