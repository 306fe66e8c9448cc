#!/bin/sh
# Tests texts_expect() of tests/texts/expected.h. A test must fail if an answer is wrong, missing or
# unused, or if the file is missing. UPDATE=1 must fix the file in each case.
set -u
. "$(dirname "$0")/../scratch.sh"
program=${BUILD:-$root/build}/tests/base/test_health
cd "$work" && mkdir -p tests/base || exit 1
right=$root/tests/base/test_health.txt
texts=tests/base/test_health.txt

passes() { "$program" >said 2>&1; }
try() { # WHAT: the file is now wrong in this way
    passes && fail "$1 is not noticed"
    UPDATE=1 "$program" >said 2>&1 || fail "$1: UPDATE=1 fails"
    cmp -s "$texts" "$right" || { fail "$1: the file that was written differs:" && diff "$right" "$texts"; }
    passes || { fail "$1: it fails after UPDATE=1:" && cat said; }
    ok
}

cp "$right" "$texts"
passes || { fail "the right answers are refused:" && cat said; }
sed -i 's/instead of/in place of/' "$texts" && try 'another word'
grep -q 'in place of' "$texts" && fail 'the word stays'
sed -i '0,/^> /s/^> .*/&\n> more/' "$texts" && try 'a line too many'
sed -i '0,/^> /{/^> /d}' "$texts" && try 'an empty answer'
sed -i 's/^< one other.*/< another name/' "$texts" && try 'a case of another name'
printf '\n< nobody asks\n> this\n' >>"$texts" && try 'a case too many'
rm "$texts" && try 'a missing file'
cp "$right" "$texts" && sed -i '/^< one other/,/^> /d' "$texts" && sed -i 's/instead of/in place of/' "$texts"
passes && fail 'two mistakes are not noticed'
grep -q 'no test has asked' said && fail 'a test that fails is blamed for what it has not come to'
cp "$right" "$texts"
sed -i '1a # A remark stays.' "$texts" && passes || fail 'a remark is no remark'
sed -i 's/instead of/in place of/' "$texts" && UPDATE=1 "$program" >said 2>&1
grep -qx '# A remark stays.' "$texts" || fail 'UPDATE=1 removes remarks'
grep -q 'instead of' "$texts" || fail 'UPDATE=1 does not write beside a remark'
echo "test_expected: $checks files, $failed failed"
exit $failed
