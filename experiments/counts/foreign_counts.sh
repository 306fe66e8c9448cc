#!/bin/sh
# Compares a GPU's counts with the simulator's for kernels by other authors. FOLDER, made by
# `redsweep import`, contains the authors' files, at any depth, with a file NAME.facts next to each.
#
#   experiments/counts/foreign_counts.sh FOLDER [DEVICE]         makes both runs and compares them, as tests/gpu/same_counts.sh does
#   experiments/counts/foreign_counts.sh --config FOLDER         makes only FOLDER/foreign.json, the config of both runs
#   experiments/counts/foreign_counts.sh --table h100|h200       prints a table by project, from the recorded runs of the
#                                                       kernels in experiments/counts/kernels.txt
#                                                       (results/reference/foreign-counts, without skipped rows)
#
# Compares the same cells as tests/gpu/same_counts.awk, for correct and wrong results alike, because
# kernels with a race may be wrong on a GPU.
set -eu
cd "$(dirname "$0")/../.."

# Turns its input lines into JSON strings.
strings() { sed 's/.*/"&"/' | paste -sd, -; }

config() { # FOLDER
    find "$1" -name '*.facts' | sort >"$1/facts.txt"
    [ -s "$1/facts.txt" ] || { echo "foreign_counts: $1 has no NAME.facts (redsweep import FILE)" >&2; exit 2; }
    # A kernel with a constant n in its file runs only with this n, and no other kernel runs with
    # it.
    only=$(tr '\n' '\0' <"$1/facts.txt" | xargs -0 sed -n 's/^\/\/ requires: *N = \([0-9]*\)$/\1/p' | sort -un)
    excludes=
    for n in $only; do
        of=$(tr '\n' '\0' <"$1/facts.txt" | xargs -0 grep -l "^// requires: *N = $n\$" | sed 's|.*/||; s|\.facts$||' |
            sed "s/.*/kernel != '&'/" | paste -sd '&' - | sed 's/&/ and /g')
        excludes="$excludes${excludes:+, }\"n = $n and $of\""
    done
    cat >"$1/foreign.json" <<JSON
{
    "name": "foreign",
    "kernels": [$(sed 's|.*/||; s|\.facts$||' "$1/facts.txt" | strings)],
    "kernel_folders": [$(sed "s|^$1/*||" "$1/facts.txt" | strings)],
    "sizes": [$(printf '%s\n' 65536 1000003 1048576 $only | paste -sd, -)],
    "blocks": [64, 256, 1024],
    "types": ["int32", "uint32", "float32", "float64", "int8"],
    "ops": ["sum", "max", "min", "dot"],
    "scope": "kernel",
    "count_wrong": true,
    "metrics": [
        "gld_requests", "gst_requests", "gld_transactions", "gst_transactions", "gld_lines", "gst_lines",
        "gld_requested_bytes", "gst_requested_bytes", "local_load_requests", "local_store_requests",
        "red_requests", "red_sectors", "atom_requests", "atom_sectors",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"
    ],
    "timing": {"min_samples": 1, "max_samples": 1, "warmup": 0, "point_limit_s": 60},
    "exclude": [$excludes]
}
JSON
    rm "$1/facts.txt"
}

case ${1:-} in
--config) config "$2" ;;
--table)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    tar xJf results/reference/foreign-counts/runs.tar.xz -C "$work"
    WRONG=yes PROJECTS=experiments/counts/kernels.txt tests/gpu/same_counts.sh --recorded "$work/$2" "$work/sim"
    ;;
'' | --*) echo "usage: experiments/counts/foreign_counts.sh FOLDER [DEVICE]" >&2; exit 2 ;;
*)
    config "$1"
    WRONG=yes tests/gpu/same_counts.sh "$1/foreign.json" "${2:-cuda}"
    ;;
esac
