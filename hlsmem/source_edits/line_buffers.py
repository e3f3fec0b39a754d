"""Registers and line buffers in the place of an array that a body writes and reads at distances.

All loads stand at the top of the body, all moves at its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.relations import constant_point
from hlsmem.polyhedra.sets import points, points_around, without_name
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.merged_bounds import Bounds
from hlsmem.source_edits.merged_nests import Group
from hlsmem.source_edits.old_values import Gap, Line, Style, automatic, old_values
from hlsmem.source_edits.text_structure import Compound, Loop, Node, Other, Plain
from hlsmem.source_edits.user_arrays import Kept, Use, UserArray, UserFile

_JUMPS = ("continue", "break", "return", "goto")
_MOST_DISTANCES = 1024
"""Distances between iterations and elements that an access may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBuffers:
    """An array as lines: what is declared, loaded at the top of the body and moved at its end.

    The declarations stand in the place of that of the array, whose name is at `name_at`; a
    parameter keeps its own, and lines of it are declared in front of the group. `edits` exchange
    its accesses, those of `statements`; `words` are those of all `lines`, `distances` the
    iterations that pass in a line with a counter.
    """

    array: str
    file: UserFile
    group: Group
    declarations: tuple[str, ...]
    loads: tuple[str, ...]
    moves: tuple[str, ...]
    edits: tuple[Edit, ...]
    lines: tuple[Line, ...]
    statements: tuple[str, ...]
    words: QuasiPolynomial
    distances: Mapping[str, QuasiPolynomial]
    name_at: int | None = None
    why: str = ""

    @property
    def form(self) -> str:
        return "read-once" if self.name_at is None else "lines"


def line_buffers(
    own: UserArray,
    bounds: Sequence[Bounds] | None,
    style: Style,
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
    if has_jumps(group):
        return Kept("a jump leaves the body", place)
    if not all(is_in_body(own.file, use, group) for use in own.uses):
        return Kept("it is used in several bodies", place)
    gaps = dict[tuple[int, int], tuple[int, ...]]()
    for use in own.uses:
        if use.is_write:
            continue
        gap = _gap(use, writer, group)
        if gap is None or gaps.setdefault((use.start, use.stop), gap) != gap:
            return Kept("its values are read at distances that vary", place)
    chain = old_values(own.name, own.file, bounds, gaps.values(), kind, style)
    if chain is None:
        return Kept("the order of its reads depends on the sizes", place)
    edits = [*own.without_pragmas(), *chain.reads(gaps)]
    plain, loads = automatic(kind), chain.loads
    is_alone = _stands_alone(own, writer, group, bounds)
    edits.append(
        Edit(writer.start, writer.stop, f"const {plain} {chain.now}" if is_alone else chain.now)
    )
    if not is_alone:
        loads = (f"{plain} {chain.now} = 0;", *loads)
    return LineBuffers(
        array=own.array.name,
        file=own.file,
        group=group,
        declarations=chain.declarations,
        loads=loads,
        moves=chain.moves,
        edits=tuple(edits),
        lines=chain.lines,
        statements=tuple(dict.fromkeys(one.statement.name for one in own.uses)),
        words=chain.words,
        distances=chain.distances,
        name_at=own.name_at,
    )


def _is_injective(writer: Use) -> bool:
    relation = writer.access.relation.intersect_domain(writer.statement.domain)
    return bool(relation.is_injective())


def has_jumps(group: Group) -> bool:
    """True if a jump leaves an iteration of a group's loops early."""
    return any(
        one.text in _JUMPS
        for nest in group.nests
        for one in nest.file.tokens
        if one.kind == "word" and nest.start <= one.start < nest.stop
    )


def is_in_body(file: UserFile, use: Use, group: Group) -> bool:
    """True if a use stands in the body of a group's loops, and in no loop of its own."""
    for nest in group.nests:
        if nest.file is file and nest.start <= use.start < nest.stop:
            loops = [one for one in file.around(use.start) if _repeats(one)]
            inside = nest.depth + group.depth
            return len(loops) == inside and len(nest.loops) == group.depth
    return False


def _repeats(node: Node) -> bool:
    return isinstance(node, Loop) or (isinstance(node, Other) and node.word in ("while", "do"))


def _gap(use: Use, writer: Use, group: Group) -> tuple[int, ...] | None:
    """The iterations of each loop from the write of an element to a read of it; None where they
    vary."""
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
    return found[outside:]


def delays_of(use: Use, group: Group) -> frozenset[Gap] | None:
    """How much later than the indices of its element an access is, an entry a loop of the group,
    each such; None where elements have other indices, or at so many distances."""
    size, outside = len(use.subscripts), group.nests[0].depth
    if size != group.depth:
        return None
    times = [f"t{k}" for k in range(outside + size)]
    elements = [f"e{k}" for k in range(size)]
    gaps = ", ".join(f"{t} - {e}" for t, e in zip(times[outside:], elements, strict=True))
    late = Map(f"{{ [{', '.join([*times, *elements])}] -> [{gaps}] }}")
    reads = use.access.relation.intersect_domain(use.statement.domain)
    instances = without_name(reads.apply_domain(_iteration(use, group)).wrap().flatten())
    found = instances.apply(late.align_params(instances.get_space()))
    own = _without_parameters(without_name(found))
    if own.is_empty() or not own.is_bounded() or points_around(own) > _MOST_DISTANCES:
        return None
    return frozenset(tuple(int(one) for one in row) for row in points(own))


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
