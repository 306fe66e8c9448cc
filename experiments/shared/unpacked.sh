# shellcheck shell=sh
# Scripts that compare recorded runs source this file.

# unpacked FOLDER INTO: prints the folder that contains the runs of FOLDER. This is FOLDER itself,
# unless FOLDER contains a runs.tar.xz. In that case, the function makes the folder INTO, unpacks
# the runs into it, and prints INTO.
unpacked() {
    [ -e "$1/runs.tar.xz" ] || { echo "$1"; return; }
    mkdir "$2" && tar -xJf "$1/runs.tar.xz" -C "$2" && echo "$2"
}
