# shellcheck shell=sh
# Scripts that compare recorded runs source this file.

# unpacked FOLDER INTO: prints where the runs of FOLDER are. They are in the folder itself, or the
# folder has a runs.tar.xz. In that case the function makes INTO and unpacks the runs into it.
unpacked() {
    [ -e "$1/runs.tar.xz" ] || { echo "$1"; return; }
    mkdir "$2" && tar -xJf "$1/runs.tar.xz" -C "$2" && echo "$2"
}
