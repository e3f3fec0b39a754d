"""The frame of an array that makes C fastest, among mappings that are right for its order.

A few cells more than the plan's may save a loop its splits or its remainders; how many is
allowed the design says. What is as fast within a twentieth is chosen by its cells; of cells as few
within a twentieth, those whose pointers wrap least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.wording import counted
from hlsmem.host_loops.cell_frame import CellFrame, frame_of, renumbered
from hlsmem.host_loops.loop_score import NEAR, gaps, score, shape_word, wrapping
from hlsmem.host_loops.pointer_loop import ShapedLoop
from hlsmem.host_loops.renumbering import unit_of
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.certificate import prove
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.plan import ArrayNotes, HostCandidate
from hlsmem.polyhedra.quantities import form_values, quantity_of
from hlsmem.program.model import Array
from hlsmem.program.options import HostChoice
from hlsmem.schedule_search.distribution import STRIP

ANY = "auto"
"""The word for a method that the design leaves open."""
_EQUAL = 1.05
_MOST_ENLARGED = 8
"""Cells by which a modulus may grow so that its row never wraps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A mapping that C may use, with its frame; `figure` is its score, 1 the least of all."""

    mapping: StorageMapping
    frame: CellFrame
    wraps: int
    figure: float
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The candidate taken, and those of which no other has fewer cells and a better score."""

    taken: Candidate
    pareto_front: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The most cells that C may have for an array, at each of the sizes that it is scored at."""

    most: tuple[tuple[Mapping[str, int], int], ...]

    def has(self, mapping: StorageMapping) -> bool:
        return all(cells_at(mapping, values) <= most for values, most in self.most)


def room_of(
    own: StorageMapping, array: Array, sizes: Sequence[Mapping[str, int]], extra_percent: int
) -> Room:
    """Some percent more cells than the plan, or one row more, but no more than the array has
    elements.

    An array of one dimension has no rows: what two strips hold takes their place.
    """
    found = []
    for values in sizes:
        cells = cells_at(own, values)
        row = array.extents[-1].evaluate(values) if array.extents else 0
        if len(array.index) < 2:
            row = min(row, 2 * STRIP)
        more = cells + max(cells * extra_percent // 100, row)
        declared = (
            QuasiPolynomial.product(array.extents).evaluate(values) if array.extents else more
        )
        found.append((values, min(more, max(cells, declared))))
    return Room(most=tuple(found))


def allows(room: Room | None, mapping: StorageMapping) -> bool:
    """True if C may have a mapping in place of the plan's."""
    return room is None or (mapping.cells > 1 and room.has(mapping))


def cells_at(mapping: StorageMapping, values: Mapping[str, int]) -> int:
    """The cells of a mapping at some values of the parameters."""
    return sum(piece.cells().evaluate(values) for piece in mapping.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Question on one array: `elements` as of `frame_of`; `room` bounds the cells, None where the
    design fixes the mapping."""

    problem: StorageProblem
    elements: Any
    scale: Scale
    loops: Sequence[ShapedLoop]
    sizes: Sequence[Mapping[str, int]]
    room: Room | None = None

    @property
    def cell_bytes(self) -> int:
        """The bytes of a cell."""
        return self.problem.array.element.cell_bytes


def chosen(
    question: Question, mappings: Sequence[StorageMapping], choice: HostChoice | None
) -> tuple[StorageMapping, str, ArrayNotes]:
    """The first mapping, which is the plan's, as loops walk it, or a faster one where C may have
    it, or what the design's `choice` names; with its shape, and how it was chosen.

    Where the first holds for all parameters, so does this. Raises InputError where no mapping
    meets the choice.
    """
    given, *others = mappings
    sure = [
        one for one in others if one.certificate.is_complete or not given.certificate.is_complete
    ]
    every = candidates(question, [given, *sure])
    if choice is None:
        allowed = [one for one in every if one is every[0] or allows(question.room, one.mapping)]
    else:
        allowed = [one for one in every if _meets(one, choice)]
        if not allowed:
            raise InputError(_unmet(question.problem.array.name, choice, every))
    found = best(allowed)
    taken = found.taken
    notes = ArrayNotes(
        score=_listed(taken, allowed).score,
        pareto_front=tuple(_listed(one, allowed) for one in found.pareto_front) if others else (),
        fallback=_fallback(taken, every),
        is_given=choice is not None,
    )
    return renumbered(taken.mapping, taken.frame, question.scale), taken.shape, notes


def _meets(one: Candidate, choice: HostChoice) -> bool:
    method = choice.method in (None, ANY, one.mapping.method)
    return method and choice.shape in (None, one.shape)


def _unmet(array: str, choice: HostChoice, every: Sequence[Candidate]) -> Problem:
    """Problem that no mapping is as the design chooses, with those that there are."""
    named = choice.method not in (None, ANY)
    wanted = [f"by {choice.method}"] if named else []
    wanted += [f"with loops as {choice.shape}"] if choice.shape else []
    there = dict.fromkeys(
        f"{one.mapping.method} {counted(one.mapping.cells, 'cell')}, {one.shape}" for one in every
    )
    return Problem(
        f"host.choice.{array}: no mapping {' '.join(wanted)} is right for C's order",
        f"there are: {', '.join(there)}",
        choice.source_location,
    )


def _fallback(taken: Candidate, every: Sequence[Candidate]) -> HostCandidate | None:
    """The mapping of fewest cells that holds for all parameters, where the one taken does not."""
    if taken.mapping.certificate.is_complete:
        return None
    sure = [one for one in every if one.mapping.certificate.is_complete]
    return _listed(min(sure, key=lambda one: one.mapping.cells), every) if sure else None


def _listed(one: Candidate, every: Sequence[Candidate]) -> HostCandidate:
    """A candidate with its score beside the least of all."""
    least = min(other.figure for other in every) or 1.0
    return HostCandidate(
        method=one.mapping.method,
        cells=one.mapping.cells,
        shape=one.shape,
        score=f"{one.figure / least:.2f}",
    )


def candidates(question: Question, mappings: Sequence[StorageMapping]) -> tuple[Candidate, ...]:
    """Some mappings of one piece with their frames and scores, the least of which is 1.

    Moduli of all but the first, which is the plan's, also grow by a few cells where a row then
    never wraps, or rows then lie so that no store holds reads up.
    """
    given, *others = mappings
    grown = (one for other in others for one in (other, *_enlarged(question, other)))
    found = [_candidate(question, given)]
    for one in grown:
        found.append(_candidate(question, one))
        found += [_candidate(question, apart) for apart in _pitched(question, found[-1])]
    least = min(one.figure for one in found) or 1.0
    return tuple(replace(one, figure=one.figure / least) for one in found)


def best(found: Sequence[Candidate]) -> Choice:
    """Of the least score, or within 5 % of it, the fewest cells; where others have no more than
    5 % more, that with the fewest pointers that wrap."""
    least = min(one.figure for one in found)
    close = [one for one in found if one.figure <= _EQUAL * least]
    fewest = min(one.mapping.cells for one in close)
    few = [one for one in close if one.mapping.cells <= _EQUAL * fewest]
    taken = min(few, key=lambda one: (one.wraps, one.mapping.cells))
    return Choice(taken=taken, pareto_front=_pareto_front(found))


def _candidate(question: Question, mapping: StorageMapping) -> Candidate:
    array, (piece,) = question.problem.array.name, mapping.pieces
    frame = frame_of(array, piece, question.elements, question.scale)
    unit = unit_of(frame, question.loops, question.scale)
    if unit.constant_value() != 1:
        frame = frame_of(array, piece, question.elements, question.scale, unit)
    return Candidate(
        mapping=mapping,
        frame=frame,
        wraps=wrapping(frame, question.loops),
        shape=shape_word(frame, question.loops),
        figure=score(frame, question.loops, question.sizes, question.cell_bytes),
    )


def _pareto_front(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The candidates that no other beats in cells without a worse score, by cells."""
    pareto_front: list[Candidate] = []
    for one in sorted(found, key=lambda one: (one.mapping.cells, one.figure)):
        if not pareto_front or one.figure < pareto_front[-1].figure:
            pareto_front.append(one)
    return tuple(pareto_front)


def _enlarged(question: Question, mapping: StorageMapping) -> list[StorageMapping]:
    """The mapping with moduli that grow by a few cells, so that their rows never wrap; if any."""
    if len(mapping.pieces) != 1:
        return []
    (piece,) = mapping.pieces
    moduli = tuple(
        _grown(question, row, modulus)
        for row, modulus in zip(piece.matrix, piece.modulus, strict=True)
    )
    return [] if moduli == piece.modulus else _with_moduli(question, mapping, moduli)


def _with_moduli(
    question: Question, mapping: StorageMapping, moduli: tuple[QuasiPolynomial, ...]
) -> list[StorageMapping]:
    """The mapping with other moduli, if it is right."""
    (piece,) = mapping.pieces
    grown: Piece = replace(piece, modulus=moduli)
    certificate = prove(grown, question.problem)
    if not isinstance(certificate, Certificate):
        return []
    cells = grown.cells().evaluate(question.scale.values)
    return [replace(mapping, pieces=(grown,), cells=cells, certificate=certificate)]


def _pitched(question: Question, one: Candidate) -> list[StorageMapping]:
    """The mapping with rows a few cells longer, so that reads do not wait for stores; if any."""
    *_, last = one.frame.rows or (None,)
    if last is None or last.wraps or one.shape == "remainders" or not question.cell_bytes:
        return []
    found = gaps(one.frame, question.loops, question.sizes)

    def is_held_up(more: int) -> bool:
        return any(gap.is_close(question.cell_bytes, more) for gap in found)

    if not is_held_up(0):
        return []
    for more in range(1, 2 * NEAR // question.cell_bytes + 1):
        if not is_held_up(more):
            return _with_moduli(question, one.mapping, _last_longer(question, one.mapping, more))
    return []


def _last_longer(
    question: Question, mapping: StorageMapping, more: int
) -> tuple[QuasiPolynomial, ...]:
    """The moduli of a mapping with `more` values in the last that has several."""
    (piece,) = mapping.pieces
    sizes = [question.scale.of(modulus) for modulus in piece.modulus]
    last = max(k for k, size in enumerate(sizes) if size.constant_value() != 1)
    return tuple(size + more * (k == last) for k, size in enumerate(sizes))


def _grown(
    question: Question, row: Sequence[QuasiPolynomial], modulus: QuasiPolynomial
) -> QuasiPolynomial:
    """The number of values of a row over all elements where that is little above its modulus."""
    factors = [entry.constant_value() for entry in row]
    known = [factor for factor in factors if factor is not None]
    if len(known) < len(factors) or question.elements.is_empty():
        return modulus
    values = form_values(question.elements, known)
    span = values.dim_max(0).sub(values.dim_min(0))
    extent = quantity_of(span, span.domain())
    if extent is None:
        return modulus
    more = (extent + 1 - question.scale.of(modulus)).constant_value()
    return extent + 1 if more is not None and 0 < more <= _MOST_ENLARGED else modulus
