#!/bin/bash
# Records what every command that reads results prints for every committed run: one line per output
# with RUN, COMMAND, the exit code and a hash. Use `diff` on the lines to compare two versions of
# redsweep.
#
#   tests/analyze/outputs.sh REDSWEEP [RUN | ARCHIVE.tar.xz]... >lines
#
# By default, it reads every run and archive under results/. show, best, report, status and export
# write each run as text, CSV and JSON. diff compares each run with the previous one in the same
# archive or folder. With KEEP=FOLDER, the outputs are kept in that folder.
#
# The reference lines are in results/reference/outputs.
set -u
[ $# -ge 1 ] && [ -x "$1" ] || { sed -n '2,12p' "$0" >&2; exit 2; }
redsweep=$(realpath "$1")
shift
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
keep=${KEEP:-}
[ -z "$keep" ] || { mkdir -p "$keep" && keep=$(realpath "$keep") || exit 2; }
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=200 REDSWEEP_HOME=$PWD

if [ $# -eq 0 ]; then
    mapfile -t inputs < <({ find results -name '*.tar.xz'; find results -name results.csv -printf '%h\n'; } | sort)
    set -- "${inputs[@]}"
fi
format=
"$redsweep" export --help | grep -q -- --format && format='--format t4' # older versions use other formats

# say RUN NAME COMMAND…: runs the command in $work/runs. "$work/files" holds the files it wrote.
say() {
    local run=$1 name=$2 code=0 hash
    shift 2
    rm -rf "$work/files" "$work/out"
    (cd "$work/runs" && "$redsweep" "$@" >"$work/out" 2>&1 </dev/null) || code=$?
    if [ -d "$work/files" ]; then
        (cd "$work/files" && find . -type f | sort | xargs -r -d '\n' cat) >>"$work/out"
    elif [ -f "$work/files" ]; then
        cat "$work/files" >>"$work/out"
    fi
    sed -i "s|$work|WORK|g" "$work/out"
    hash=$(sha256sum <"$work/out")
    printf '%s\t%s\t%d\t%.16s\n' "$run" "$name" $code "$hash"
    [ -z "$keep" ] || { mkdir -p "$keep/$run" && xz -0 <"$work/out" >"$keep/$run/${name// /_}.xz"; }
}

# outputs_of RUN BEFORE: records all outputs for RUN. diff compares RUN with BEFORE, unless BEFORE
# is empty.
outputs_of() {
    local run=$1 before=$2 format_name
    say "$run" 'show' show "$run" --head 200
    say "$run" 'show info' show "$run" --info
    say "$run" 'best' best "$run"
    say "$run" 'status' status "$run"
    for format_name in csv json; do
        say "$run" "show $format_name" show "$run" "--$format_name" -
        say "$run" "best $format_name" best "$run" "--$format_name" -
        say "$run" "report $format_name" report "$run" --out "$work/page.html" "--$format_name" "$work/files"
        say "$run" "status $format_name" status "$run" "--$format_name" -
    done
    # shellcheck disable=SC2086 # $format is empty or two words
    say "$run" 'export' export "$run" $format --out "$work/files"
    [ -n "$before" ] || return
    say "$run" 'diff' diff "$before" "$run"
    say "$run" 'diff csv' diff "$before" "$run" --csv -
    say "$run" 'diff json' diff "$before" "$run" --json -
}

for input; do
    rm -rf "$work/runs"
    name=${input#results/}
    name=${name%.tar.xz}
    mkdir -p "$work/runs/$name"
    if [ -d "$input" ]; then
        cp -r "$input/." "$work/runs/$name"
    else
        tar -xJf "$input" -C "$work/runs/$name" || exit 2
    fi
    find "$work/runs" -name samples.csv.gz -exec gzip -d {} +
    before=
    while IFS= read -r run; do
        # `diff` compares only runs in the same folder.
        [ "${before%/*}" = "${run%/*}" ] || before=
        outputs_of "$run" "$before"
        before=$run
    done < <(cd "$work/runs" && find . -name results.csv -printf '%h\n' | sed 's|^\./||' | sort)
done
