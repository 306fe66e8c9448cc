#!/bin/sh
# Removes what setup/install.sh has installed: setup/uninstall.sh PREFIX DESTDIR
set -eu
root=$2$1
files=$root/share/redsweep/files.txt
[ -r "$files" ] || { echo "uninstall: $files is missing, so redsweep is not installed in $root" >&2; exit 1; }
folders=$(mktemp)
trap 'rm -f "$folders"' EXIT
while read -r file; do
    rm -f "$root/$file"
    while file=${file%/*}; case $file in *redsweep*) true ;; *) false ;; esac; do
        echo "$file"
    done
done <"$files" | sort -ru >"$folders"
# Removes only redsweep's own folders, deepest first, and only if they are empty.
while read -r folder; do
    rmdir "$root/$folder" 2>/dev/null || true
done <"$folders"
echo "uninstall: redsweep was removed from $root"
