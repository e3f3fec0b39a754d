"""Mappings of another plan under this design's schedule: proved again, or refused with the pair."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.errors import Note, Problems
from hlsmem.lifetime.analysis import meeting_text
from hlsmem.lifetime.problem import StorageProblem
from hlsmem.mapping.certificate import Counterexample, prove
from hlsmem.mapping.model import Mapping, Piece
from hlsmem.mapping.portfolio import Choice
from hlsmem.options import ReusedPlan
from hlsmem.order.dataflow import dataflow
from hlsmem.places import Place
from hlsmem.planfile import ArrayPlan, Plan, from_json
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import Array, Program

METHOD = "reused"


def reused_choices(
    given: ReusedPlan,
    program: Program | None,
    problems: Sequence[StorageProblem],
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
        own = other.arrays.get(array.name)
        objection = _mismatch(array, own, other, problem)
        if own is None or objection:
            remedy = "plan it with schedules: tiled, any, .. first, and reuse that plan"
            wrong.add(f"plan.reuse: {objection}", remedy, given.place)
            continue
        whole = _mapping(own)
        assert whole is not None
        (piece,) = whole.pieces
        proof = prove(piece, problem)
        if isinstance(proof, Counterexample):
            wrong.add(*_unsafe(program, problem, piece, proof, own), given.place, _lines(array))
            continue
        mapping = Mapping(
            pieces=(piece,),
            method=METHOD,
            cells=piece.cells().evaluate(problem.values),
            certificate=proof,
        )
        choice = Choice(mapping=mapping, candidates=((METHOD, mapping),))
        found[array.name] = choice.stated_at(problem.values)
    wrong.raise_if_any()
    return found


def _mismatch(array: Array, own: ArrayPlan | None, other: Plan, problem: StorageProblem) -> str:
    if own is None:
        return f"the plan has no array {array.name!r}"
    if own.index != array.index or own.element != array.element.name:
        there = f"{own.element} {own.name}[{', '.join(own.index)}]"
        here = f"{array.element.name} {array.name}[{', '.join(array.index)}]"
        return f"the plan has {there}, this design {here}"
    mapping = _mapping(own)
    if mapping is None:
        return f"the plan holds {array.name!r} without addresses"
    if len(mapping.pieces) != 1:
        return f"the mapping of {array.name!r} has several pieces"
    (piece,) = mapping.pieces
    unknown = sorted(_parameters(piece) - set(problem.values))
    if unknown:
        return (
            f"the mapping of {array.name!r} depends on {unknown[0]!r}, which is no parameter here"
        )
    same = all(problem.values.get(name) == value for name, value in other.params.items())
    if not mapping.certificate.is_complete and not same:
        values = ", ".join(f"{name}={value}" for name, value in other.params.items())
        return f"the mapping of {array.name!r} holds at {values} alone"
    return ""


def _mapping(own: ArrayPlan) -> Mapping | None:
    """The addresses of an array in the hardware, else in the C."""
    (part, *_) = own.hardware.parts
    if part.mapping is not None or own.host is None:
        return part.mapping
    return own.host.cells.mapping


def _parameters(piece: Piece) -> set[str]:
    entries = [entry for row in piece.matrix for entry in row]
    return {
        name for entry in (*entries, *piece.modulus, *piece.offset) for name in entry.parameters()
    }


def _unsafe(
    program: Program | None,
    problem: StorageProblem,
    piece: Piece,
    proof: Counterexample,
    own: ArrayPlan,
) -> tuple[str, str]:
    """What is wrong, with two elements at the difference, and what to do."""
    array = problem.array
    cells = piece.cells().evaluate(problem.values)
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


def _lines(array: Array) -> list[Note]:
    place: Place | None = array.place
    return [Note(f"the array {array.name!r}", place)] if place else []
