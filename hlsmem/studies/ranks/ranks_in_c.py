"""Ranks as C: how many instances a statement has, and the instance with a number.

The C has integers only. A slice whose count is at most quadratic is found by a root, rounded
down by its bits alone; others by bisection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.emit.c.c_syntax import C, free_name, helper_lines, words
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.symbolic_sizes import expression_of as tree_of
from hlsmem.polyhedra.generated_loops import condition, expression_of
from hlsmem.studies.ranks.instance_numbers import BEFORE, CountPart, Level, Ranking, Root


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writer:
    """Names of C for the parameters, entries and values of a ranking."""

    ranking: Ranking
    prefix: str
    parameters: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    def arguments(self, *more: str) -> str:
        return ", ".join(f"int64_t {name}" for name in (*self.parameters, *more)) or "void"

    def text(self, tree: Any) -> str:
        return print_expression(tree, C, self.names)

    def quantity(self, quantity: QuasiPolynomial) -> str:
        return self.text(tree_of(quantity))


def rank_in_c(ranking: Ranking, prefix: str, *, head: Sequence[str]) -> str:
    """C with `<prefix>_count(parameters)` and `<prefix>_at(parameters, k, &i, ..)`.

    `head` are lines of the comment in front.
    """
    own = [one.name for one in ranking.levels]
    parameters = parameters_of(ranking)
    iterators = ranking.statement.iterators
    taken = {*parameters, *iterators}
    names = {name: free_name(f"t{k}", taken) for k, name in enumerate(own)}
    names[BEFORE] = free_name("x", taken)
    writer = _Writer(ranking=ranking, prefix=prefix, parameters=parameters, names=names)
    bodies = [_count(writer), *(_before(writer, k) for k in range(len(own))), _at(writer)]
    text = "\n".join(line for lines in bodies for line in lines)
    blocks = [
        ["/*", *(f" * {line}" for line in head), " */", "#include <stdint.h>"],
        [_heads(writer)],
        helper_lines(text),
        _ROOT if "hlsmem_root(" in text else [],
        *bodies,
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def parameters_of(*rankings: Ranking) -> tuple[str, ...]:
    """The names of all parameters of rankings."""
    own = {BEFORE, *(one.name for ranking in rankings for one in ranking.levels)}
    parts = (part for ranking in rankings for part in ranking.total)
    return tuple(dict.fromkeys(name for part in parts for name in part.names if name not in own))


def _heads(writer: _Writer) -> str:
    pointers = [f"*{name}" for name in _results(writer)]
    at = writer.arguments(_number(writer), *pointers)
    roots = any(level.root and level.root.square for level in writer.ranking.levels)
    limit = ", or its root is beyond 64 bits" if roots else ""
    return (
        f"int64_t {writer.prefix}_count({writer.arguments()});\n"
        f"/* 0 where no instance has this number{limit}, else 1 */\n"
        f"int {writer.prefix}_at({at});"
    )


def _number(writer: _Writer) -> str:
    return free_name("k", {*writer.parameters, *writer.ranking.statement.iterators})


def _results(writer: _Writer) -> list[str]:
    return [free_name(name, writer.parameters) for name in writer.ranking.statement.iterators]


def _count(writer: _Writer) -> list[str]:
    body = _parts(writer, writer.ranking.total, writer.ranking.context)
    return [
        f"int64_t {writer.prefix}_count({writer.arguments()})",
        "{",
        *_unused(writer.parameters, body),
        *body,
        "}",
    ]


def _parts(writer: _Writer, parts: Iterable[CountPart], context: Any) -> list[str]:
    """`return` of the polynomial that holds."""
    lines = []
    parts = [part for part in parts if not part.where.is_empty()]
    for part in parts[:-1]:
        inside = context.align_params(part.where.get_space())
        test = writer.text(condition(part.where.gist(inside), inside))
        lines += [f"    if ({test})", f"        return {_polynomial(writer, part)};"]
    if not parts:
        return [*lines, "    return 0;"]
    return [*lines, f"    return {_polynomial(writer, parts[-1])};"]


def _polynomial(writer: _Writer, part: CountPart) -> str:
    return writer.quantity(part.terms.quantity(part.names))


def _given(writer: _Writer, entry: int) -> list[str]:
    """The entries in front of one, as C names them."""
    return [writer.names[one.name] for one in writer.ranking.levels[:entry]]


def _before(writer: _Writer, entry: int) -> list[str]:
    level = writer.ranking.levels[entry]
    arguments = writer.arguments(*_given(writer, entry), writer.names[BEFORE])
    inside = [part.where for part in level.before]
    context = inside[0]
    for one in inside[1:]:
        context = context.union(one)
    body = _parts(writer, level.before, context.coalesce())
    return [
        f"/* instances before a value of entry {entry}, which is above the least */",
        f"static int64_t {writer.prefix}_before_{entry}({arguments})",
        "{",
        *_unused([*writer.parameters, *_given(writer, entry), writer.names[BEFORE]], body),
        *body,
        "}",
    ]


def _unused(names: Sequence[str], body: Sequence[str]) -> list[str]:
    used = words(body)
    return [f"    (void){name};" for name in names if name not in used]


def _at(writer: _Writer) -> list[str]:
    ranking, number, results = writer.ranking, _number(writer), _results(writer)
    pointers = [f"*{name}" for name in results]
    names = [writer.names[one.name] for one in ranking.levels]
    lines = [
        f"int {writer.prefix}_at({writer.arguments(number, *pointers)})",
        "{",
        *([f"    int64_t {', '.join(names)};"] if names else []),
        f"    if ({number} < 0 || {number} >= {_call(writer, 'count')})",
        "        return 0;",
    ]
    domain = ranking.context
    for entry, level in enumerate(ranking.levels):
        lines += _slice(writer, entry, level, number)
    times = [one.name for one in ranking.levels]
    for result, image in zip(results, ranking.images(), strict=True):
        domain = image.domain()
        lines.append(f"    *{result} = {writer.text(expression_of(image, domain))};")
    if not times:
        lines.append(f"    (void){number};")
    return [*lines, "    return 1;", "}"]


def _call(writer: _Writer, what: str, *more: str) -> str:
    return f"{writer.prefix}_{what}({', '.join([*writer.parameters, *more])})"


def _slice(writer: _Writer, entry: int, level: Level, number: str) -> list[str]:
    name = writer.names[level.name]
    given = _given(writer, entry)
    low = writer.text(expression_of(level.low, level.low.domain()))
    before = f"before_{entry}"
    if level.root is not None:
        lines = _fits(writer, level.root, level.before, number)
        lines += [f"    {name} = {_root_text(writer, level.root, level.before, number)};"]
        lines += [f"    if ({name} > {low})"]
        lines += [f"        {number} -= {_call(writer, before, *given, name)};"]
        return [*lines, "    else", f"        {name} = {low};"]
    high = writer.text(expression_of(level.high, level.high.domain()))
    low_name, high_name = f"low_{entry}", f"high_{entry}"
    middle = f"{name} + ({high_name} - {name} + 1) / 2"
    return [
        f"    int64_t {low_name} = {low}, {high_name} = {high};",
        f"    {name} = {low_name};",
        f"    while ({name} < {high_name}) {{",
        f"        int64_t middle_{entry} = {middle};",
        f"        if ({_call(writer, before, *given, f'middle_{entry}')} <= {number})",
        f"            {name} = middle_{entry};",
        "        else",
        f"            {high_name} = middle_{entry} - 1;",
        "    }",
        f"    if ({name} > {low_name})",
        f"        {number} -= {_call(writer, before, *given, name)};",
    ]


def _fits(writer: _Writer, root: Root, before: Sequence[CountPart], number: str) -> list[str]:
    """Lines that give up where the numbers under a root are too large for 64 bits."""
    if not root.square:
        return []
    test = _root_text(writer, root, before, number).replace("hlsmem_root(", "hlsmem_fits(", 1)
    far = f"{number} > INT64_MAX / {4 * root.divisor} || " if root.divisor > 1 else ""
    return [f"    if ({far}!{test})", "        return 0;"]


def _root_text(writer: _Writer, root: Root, before: Sequence[CountPart], number: str) -> str:
    """The greatest x with square x^2 + linear x + constant <= divisor * number."""
    (part,) = [one for one in before if not one.where.is_empty()]
    linear = writer.quantity(root.linear.quantity(part.names))
    constant = writer.quantity(root.constant.quantity(part.names))
    scaled = number if root.divisor == 1 else f"{root.divisor} * {number}"
    behind = scaled if constant == "0" else f"{scaled} - ({constant})"
    if not root.square:
        return behind if linear == "1" else f"({behind}) / ({linear})"
    return f"hlsmem_root({root.square}, {linear}, {behind})"


_ROOT = """\
/* whether b^2 + 4 a c is below 2^63 */
static int hlsmem_fits(int64_t a, int64_t b, int64_t c)
{
    int64_t size = a > 0 ? a : -a, wide = b > 0 ? b : -b, far = c > 0 ? c : -c;
    return wide < ((int64_t)1 << 31) && far <= INT64_MAX / 8 / size;
}

/* the greatest x with a x^2 + b x <= c on the rising side of the parabola */
static int64_t hlsmem_root(int64_t a, int64_t b, int64_t c)
{
    int64_t size = a > 0 ? a : -a, top;
    uint64_t left = (uint64_t)(b * b + 4 * a * c), rest = left, root = 0, bit = (uint64_t)1 << 62;
    while (bit > left)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    if (a < 0 && rest)
        root++;
    top = a > 0 ? (int64_t)root - b : b - (int64_t)root;
    return top >= 0 ? top / (2 * size) : -((2 * size - 1 - top) / (2 * size));
}""".splitlines()
