# The inputs in commands.txt, plan.txt, catalogue.txt, devices.txt, runs.txt and setup.txt are shell
# commands that may call these functions. Each case starts with an empty folder $work.
export REDSWEEP_CACHE="$work/cache" COLUMNS=100

built=$(cd "${BUILD:-build}" && pwd)
redsweep() { "$built/redsweep" "$@"; }

# Prints a plan with 1024 elements and blocks of 64 threads, unless options say otherwise.
plan() { redsweep run --kernel-folder tests/texts/kernels --device sim --dry-run --sizes 1024 --blocks 64 "$@"; }
reasons() { plan "$@" | grep '^       *[0-9]'; }

# Puts kernels with these names into $work/k.
put_kernels() {
    mkdir -p "$work/k"
    for kernel; do sed "s/my_plain/$kernel/" tests/texts/kernels/my_plain.cu >"$work/k/$kernel.cu"; done
}
list_kernels() { redsweep list kernels --kernel-folder "$work/k"; }
# Lists a folder's kernels: the kernel bee, and an index with these lines.
list_by_index() { put_kernels bee; printf '%b\n' "$1" >"$work/k/index.txt"; list_kernels; }

# Makes the run $work/r from files, given as NAME TEXT, and shows it.
header='kernel,type,op,n,block,unroll,cache,scope,status\n'
show_run() {
    mkdir "$work/r"
    while [ $# -gt 0 ]; do
        printf '%b' "$2" >"$work/r/$1"
        shift 2
    done
    redsweep "${command:-show}" "$work/r"
}

# Measures one point on a device. The new run is $work/out.
measure() { # DEVICE
    redsweep run --kernels neighbored --sizes 64 --blocks 64 --quiet --out "$work/out" --device "$1"
}
# Measures the same point on a replay of the run $work/recorded, which it makes from a row of
# results and these files, given as NAME TEXT.
recording='id,device,status,reason,blocks_per_sm,grid,samples,time_us_median,time_us_min,time_us_ci95_lo,time_us_ci95_hi,time_us_max\n'
recorded='00000000000000aa,Card 7,ok,,2,264,50,11,1,10,12,100\n'
replay() { # OPTIONS OF THE DEVICE, NAME TEXT…
    mkdir "$work/recorded" && options=$1
    printf '%b' "$recording$recorded" >"$work/recorded/results.csv"
    while shift && [ $# -gt 0 ]; do
        printf '%b' "$2" >"$work/recorded/$1"
        shift
    done
    measure "replay:$work/recorded$options"
}

# `shard` runs one of three shards of a small sweep in $work/s, and `shards` runs all three. A case
# may run a shard again with other block sizes or on another device.
shard() { # NUMBER DEVICE BLOCKS
    printf '{"name": "c", "kernels": ["neighbored"], "sizes": {"log2": [10, 12]}, "blocks": [%s]}\n' "$3" >"$work/c.json"
    redsweep run "$work/c.json" --device "$2" --out "$work/s" --shard "$1/3" --quiet >"$work/log" 2>&1
}
shards() { for k in 0 1 2; do shard $k sim 64,128; done; }
merge() { redsweep merge "$@" --out "$work/no"; }

# Makes the invented runs $work/a, $work/b or $work/c (see invent.awk).
invent() {
    for run; do
        mkdir -p "$work/$run"
        awk -v which="$run" -v samples="$work/$run/samples.csv" -f tests/texts/invent.awk >"$work/$run/results.csv"
        cp tests/texts/invented.json "$work/$run/run.json"
    done
}
on() { invent "$@"; cd "$work" || exit; } # RUNS: makes these runs and changes to their folder
change() { awk -F, -v OFS=, "$2" "$work/$1/results.csv" >"$work/changed" && mv "$work/changed" "$work/$1/results.csv"; } # RUN PROGRAM: edits rows

rounded() { sed -E 's/([0-9]\.[0-9]{6})[0-9]+/\1/g'; } # further digits depend on the machine's math functions

# Prints a chart's data, and the part of its gnuplot script that redsweep wrote. Draws nothing.
chart() { # CHART RUN OPTION…
    chart=$1 run=$2
    shift 2
    rm -rf "$work/o" && mkdir -p "$work/bin" && ln -sf "$(command -v true)" "$work/bin/gnuplot"
    PATH=$work/bin:$PATH redsweep plots "$run" "$chart" --format svg --out "$work/o" "$@" >"$work/said" 2>&1
    grep -v 'No such file or directory' "$work/said"
    [ ! -e "$work/o/$chart.dat" ] || { cat "$work/o/$chart.dat"; awk '/^# What is shown/ { on = 1 } on && /^$/ { exit } on' "$work/o/$chart.gp"; } | rounded
}

# Prints what `chart` prints, without the lines that all charts of a run share.
drawn() { chart "$@" | grep -vE '^(RUN|DEVICE|TIMED_DEVICE|CANVAS|NARROW|TITLED) = '; }

# Prints the text of an HTML page without styles, scripts and charts. Each element's text begins a
# new line.
page() { # COMMAND RUN… [--html -]
    if [ "$1" = report ]; then redsweep "$@" >/dev/null && cat "$2/report.html"; else redsweep "$@"; fi |
        awk '/<(style|script|svg)/ { off = 1 } !off { print } /<\/(style|script|svg)>/ { off = 0 }' |
        sed -E 's/<[^>]*>/\n/g' | grep -v '^ *$' | rounded
}

# Makes the run $work/NAME with four rows: the kernel k at two sizes, and the kernels l and m at
# one. Each COUNTS gives a row's load and store transactions.
counted() { # NAME COUNTS…
    mkdir "$work/$1" && exec 3>"$work/$1/results.csv"
    echo 'kernel,backend,device,type,op,n,block,unroll,grid,cache,scope,status,gld_transactions,gst_transactions' >&3
    for row in k,16 k,32 l,16 m,16; do
        shift
        echo "${row%,*},cuda,D,int32,sum,${row#*,},64,1,1,cold,kernel,ok,$1" >&3
    done
    exec 3>&-
}

machine() { . tests/texts/machine.sh; } # for the scripts of setup/
