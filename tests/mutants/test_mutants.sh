#!/bin/sh
# Checks what `make mutants` relies on. Each room of harness/ must have tests, and each test named
# in ROOMS and NEAR must exist. A test must see the tree, but no other file of /tmp, even if the
# checkout is below /tmp.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d /tmp/redsweep-mutants.XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
export PYTHONDONTWRITEBYTECODE=1

python3 - <<'P' || exit 1
import sys
sys.path.insert(0, "tests/mutants")
import rooms as named
sources, tests = named.tree()
names = [t[len("tests/"):] for t in tests]
for room, prefixes in named.ROOMS.items():
    assert any(named.room_of(f) == room for f in sources), f"{room} is no room of harness/"
    for prefix in prefixes:
        assert any(n.startswith(prefix) for n in names), f"{room}: no test begins with {prefix}"
for near, prefixes in named.NEAR.items():
    rooms = {named.room_of(f) for f in sources if f.startswith("harness/" + near)}
    assert len(rooms) == 1, f"{near}: begins the names of files of {len(rooms)} rooms"
    own = named.ROOMS[rooms.pop()]
    for prefix in prefixes:
        assert any(n.startswith(prefix) for n in names), f"{near}: no test begins with {prefix}"
        assert any(prefix.startswith(p) for p in own), f"{near}: {prefix} is no test of its room"
P

mkdir -p "$work/a checkout/build/mutants/place-0/tmp" "$work/a checkout/build/mutants/place-0/home"
cd "$work/a checkout" || exit 1
cat >build/mutants/place-0/trial.sh <<'S'
#!/bin/sh
[ -r "$0" ] && [ "$(ls -A /tmp | tr '\n' ' ')" = "home $1" ] && touch /tmp/mine
S
chmod +x build/mutants/place-0/trial.sh
python3 - "$root" "$work" <<'P' || exit 1
import os, sys
sys.path.insert(0, sys.argv[1] + "/tests/mutants")
import places
try:
    unshare = places.namespaces()
except SystemExit as e:
    print(f"test_mutants: skipped: {e}")
    sys.exit()
place = places.Place.__new__(places.Place)
place.unshare = unshare
place.folder = os.path.realpath("build/mutants/place-0")
class Trial:
    program = "trial.sh"
with open("build/mutants/place-0/trial.sh") as script:
    text = script.read()
with open("build/mutants/place-0/trial.sh", "w") as script:
    script.write(text.replace("$1", os.path.basename(sys.argv[2]) + " "))
passed, _, said = place.run(Trial, 60)
assert passed, f"a test in a checkout below /tmp does not see itself, or sees more: {said}"
assert not os.path.exists("/tmp/mine"), "a test writes into /tmp"
P
echo "test_mutants: passed"
