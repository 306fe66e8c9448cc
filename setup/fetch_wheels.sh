# shellcheck shell=sh disable=SC2154 # the script that sources this file sets $here
# toolkit.sh and cccl.sh source this file. Its function installs wheels from PyPI, completely or not at all:
#
#   fetch_wheels FOLDER WHEEL==VERSION…
#
# The function installs pip if it is missing, and unpacks the wheels into $part, a folder beside FOLDER. The
# caller arranges the files there and finally renames the folder to FOLDER. When the script ends, for whatever
# reason, $part is deleted. The function returns false if pip cannot fetch the wheels. Without pip, the script
# ends after packages.sh has said what to install.
fetch_wheels() {
    part=$1.part.$$
    shift
    "$here/packages.sh" pip || exit 1
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir -p "$part" || exit 1
    # WHEELS_FOR=aarch64 selects the wheels of another machine (make wheel). The name of
    # a wheel contains a version of the C library, and these versions are suitable.
    if [ "${WHEELS_FOR:-$(uname -m)}" != "$(uname -m)" ]; then
        for library in 2014 _2_17 _2_24 _2_25 _2_26 _2_27 _2_28; do
            set -- --platform "manylinux${library}_$WHEELS_FOR" "$@"
        done
    fi
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
        --only-binary=:all: --target "$part/wheels" "$@" >&2
}
