# shellcheck shell=sh
# Sourced by scripts that compare recorded runs.

# unpacked FOLDER INTO: prints where the runs of FOLDER are: in the folder itself, or, if it has a runs.tar.xz, in INTO,
# which it makes and unpacks them into.
unpacked() {
    [ -e "$1/runs.tar.xz" ] || { echo "$1"; return; }
    mkdir "$2" && tar -xJf "$1/runs.tar.xz" -C "$2" && echo "$2"
}
