"""Array contents before a run: values near those at which conditions change, and others.

Of a wide type hardly a value makes `if (a[i])` false, or `a[i] == 7` true. So every second value is
an edge: one beside which some condition changes. Replay, host and rtl draw alike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hlsmem.check.c_runs.condition_outcomes import Choices, choices_of
from hlsmem.check.c_trees.tree_walks import names_in, nodes_in
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import ElementType, KernelBody, Program, Statement
from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.tree import Float

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
# Values are added up and multiplied, too: edges further off are left out of an array's range.
_SMALL = 1000
_BESIDE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Values of the elements of an array: every second one of `edges`, the others from `range`.

    Without a range the others are what is drawn for the type.
    """

    edges: tuple[Fraction, ...] = ()
    range: tuple[Fraction, Fraction] | None = None

    def within(self, range: tuple[Fraction, Fraction]) -> Inputs:
        """The same between two bounds."""
        low, high = range
        inside = tuple(one for one in self.edges if low <= one <= high)
        return replace(self, edges=inside, range=range)

    def in_c(self, kind: str, other: str, below: Callable[[int], str], takes: str) -> str:
        """C for a value of the type `kind`: an edge where `takes` says so, else the `other`.

        `below(n)` is C for a random number from 0 to n - 1.
        """
        if not self.edges:
            return other
        values = ", ".join(map(_literal, self.edges))
        wide = "long long" if all(one.denominator == 1 for one in self.edges) else "double"
        edge = f"({kind})((const {wide}[]){{ {values} }})[{below(len(self.edges))}]"
        return f"({takes} ? {edge} : {other})"


def _literal(value: Fraction) -> str:
    return f"{value.numerator}LL" if value.denominator == 1 else repr(float(value))


def inputs_of(program: Program) -> dict[str, Inputs]:
    """The inputs of the arrays that decide what conditions come to, by name.

    Those that filters look at have the values that are promised; without a promise those of a
    kernel are small.
    """
    is_kernel = program.source.kernel is not None
    found = {
        name: _looked_at(one, is_narrow=is_kernel and not one.promised)
        for name, one in choices_of(program.source).items()
    }
    return found | _tested(program.source, found)


def _looked_at(choices: Choices, *, is_narrow: bool) -> Inputs:
    low, high = choices.low, choices.high
    changes = sorted(
        {*choices.runs, *choices.stays} - ({low, high} if high - low > _SMALL else set())
    )
    if is_narrow:
        changes = [one for one in changes if abs(one) <= _SMALL]
        around = changes or [1]
        low, high = max(low, min(around) - _BESIDE), min(high, max(around) + _BESIDE)
    edges = {one + beside for one in changes for beside in (-1, 0, 1)}
    whole = Inputs(edges=tuple(Fraction(one) for one in sorted(edges)))
    return whole.within((Fraction(low), Fraction(high)))


def _tested(program: Program, known: Collection[str]) -> dict[str, Inputs]:
    """The arrays that statements read which say whether a condition holds, straight or by what
    they go into, with what these compare with; but for those that choose elements, and none where
    something is divided or shifted by data, which edges may be wrong for.
    """
    if any(_divides(one, program) for one in program.statements):
        return {}
    looked = {access.array for one in program.statements for access in one.looked}
    writers: dict[str, list[Statement]] = {}
    for statement in program.statements:
        for access in statement.writes:
            writers.setdefault(access.array, []).append(statement)
    chosen = set[str]()
    for statement in program.statements:
        if any(one.chosen for one in (*statement.reads, *statement.writes)):
            chosen |= _sources(statement, writers)
    edges: dict[str, set[Fraction]] = {}
    for name in looked:
        for statement in writers.get(name, []):
            values = {
                value + beside
                for constant in _constants(statement)
                for value in (constant, -constant)
                for beside in (-1, 0, 1)
            }
            for array in _sources(statement, writers):
                if array not in known and array not in chosen:
                    edges.setdefault(array, set()).update(values)
    found = {}
    for name, values in edges.items():
        inside = _of_type(
            values | {Fraction(0)} if values else values, program.arrays[name].element
        )
        if inside:
            found[name] = Inputs(edges=tuple(sorted(inside)))
    return found


def _divides(statement: Statement, program: Program) -> bool:
    """True if it divides, or shifts, by something other than constants and parameters."""
    if not isinstance(statement.body, KernelBody):
        return False
    for node in nodes_in(statement.body.node):
        match node:
            case tree.BinaryOp(op="/" | "%" | "<<" | ">>", right=by):
                pass
            case tree.Assignment(op="/=" | "%=" | "<<=" | ">>=", rvalue=by):
                pass
            case _:
                continue
        if names_in(by) - set(program.parameters):
            return True
    return False


def _sources(statement: Statement, writers: dict[str, list[Statement]]) -> set[str]:
    """The arrays that it reads, and that go into what it reads."""
    found: set[str] = set()
    pending = [statement]
    while pending:
        for access in pending.pop().reads:
            if access.array in found:
                continue
            found.add(access.array)
            pending += writers.get(access.array, [])
    return found


def _constants(statement: Statement) -> Iterator[Fraction]:
    """The small constants that a statement compares with; 0 where it tests a value itself."""
    if not isinstance(statement.body, KernelBody):
        return
    yield Fraction(0)
    for node in nodes_in(statement.body.node):
        if isinstance(node, tree.BinaryOp) and node.op in _COMPARISONS:
            for side in (node.left, node.right):
                value = _number(side)
                if value is not None and abs(value) <= _SMALL:
                    yield value


def _number(node: Any) -> Fraction | None:
    match node:
        case tree.UnaryOp(op="-" | "+" as op, expr=inner):
            value = _number(inner)
            return None if value is None else -value if op == "-" else value
        case tree.Constant(type=Float(bits=32 | 64), value=text):
            return Fraction(float(text.rstrip("fFlL")))
        case tree.Constant():
            literal = integer_literal(node)
            return None if literal is None else Fraction(literal[0])
    return None


def _of_type(values: Iterable[Fraction], element: ElementType) -> set[Fraction]:
    if element.is_float:
        return set(values)
    low, high = element.value_range
    return {one for one in values if one.denominator == 1 and low <= one <= high}
