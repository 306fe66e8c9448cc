"""Checks that counts that vary are marked: varying.py ROWS.csv OUTPUT…

The script searches each output for numbers that equal a count of the kernel onepass_any to at least four digits, and
that equal no other number of the run. The mark ≈ must precede each of them. Each output must contain such a number,
unless the output's name begins with maybe-.
"""
import csv
import html
import re
import sys

METRICS = ["gld_transactions", "inst_per_warp", "gld_requests"]
NUMBER = re.compile(r"(≈?)(?<![\w.^])(\d+(?:\.\d+)?)([kMG]?)(?![\w.])")
UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}


def is_printed(digits, unit, value):
    """Returns whether the printed number is the value, rounded to the printed digits."""
    decimals = len(digits.partition(".")[2])
    return abs(float(digits) * UNITS[unit] - value) <= 0.5000001 * 10 ** -decimals * UNITS[unit]


def texts_of(path):
    text = open(path, encoding="utf-8").read()
    if path.endswith(".html"):
        # Scripts are not searched: they hold the charts' data and most of the rows, which the
        # browser turns into text. tests/browser/pages.py checks that text.
        text = re.sub(r"<script.*?</script>|<style.*?</style>", " ", text, flags=re.S)
    if path.endswith((".html", ".svg")):
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return text


def main():
    rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
    varying, others = [], []
    for row in rows:
        for name, cell in row.items():
            try:
                value = float(cell)
            except (TypeError, ValueError):
                continue
            (varying if row["kernel"] == "onepass_any" and name in METRICS else others).append(value)
    failed, seen = 0, 0
    for path in sys.argv[2:]:
        text = texts_of(path)
        for about, digits, unit in NUMBER.findall(text):
            if len(digits.replace(".", "").lstrip("0")) < 4 or any(is_printed(digits, unit, v) for v in others):
                continue
            if any(is_printed(digits, unit, v) for v in varying):
                seen += bool(about)
                if not about:
                    print(f"test_varying: FAILED: {path}: {digits}{unit} is not marked")
                    failed = 1
        if not re.search(r"≈\d", text) and "/maybe-" not in path:
            print(f"test_varying: FAILED: {path} shows no count that varies")
            failed = 1
    if not failed:
        print(f"test_varying: {seen} counts that vary in {len(sys.argv) - 2} outputs, all marked")
    sys.exit(failed)


main()
