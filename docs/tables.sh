#!/bin/sh
# This script fills the tables of a page from recorded runs, with `redsweep show --markdown`:
#
#   docs/tables.sh REDSWEEP PAGE > page.new
#
# A table is between two lines of the page:
#
#   <!-- table run=FOLDER rows=KERNEL[:UNROLL],… columns=COLUMN,… AXIS=VALUE … -->
#   <!-- end -->
#
# The table has one row for each entry of `rows`, in that order. The row shows the fastest point of
# that kernel (and unroll factor) with the status ok whose axes and tunables have the given values. If
# a point has no number for an axis or tunable, for example because only other kernels have the
# tunable, the given value is ignored. The columns are listed below. It is an error if the run has no
# such point. If the run is missing, a line of the page says so.
set -eu
redsweep=$1 page=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() { echo "$page: $1" >&2; exit 1; }

# Each column has a heading and a formula, in which `first` is the time of the table's first row.
formula() {
    case $1 in
    kernel) echo 'kernel' ;;
    block) echo 'threads per block = block' ;;
    time_us_median) echo 'time (µs) = time_us_median' ;;
    speedup)
        [ -n "$first" ] || stop "speedup: the first row has no time"
        echo "speedup over the first = $first / time_us_median"
        ;;
    bandwidth_gbs) echo 'useful GB/s = bandwidth_gbs' ;;
    peak_pct) echo 'percent of the peak = peak_pct' ;;
    gld_requests) echo 'load requests = gld_requests' ;;
    gld_transactions) echo 'sectors loaded = gld_transactions' ;;
    gst_transactions) echo 'sectors stored = gst_transactions' ;;
    gld_efficiency) echo 'loaded bytes that are used (%) = gld_efficiency' ;;
    inst_per_warp) echo 'instructions per warp = inst_per_warp' ;;
    warp_execution_efficiency) echo 'active lanes (%) = warp_execution_efficiency' ;;
    loaded_mb) echo 'loaded (10⁶ bytes) = gld_transactions * 32 / 10^6' ;;
    loaded_gbs) echo 'loaded GB/s = gld_transactions * 32 / time_us_median / 1000' ;;
    gld_throughput) echo '"gld_throughput, as printed (GB/s)" = gld_throughput' ;;
    printed_mb) echo 'throughput × time (10⁶ bytes) = gld_throughput * 2^30 * time_us_median / 10^12' ;; # nvprof's GB are 2^30 bytes
    requests_per_element) echo 'load requests per 32 elements = gld_requests / (n / 32)' ;;
    shared_load_bank_conflicts) echo 'bank conflicts of loads = shared_load_bank_conflicts' ;;
    occupancy_pct) echo 'resident warps (%) = achieved_occupancy * 100' ;;
    dram_read_mb) echo 'read from DRAM (10⁶ bytes) = dram_read_bytes / 10^6' ;;
    *) stop "the column $1 has no heading in docs/tables.sh" ;;
    esac
}

# Prints a condition: a row has this value of an axis, or the value is a number and the row has none.
condition() { # AXIS VALUE
    case $2 in
    *[!0-9]*) echo " and $1 = $2" ;;
    *) echo " and not ($1 < $2 or $1 > $2)" ;;
    esac
}

fastest() { # ROW COLUMNS FORMAT: prints the row in this format with `redsweep show`
    where="kernel = ${1%%:*} and status = ok$axes"
    [ "$1" = "${1%%:*}" ] || where="$where and unroll = ${1#*:}"
    "$redsweep" show "$run" --where "$where" --columns "$2" --sort time_us_median --head 1 "--$3" -
}

# Writes whole numbers of five digits or more in groups of three.
grouped() { sed -E ':again; s/(\| [0-9]+)([0-9]{3}( [0-9]{3})* \|)/\1 \2/; t again; s/\| ([0-9]) ([0-9]{3}) \|/| \1\2 |/g'; }

table() { # the words of the page's line
    axes='' run='' rows='' names='' first=''
    for word; do
        case $word in
        run=*) run=${word#*=} ;;
        rows=*) rows=${word#*=} ;;
        columns=*) names=${word#*=} ;;
        *=*) axes=$axes$(condition "${word%%=*}" "${word#*=}") ;;
        esac
    done
    [ -e "$run/results.csv" ] || { printf '\n*Not measured yet: %s is missing.*\n\n' "$run"; return; }
    fastest "${rows%%,*}" time_us_median csv >"$work/first"
    [ "$(grep -c '' "$work/first")" -eq 2 ] || stop "the run $run has no row ${rows%%,*} with these axes"
    first=$(sed 1d "$work/first")
    columns=
    for name in $(echo "$names" | tr , ' '); do
        item=$(formula "$name") || exit 1
        columns="$columns${columns:+,}$item"
    done
    head=1
    for row in $(echo "$rows" | tr , ' '); do
        fastest "$row" "$columns" markdown >"$work/row" || exit 1
        [ "$(grep -c '^|' "$work/row")" -eq 3 ] || stop "the run $run has no row $row with these axes"
        if [ -n "$head" ]; then
            printf '\n| kernel %s\n| --- %s\n' "$(grep '^|' "$work/row" | sed -n 1p)" "$(grep '^|' "$work/row" | sed -n 2p)"
            head=
        fi
        case $row in *:*) label="\`${row%%:*}\` ${row#*:}" ;; *) label="\`$row\`" ;; esac
        printf '| %s %s\n' "$label" "$(grep '^|' "$work/row" | sed -n 3p | grouped)"
    done
    printf '\n'
}

inside=
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    '<!-- table '*)
        [ -z "$inside" ] || stop "a table begins inside of another one"
        printf '%s\n' "$line"
        # shellcheck disable=SC2086 # the list is meant to be split into words
        table ${line#'<!-- table '}
        inside=1
        ;;
    '<!-- end -->')
        [ -n "$inside" ] || stop "a table ends that did not begin"
        inside=
        printf '%s\n' "$line"
        ;;
    *) [ -n "$inside" ] || printf '%s\n' "$line" ;;
    esac
done <"$page"
[ -z "$inside" ] || stop "the last table has no end"
