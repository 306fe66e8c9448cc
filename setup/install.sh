#!/bin/sh
# Installs redsweep: setup/install.sh PREFIX DESTDIR
#
#   PREFIX/bin/redsweep
#   PREFIX/share/redsweep/           kernels, plots, configs, a recorded run, and files.txt: what was installed
#   PREFIX/lib/redsweep/             CUDA's libraries with BUNDLE=yes, and CUB's kernels if they were built
#   PREFIX/share/doc/redsweep/       manuals, CHANGELOG.md, LICENSE
#   PREFIX/share/man/man1/           redsweep.1 and a page for each command, made from --help
#   PREFIX/share/bash-completion, PREFIX/share/zsh; these and manual pages are left out with MANUALS=no
#   PREFIX/lib, include, lib/pkgconfig: the library of winners, if `make tuned` has built it
#
# The program finds the other files relative to itself, so PREFIX is relocatable.
set -eu
prefix=$1 destdir=$2
root=$destdir$prefix
build=$BUILD
case $prefix in
/*) ;;
*) echo "install: PREFIX=$prefix is not an absolute path" >&2; exit 2 ;;
esac
list=$(mktemp)
trap 'rm -f "$list"' EXIT

# put MODE FILE PLACE: copies a file and records its place
put() {
    mkdir -p "$root/$(dirname "$3")"
    cp "$2" "$root/$3.part"
    chmod "$1" "$root/$3.part"
    mv "$root/$3.part" "$root/$3"
    echo "$3" >>"$list"
}
# tree FOLDER PLACE: copies a folder's files, except hidden ones; copies of executable files are executable
tree() {
    (cd "$1" && find . -type f ! -name '.*') | sort | while read -r file; do
        mode=644
        [ ! -x "$1/$file" ] || mode=755
        put $mode "$1/$file" "$2/${file#./}"
    done
}

put 755 "$build/redsweep" bin/redsweep
[ "${STRIP:-yes}" = no ] || strip "$root/bin/redsweep" 2>/dev/null || true
for folder in kernels plots configs tuned; do tree "$folder" "share/redsweep/$folder"; done
# These are the GPU times that redsweep prints beside the simulator's ladder
# (harness/analyze/conclusion.h).
for file in run.json results.csv; do
    put 644 "results/reference/h200-catalogue/$file" "share/redsweep/results/reference/h200-catalogue/$file"
done
for library in "$build"/libredsweep_cub*.so; do
    [ ! -e "$library" ] || put 755 "$library" "lib/redsweep/${library##*/}"
done
if [ "$BUNDLE" = yes ]; then
    NVJITLINK=yes setup/copy_toolkit.sh "$CUDA" "$CUDA_MAJOR" "$root/lib/redsweep/toolkit"
    (cd "$root" && find lib/redsweep/toolkit -type f) >>"$list"
fi

for file in README.md CHANGELOG.md LICENSE docs/*.md; do
    put 644 "$file" "share/doc/redsweep/${file#docs/}"
done
pages=$(mktemp -d)
trap 'rm -rf "$list" "$pages"' EXIT
if [ "${MANUALS:-yes}" = yes ]; then # made by running the program
    setup/man.sh "$root/bin/redsweep" "$VERSION" "$pages"
    for page in "$pages"/*.1; do
        gzip -9n "$page"
        put 644 "$page.gz" "share/man/man1/$(basename "$page").gz"
    done
    setup/completions.sh "$root/bin/redsweep" "$pages"
    put 644 "$pages/redsweep.bash" share/bash-completion/completions/redsweep
    put 644 "$pages/_redsweep" share/zsh/site-functions/_redsweep
fi

has_tuned=no
for library in "$build"/tuned/lib*_tuned.a; do
    [ -e "$library" ] || continue
    has_tuned=yes
    names=$(basename "$library" _tuned.a)
    names=${names#lib}
    put 644 "$library" "lib/lib${names}_tuned.a"
    put 644 "$build/tuned/${names}_tuned.h" "include/${names}_tuned.h"
    VERSION=$VERSION CUDA=$CUDA setup/pkgconfig.sh "$names" "$prefix" /lib /include \
        >"$pages/${names}_tuned.pc"
    put 644 "$pages/${names}_tuned.pc" "lib/pkgconfig/${names}_tuned.pc"
    for file in '' version; do
        package=${names}_tuned-config${file:+-version}.cmake
        VERSION=$VERSION CUDA=$CUDA setup/cmake_package.sh "$names" ../.. ../../../include $file >"$pages/$package"
        put 644 "$pages/$package" "lib/cmake/${names}_tuned/$package"
    done
done

echo share/redsweep/files.txt >>"$list"
sort -u "$list" >"$root/share/redsweep/files.txt"
[ "$BUNDLE" = yes ] || echo "install: CUDA's libraries stay in $CUDA (BUNDLE=yes copies them)"
[ "$has_tuned" = yes ] ||
    echo "install: there is no library of winners in $build/tuned (make tuned RUN=… builds it)"
echo "install: redsweep $VERSION is in $root"
