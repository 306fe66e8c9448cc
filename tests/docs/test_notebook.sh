#!/bin/sh
# docs/course.ipynb, the course as a notebook, must be what docs/notebook.py makes from the page.
# The notebook must run without a GPU and print the page's numbers. A different number or a cell
# that fails is an error. With HTML=FILE, the notebook is also written to that file as a page.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
REDSWEEP=$(realpath "${BUILD:-build}")/redsweep PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1
export REDSWEEP PYTHONPATH PYTHONDONTWRITEBYTECODE
page=docs/what-the-kernels-teach.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "test_notebook: FAILED: $*"; failed=1; }

command -v python3 >/dev/null || { echo 'test_notebook: skipped: there is no python3'; exit 0; }
docs/notebook.py >"$work/made" && cmp -s "$work/made" docs/course.ipynb || fail 'docs/course.ipynb is not that of the page: make docs'
python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do # the user's own python3 does not see Debian's packages
    [ -n "$python" ] || ! "$candidate" -c 'import pandas, nbclient, ipykernel' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || {
    echo 'test_notebook: not run: no python3 here has pandas, nbclient and ipykernel (packages python3-nbclient, python3-ipykernel)'
    exit $failed
}

# Makes a folder that looks like a clone, so that runs are not written into the tree. The folder
# also has Jupyter's kernels.
mkdir -p "$work/clone/docs" "$work/clone/results" "$work/kernels/python3"
ln -s "$root/results/reference" "$root/results/published" "$work/clone/results"
echo "{\"argv\": [\"$(command -v "$python")\", \"-m\", \"ipykernel_launcher\", \"-f\", \"{connection_file}\"], \"display_name\": \"Python 3\", \"language\": \"python\"}" \
    >"$work/kernels/python3/kernel.json"
export JUPYTER_PATH="$work" IPYTHONDIR="$work/ipython" JUPYTER_RUNTIME_DIR="$work/runtime"

runs() { "$python" tests/docs/run_notebook.py "$1" "$2" "$work/clone/docs" ${3:+"$3"} >"$work/said" 2>&1; }
runs docs/course.ipynb $page "${HTML:-}" || fail "the notebook: $(tail -n 20 "$work/said")"
# The check must fail if the page has a different number, and if the first run has an unknown
# kernel.
sed '/^1048576  *131072/s/131072/131073/' $page >"$work/page.md"
sed -n '1,/smem_unroll/p' docs/course.ipynb | sed 's/smem_unroll/smem_unrol/' >"$work/broken.ipynb"
sed '1,/smem_unroll/d' docs/course.ipynb >>"$work/broken.ipynb"
runs "$work/broken.ipynb" $page && fail 'a cell that fails is not noticed'
grep -q "did you mean 'smem_unroll'" "$work/said" || fail "a cell that fails says: $(tail -n 5 "$work/said")"
runs docs/course.ipynb "$work/page.md" && fail 'another number is not noticed'
grep -q "prints .*131072" "$work/said" || fail "another number is noticed as: $(tail -n 5 "$work/said")"

[ $failed -eq 0 ] && echo "test_notebook: $(grep -c '"cell_type": "code"' docs/course.ipynb) cells run, and print what the page says"
exit $failed
