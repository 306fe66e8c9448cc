#!/bin/sh
# Tests the Spack recipe (setup/spack) without Spack. It must load with a fake of Spack's directives
# (tests/setup/spack.py), and make must accept the arguments that it passes in each of its two
# phases. The installed program must run, and the recipe's git URL must be this project's.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
cd "$root" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset REDSWEEP_HOME BUILD MAKEFLAGS MAKELEVEL
failed=0
fail() { echo "test_spack: FAILED: $*"; failed=1; }
command -v python3 >/dev/null || { echo 'test_spack: skipped: there is no python3'; exit 0; }

cuda=$(sed -n 's/^CUDA := //p' "$build/toolkit.mk")
case $cuda in /*) ;; *) cuda=$root/$cuda ;; esac
python3 tests/setup/spack.py "$work/prefix" "$cuda" >"$work/recipe" || fail 'the recipe cannot be loaded'
[ "$(sed -n 's/^git //p' "$work/recipe")" = "$(python3 -c 'import pathlib; print(pathlib.Path.cwd().as_uri())')" ] || fail "its $(grep '^git' "$work/recipe")"
for package in c binutils cjson cuda@12.4: gnuplot; do
    grep -qx "depends $package *" "$work/recipe" || fail "it does not depend on $package"
done

# The program exists, so nothing is compiled. The recipe sets neither BUILD nor the program to skip,
# so the arguments added here override none of its own.
phase() { # NAME
    # shellcheck disable=SC2046 # arguments without spaces, unless the tree's name has them
    make -s -o "${build#"$root/"}/redsweep" $(sed -n "s/^$1 //p" "$work/recipe") BUILD="${build#"$root/"}" >"$work/$1" 2>&1 ||
        fail "make of the phase $1: $(tail -n 3 "$work/$1")"
}
case $root$work in
*\ *) ;;
*)
    phase build
    phase install
    sed -n 's/^run //p' "$work/recipe" >"$work/check.sh"
    (cd "$work" && sh check.sh) >"$work/run" 2>&1 || fail "installcheck: $(tail -n 3 "$work/run")"
    [ -s "$work/sweep/results.csv" ] || fail 'installcheck makes no results'
    ;;
esac

# For an unknown directive, the fake must report an error instead of ignoring it.
mkdir -p "$work/other/tests" && cp -r setup "$work/other" && cp -r tests/setup "$work/other/tests" || exit 1
sed -i 's/variant("plots"/varient("plots"/' "$work/other/setup/spack/spack_repo/redsweep/packages/redsweep/package.py"
(cd "$work/other" && python3 tests/setup/spack.py a b) >/dev/null 2>"$work/said" && fail 'an unknown directive is not noticed'
grep -q "varient" "$work/said" || fail "an unknown directive: $(tail -n 1 "$work/said")"

[ $failed -eq 0 ] && echo 'test_spack: ok (with a stand-in for Spack)'
exit $failed
