#!/bin/sh
# The course's commands run without a GPU and print what docs/what-the-kernels-teach.md says. The
# course must show exactly the figures that docs/course.sh draws.
set -u
cd "$(dirname "$0")/../.." || exit 1
page=docs/what-the-kernels-teach.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

docs/commands.sh $page "${BUILD:-build}/redsweep" >"$work/page.md" || failed=1
cmp -s "$work/page.md" $page || {
    echo "test_course: FAILED: commands print something else (docs/commands.sh $page makes it new):"
    diff $page "$work/page.md" | head -20
    failed=1
}
commands=$(grep -c '^```sh' $page)
[ "$commands" -ge 10 ] && [ "$commands" -eq "$(grep -c '^<!-- output -->' $page)" ] ||
    { echo "test_course: FAILED: $commands commands, not each with what it prints"; failed=1; }

grep -o 'course/[a-z0-9-]*\.svg' $page | sort -u >"$work/used"
(cd docs && ls course/*.svg) | sort >"$work/drawn"
sed -n 's|^figure \([a-z0-9-]*\) .*|course/\1.svg|p; s|.* docs/\(course/[a-z0-9-]*\.svg\)$|\1|p' docs/course.sh | sort >"$work/scripted"
for list in used drawn; do
    cmp -s "$work/$list" "$work/scripted" || {
        echo "test_course: FAILED: figures $list are not those of docs/course.sh:"
        diff "$work/$list" "$work/scripted"
        failed=1
    }
done

[ $failed -eq 0 ] && echo "test_course: $commands commands print what the page says"
exit $failed
