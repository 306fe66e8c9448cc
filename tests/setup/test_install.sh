#!/bin/sh
# Runs `make install` and `make deb`. The installed program must find its kernels, charts and
# configs when it is called in any folder. groff must accept the manual pages without a warning,
# completions must work, and the program in the package must run. `make uninstall` must leave no
# files.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
unset REDSWEEP_HOME BUILD MAKEFLAGS MAKELEVEL
REDSWEEP_CACHE=$work/cache
export REDSWEEP_CACHE

fail() {
    printf 'test_install: FAILED: %s\n' "$*"
    failed=1
}
# The tree's folder may have spaces in its name, but make targets cannot, so files are named
# relative to this folder.
below=${build#"$root/"}
in_tree() { # TARGET…: makes targets; the program exists, so nothing is compiled
    make -s -C "$root" -o "$below/redsweep" BUILD="$below" SETUP=no "$@" >"$work/made" 2>&1 ||
        fail "make $*: $(tail -n 3 "$work/made")"
}

# runs FOLDER WHAT: checks that an installed program works from another folder.
runs() {
    program=$1/bin/redsweep
    mkdir -p "$work/elsewhere" && cd "$work/elsewhere" || exit 1
    "$program" --version | grep -q '^redsweep [0-9][0-9.]* (' || fail "$2: --version"
    "$program" list kernels | grep -q '^smem_unroll' || fail "$2: list kernels"
    "$program" run --kernels interleaved,shuffle --sizes 4096,8192 --device sim --out "$work/$2-run" \
        >"$work/said" 2>&1 || fail "$2: run: $(tail -n 3 "$work/said")"
    ! grep -q what-the-kernels-teach "$work/said" || fail "$2: the end names a page that is not in this folder"
    grep -q "^next: $program show " "$work/said" || fail "$2: the end does not say what to type: $(grep next "$work/said")"
    if command -v gnuplot >/dev/null; then
        "$program" plots "$work/$2-run" metrics >"$work/said" 2>&1 || fail "$2: plots: $(cat "$work/said")"
        [ -s "$work/$2-run/plots/metrics.svg" ] || fail "$2: no chart"
    fi
    "$program" run configs/quick.json --dry-run --device sim >"$work/said" 2>&1 ||
        fail "$2: a shipped config: $(cat "$work/said")"
    grep -q '^quick on simulator' "$work/said" || fail "$2: a shipped config is not found"
    cd "$root" || exit 1
}

in_tree install DESTDIR="$work/stage" PREFIX=/opt/a
grep -q "is in $work/stage/opt/a" "$work/made" || fail "install says: $(cat "$work/made")"
# The installed folder can be moved.
mv "$work/stage/opt/a" "$work/moved" || exit 1
runs "$work/moved" moved

# Each command has a manual page, and groff gives no warning.
for command in '' $("$work/moved/bin/redsweep" --help | awk '/^  redsweep [a-z]+ / { print "-" $2 }'); do
    page=$work/moved/share/man/man1/redsweep$command.1.gz
    [ -s "$page" ] || { fail "no page redsweep$command.1"; continue; }
    command -v groff >/dev/null || continue
    zcat "$page" | groff -man -Tutf8 -P-cbou -ww >"$work/page" 2>"$work/warnings"
    [ ! -s "$work/warnings" ] || fail "redsweep$command.1: $(head -n 2 "$work/warnings")"
    grep -q 'NAME' "$work/page" || fail "redsweep$command.1 is no manual page"
done
zcat "$work/moved/share/man/man1/redsweep-show.1.gz" | grep -q '^\.B \\-\\-where EXPR' || fail "redsweep-show.1 has no --where"

# bash must complete command names, options, config keys and devices.
bash_file=$work/moved/share/bash-completion/completions/redsweep
bash -n "$bash_file" || fail "bash cannot read its completion"
completes() { # EXPECTED WORD…
    wanted=$1
    shift
    got=$(bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _redsweep; echo "${COMPREPLY[*]}"' \
        bash "$bash_file" "$@" 2>/dev/null)
    case " $got " in
    *" $wanted "*) ;;
    *) fail "after '$*' bash completes '$got', not $wanted" ;;
    esac
}
completes doctor redsweep doc
completes --where redsweep show --wh
completes --timing.budget_s redsweep run --timing.b
completes sim redsweep run --device s
completes columns redsweep list col
if command -v zsh >/dev/null; then
    zsh -n "$work/moved/share/zsh/site-functions/_redsweep" || fail "zsh cannot read its completion"
fi
grep -q '^#compdef redsweep' "$work/moved/share/zsh/site-functions/_redsweep" || fail "no completion for zsh"

# `make uninstall` removes all installed files and no others.
in_tree install DESTDIR="$work/gone" PREFIX=/usr
touch "$work/gone/usr/bin/another" "$work/gone/usr/share/redsweep/configs/mine.json"
in_tree uninstall DESTDIR="$work/gone" PREFIX=/usr
left=$(cd "$work/gone/usr" && find . -type f | sort | tr '\n' ' ')
[ "$left" = "./bin/another ./share/redsweep/configs/mine.json " ] || fail "uninstall left: $left"
[ ! -e "$work/gone/usr/share/redsweep/kernels" ] || fail "uninstall left empty folders"
make -s -C "$root" -o "$below/redsweep" BUILD="$below" SETUP=no uninstall DESTDIR="$work/never" >"$work/made" 2>&1 &&
    fail "uninstall of nothing ends with 0"

# If the library of winners was built, it is installed along with a pkg-config file.
mkdir -p "$work/build/tuned" && cp "$build/redsweep" "$work/build/" || exit 1
cp "$build"/libcjson* "$work/build/" 2>/dev/null
echo 'int redsweep_tuned_here(void);' >"$work/build/tuned/redsweep_tuned.h"
echo 'int redsweep_tuned_here(void) { return 42; }' | ${CC:-gcc} -x c -c -o "$work/o.o" - &&
    ar rcs "$work/build/tuned/libredsweep_tuned.a" "$work/o.o" || exit 1
BUILD=$work/build BUNDLE=no CUDA=/nowhere CUDA_MAJOR=13 VERSION=1.2.3 setup/install.sh "$work/tuned" '' >"$work/made" 2>&1 ||
    fail "install with a library: $(cat "$work/made")"
if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH=$work/tuned/lib/pkgconfig
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion redsweep_tuned)" = 1.2.3 ] || fail "pkg-config: version"
    case "$(pkg-config --cflags --libs redsweep_tuned)" in
    *"-I$work/tuned/include"*"-L$work/tuned/lib -lredsweep_tuned"*-lcudart*) ;;
    *) fail "pkg-config says: $(pkg-config --cflags --libs redsweep_tuned)" ;;
    esac
else
    grep -q '^Version: 1.2.3$' "$work/tuned/lib/pkgconfig/redsweep_tuned.pc" || fail "no file for pkg-config"
fi

# CMake's package file must find the library and the header even after the folder was moved.
if command -v cmake >/dev/null; then
    mkdir -p "$work/cuda/include" "$work/cuda/lib64" "$work/user" && : >"$work/cuda/include/cuda_runtime.h" || exit 1
    echo 'int redsweep_runtime;' | ${CC:-gcc} -shared -x c -o "$work/cuda/lib64/libcudart.so" - || exit 1
    cp -r "$work/tuned" "$work/relocated" || exit 1
    cat >"$work/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
find_package(redsweep_tuned 1.2 REQUIRED)
add_executable(user user.c)
target_link_libraries(user PRIVATE redsweep_tuned::redsweep_tuned)
CMAKE
    printf '#include <redsweep_tuned.h>\nint main(void) { return redsweep_tuned_here() - 42; }\n' >"$work/user/user.c"
    { cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/relocated" -DCUDAToolkit_ROOT="$work/cuda" &&
        cmake --build "$work/user/build" && LD_LIBRARY_PATH=$work/cuda/lib64 "$work/user/build/user"; } >"$work/made" 2>&1 ||
        fail "find_package: $(cat "$work/made")"
    if [ ! -e /usr/include/cuda_runtime.h ] && [ ! -e /usr/local/include/cuda_runtime.h ]; then
        env -u CUDA_PATH cmake -S "$work/user" -B "$work/user/none" -DCMAKE_PREFIX_PATH="$work/relocated" >"$work/made" 2>&1 &&
            fail 'find_package without the CUDA runtime'
        grep -q 'set CUDAToolkit_ROOT' "$work/made" || fail "find_package without the CUDA runtime says: $(cat "$work/made")"
    fi
fi

# The package must be built and state its dependencies, and its program must run from wherever the
# package is unpacked.
if command -v dpkg-deb >/dev/null; then
    DEB_COMPRESSION=none in_tree deb BUNDLE=no
    deb=$(sed -n 's/^deb: \([^ ]*\) .*/\1/p' "$work/made")
    dpkg-deb -f "$deb" Depends >"$work/depends" 2>&1
    grep -q 'libcjson1' "$work/depends" && grep -q 'libc6 (>= 2\.' "$work/depends" ||
        fail "the package depends on: $(cat "$work/depends")"
    [ "$(dpkg-deb -f "$deb" Version)" = "$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)" ] || fail "the package's version"
    dpkg -x "$deb" "$work/unpacked" || fail "the package cannot be unpacked"
    runs "$work/unpacked/usr" unpacked
    rm -f "$deb"
else
    echo 'test_install: skipped the package: there is no dpkg-deb'
fi

[ "$failed" -eq 0 ] && echo 'test_install: passed'
exit "$failed"
