"""Mappings of another plan under this design's schedule: proved again, or refused with the pair."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.errors import Note, Problems
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import meeting_text
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.portfolio import Choice
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.plan import ArrayPlan, Plan, from_json
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Array, Program
from hlsmem.program.options import ReusedPlan
from hlsmem.timing.value_flow import dataflow

METHOD = "reused"


def reused_choices(
    given: ReusedPlan, program: Program | None, problems: Sequence[StorageProblem]
) -> dict[str, Choice]:
    """The mapping of every array as the other plan has it, proved for this design at its values.

    Raises InputError, for all arrays at once: where the plan cannot be read, has no array of
    that name, index and element type, was made for other values of parameters that its
    mapping has as numbers, or where two conflicting elements would share a cell.
    """
    other = from_json(given.source.text, "plan.reuse")
    found, wrong = dict[str, Choice](), Problems()
    for problem in problems:
        array = problem.array
        try:
            own, piece = _taken(array, other, problem)
        except ValueError as objection:
            remedy = "plan it with schedules: tiled, any, .. first, and reuse that plan"
            wrong.add(f"plan.reuse: {objection}", remedy, given.source_location)
            continue
        proof = prove(piece, problem)
        if isinstance(proof, Counterexample):
            notes = (
                [Note(f"the array {array.name!r}", array.source_location)]
                if array.source_location
                else []
            )
            wrong.add(*_unsafe(program, problem, piece, proof, own), given.source_location, notes)
            continue
        cells = piece.cells_at(problem.values)
        mapping = StorageMapping(pieces=(piece,), method=METHOD, cells=cells, certificate=proof)
        choice = Choice(mapping=mapping, candidates=((METHOD, mapping),))
        found[array.name] = choice.stated_at(problem.values)
    wrong.raise_if_any()
    return found


def _taken(array: Array, other: Plan, problem: StorageProblem) -> tuple[ArrayPlan, Piece]:
    """The array in the other plan, and its mapping; ValueError says why that is none for this."""
    own = other.arrays.get(array.name)
    if own is None:
        raise ValueError(f"the plan has no array {array.name!r}")
    if own.index != array.index or own.element != array.element.name:
        there = f"{own.element} {own.name}[{', '.join(own.index)}]"
        here = f"{array.element.name} {array.name}[{', '.join(array.index)}]"
        raise ValueError(f"the plan has {there}, this design {here}")
    known = [part.mapping for part in own.hardware.parts[:1]]
    known += [] if own.host is None else [own.host.cells.mapping]
    mapping = next((one for one in known if one is not None), None)
    if mapping is None:
        raise ValueError(f"the plan holds {array.name!r} without addresses")
    what = f"the mapping of {array.name!r}"
    if len(mapping.pieces) != 1:
        raise ValueError(f"{what} has several pieces")
    (piece,) = mapping.pieces
    entries = (*piece.modulus, *piece.offset, *(entry for row in piece.matrix for entry in row))
    unknown = sorted({name for one in entries for name in one.parameters()} - set(problem.values))
    if unknown:
        raise ValueError(f"{what} depends on {unknown[0]!r}, which is no parameter here")
    same = all(problem.values.get(name) == value for name, value in other.params.items())
    if not mapping.certificate.is_complete and not same:
        values = ", ".join(f"{name}={value}" for name, value in other.params.items())
        raise ValueError(f"{what} holds at {values} alone")
    return own, piece


def _unsafe(
    program: Program | None,
    problem: StorageProblem,
    piece: Piece,
    proof: Counterexample,
    own: ArrayPlan,
) -> tuple[str, str]:
    """Return what is wrong, with two elements at the difference, and what to do."""
    array = problem.array
    cells = piece.cells_at(problem.values)
    what = f"plan.reuse: the {cells} cells of {array.name!r} are not enough for this schedule"
    if program is not None and problem.pairs is not None:
        pairs = fix_parameters(problem.conflicts, problem.values)
        moved = ", ".join(f"x{k} + {step}" for k, step in enumerate(proof.difference))
        plain = ", ".join(f"x{k}" for k in range(len(proof.difference)))
        apart = Map(f"{{ {array.name}[{plain}] -> {array.name}[{moved}] }}")
        pairs = pairs.intersect(apart)
        if not pairs.is_empty():
            text = meeting_text(program, dataflow(program, array.name), array, pairs)
            what += f": {text} and share one"
    made = "another schedule alone" if own.orders is None else f"class {own.orders.schedules}"
    return what, f"the plan was made for {made}: choose a class that has this schedule"
