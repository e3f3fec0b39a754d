"""Registers and line buffers in the place of an array that a body writes and reads at distances.

A tap is how many iterations a value is old when it is read. Taps in order are a chain: a gap of
one iteration is a register, a wider one a line of as many words, read once and written once in an
iteration. All loads stand at the top of the body, all moves at its end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.relations import constant_point
from hlsmem.polyhedra.sets import without_name
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.linear_text import c_text
from hlsmem.source_edits.merged_bounds import Bounds, is_at_most
from hlsmem.source_edits.merged_nests import Group
from hlsmem.source_edits.source_tokens import code, tokens
from hlsmem.source_edits.text_structure import Compound, Loop, Node, Other, Plain
from hlsmem.source_edits.user_arrays import Kept, Use, UserArray

_JUMPS = ("continue", "break", "return", "goto")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBuffers:
    """An array as lines: what is declared, loaded at the top of the body and moved at its end.

    `edits` exchange its accesses; `words` are those of all lines and registers.
    """

    array: UserArray
    group: Group
    declarations: tuple[str, ...]
    loads: tuple[str, ...]
    moves: tuple[str, ...]
    edits: tuple[Edit, ...]
    words: QuasiPolynomial
    why: str = ""

    @property
    def form(self) -> str:
        return "lines"


def line_buffers(
    own: UserArray,
    bounds: Sequence[Bounds] | None,
    scale: Scale,
    kind: str,
    group: Group,
) -> LineBuffers | Kept:
    """An array of a group, its elements of type `kind`, as lines; else why it is none."""
    place = own.array.source_location
    writers = {(one.start, one.stop): one for one in own.uses if one.is_write}
    if bounds is None or len(writers) != 1:
        return Kept("not one statement alone writes it", place)
    (writer,) = writers.values()
    if not writer.access.must or not _is_injective(writer):
        return Kept("an element is written more than once", place)
    if any(_jumps(nest.file.text[nest.start : nest.stop]) for nest in group.nests):
        return Kept("a jump leaves the body", place)
    if not all(_is_in_body(own, use, group) for use in own.uses):
        return Kept("it is used in several bodies", place)
    taps = dict[tuple[int, int], QuasiPolynomial]()
    for use in own.uses:
        if use.is_write:
            continue
        tap = _tap(use, writer, group, bounds)
        if tap is None or taps.setdefault((use.start, use.stop), tap) != tap:
            return Kept("its values are read at distances that vary", place)
    order = _sorted(set(taps.values()), scale)
    if order is None:
        return Kept("the order of its reads depends on the sizes", place)
    return _chain(own, group, bounds, writer, taps, order, kind)


def _chain(
    own: UserArray,
    group: Group,
    bounds: Sequence[Bounds],
    writer: Use,
    taps: dict[tuple[int, int], QuasiPolynomial],
    order: Sequence[QuasiPolynomial],
    kind: str,
) -> LineBuffers | Kept:
    names, plain = _Names(own), re.sub(r"\bstatic\s+", "", kind)
    inner = bounds[-1]
    zero = QuasiPolynomial.constant(0)
    now, before = names.free("now"), zero
    values = {zero: now}
    declarations, loads, moves, counters = list[str](), list[str](), list[str](), dict[str, str]()
    previous, lines = now, 0
    for number, tap in enumerate((one for one in order if one != zero), 1):
        name, gap = names.free(str(number)), tap - before
        if gap.constant_value() == 1:
            declarations.append(f"{kind} {name} = 0;")
            moves.append(f"{name} = {previous};")
        else:
            line, lines = names.free(f"line{lines}"), lines + 1
            declarations.append(f"{kind} {line}[{c_text(gap)}];")
            at = c_text(QuasiPolynomial.parameter(inner.variable) - inner.lower)
            if gap != inner.trips:
                at = counters.setdefault(c_text(gap), names.free(f"at{len(counters) or ''}"))
            loads.append(f"const {plain} {name} = {line}[{at}];")
            moves.append(f"{line}[{at}] = {previous};")
        values[tap] = previous = name
        before = tap
    moves.reverse()
    for size, at in counters.items():
        declarations.append(f"{'static ' * (plain != kind)}int {at} = 0;")
        moves.append(f"{at} = {at} + 1 < {size} ? {at} + 1 : 0;")
    edits = own.without_pragmas()
    edits += [Edit(start, stop, values[tap]) for (start, stop), tap in taps.items()]
    is_alone = _stands_alone(own, writer, group, bounds)
    edits.append(Edit(writer.start, writer.stop, f"const {plain} {now}" if is_alone else now))
    if not is_alone:
        loads.insert(0, f"{plain} {now} = 0;")
    return LineBuffers(
        array=own,
        group=group,
        declarations=tuple(declarations),
        loads=tuple(loads),
        moves=tuple(moves),
        edits=tuple(edits),
        words=before,
    )


class _Names:
    """Names made of that of an array, none of which the file has."""

    def __init__(self, own: UserArray) -> None:
        self.name = own.name
        self.taken = set(own.file.words)

    def free(self, suffix: str) -> str:
        name = f"{self.name}_{suffix}"
        if name in self.taken:
            name = next(one for k in range(1, 10_000) if (one := f"{name}_w{k}") not in self.taken)
        self.taken.add(name)
        return name


def _is_injective(writer: Use) -> bool:
    relation = writer.access.relation.intersect_domain(writer.statement.domain)
    return bool(relation.is_injective())


def _jumps(text: str) -> bool:
    return any(one.text in _JUMPS for one in code(tokens(text)) if one.kind == "word")


def _is_in_body(own: UserArray, use: Use, group: Group) -> bool:
    """True if a use stands in the body of a group's loops, and in no loop of its own."""
    for nest in group.nests:
        if nest.file is own.file and nest.start <= use.start < nest.stop:
            around = own.file.around(use.start)
            loops = [one for one in around if _repeats(one)]
            inside = nest.depth + group.depth
            return len(loops) == inside and len(nest.loops) == group.depth
    return False


def _repeats(node: Node) -> bool:
    return isinstance(node, Loop) or (isinstance(node, Other) and node.word in ("while", "do"))


def _tap(use: Use, writer: Use, group: Group, bounds: Sequence[Bounds]) -> QuasiPolynomial | None:
    """The iterations from the write of an element to a read of it; None where they vary."""
    reads = use.access.relation.intersect_domain(use.statement.domain)
    writes = writer.access.relation.intersect_domain(writer.statement.domain)
    pairs = reads.apply_range(writes.reverse())
    if pairs.is_empty() or not reads.domain().is_subset(pairs.domain()):
        return None
    late = pairs.apply_domain(_iteration(use, group)).apply_range(_iteration(writer, group))
    gaps = without_name(late.reverse().deltas())
    found = constant_point(_without_parameters(gaps))
    if found is None:
        return None
    outside = group.nests[0].depth
    if any(found[:outside]):
        return None
    total = QuasiPolynomial.constant(0)
    for gap, loop in zip(found[outside:], bounds, strict=True):
        total = total * loop.trips + gap
    return total


def _without_parameters(points: Any) -> Any:
    return points.project_out(DimType.param, 0, points.dim(DimType.param))


def _iteration(use: Use, group: Group) -> Any:
    """{ S[i] -> [t] } from instances to the iterations of all loops around a body."""
    number = next(k for k, nest in enumerate(group.nests) if nest.start <= use.start < nest.stop)
    depth = group.nests[number].depth
    size = use.statement.domain.dim(DimType.set)
    names = [f"i{k}" for k in range(size)]
    times = names[:depth]
    times += [f"i{depth + k} + {shift}" for k, shift in enumerate(group.shifts[number])]
    text = f"{{ {use.statement.name}[{', '.join(names)}] -> [{', '.join(times)}] }}"
    return Map(text).align_params(use.statement.domain.get_space())


def _sorted(taps: set[QuasiPolynomial], scale: Scale) -> list[QuasiPolynomial] | None:
    """Taps in order, each at least one iteration behind that before; None where sizes decide."""
    found = list[QuasiPolynomial]()
    left = set(taps)
    while left:
        first = next(
            (one for one in left if all(is_at_most(one, other, scale) for other in left)), None
        )
        if first is None or not is_at_most(
            found[-1] + 1 if found else QuasiPolynomial.constant(0), first, scale
        ):
            return None
        found.append(first)
        left.remove(first)
    return found


def _stands_alone(own: UserArray, writer: Use, group: Group, bounds: Sequence[Bounds]) -> bool:
    """True if the write is `A[..] = ..;` in each iteration, so that it declares its value."""
    number = next(k for k, nest in enumerate(group.nests) if nest.start <= writer.start < nest.stop)
    if any(one.guards[number] for one in bounds) or group.has_scope(number):
        return False
    node = own.file.around(writer.start)[-1]
    parents = own.file.around(writer.start)[:-1]
    is_plain = isinstance(node, Plain) and node.start == writer.start
    is_direct = bool(parents) and isinstance(parents[-1], (Compound, Loop))
    behind = next((one for one in own.file.tokens if one.start >= writer.stop), None)
    return is_plain and is_direct and behind is not None and behind.text == "="
