"""Chooses the small changes of a C file that are tried, one for each line. A hash of the seed, the file and the
line's text decides, so an edit elsewhere does not affect the choice.

Comments, string literals, preprocessor lines and declarations without a value are not changed. Statements that free
memory are not deleted, because check-sanitize and check-valgrind find leaks.
"""

import hashlib
import random
import re
from collections import Counter, namedtuple

# A mutation of one line: `line` is its number, starting at 1; `before` and `after` are the whole
# line without its newline.
Mutation = namedtuple("Mutation", "file line operator before after")

RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
# A binary operator has spaces on both sides (.clang-format), unlike the star of a pointer.
SWAPS = {
    "+": ["-"],
    "-": ["+"],
    "*": ["/", "+"],
    "/": ["*"],
    "%": ["/", "*"],
    "&&": ["||"],
    "||": ["&&"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|"],
    "<<": [">>"],
    ">>": ["<<"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "|=": ["&="],
    "&=": ["|="],
}
BINARY = re.compile(r"(?<= )(<=|>=|==|!=|<<|>>|&&|\|\||[-+*|&]=|[-+*/%<>&|^])(?= |$)")
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
STEP = re.compile(r"\+\+|--")
TRUTH = re.compile(r"\b(true|false)\b")
NOT = re.compile(r"!(?=[\w(*])")
CONDITION = re.compile(r"^\s*(?:\} )?(?:else )?(?:if|while) \((.*)\)(?: \{)?$")
JUMP = re.compile(r"^(\s*)(break|continue);$")
# Match a call or an assignment on its own line. A declaration does not match, because it begins
# with two words.
CALL = re.compile(r"^(\s*)\w+\(.*\);$")
ASSIGNMENT = re.compile(r"^(\s*)\*?[\w.\[\]>()-]+(?: - | \+ )?[\w.\[\]>()-]* (?:[-+*/%&|^]|<<|>>)?= .*;$")
STEPPED = re.compile(r"^(\s*)(?:\+\+|--)?[\w.\[\]>()-]+(?:\+\+|--)?;$")
KEYWORD = re.compile(r"^\s*(?:return|break|continue|goto|case|default|else|typedef|extern)\b")
RELEASE = re.compile(r"\bfree\(|_(?:free|clear|release|destroy|close)\(|\bfclose\(|\bclose\(|_FREE\(")
DECLARED = re.compile(r"^\s*(?:static |const |volatile |struct |enum |unsigned )*\w+ \**\w+[^=(]*;$")
ARRAY = re.compile(r"^\s*(?:\w+ )+[^=;]*\[$")
TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)


def blank(match):
    """Returns spaces in place of a comment, and underscores in place of the characters of a literal. The quotes of the
    literal stay, so that it is still an operand."""
    text = match.group(0)
    if text[0] in "\"'":
        return text[0] + "_" * (len(text) - 2) + text[0]
    return re.sub(r"[^\n]", " ", text)


def code_lines(text):
    """Returns the lines of a C file with comments, string literals and preprocessor lines blanked."""
    lines = TEXT.sub(blank, text).split("\n")
    continued = False
    for i, line in enumerate(lines):
        if continued or line.lstrip().startswith("#"):
            continued = line.endswith("\\")
            lines[i] = ""
    return lines


def whole_statement(lines, i):
    """Returns whether line i is a complete statement, which implies that the statement before it has ended."""
    for line in reversed(lines[:i]):
        if line.strip():
            return line.rstrip()[-1] in ";{}:" or re.search(r"\)$|\belse$", line.rstrip()) is not None
    return False


def changes(code, line, alone):
    """Returns all mutations of one line, as (operator, new line). `code` is the line with its string literals blanked."""
    found = []

    def put(operator, start, end, new):
        found.append((operator, line[:start] + new + line[end:]))

    declaration = DECLARED.match(code)
    for m in BINARY.finditer(code):
        sign = m.group(1)
        for new in [r for r in RELATIONS if r != sign] if sign in RELATIONS else SWAPS[sign]:
            put("relation" if sign in RELATIONS else "operator", m.start(1), m.end(1), new)
    for m in [] if declaration else NUMBER.finditer(code):
        value = int(m.group(1), 8 if re.match(r"0\d", m.group(1)) else 0)
        if ARRAY.match(code[: m.start()]):
            continue
        for other in (value + 1, value - 1) if value else (1,):
            put("constant", m.start(), m.end(), str(other) + m.group(2))
    for m in STEP.finditer(code):
        put("step", m.start(), m.end(), "--" if m.group(0) == "++" else "++")
    for m in TRUTH.finditer(code):
        put("truth", m.start(), m.end(), "false" if m.group(0) == "true" else "true")
    for m in NOT.finditer(code):
        put("negation", m.start(), m.end(), "")
    m = CONDITION.match(code)
    if m and balanced(m.group(1)):
        put("negation", m.start(1), m.end(1), "!(" + line[m.start(1) : m.end(1)] + ")")
    m = JUMP.match(code)
    if m and alone:
        put("jump", m.start(2), m.end(2), "continue" if m.group(2) == "break" else "break")
    statement = CALL.match(code) or ASSIGNMENT.match(code) or STEPPED.match(code)
    if statement and alone and not KEYWORD.match(code) and not RELEASE.search(code) and not declaration:
        found.append(("deletion", statement.group(1) + ";"))
    return found


def balanced(text):
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return depth == 0


def mutations(file, text, seed):
    """Returns one mutation for each line that has any, as (rank, Mutation). The lowest ranks are tried first."""
    chosen = []
    seen = Counter()
    code = code_lines(text)
    depth = 0
    for i, line in enumerate(text.split("\n")):
        inside = depth > 0
        depth += code[i].count("{") - code[i].count("}")
        seen[line.strip()] += 1
        found = changes(code[i], line, whole_statement(code, i)) if inside else []
        if found:
            key = "\0".join([str(seed), file, line.strip(), str(seen[line.strip()])])
            rank = hashlib.sha256(key.encode()).hexdigest()
            # Draws the kind of change first, and then a change of that kind. Otherwise, most
            # changes to a line with many numbers would be to its numbers.
            kind = random.Random(rank).choice(sorted({f[0] for f in found}))
            operator, after = random.Random(rank).choice([f for f in found if f[0] == kind])
            chosen.append((rank, Mutation(file, i + 1, operator, line, after)))
    return chosen


if __name__ == "__main__":
    import sys

    for name in sys.argv[1:]:
        with open(name) as source:
            for _, m in sorted(mutations(name, source.read(), 1)):
                print(f"{m.file}:{m.line}: {m.operator}\n- {m.before.strip()}\n+ {m.after.strip()}")
