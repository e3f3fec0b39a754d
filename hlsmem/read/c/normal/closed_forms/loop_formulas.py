"""Formulas for variables that a nest of loops steps in irregular ways, which numbers alone decide.

`o++; if (o == 4) o = 0;` is `o = t % 4` at the beginning of iteration t. The nest is run once with
all such variables. A loop to a number gives tables of what they are in each iteration; a loop whose
bound is not known gives one of its first iterations, up to one that begins like the first or like
a later one: a counter that stops at 50 is `t < 50 ? t : 50`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import names, tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.normal.closed_forms.concrete_expressions import (
    FAILURES,
    NAMES,
    Expressions,
    Open,
    Unknown,
)
from hlsmem.read.c.normal.closed_forms.control_slices import Slice, has_jump, slice_of
from hlsmem.read.c.normal.closed_forms.loop_runs import Loop, Nest, Row, TooMany, first_of, shown
from hlsmem.read.c.normal.closed_forms.table_formulas import (
    formula_of,
    formula_over_rows,
    periodic_formula,
)
from hlsmem.read.c.normal.control_flow.loop_headers import counter_of
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import binary
from hlsmem.read.c.symbols import IntegerConstant, Scope, Variable, declare
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import INT, Array, Number, Pointer
from hlsmem.read.c.trees import (
    assignment,
    block,
    changed,
    declaration,
    expression,
    integer,
    items_of,
    name,
    nodes_of,
    rewrite,
)
from hlsmem.read.c.types import scalar_type
from hlsmem.read.design_names import free_name

_LONGEST_PERIOD = 4096
Known = dict[str, int]


def with_formulas(unit: Unit, wanted: Collection[str]) -> Unit:
    """The unit with assignments of formulas to `wanted` variables in loops, where they are found.

    Each stands at the beginning of a loop's body, and says what the variable is there.
    """
    state = _State(unit, frozenset(wanted))
    scope = unit.file_scope().inner()
    region = find_region(unit.function, unit.source)
    for node in names.outside(region):
        if isinstance(node, tree.Decl):
            declare(node, scope, "local")
    return unit.with_region(lambda items: state.block(items, {}, scope.inner()))


@dataclass(frozen=True, slots=True)
class _Ran:
    """A nest that was run: `rows` are the variables of `state` at each iteration of its outermost
    loop, and behind the last; its `period` is 0 where it has so many iterations alone. So many as
    `lead` run once, in front of the first period."""

    nest: Nest
    rows: Sequence[Row]
    period: int
    sums: frozenset[str]
    lead: int
    relative: frozenset[str]
    """Sums that begin with what is not known, and are counted from 0."""
    returning: frozenset[str]
    """Variables that are behind each period what they were in front of it."""

    def column(self, one: str) -> list[Any]:
        position = self.nest.state.index(one)
        return [row[position] for row in self.rows]


class _State:
    def __init__(self, unit: Unit, wanted: frozenset[str]) -> None:
        self.unit, self.wanted = unit, wanted
        self.taken = {*names.identifiers(unit.function), *unit.parameters}
        self.around_here: list[Any] = [unit.function.body]

    # Statements in front of loops: variables whose values are numbers.

    def block(self, items: Sequence[Any], known: Known, scope: Scope) -> list[Any]:
        found: list[Any] = []
        for one in items:
            found += self.statement(one, known, scope)
        return found

    def statement(self, node: Any, known: Known, scope: Scope) -> list[Any]:
        match node:
            case tree.Decl(name=own):
                declare(node, scope, "region")
                self.take(own, node.init, known, scope)
                return [node]
            case tree.Assignment(op="=", lvalue=tree.ID(name=own)):
                self.take(own, node.rvalue, known, scope)
                return [node]
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" as op, expr=tree.ID(name=own)):
                value = binary(op[-1], node.expr, integer(1), node.place)
                self.take(own, value, known, scope)
                return [node]
            case tree.Compound():
                self.around_here.append(node)
                inside = dict(known)
                new = self.block(items_of(node), inside, scope.inner())
                self.around_here.pop()
                self.lose(node, known)
                hidden = {one.name for one in items_of(node) if isinstance(one, tree.Decl)}
                known |= {one: value for one, value in inside.items() if one not in hidden}
                return [changed(node, block_items=new)]
            case tree.Label():
                new = self.statement(node.stmt, known, scope)
                if len(new) == 1 and new[0] is node.stmt:
                    return [node]
                return [changed(node, stmt=new[0] if len(new) == 1 else block(new, node.place))]
            case tree.For():
                new = self.nest(node, known, scope)
                self.lose(node, known)
                return new
        self.lose(node, known)
        return [node]

    def lose(self, node: Any, known: Known) -> None:
        for one in names.assigned_names(node):
            known.pop(one, None)

    def take(self, own: str, value: Any, known: Known, scope: Scope) -> None:
        kind, before = _integer(own, scope), dict(known)
        known.pop(own, None)
        if value is None or kind is None:
            return
        try:
            text = Expressions(scope, _types(before, scope), lambda one: str(before[one])).value(
                value, kind
            )
            known[own] = eval(text, dict(NAMES))
        except (Unknown, *FAILURES):
            return

    # Nests.

    def nest(self, node: Any, known: Known, scope: Scope) -> list[Any]:
        own = counter_of(node)
        if not own or first_of(node) is None or has_jump(node):
            return [node]
        found = slice_of(node.stmt)
        for is_finite in (True, False):
            try:
                ran = self.ran(node, found, known, scope, is_finite=is_finite)
            except (Unknown, TooMany, *FAILURES):
                continue
            if ran is not None:
                return self.written(node, ran)
        return [node]

    def ran(
        self, node: Any, found: Slice, known: Known, scope: Scope, *, is_finite: bool
    ) -> _Ran | None:
        """The nest run as far as its variables need; None where they are not known."""
        own = counter_of(node)
        constants = {
            one
            for needs in found.needs.values()
            for one in needs
            if isinstance(scope.find(one), IntegerConstant)
        }
        counters = {own} if is_finite else set[str]()
        outside = (known.keys() - found.needs.keys()) | constants | counters
        wanted = found.decided(self.wanted, outside)
        if not wanted:
            return None
        variables = found.closed(wanted)
        sums = frozenset(found.sums(variables))
        state = sorted(variables - found.declared)
        asked = variables.union(*(found.needs[one] for one in variables))
        types = {**_types(known, scope), **_declared_types(node, asked)}
        for one in state:
            kind = _integer(one, scope)
            if kind is None:
                raise Unknown
            types[one] = kind
        inside = {*variables, *found.counters, own}
        expressions = Expressions(
            scope, types, lambda one: shown(one) if one in inside else str(known[one])
        )
        nest = Nest(node, variables, state, expressions)
        start = tuple(known.get(one, 0 if one in sums else Open()) for one in state)
        relative = frozenset(one for one in sums if one in state and one not in known)
        if is_finite:
            return _Ran(nest, self.all_rows(nest, start), 0, sums, 0, relative, frozenset())
        rows, lead, returning = self.first_rows(nest, start, sums)
        return _Ran(nest, rows, len(rows) - 1 - lead, sums, lead, relative, returning)

    def all_rows(self, nest: Nest, start: Row) -> list[Row]:
        """The rows of a loop to a number."""
        test = nest.expressions.value(nest.node.cond)
        goes_on = eval(f"lambda {shown(nest.counter)}: {test}", dict(NAMES))
        first = first_of(nest.node)
        assert first is not None
        rows = [start]
        if not goes_on(first):
            raise Unknown
        for state, turn in nest.runs(start):
            rows.append(state)
            if not goes_on(first + turn):
                break
        return rows

    def first_rows(
        self, nest: Nest, start: Row, sums: Collection[str]
    ) -> tuple[list[Row], int, frozenset[str]]:
        """The rows up to the iteration that begins like one before, the number of that one, and
        the variables that are the same there.

        Like the first as far as one is read there, like a later one in all.
        """
        read = [
            position
            for position, one in enumerate(nest.state)
            if one not in sums and nest.is_read(start, position)
        ]
        kept = [position for position, one in enumerate(nest.state) if one not in sums]
        rows = [start]
        turns: dict[tuple[Any, ...], int] = {}
        for state, turn in nest.runs(start):
            rows.append(state)
            if all(state[one] == start[one] for one in read):
                return rows, 0, frozenset(nest.state[one] for one in read)
            own = tuple(state[one] for one in kept)
            if not any(isinstance(one, Open) for one in own):
                if own in turns:
                    return rows, turns[own], frozenset(nest.state[one] for one in kept)
                turns[own] = turn
            if turn > _LONGEST_PERIOD:
                break
        raise Unknown

    # Text.

    def written(self, node: Any, ran: _Ran) -> list[Any]:
        """The nest with formulas for all variables that have one wherever a loop sets them."""
        chosen = [one for one in sorted(self.wanted) if one in ran.nest.variables]
        inside = {one: self.inside(one, ran) for one in chosen}
        around = {one: self.around(one, node, ran) for one in chosen if one in ran.nest.state}
        good = [
            one
            for one in chosen
            if inside[one] is not None and (one not in around or around[one] is not None)
        ]
        if not good:
            return [node]
        loops = {id(loop.node): number for number, loop in enumerate(ran.nest.loops)}

        def replaced(part: Any) -> Any | None:
            if not isinstance(part, tree.For) or part is node or id(part) not in loops:
                return None
            number = loops[id(part)]
            own = {below.name for below in nodes_of(part) if isinstance(below, tree.Decl)}
            formulas = {
                one: pair[number]
                for one in good
                if one not in own and number in (pair := inside[one] or {})
            }
            return self.loop(part, formulas, replaced)

        outermost: dict[str, _Formulas] = {
            one: pair for one in good if (pair := around.get(one)) is not None
        }
        return self.loop(node, outermost, replaced)

    def loop(self, node: Any, formulas: Mapping[str, _Formulas], replaced: Any) -> list[Any]:
        """A loop whose body begins with assignments, and what stands in front of it and behind."""
        place = node.place
        front, first, last = [], [], []
        for one, pair in formulas.items():
            added, kind = "", self.unit.type_of(one)
            if pair.is_relative:
                added = free_name(f"{one}_before", self.taken)
                self.taken.add(added)
                front.append(declaration(kind, added, name(one, kind, place), place))
            first.append(assignment(one, kind, self.plus(added, pair.inside, place), place))
            if pair.behind is not None:
                last.append(assignment(one, kind, self.plus(added, pair.behind, place), place))
        new = rewrite(node.stmt, replaced)
        items = new if isinstance(new, list) else items_of(new)  # a loop without braces, and more
        count = next(
            (k for k, one in enumerate(items) if not isinstance(one, tree.Pragma)), len(items)
        )
        body = block([*items[:count], *first, *items[count:]], node.stmt.place)
        cond = self.with_formulas(node.cond, formulas)
        return [*front, changed(node, cond=cond, stmt=body), *last]

    def with_formulas(self, condition: Any, formulas: Mapping[str, _Formulas]) -> Any:
        """A condition of a loop with what variables are at the beginning of an iteration."""
        own = {one: pair.inside for one, pair in formulas.items() if not pair.is_relative}

        def replaced(node: Any) -> Any | None:
            is_own = isinstance(node, tree.ID) and node.name in own
            return expression(own[node.name], node.place, self.unit.type_of) if is_own else None

        return rewrite(condition, replaced)

    def plus(self, added: str, text: str, place: Any) -> Any:
        """An expression that is added to a variable, where that is given."""
        whole = f"{added} + ({text})" if added else text
        return expression(whole, place, self.unit.type_of)

    def around(self, one: str, node: Any, ran: _Ran) -> _Formulas | None:
        """The formulas of a variable for the outermost loop."""
        values = _closed(ran.column(one))
        at = self.position(node, ran)
        if values is None:
            return None
        is_relative = one in ran.relative
        if not ran.period:
            text = formula_of(values, at)
            return None if text is None else _Formulas(text, str(values[-1]), is_relative)
        step = values[-1] - values[ran.lead] if one in ran.sums else 0
        text = _led_formula(values[:-1], ran.lead, step, at)
        if text is None:
            return None
        behind = None
        if self.is_used_outside(one, node):
            end = _end_of(node)
            if end is None or one not in ran.sums | ran.returning:
                return None
            behind = _led_formula(values[:-1], ran.lead, step, end)
        return _Formulas(text, behind, is_relative)

    def is_used_outside(self, one: str, node: Any) -> bool:
        """True if anything but a nest names a variable in the block that declares it."""
        home = next(
            (part for part in reversed(self.around_here) if _declares(part, one)),
            self.unit.function.body,
        )
        return _uses(home, one) > _uses(node, one)

    def inside(self, one: str, ran: _Ran) -> dict[int, _Formulas] | None:
        """The formulas of a variable for the inner loops that set it, by their numbers."""
        found: dict[int, _Formulas] = {}
        for number, loop in enumerate(ran.nest.loops):
            if one in loop.variables and loop.rows:
                pair = None if ran.lead else self.of_loop(one, loop, ran)
                if pair is None:
                    return None
                found[number] = pair
        return found

    def of_loop(self, one: str, loop: Loop, ran: _Ran) -> _Formulas | None:
        column = loop.variables.index(one)
        is_relative = one in ran.sums
        rows: dict[tuple[int, ...], list[int]] = {}
        for key, own in loop.rows.items():
            values = _closed([row[column] for row in own])
            if values is None:
                return None
            rows[key] = [value - values[0] * is_relative for value in values]
        if len({len(own) for own in rows.values()}) > 1:
            return None
        at = self.position(loop.node, ran)
        text = self.over_keys(rows, loop, ran, at)
        behind = self.over_keys({key: own[-1:] for key, own in rows.items()}, loop, ran, "0")
        if text is None or behind is None:
            return None
        return _Formulas(text, behind, is_relative)

    def over_keys(
        self, rows: Mapping[tuple[int, ...], list[int]], loop: Loop, ran: _Ran, at: str
    ) -> str | None:
        """A formula for rows that one counter around a loop chooses, or none."""
        first = next(iter(rows.values()))
        if all(own == first for own in rows.values()):
            return formula_of(first, at)
        for position, counter in enumerate(loop.around):
            chosen: dict[int, list[int]] = {}
            if all(chosen.setdefault(key[position], own) == own for key, own in rows.items()):
                outer = self.as_int(counter, ran)
                if ran.period and position == 0:
                    start = first_of(ran.nest.node)
                    behind = f" - {start}" if start else ""
                    outer = f"({outer}{behind}) % {ran.period}"
                    chosen = {number - (start or 0): own for number, own in chosen.items()}
                return formula_over_rows(chosen, outer, at)
        return None

    def position(self, node: Any, ran: _Ran) -> str:
        first, own = first_of(node), self.as_int(counter_of(node), ran)
        return own if not first else f"{own} - {first}"

    def as_int(self, counter: str, ran: _Ran) -> str:
        """The text of a counter as an int, in which formulas may be below 0."""
        kind = ran.nest.expressions.types.get(counter)
        is_int = kind is not None and kind.promoted() == INT
        return counter if is_int else f"(int){counter}"


@dataclass(frozen=True, slots=True)
class _Formulas:
    """Values of a variable at the beginning of an iteration and behind the loop; added to the one
    before where they are `is_relative`."""

    inside: str
    behind: str | None
    is_relative: bool


def _led_formula(values: Sequence[int], lead: int, step: int, at: str) -> str | None:
    """A formula for a table whose first `lead` rows stand once, and that goes on without end."""
    if not lead:
        return periodic_formula(values, step, at)
    first = formula_of(values[:lead], at)
    later = periodic_formula(values[lead:], step, f"({at}) - {lead}")
    if first is None or later is None:
        return None
    return f"(({at}) < {lead} ? {first} : {later})"


def _declares(node: Any, own: str) -> bool:
    return any(isinstance(one, tree.Decl) and one.name == own for one in items_of(node))


def _uses(node: Any, own: str) -> int:
    return sum(isinstance(one, tree.ID) and one.name == own for one in nodes_of(node))


def _closed(values: Sequence[Any]) -> list[int] | None:
    """Values of which those that nothing reads are the next ones; None without any others."""
    found: list[int] = []
    following = None
    for one in reversed(values):
        following = following if isinstance(one, Open) else one
        if following is None:
            return None
        found.append(following)
    return found[::-1]


def _end_of(node: Any) -> str | None:
    """The text of how many iterations a loop from a number has."""
    match node.cond:
        case tree.BinaryOp(op="<", left=tree.ID(name=own), right=end) if own == counter_of(node):
            text = text_of(end)
            first = first_of(node)
            behind = f" - {first}" if first else ""
            return f"(({text}) > {first} ? (int)({text}){behind} : 0)"
    return None


def _types(known: Mapping[str, int], scope: Scope) -> dict[str, Number]:
    found = ((one, _integer(one, scope)) for one in known)
    return {one: kind for one, kind in found if kind is not None}


def _integer(own: str, scope: Scope) -> Number | None:
    """The type of an integer variable of the function that nothing else sees."""
    symbol = scope.find(own)
    if not isinstance(symbol, Variable) or symbol.scope == "file":
        return None
    shape = symbol.shape
    is_single = not shape.extents and not shape.pointer
    return shape.scalar if is_single and isinstance(shape.scalar, Number) else None


def _declared_types(node: Any, asked: Collection[str]) -> dict[str, Number]:
    """The types of integers that a nest declares. Raises Unknown where one `asked` has two."""
    found: dict[str, set[Any]] = {}
    for one in nodes_of(node):
        if isinstance(one, tree.Decl) and not isinstance(one.type, (Array, Pointer)):
            found.setdefault(one.name, set()).add(scalar_type(one.type))
    if any(len(kinds) > 1 for one, kinds in found.items() if one in asked):
        raise Unknown
    single = ((one, *kinds) for one, kinds in found.items() if len(kinds) == 1)
    return {one: kind for one, kind in single if isinstance(kind, Number)}
