#!/usr/bin/env bash
# Replaces the hashes of kernels in recorded runs, after redsweep's hash function or a
# kernel's text has changed without changing the code. For each kernel of each run, the script finds
# the measured text in git's history by the recorded hash. The variants in the run are compiled for
# the run's architecture from that text, with the headers beside it, and from the current kernel. If
# all images have the same instructions (harness/compile/image_code.h) and the facts that are part of
# the hash are equal, the run gets the current hash. Otherwise it keeps its own hash.
#
#   setup/rename_hashes.sh [--write] [--most N] [RUN | ARCHIVE.tar.xz]...
#
#   --write   rename, in run.json and results.json, also inside archives; without it: report only
#   --most N  compile at most N variants of a kernel's text, at equal distances (default 0: all)
#
# The default is every run and archive under results/. The report has a line for each text and target:
# verdict, kernel, old hash, new hash, runs, variants, compiled, differing. Verdicts: equal; differs;
# facts; uncompiled; host; gone; none (see tests/setup/kernel_hashes.c); unknown (no text in the history
# has the recorded hash); and text, followed by another verdict, if nothing can be compiled and the
# text has today's hash. Hashes with the verdict equal or text are replaced. The script needs
# build/tests/setup/kernel_hashes (make build-tests), a toolkit, the complete history, and no GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=${BUILD:-build}/tests/setup/kernel_hashes write=no most=0 inputs=()
while [ $# -gt 0 ]; do
    case $1 in
    --write) write=yes ;;
    --most) most=${2:?--most needs a number}; shift ;;
    -*) echo "rename_hashes.sh: there is no option $1; see the comment at the top of the script" >&2; exit 2 ;;
    *) inputs+=("$1") ;;
    esac
    shift
done
[ -x "$tool" ] || { echo "rename_hashes.sh: $tool is missing; build it with make build-tests" >&2; exit 2; }
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    echo "rename_hashes.sh: this clone lacks the full history, which contains the texts of older kernels; fetch it with" \
        "git fetch --unshallow" >&2
    exit 2
fi
if [ ${#inputs[@]} -eq 0 ]; then
    mapfile -t inputs < <(find results -name '*.tar.xz'; find results -name run.json -printf '%h\n')
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/archives" "$work/texts" "$work/trees"

# $work/runs lists all run folders. Archived runs are unpacked.
: >"$work/runs"
for i in "${!inputs[@]}"; do
    case ${inputs[$i]} in
    *.tar.xz)
        mkdir "$work/archives/$i"
        tar -xJf "${inputs[$i]}" -C "$work/archives/$i"
        find "$work/archives/$i" -name run.json -printf '%h\n' >>"$work/runs" ;;
    *) printf '%s\n' "${inputs[$i]}" >>"$work/runs" ;;
    esac
done
xargs -d '\n' "$tool" list <"$work/runs" >"$work/kernels"

# Lists every text that a kernel of these runs has had, with the commit that introduced it.
git log --all --reverse --format='commit %H' --raw --no-abbrev --no-renames -- '*.cu' '*.c' |
    awk -F'\t' -v kernels="$work/kernels" '
        BEGIN { while ((getline line < kernels) > 0) { split(line, k, "\t"); wanted[k[2]] } }
        /^commit / { commit = substr($0, 8); next }
        /^:/ {
            split($1, raw, " ")
            name = $2; sub(/.*\//, "", name); sub(/\.cu?$/, "", name)
            if (raw[4] !~ /^0*$/ && name in wanted && !seen[name, raw[4]]++) print raw[4], commit, $2
        }' >"$work/history"
while read -r blob commit path; do
    mkdir -p "$work/texts/$blob"
    git cat-file blob "$blob" >"$work/texts/$blob/${path##*/}"
done <"$work/history"
find "$work/texts" -type f -print0 | xargs -0 "$tool" texts >"$work/hashes"

# Runs that share a text and a target are on one line: name, hash, today-by-text, commit, path,
# target, folders.
awk -F'\t' -v history="$work/history" -v hashes="$work/hashes" '
    BEGIN {
        while ((getline line < history) > 0) { split(line, h, " "); commit[h[1]] = h[2]; path[h[1]] = h[3] }
        while ((getline line < hashes) > 0) {
            split(line, h, "\t")
            n = split(h[1], part, "/"); name = part[n]; sub(/\.cu?$/, "", name)
            for (i = 2; i <= 4; i++) if (!((name, h[i]) in blob)) { blob[name, h[i]] = part[n - 1]; new[name, h[i]] = h[4] }
        }
    }
    {
        key = $2 "\t" $4
        b = (($2, $4) in blob) ? blob[$2, $4] : "-"
        line = key "\t" (b == "-" ? "-\t-\t-" : new[$2, $4] "\t" commit[b] "\t" path[b]) "\t" $5 "\t" $6 "\t" $7
        runs[line] = runs[line] "\t" $1
    }
    END { for (line in runs) print line runs[line] }' "$work/kernels" | sort >"$work/texts.tsv"

# tree COMMIT PATH: makes a folder with the kernels of that commit and the files beside PATH.
tree() {
    local key
    key=$(git rev-parse -q --verify "$1:kernels" || echo none)-$(git rev-parse "$1:$(dirname "$2")")
    if [ ! -d "$work/trees/$key" ]; then
        mkdir "$work/trees/$key"
        git archive "$1" "$(dirname "$2")" $(git rev-parse -q --verify "$1:kernels" >/dev/null && echo kernels) |
            tar -x -C "$work/trees/$key"
    fi
    printf '%s\n' "$work/trees/$key"
}

: >"$work/new"
while IFS=$'\t' read -r name hash new commit path recorded backend cc folders; do
    IFS=$'\t' read -r -a folder <<<"$folders"
    if [ "$commit" = - ]; then
        printf 'unknown\t%s\t%s\t-\t%d\t-\t-\t-\n' "$name" "$hash" ${#folder[@]}
        continue
    fi
    # Headers come from the run's own commit, if the history has one with this text.
    if [ "$recorded" != - ] && git cat-file -e "$recorded^{commit}" 2>/dev/null &&
        [ "$(git rev-parse -q --verify "$recorded:$path" || true)" = "$(git rev-parse "$commit:$path")" ]; then
        commit=$recorded
    fi
    of=$(tree "$commit" "$path")
    here=$(git ls-files "*/$name.cu" "*/$name.c" | head -1)
    here=$(dirname "${here:-kernels/none}")
    IFS=$'\t' read -r verdict found compiled differing today < <("$tool" compare "$here" "$of/$path" \
        "$of/kernels" "$name" "$backend" "$cc" "$most" "${folder[@]/%//results.csv}")
    case $verdict in gone | equal | differs | uncompiled) ;; *) [ "$today" != "$new" ] || verdict=text,$verdict ;; esac
    printf '%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n' "$verdict" "$name" "$hash" "$today" ${#folder[@]} "$found" "$compiled" "$differing"
    case $verdict in equal | text,*) printf "%s\t$hash\t$today\n" "${folder[@]}" >>"$work/new" ;; esac
done <"$work/texts.tsv"

[ "$write" = yes ] || exit 0
while IFS=$'\t' read -r folder hash new; do
    for file in "$folder/run.json" "$folder/results.json"; do
        [ "$hash" != "$new" ] && grep -qs "\"$hash\"" "$file" || continue
        touch -r "$file" "$work/time"
        sed -i "s/\"$hash\"/\"$new\"/g" "$file"
        touch -r "$work/time" "$file"
        printf '%s\n' "$file" >>"$work/changed"
    done
done <"$work/new"
for i in "${!inputs[@]}"; do
    grep -qs "^$work/archives/$i/" "$work/changed" || continue
    tar -tJf "${inputs[$i]}" >"$work/members"
    tar -c --no-recursion --owner=0 --group=0 -C "$work/archives/$i" -T "$work/members" | xz -9e >"$work/packed"
    cat "$work/packed" >"${inputs[$i]}"
done
