#!/bin/sh
# kernels/index.txt must list every kernel below its folder and nothing else.
# shellcheck disable=SC2317 # functions are called through check
set -u
here=$(cd "$(dirname "$0")" && pwd)
kernels=$(cd "$here/../../kernels" && pwd)
# shellcheck disable=SC2034 # charts.sh uses it
plots=$(cd "$here/../../plots" && pwd)
name=test_index
. "$here/../plots/checks.sh"
. "$here/../plots/charts.sh"

on_ladder() { # FOLDER OF KERNELS
    awk '
        FILENAME ~ /index[.]txt$/ {
            if ($1 == "folder") folder = $2
            else if ($0 !~ /^#|^family [0-8]: .|^step from .|^value ./) has[$1] = folder
            next
        }
        FNR == 1 {
            split(FILENAME, part, "/")
            for (i = 1; i in part; i++) { name = part[i]; in_folder = part[i - 1] }
            sub(/[.]cu?$/, "", name)
            known[name]
            if (has[name] != in_folder) {
                print FILENAME " has no line below \"folder " in_folder "\" in kernels/index.txt: add \"" name "\" there, below " \
                      "the family whose idea it has, in the order of ideas (a new family is a line \"family COLOR: NAME\")"
                wrong = 1
            }
        }
        END {
            for (name in has)
                if (!(name in known)) {
                    print "kernels/index.txt: " name " is no kernel of kernels/: remove the line"
                    wrong = 1
                }
            exit wrong
        }' "$kernels/index.txt" $(awk -v at="$1" '$1 == "folder" { print at "/" $2 "/*." ($2 == "cpu" ? "c" : "cu") }' "$kernels/index.txt")
}
check 'each kernel is in the index' on_ladder "$kernels"
cp -r "$kernels" "$work/kernels"
rm "$work/kernels/book/redux.cu"
printf '// kernel:   onepass_more\n// types:    int32\n' >"$work/kernels/onepass/onepass_more.cu"
mv "$work/kernels/book/smem.cu" "$work/kernels/rows"
check 'a kernel without a line' exits 1 "$out" on_ladder "$work/kernels"
check 'is named, with what to add where' says 'onepass_more.cu has no line below "folder onepass" in kernels/index.txt: add "onepass_more" there' "$out"
check 'so is one in another folder' says 'rows/smem.cu has no line below "folder rows"' "$out"
check 'a line without a kernel is named' says 'redux is no kernel of kernels/' "$out"
[ $failed -eq 0 ] && echo "$name: $cases checks passed"
exit $failed
