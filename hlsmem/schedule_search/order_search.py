"""Orders of a program, those in which values wait for the fewest bits first.

Best first over the statements in the order of the text: a choice of rows for some of them can
take no fewer bits than their values wait at the closest shifts that each pair of them allows.
The rows that isl's scheduler finds, which may be sums of loops, join them with shifts from here.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Map, UnionMap
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.polyhedra.relations import union_map
from hlsmem.polyhedra.scheduler import Scheduled, scheduled
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Storage
from hlsmem.schedule_search.found_schedule import Found, Strips
from hlsmem.schedule_search.order_dependences import (
    Dependence,
    Dependences,
    Flow,
    Nest,
    dependences,
)
from hlsmem.schedule_search.row_candidates import Row, Rows, groupings, rates, rows_of
from hlsmem.schedule_search.statement_shifts import (
    Constraint,
    Vector,
    Wait,
    area_shifts,
    least_shifts,
)
from hlsmem.schedule_search.written_window import Strip, Window


@dataclass(frozen=True, slots=True)
class _Choice:
    """Groups of all statements, and rows of those that are placed."""

    size: int
    groups: tuple[int, ...]
    rows: tuple[Rows | None, ...]
    kept: bool

    def placed(self, number: int, own: Rows) -> _Choice:
        """The choice with rows for one more statement."""
        return replace(self, rows=(*self.rows[:number], own, *self.rows[number + 1 :]))


class Search:
    """The orders of one program; `work` counts choices looked at and distances found.

    `limit` is the work after which `complete` turns False: then come those orders alone that
    have their shifts already.
    """

    def __init__(self, program: Program, *, limit: int) -> None:
        self.program = program
        self.given = dependences(program)
        self.limit = limit
        self.work = 0
        self.complete = True
        self._scales = rates(program)
        self._distances: dict[Any, Vector | None] = {}
        self._turned: dict[tuple[int, Rows], tuple[str, ...]] = {}
        self._rows: dict[tuple[int, int, bool], list[Rows]] = {}
        self._closest: dict[Any, int | None] = {}
        self._windows = {
            (flow.array, flow.source): _window(program, self.given, flow)
            for flow in self.given.flows
        }
        self._placing = _placing(self.given)

    def orders(self, *, kept: bool) -> Iterator[Found]:
        """Legal orders by growing estimate; with `kept` only those that keep streams' orders."""
        nests = self.given.nests
        nothing = (None,) * len(nests)
        numbers = count()
        queue: list[tuple[int, int, int, int, _Choice | Found]] = []
        for choice in self._scheduled(kept=kept):
            found = self._shifted(choice)
            if found is not None:  # after plain loops that take as many bits
                heapq.heappush(queue, (found.bits, choice.size, 1, next(numbers), found))
        sizes = range(1, max((nest.depth for nest in nests), default=0) + 1)
        # Not `product`, which lists them: they are 2 to the number of nests.
        for groups, size in ((groups, size) for groups in groupings(nests) for size in sizes):
            if self._is_cut():
                break
            self.work += 1
            choice = _Choice(size, groups, nothing, kept)
            bound = self._bound(choice)
            if bound is not None:
                heapq.heappush(queue, (bound, size, 0, next(numbers), choice))
        given: set[Found] = set()
        while queue:
            bits, size, _, _, state = heapq.heappop(queue)
            if isinstance(state, Found):
                if state not in given:
                    given.add(state)
                    yield state
                continue
            if self._is_cut():
                continue
            placed = len(nests) - state.rows.count(None)
            if placed == len(nests):
                found = self._shifted(state)
                if found is not None:
                    heapq.heappush(queue, (found.bits, size, -placed - 1, next(numbers), found))
                continue
            number = self._placing[placed]
            for rows in self.rows(number, size, kept=kept):
                self.work += 1
                choice = state.placed(number, rows)
                if self._legal(choice, number) and (bound := self._bound(choice)) is not None:
                    entry = max(bits, bound), size, -placed - 1, next(numbers), choice
                    heapq.heappush(queue, entry)

    def _is_cut(self) -> bool:
        """True if the work is spent, which is noted."""
        cut = self.work > self.limit
        self.complete = self.complete and not cut
        return cut

    def _scheduled(self, *, kept: bool) -> Iterator[_Choice]:
        """The groups of isl's scheduler with as many of its rows as constant shifts make legal."""
        given = self.given
        loops = [nest.loops.range() for nest in given.nests]
        validity = [(one.source, one.target, one.relation) for one in given.dependences]
        if kept:
            validity += [(k, k, _earlier(one)) for k, one in enumerate(loops) if self._outside(k)]
        proximity = [(one.source, one.target, one.relation) for one in given.flows]
        self.work += 1
        try:
            found = scheduled(loops, validity, proximity)
        except WorkLimitError:
            self.complete = False
            return
        if found is None:
            return
        groups = _in_text([one.group for one in found], given)
        for size in range(1, max((len(one.rows) for one in found), default=0) + 1):
            rows = tuple(_of_size(one, size) for one in found)
            together = all(
                self._is_close(one, rows[one.source], rows[one.target])
                for one in given.dependences
                if groups[one.source] == groups[one.target]
            )
            if together and not (kept and any(self.turned(k, one) for k, one in enumerate(rows))):
                yield _Choice(size, groups, rows, kept)

    def rows(self, number: int, size: int, *, kept: bool) -> list[Rows]:
        """The rows that a statement may have: alone they break no dependence."""
        key = number, size, kept
        if key not in self._rows:
            own = [one for one in self.given.dependences if one.source == one.target == number]
            self._rows[key] = [
                rows
                for rows in rows_of(self.given.nests[number], size, self._scales)
                if not (kept and self.turned(number, rows))
                and all(self._is_close(one, rows, rows) for one in own)
            ]
        return self._rows[key]

    def _legal(self, choice: _Choice, number: int) -> bool:
        """True if the rows of a statement go together with those placed before."""
        for one in self.given.dependences:
            if number in (one.source, one.target) and one.source != one.target:
                source, target = choice.rows[one.source], choice.rows[one.target]
                if source is None or target is None:
                    continue
                if choice.groups[one.source] == choice.groups[one.target] and not self._is_close(
                    one, source, target
                ):
                    return False
        return True

    def _is_close(self, one: Dependence, source: Rows, target: Rows) -> bool:
        """True if some shift, for a statement alone none, makes rows keep a dependence."""
        least = self._distance(one, source, target)
        return least is not None and (one.source != one.target or least >= (0,) * len(least))

    def turned(self, number: int, rows: Rows) -> tuple[str, ...]:
        """The streams and external arrays that the rows make a statement touch in a new order."""
        key = number, rows
        if key not in self._turned:
            outside = self._outside(number)
            entries = [row.text() for row in rows]
            loops = self.given.nests[number].loops.range()
            self._turned[key] = () if not outside or _keeps_order(loops, entries) else outside
        return self._turned[key]

    def _outside(self, number: int) -> tuple[str, ...]:
        """The streams and external arrays that a statement touches."""
        statement = self.given.nests[number].statement
        names = (access.array for access in (*statement.reads, *statement.writes))
        kinds = (Storage.STREAM, Storage.EXTERNAL)
        return tuple(
            dict.fromkeys(name for name in names if self.program.arrays[name].storage in kinds)
        )

    def _bound(self, choice: _Choice) -> int | None:
        """Bits that no shifts go below; None where no rows of some statement are legal."""
        waits: dict[str, int] = {}
        for flow in self.given.flows:
            cells = self._least_cells(choice, flow)
            if cells is None:
                return None
            waits[flow.array] = max(waits.get(flow.array, 0), cells)
        return sum(cells * self._bits(name) for name, cells in waits.items())

    def _least_cells(self, choice: _Choice, flow: Flow) -> int | None:
        """The fewest cells for values of a flow, for any shifts and any rows not yet placed."""
        s, t = flow.source, flow.target
        window = self._windows[flow.array, s]
        if choice.groups[s] != choice.groups[t]:
            return window.cells((), None) if choice.groups[s] < choice.groups[t] else None
        source, target = choice.rows[s], choice.rows[t]
        key = id(flow), source, target, choice.size, choice.kept
        if key not in self._closest:
            if source is not None and target is not None:
                self._closest[key] = self._closest_cells(flow, source, target)
            else:
                free = t if target is None else s
                found = [
                    cells
                    for rows in self.rows(free, choice.size, kept=choice.kept)
                    if (cells := self._least_cells(choice.placed(free, rows), flow)) is not None
                ]
                self._closest[key] = min(found, default=None)
        return self._closest[key]

    def _closest_cells(self, flow: Flow, source: Rows, target: Rows) -> int | None:
        between = (flow.source, flow.target)
        for one in self.given.dependences:
            if (one.source, one.target) == between and not self._is_close(one, source, target):
                return None
        longest = self._distance(flow, source, target, most=True)
        shortest = self._distance(flow, source, target)
        assert longest is not None  # flows are those at the plan's values
        assert shortest is not None
        waiting = tuple(a - b for a, b in zip(longest, shortest, strict=True))
        if flow.source == flow.target:
            waiting = longest
        return self._windows[flow.array, flow.source].cells(source, waiting)

    def _bits(self, array: str) -> int:
        return self.program.arrays[array].element.bits

    def _distance(
        self, one: Dependence | Flow, source: Rows, target: Rows, *, most: bool = False
    ) -> Vector | None:
        """The least distance of rows over a dependence, or the most of a flow."""
        key = id(one), source, target, most
        if key not in self._distances:
            self.work += 1
            depths = [self.given.nests[k].depth for k in (one.source, one.target)]
            forms = [(_form(a, b, depths), 0) for a, b in zip(source, target, strict=True)]
            find = one.points.greatest if most else one.points.least
            self._distances[key] = find(forms)
        return self._distances[key]

    def _shifted(self, choice: _Choice) -> Found | None:
        """The order of fewest bits for these rows; None where no shifts are legal."""
        rows = _all_placed(choice)
        constraints: list[Constraint] = []
        for one in self.given.dependences:
            s, t = one.source, one.target
            if s != t and choice.groups[s] == choice.groups[t]:
                least = self._distance(one, rows[s], rows[t])
                assert least is not None  # checked when the rows were placed
                constraints.append((s, t, tuple(-entry for entry in least)))
        number = len(self.given.nests)
        shifts = least_shifts(number, constraints, choice.size)
        if shifts is None:
            return None
        best, bits = shifts, self._total(choice, shifts)
        if bits > (self._bound(choice) or 0):
            other = area_shifts(number, constraints, self._waits(choice), choice.size)
            total = self._total(choice, other)
            if total < bits:
                best, bits = other, total
        turned = [name for k, one in enumerate(rows) for name in self.turned(k, one)]
        return Found(
            groups=choice.groups,
            rows=rows,
            shifts=tuple(best),
            bits=bits,
            turned=tuple(dict.fromkeys(turned)),
        )

    def in_strips(self, found: Found, width: int) -> Found | None:
        """The order with its innermost row in strips of so many; None where that is not legal.

        Nor where all of the row is one strip at the plan's values.
        The innermost row of no dependence may then run backwards: its shifts are raised.
        """
        last = len(found.rows[0]) - 1
        if last < 1 or not any(
            _extent(nest, rows[last], self.program) > width
            for nest, rows in zip(self.given.nests, found.rows, strict=True)
        ):
            return None
        constraints: list[Constraint] = []
        for one in self.given.dependences:
            s, t = one.source, one.target
            if found.groups[s] == found.groups[t]:
                least = self._distance(one, found.rows[s][last:], found.rows[t][last:])
                if least is None or (s == t and least[0] < 0):
                    return None
                constraints.append((s, t, (-least[0],)))
        number = len(self.given.nests)
        apart = [one for one in constraints if one[0] != one[1]]
        raised = least_shifts(number, apart, 1)
        if raised is None:
            return None
        shifts = tuple((*one[:last], own) for one, (own,) in zip(found.shifts, raised, strict=True))
        strips = Strips(row=last, width=width)
        order = replace(found, shifts=shifts, strips=strips)
        return replace(order, bits=self.bits(order), turned=self.turned_in(order))

    def turned_in(self, found: Found) -> tuple[str, ...]:
        """The streams and external arrays that some statement touches in a new order."""
        names = [
            name
            for k, entries in enumerate(found.leading_text())
            if self._outside(k) and not _keeps_order(self.given.nests[k].loops.range(), entries)
            for name in self._outside(k)
        ]
        return tuple(dict.fromkeys(names))

    def bits(self, found: Found) -> int:
        """The estimate of an order, legal or not."""
        choice = _Choice(len(found.rows[0]), found.groups, found.rows, kept=False)
        return self._total(choice, found.shifts, found.strips)

    def _waits(self, choice: _Choice) -> list[Wait]:
        rows = _all_placed(choice)
        reads: dict[tuple[str, int], list[tuple[int, Vector]]] = {}
        for flow in self.given.flows:
            s, t = flow.source, flow.target
            if choice.groups[s] == choice.groups[t]:
                longest = self._distance(flow, rows[s], rows[t], most=True)
                assert longest is not None  # flows are those at the plan's values
                reads.setdefault((flow.array, s), []).append((t, longest))
        step = (1,) + (0,) * (choice.size - 1)
        return [
            Wait(
                writer=writer,
                reads=tuple(found),
                weight=self._bits(array) * self._windows[array, writer].cells(rows[writer], step),
            )
            for (array, writer), found in reads.items()
        ]

    def _total(
        self, choice: _Choice, shifts: Sequence[Vector], strips: Strips | None = None
    ) -> int:
        """Bits of values that wait, at these shifts."""
        rows = _all_placed(choice)
        cells: dict[str, int] = {}
        for flow in self.given.flows:
            s, t = flow.source, flow.target
            waiting = None
            if choice.groups[s] == choice.groups[t]:
                longest = self._distance(flow, rows[s], rows[t], most=True)
                assert longest is not None  # flows are those at the plan's values
                waiting = [a + b - c for a, b, c in zip(longest, shifts[t], shifts[s], strict=True)]
            window = self._windows[flow.array, s]
            found = window.cells(rows[s], waiting, _strip(rows[s], strips))
            if strips is not None and waiting is not None:
                cut = strips.row
                beyond = self._distance(flow, rows[s][cut:], rows[t][cut:], most=True)
                assert beyond is not None
                steps = beyond[0] + shifts[t][cut] - shifts[s][cut]
                found = window.with_border(found, rows[s][cut], steps)
            cells[flow.array] = max(cells.get(flow.array, 0), found)
        return sum(number * self._bits(name) for name, number in cells.items())


def _all_placed(choice: _Choice) -> tuple[Rows, ...]:
    rows = tuple(one for one in choice.rows if one is not None)
    assert len(rows) == len(choice.rows)
    return rows


def _placing(given: Dependences) -> list[int]:
    """Placement order: next the statement most connected to those placed."""
    left, found = set(range(len(given.nests))), list[int]()

    def near(number: int) -> tuple[int, int, int]:
        flows = [{one.source, one.target} for one in given.flows]
        edges = [{one.source, one.target} for one in given.dependences]
        done = set(found)
        near = sum(1 for ends in edges if number in ends and ends & done)
        return near, sum(1 for ends in flows if number in ends), -number

    while left:
        found.append(max(left, key=near))
        left.remove(found[-1])
    return found


def _form(source: Row, target: Row, depths: Sequence[int]) -> list[int]:
    """The row of the target less that of the source, over [source loops, target loops]."""
    form = [0] * sum(depths)
    for loop, factor in source.terms:
        form[loop] -= factor
    for loop, factor in target.terms:
        form[depths[0] + loop] += factor
    return form


def _extent(nest: Nest, row: Row, program: Program) -> int:
    """The range of a row at the plan's values, its loops in a box."""
    loops = fix_parameters(nest.loops.range(), program.values)
    if loops.is_empty():
        return 0
    return sum(
        int(loops.dim_max_val(loop).to_python() - loops.dim_min_val(loop).to_python() + 1)
        * abs(factor)
        for loop, factor in row.terms
    )


def _strip(rows: Rows, strips: Strips | None) -> Strip | None:
    """The iterations of a statement's loop that one strip has, where its row is one loop."""
    if strips is None or (single := rows[strips.row].single) is None:
        return None
    loop, scale = single
    return loop, max(1, strips.width // scale)


def _of_size(given: Scheduled, size: int) -> Rows:
    """The first rows of a statement, those that it has not 0."""
    rows = (*given.rows, *[()] * size)[:size]
    return tuple(Row(tuple((k, factor) for k, factor in enumerate(row) if factor)) for row in rows)


def _in_text(groups: Sequence[int], given: Dependences) -> tuple[int, ...]:
    """Groups numbered anew: in the order of the text, as far as dependences leave it open."""
    after = {
        (groups[one.target], groups[one.source])
        for one in given.dependences
        if groups[one.source] != groups[one.target]
    }
    left, found = list(dict.fromkeys(groups)), dict[int, int]()
    while left:
        free = next(one for one in left if not any((one, other) in after for other in left))
        found[free] = len(found)
        left.remove(free)
    return tuple(found[one] for one in groups)


def _earlier(loops: Any) -> Any:
    """{ i -> j : i is before j } of a statement's iterations."""
    return Map.lex_lt(loops.get_space()).intersect_domain(loops).intersect_range(loops)


def _keeps_order(loops: Any, entries: Sequence[str]) -> bool:
    """True if instances at their loops l0, l1, .. run in their old order at these entries."""
    names = [f"l{k}" for k in range(loops.tuple_dim())]
    move = Map(f"{{ [{', '.join(names)}] -> [{', '.join(entries)}] }}")
    later = Map.lex_gt(move.range().get_space())
    turned = move.apply_range(later).apply_range(move.reverse())
    return bool(turned.is_disjoint(_earlier(loops)))


def _window(program: Program, given: Dependences, flow: Flow) -> Window:
    nest = given.nests[flow.source]
    writes = union_map(
        access.relation.intersect_domain(nest.statement.domain)
        for access in nest.statement.writes
        if access.array == flow.array
    )
    moved = Map.from_union_map(writes.apply_domain(UnionMap.from_map(nest.loops)))
    bits = program.arrays[flow.array].element.bits
    return Window(fix_parameters(moved, program.values), bits)
