"""Description of an order by lines of the user's source: "run lines 9-11 one row behind 6-8"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Kernel, KernelBody, Program, Statement
from hlsmem.schedule_search.found_schedule import Found
from hlsmem.schedule_search.order_dependences import Nest
from hlsmem.schedule_search.row_candidates import Row, Rows
from hlsmem.schedule_search.statement_shifts import Vector

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Successive statements with one shift; `members` are their positions."""

    members: tuple[int, ...]
    name: str
    shift: Vector


def sentence(program: Program, nests: Sequence[Nest], found: Found) -> str:
    """Effect of an order on the parts of a program, without a stop at its end."""
    parts = _parts(program, nests, found)
    said: list[str] = []
    alone: list[_Part] = []
    for _, group in groupby(parts, key=lambda part: found.groups[part.members[0]]):
        running: list[_Part] = []
        for part in group:
            rows = found.rows[part.members[0]]
            (running if any(row.terms for row in rows) else alone).append(part)
        if len(running) == 1:
            alone.append(running[0])
        said += [_behind(program, nests, found, *pair) for pair in pairwise(running)]
    turned = _turned(nests, found)
    few = _few(nests, found)
    if said:
        said[0] = f"run {said[0]}"
    elif turned:
        said, turned = [f"run {listed([part.name for part in parts])} {turned}"], ""
    whole = _whole(program, nests, found, parts)
    said += [one for one in (turned, few, whole) if one and said]
    if found.strips is not None:
        unit = _unit(program, nests, found, found.strips.row)
        said.append(f"in strips of {found.strips.width} {_plural(unit)}")
    if alone and len(alone) < len(parts):
        names = listed([part.name for part in alone])
        said.append(f"{names} {'stay' if len(alone) > 1 or '-' in names else 'stays'} alone")
    return ", ".join(said) or "run the loops as they are"


def _parts(program: Program, nests: Sequence[Nest], found: Found) -> list[_Part]:
    """Statements by what the order does to them; those that shared its loops before are one."""
    keys = [
        (_shared(nest, rows), group, shift)
        for nest, rows, group, shift in zip(
            nests, found.rows, found.groups, found.shifts, strict=True
        )
    ]
    parts = []
    for key, members in groupby(range(len(nests)), key=lambda k: keys[k]):
        own = tuple(members)
        name = _name(program, [nests[k].statement for k in own])
        parts.append(_Part(members=own, name=name, shift=key[2]))
    return parts


def _shared(nest: Nest, rows: Rows) -> tuple[int, ...]:
    """Loops of the text that the rows of a statement are, by their textual positions."""
    loops = [loop for row in rows for loop in row.loops]
    if not loops:
        return (nest.group, -1)
    times = nest.statement.schedule.intersect_domain(nest.statement.domain).range().coalesce()
    slots = [entry for entry in range(nest.entries[max(loops)]) if entry not in nest.entries]
    values = [times.plain_get_val_if_fixed(DimType.set, entry) for entry in slots]
    return tuple(value.to_python() for value in values)


def _name(program: Program, statements: Sequence[Statement]) -> str:
    """The lines of statements, with the loops around them that hold nothing else."""
    places = [one.source_location for one in statements]
    files = {place.file for place in places if place is not None}
    lines = [place.line for place in places if place is not None and place.line]
    if program.kernel is None or len(files) != 1 or len(lines) < len(places):
        return listed([one.name for one in statements])
    first, last = min(lines) - _lines_above(program, program.kernel, statements), max(lines)
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _lines_above(program: Program, kernel: Kernel, statements: Sequence[Statement]) -> int:
    """Number of lines above the first statement at which loops of these statements alone begin.

    0 for C++, whose syntax tree has the lines of its form in C.
    """
    if kernel.head is not None:
        return 0
    every = {id(one.body.node) for one in program.statements if isinstance(one.body, KernelBody)}
    own = [one.body.node for one in statements if isinstance(one.body, KernelBody)]
    if len(own) < len(statements) or own[0].place is None:
        return 0
    others = every - {id(one) for one in own}
    starts = [
        int(node.place.line)
        for node in _loops_above(kernel.region, own[0])
        if node.place is not None and others.isdisjoint(map(id, _below([node])))
    ]
    return max([0, *(int(own[0].place.line) - line for line in starts)])


def _loops_above(nodes: Iterable[Any], wanted: Any) -> list[Any]:
    """The loops around a node of the syntax tree, outermost first."""
    for node in nodes:
        children = list(node)
        if any(wanted is one for one in _below(children)):
            inner = _loops_above(children, wanted)
            return [node, *inner] if type(node).__name__ == "For" else inner
    return []


def _below(nodes: Iterable[Any]) -> Iterator[Any]:
    for node in nodes:
        yield node
        yield from _below(node)


def _behind(
    program: Program, nests: Sequence[Nest], found: Found, first: _Part, second: _Part
) -> str:
    rows = zip(found.rows[first.members[0]], found.rows[second.members[0]], strict=True)
    alike = [(one.single is None) == (other.single is None) for one, other in rows]
    # Between a loop and a sum, or one that runs downwards, shifts are no distance.
    distance = [(b - a) * same for a, b, same in zip(first.shift, second.shift, alike, strict=True)]
    if not any(distance):
        return f"{second.name} together with {first.name}"
    sign = 1 if tuple(distance) > (0,) * len(distance) else -1
    text = ""
    for k, steps in enumerate(distance):
        if steps:
            joint = "" if not text else " and " if steps * sign > 0 else " less "
            text += f"{joint}{_steps(abs(steps), _unit(program, nests, found, k))}"
    return f"{second.name} {text} {'behind' if sign > 0 else 'ahead of'} {first.name}"


def _steps(count: int, unit: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {unit if count == 1 else _plural(unit)}"


def _plural(unit: str) -> str:
    """
    >>> _plural("row"), _plural("iteration of y")
    ('rows', 'iterations of y')
    """
    noun, *rest = unit.split(" ")
    return " ".join([f"{noun}s", *rest])


def _unit(program: Program, nests: Sequence[Nest], found: Found, row: int) -> str:
    """Unit of a step of a row: a row or column of pictures, else an iteration of a loop."""
    singles = [(rows[row].single, k) for k, rows in enumerate(found.rows)]
    scales = [(single[1], k, single[0]) for single, k in singles if single is not None]
    if not scales:
        return "step"
    slowest = min(scales)[0]
    for _, position, loop in [one for one in scales if one[0] == slowest]:
        nest = nests[position]
        for access in (*nest.statement.writes, *nest.statement.reads):
            if len(program.arrays[access.array].index) == 2 and nest.depth == 2:
                return ("row", "column")[loop]
    _, position, loop = min(scales)
    nest = nests[position]
    names = nest.statement.iterators
    name = names[loop] if loop < len(names) else f"t{nest.entries[loop]}"
    return f"iteration of {name}"


def _few(nests: Sequence[Nest], found: Found) -> str:
    """The one loop that runs together, where statements have more."""
    if len(found.rows[0]) > 1 or all(nest.depth < 2 for nest in nests):
        return ""
    names = [
        nest.statement.iterators[loop]
        for (row,), nest in zip(found.rows, nests, strict=True)
        for loop in row.loops
        if row.single and loop < len(nest.statement.iterators)
    ]
    return f"sharing {listed(list(dict.fromkeys(names)))} only" if names else ""


def _whole(program: Program, nests: Sequence[Nest], found: Found, parts: Sequence[_Part]) -> str:
    """The parts that run all their inner loops where others run in step with each other's."""
    deepest: dict[int, int] = {}
    ends = []
    for part in parts:
        number = part.members[0]
        end = max((k for k, row in enumerate(found.rows[number]) if row.terms), default=-1)
        ends.append((part, found.groups[number], end))
        deepest[ends[-1][1]] = max(end, deepest.get(ends[-1][1], -1))
    said = []
    for part, group, end in ends:
        used = {loop for row in found.rows[part.members[0]] for loop in row.loops}
        if 0 <= end < deepest[group] and len(used) < nests[part.members[0]].depth:
            unit = _unit(program, nests, found, end)
            said.append(f"{part.name} all of {_article(unit)} {unit} at once")
    return listed(said) if said else ""


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _turned(nests: Sequence[Nest], found: Found) -> str:
    """Loops that run outside of those they stood in."""
    pairs = []
    for rows, nest in zip(found.rows, nests, strict=True):
        names = nest.statement.iterators
        forms = [_form(row, names) for row in rows if row.terms and not row.single]
        if forms and len(names) >= nest.depth:
            pairs += forms
            continue
        loops = [row.single[0] for row in rows if row.single]
        loops += [loop for loop in range(nest.depth) if loop not in loops]
        pairs += [
            f"{names[outer]} outside {names[inner]}"
            for outer, inner in pairwise(loops)
            if inner < outer < len(names)
        ]
    return f"with {listed(list(dict.fromkeys(pairs)))}" if pairs else ""


def _form(row: Row, names: Sequence[str]) -> str:
    """A row that is no loop as it is.

    >>> _form(Row(((0, -1),)), "i"), _form(Row(((0, 1), (1, 1))), "ij")
    ('i downwards', 'i + j as a row')
    """
    if row.terms[1:] or row.terms[0][1] != -1:
        return f"{row.text(names=names)} as a row"
    return f"{names[row.terms[0][0]]} downwards"
