#!/bin/sh
# This script draws the figures of docs/what-the-kernels-teach.md, docs/course/*.svg, from committed
# runs. Each figure has one line below. The script needs gnuplot and scour (docs/smaller.sh).
#
#   docs/course.sh [path of redsweep]
set -eu
cd "$(dirname "$0")/.."
redsweep=${1:-build/redsweep}
BUILD=$(dirname "$redsweep")
export BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf docs/course
mkdir docs/course

figure() { # NAME RUN CHART [OPTION…]
    name=$1 run=$2 chart=$3
    shift 3
    copy=$work/$(basename "$run") # a figure shows the name of its run's folder
    rm -rf "$copy"
    mkdir "$copy"
    cp "$run"/results.csv* "$run/run.json" "$copy/"
    "$redsweep" plots "$copy" "$chart" --format svg "$@" >"$work/out" || { cat "$work/out"; exit 1; }
    mv "$copy/plots/$chart.svg" "docs/course/$name.svg"
}

h200=results/reference/h200-ladder
h100=results/reference/h100-ladder
figure ladder-h200 $h200 ladder --where 'n = 2^24 and block = 1024'
figure ladder-h100 $h100 ladder --where 'n = 2^24 and block = 1024'
figure sectors-h200 $h200 sectors --where 'n = 2^24 and block = 1024'
figure bandwidth-h200 $h200 bandwidth
figure heatmap-h200 $h200 heatmap --kernels smem_unroll --where 'n = 2^24'
figure cache-h200 results/reference/h200-cold-warm cache
figure metrics-simulator results/reference/sim-quick metrics --where 'n = 2^20 and block = 512'
"$redsweep" plots $h200 $h100 share --format svg --out "$work/runs" >"$work/out" || { cat "$work/out"; exit 1; }
mv "$work/runs/share.svg" docs/course/share-h200-h100.svg
docs/smaller.sh docs/course/*
echo docs/course
