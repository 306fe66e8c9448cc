# shellcheck shell=sh Sourced by scripts that compare recorded runs.

# unpacked FOLDER INTO: prints the folder with FOLDER's runs: FOLDER itself or, if it contains a
# runs.tar.xz, INTO, which is created and into which the runs are unpacked.
unpacked() {
    [ -e "$1/runs.tar.xz" ] || { echo "$1"; return; }
    mkdir "$2" && tar -xJf "$1/runs.tar.xz" -C "$2" && echo "$2"
}
