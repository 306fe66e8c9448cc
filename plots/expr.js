// The expressions of redsweep (harness/base/expr.h) for the filter of a page: the same language, rules
// and messages as harness/base/expr.c and expr_evaluate.c; tests/base/expr_cases.json holds for both.
//
//   const x = exprParse('kernel = "smem_*" and n >= 2^20');
//   exprNumber(x, name => …)
//
// The lookup gives a number (NaN: missing), a text, or undefined for an unknown name. Both functions
// throw an ExprError, whose `at` is the offset in the source and `unknown` an unknown name.
'use strict';

class ExprError extends Error {
    constructor(at, message) {
        super(message);
        this.at = at;
    }
}

const EXPR_CALLS = {min: [1, 0], max: [1, 0], ceil_div: [2, 2], log2: [1, 1], power_of_two: [1, 1], if: [3, 3]};
const EXPR_DEPTH = 64, EXPR_PARTS = 2000; // as in C
const EXPR_SYNONYMS = {'&&': 'and', '||': 'or', '!': 'not', '==': '='};
const EXPR_COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];

// Tokens: {kind, at, text}, kind: number, name, text, end, or the operator itself.
function* exprTokens(source) {
    const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
    const name = /[A-Za-z_](?:\w|\.(?=[A-Za-z_]))*/y, operator = /&&|\|\||[=!<>]=|[=!<>+\-*\/%^(),]/y;
    let at = 0;
    const take = expression => {
        expression.lastIndex = at;
        return expression.exec(source)?.[0];
    };
    for (;;) {
        at += take(/[ \t-\r]*/y).length;
        let text, kind;
        if (at === source.length) {
            yield {kind: 'end', at, text: ''};
            return;
        }
        if ((text = take(number))) {
            kind = 'number';
            if (/[\w.]/.test(source[at + text.length] || ''))
                throw new ExprError(at, `not a number: '${source.slice(at, at + text.length + 1)}'; a word that begins with a digit needs quotes`);
            if (!isFinite(text))
                throw new ExprError(at, 'the number is too large');
        } else if (source[at] === '"' || source[at] === "'") {
            const end = source.indexOf(source[at], at + 1);
            if (end < 0)
                throw new ExprError(at, `unclosed quote ${source[at]}`);
            kind = 'text';
            text = source.slice(at, end + 1);
        } else if ((text = take(name))) {
            kind = ['and', 'or', 'not'].includes(text) ? text : 'name';
        } else if ((text = take(operator))) {
            kind = EXPR_SYNONYMS[text] || text;
        } else {
            const code = source.codePointAt(at);
            throw new ExprError(at, code < 32 || code === 127
                ? `unexpected byte 0x${code.toString(16).padStart(2, '0')}`
                : `unexpected character '${String.fromCodePoint(code)}'`);
        }
        yield {kind, at, text};
        at += text.length;
    }
}

// A node: {kind, at, operands}; also `number`, `name` (of names and texts), and `word` of a name to
// the right of = or !=, which is a text if the left side is one.
function exprParse(source) {
    const tokens = exprTokens(source);
    let token = tokens.next().value, depth = 0, parts = 0;
    const advance = () => {
        const taken = token;
        token = tokens.next().value;
        return taken;
    };
    const fail = message => { throw new ExprError(token.at, message); };
    const unexpected = wanted => fail(token.kind === 'end'
        ? `unexpected end of the expression; expected ${wanted}`
        : `unexpected '${token.text.slice(0, 60)}'; expected ${wanted}`);
    const node = (kind, at, operands, more) => {
        if (++parts > EXPR_PARTS)
            throw new ExprError(at, `the expression has more than ${EXPR_PARTS} parts`);
        return {kind, at, operands, ...more};
    };
    const nested = parse => {
        if (++depth > EXPR_DEPTH)
            fail(`the expression is nested deeper than ${EXPR_DEPTH} levels`);
        const result = parse();
        depth--;
        return result;
    };
    const chain = (kinds, operand) => {
        let left = operand();
        while (kinds.includes(token.kind)) {
            const {kind, at} = advance();
            left = node(kind, at, [left, operand()]);
        }
        return left;
    };

    function call(name) {
        if (!Object.hasOwn(EXPR_CALLS, name.name))
            throw new ExprError(name.at, `unknown function '${name.name.slice(0, 60)}'; expected min, max, ceil_div, log2, power_of_two or if`);
        const [min, max] = EXPR_CALLS[name.name], operands = [];
        let folded, count = 0;
        do {
            advance(); // ( or ,
            const operand = or();
            if (max === 0)
                folded = count ? node(name.name, name.at, [folded, operand]) : operand;
            else
                operands.push(operand);
            count++;
        } while (token.kind === ',');
        if (count < min || (max && count > max))
            throw new ExprError(name.at, `${name.name}() takes ${min} argument${min === 1 ? '' : 's'}, not ${count}`);
        if (token.kind !== ')')
            unexpected("')' or ','");
        advance();
        return max === 0 ? folded : node(name.name, name.at, operands);
    }
    function atom() {
        const {kind, at, text} = token;
        if (kind === 'number') {
            advance();
            return node('number', at, [], {number: Number(text)});
        }
        if (kind === 'name') {
            const name = node('name', at, [], {name: text});
            advance();
            return token.kind === '(' ? call(name) : name;
        }
        if (kind === '(') {
            advance();
            const inner = or();
            if (token.kind !== ')')
                unexpected("')'");
            advance();
            return inner;
        }
        if (kind === 'text')
            fail('quoted text is only allowed to the right of a comparison: kernel = "smem_*"');
        return unexpected("a number, a name or '('");
    }
    function prefix(symbol, kind, operand, otherwise) {
        if (token.kind !== symbol)
            return otherwise();
        const {at} = token;
        return nested(() => {
            advance();
            return node(kind, at, [operand()]);
        });
    }
    function power() {
        const left = atom(), {kind, at} = token;
        if (kind !== '^')
            return left;
        return nested(() => {
            advance();
            return node('^', at, [left, unary()]);
        });
    }
    const unary = () => prefix('-', 'negate', unary, power);
    const product = () => chain(['*', '/', '%'], unary);
    const sum = () => chain(['+', '-'], product);
    function comparison() {
        const left = sum(), {kind, at} = token;
        if (!EXPR_COMPARISONS.includes(kind))
            return left;
        advance();
        let right;
        if (token.kind === 'text') {
            if (left.kind !== 'name')
                fail('only a name can be compared with quoted text');
            right = node('text', token.at, [], {name: token.text.slice(1, -1)});
            advance();
        } else {
            right = sum();
        }
        right.word = right.kind === 'name' && left.kind === 'name' && (kind === '=' || kind === '!=');
        if (EXPR_COMPARISONS.includes(token.kind))
            fail('comparisons do not chain: write a < b and b < c');
        return node(kind, at, [left, right]);
    }
    const not = () => prefix('not', 'not', not, comparison);
    const and = () => chain(['and'], not);
    function or() {
        return nested(() => chain(['or'], and));
    }

    const root = or();
    if (token.kind !== 'end')
        unexpected('an operator or the end');
    return root;
}

// By bytes of UTF-8, which is the order of code points.
function exprOrder(a, b) {
    const p = [...a], q = [...b];
    for (let i = 0; i < p.length && i < q.length; i++)
        if (p[i] !== q[i])
            return p[i].codePointAt() - q[i].codePointAt();
    return p.length - q.length;
}

// fnmatch(3) without flags: * ? [a-z] [!a-z] and \ for one character as it is.
function exprGlob(pattern) {
    const literal = c => c.replace(/[\\^$.*+?()[\]{}|\/]/g, '\\$&');
    let out = '';
    for (let i = 0; i < pattern.length; i++) {
        const c = pattern[i];
        if (c === '\\' && i + 1 < pattern.length) {
            out += literal(pattern[++i]);
        } else if (c === '[') {
            const negated = /[!^]/.test(pattern[i + 1] || '');
            const from = i + 1 + negated, end = pattern.indexOf(']', from + 1);
            out += end < 0 ? '\\['
                : `[${negated ? '^' : ''}${pattern.slice(from, end).replace(/[\\\]^[]/g, '\\$&')}]`;
            i = end < 0 ? i : end;
        } else {
            out += c === '*' ? '.*' : c === '?' ? '.' : literal(c);
        }
    }
    try {
        return new RegExp(`^${out}$`, 's');
    } catch { // a range that is upside down matches nothing
        return /(?!)/;
    }
}

function exprNumber(node, lookup) {
    const isTrue = x => x !== 0 && !isNaN(x);
    const isWhole = x => Number.isInteger(x) && Math.abs(x) <= 2 ** 53;
    const compare = (kind, a, b) => {
        if (isNaN(a) || isNaN(b))
            return 0;
        return +(kind === '=' ? a === b : kind === '!=' ? a !== b : kind === '<' ? a < b
            : kind === '<=' ? a <= b : kind === '>' ? a > b : a >= b);
    };
    const valueOf = n => {
        const value = lookup(n.name);
        if (value === undefined)
            throw Object.assign(new ExprError(n.at, `unknown name '${n.name}'`), {unknown: n.name});
        return value;
    };
    const compareTexts = (kind, text, right) => {
        if ((kind === '=' || kind === '!=') && right.kind === 'text' && /[*?[]/.test(right.name)) {
            right.glob ??= exprGlob(right.name);
            return +(right.glob.test(text) === (kind === '='));
        }
        return compare(kind, exprOrder(text, right.name), 0);
    };
    const comparison = n => {
        const [left, right] = n.operands, isText = right.kind === 'text' || right.word;
        let a;
        if (left.kind === 'name') {
            a = valueOf(left);
            if (typeof a === 'string') {
                if (!isText)
                    throw new ExprError(right.at, `'${left.name}' is text (here '${a}'); compare it with a word or with "quoted text"`);
                return compareTexts(n.kind, a, right);
            }
            if (isNaN(a) && isText)
                return 0; // missing: whether it would be text is not known
            if (right.kind === 'text')
                throw new ExprError(right.at, `'${left.name}' is a number (here ${a}); compare it without quotes`);
        } else {
            a = evaluate(left);
        }
        return compare(n.kind, a, evaluate(right));
    };
    const division = (n, a, b) => {
        if (!isWhole(a) || !isWhole(b) || a < 0 || b < 0)
            throw new ExprError(n.at, `${n.kind} needs integers in [0, 2^53], not ${a} and ${b}`);
        if (b === 0)
            throw new ExprError(n.at, `${n.kind} of ${a} by 0`);
        const rest = a % b;
        return n.kind === '%' ? rest : (a - rest) / b + (rest > 0);
    };
    const operations = {
        '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b,
        '^': (a, b) => a ** b, min: (a, b) => (a < b ? a : b), max: (a, b) => (a > b ? a : b),
    };
    const arithmetic = n => {
        const a = evaluate(n.operands[0]), b = evaluate(n.operands[1]);
        if (isNaN(a) || isNaN(b))
            return NaN;
        if (n.kind === '%' || n.kind === 'ceil_div')
            return division(n, a, b);
        if (n.kind === '/' && b === 0)
            throw new ExprError(n.at, `division of ${a} by 0`);
        const result = operations[n.kind](a, b);
        if (!isFinite(result))
            throw new ExprError(n.at, `the result for ${a} and ${b} is not finite`);
        return result;
    };
    const log = (n, a) => {
        if (a <= 0)
            throw new ExprError(n.at, `log2 of ${a} is undefined`);
        return Math.log2(a);
    };
    const evaluate = n => {
        const operand = i => evaluate(n.operands[i]);
        if (EXPR_COMPARISONS.includes(n.kind))
            return comparison(n);
        switch (n.kind) {
        case 'number': return n.number;
        case 'name': {
            const value = valueOf(n);
            if (typeof value === 'string')
                throw new ExprError(n.at, `'${n.name}' is text (here '${value}'), but a number is needed; text is compared as ${n.name} = word`);
            return value;
        }
        case 'and': return +(isTrue(operand(0)) && isTrue(operand(1)));
        case 'or': return +(isTrue(operand(0)) || isTrue(operand(1)));
        case 'if': return operand(isTrue(operand(0)) ? 1 : 2);
        case 'not': return +!isTrue(operand(0));
        case 'negate': return -operand(0);
        case 'log2': return log(n, operand(0));
        case 'power_of_two': {
            const a = operand(0);
            return +(a >= 1 && 2 ** Math.round(Math.log2(a)) === a);
        }
        default: return arithmetic(n);
        }
    };
    return evaluate(node);
}
