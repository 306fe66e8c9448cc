#!/bin/sh
# This script makes committed pictures smaller, in place and without a visible change. scour removes
# gnuplot's empty groups, which are half of the bytes of an SVG file. pngquant leaves at most 64
# colours in a PNG file. First of all, the script refuses an SVG file of gnuplot with too little
# contrast (tests/plots/contrast.awk, which cannot read what scour writes).
#
#   docs/smaller.sh FILE…
set -eu
for program in scour pngquant; do
    command -v $program >/dev/null || { echo "smaller.sh: $program is missing; on Debian: apt-get install scour pngquant" >&2; exit 2; }
done
cd "$(dirname "$0")/.."
for file in "$@"; do
    case $file in *.svg) ;; *) continue ;; esac
    low=$(awk -f tests/plots/contrast.awk "$file" | sed '$d')
    [ -z "$low" ] || { echo "$low" >&2; exit 1; }
done
for file in "$@"; do
    case $file in
    *.svg)
        scour -q --strip-xml-prolog --enable-comment-stripping --enable-id-stripping --no-line-breaks --set-precision=5 \
            -i "$file" -o "$file.smaller"
        mv "$file.smaller" "$file"
        ;;
    *.png) pngquant --force --strip --ext .png 64 "$file" ;;
    esac
done
