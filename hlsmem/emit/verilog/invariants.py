"""Invariants of the registers of address generators, for provers.

Induction needs to know more of a state than what is claimed of its outputs. These are hints: who
uses them proves them along with the claims, so nothing depends on their being right. Places are
sets, never listed: neither the file nor the work for it grows with the extents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from hlsmem.addressing.address_generator import (
    AddressGenerator,
    AllOf,
    AnyOf,
    Guard,
    Output,
    Sign,
    Term,
)
from hlsmem.addressing.generator_compiler import Recipe
from hlsmem.addressing.loop_forms import Affine, Condition, Every, Some, Test
from hlsmem.addressing.nest_points import Region
from hlsmem.addressing.point_boxes import condition_of_part
from hlsmem.dependences.circuit_streams import Instances
from hlsmem.dependences.earliest_release import CountGate, Gate
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.limits import WorkLimitError, bounded
from hlsmem.storage.kinds import Circuit

# Operations of isl for the conditions of an address generator's states, which are not told above
# it.
_MOST_OPERATIONS = 2_000_000

INVARIANTS_FORMAT = "hlsmem-invariants/2"


def invariants_document(circuits: Sequence[Circuit]) -> dict[str, Any]:
    """Per stream with an address generator: its loops, the forms of its registers, when it is in a
    state.

    A loop has its register and the entry of the time vector it runs over (coordinates stand
    behind the time, the index of an element is the time of a fill or drain). `places` are sets of
    its loops, which have the places without a beat. Its gates are in terms of its loops too. A
    `limit` says why it is not told when it is in some states.
    """
    streams: dict[str, Any] = {}
    for walk in (walk for circuit in circuits for walk in circuit.walks()):
        document = _generator_document(walk.recipe, walk.instances)
        if walk.gates is not None:
            gates = [_gate(walk.recipe.generator, gate, other) for gate, other in walk.gates]
            document = {**document, "gates": gates}
        streams[walk.stream] = document
    return {"format": INVARIANTS_FORMAT, "streams": streams}


def _gate(generator: AddressGenerator, gate: Gate, other: str) -> dict[str, Any]:
    """Of a counter where it starts and its bits, else the vectors that are compared with keys."""
    found = {"after": other, "bypass": gate.bypass}
    if isinstance(gate, CountGate):
        return {**found, "start": gate.start, "bits": gate.bits}
    outputs = dict(generator.outputs)
    vectors = [[_output(generator, outputs[name]) for name in row] for row in gate.vectors]
    return {**found, "vectors": vectors}


def _generator_document(recipe: Recipe, instances: Instances) -> dict[str, Any]:
    generator = recipe.generator
    entries = _entries(generator, instances)
    places = recipe.places if len(generator.steps) > 1 else ()
    loops = [generator.registers[register].name for register in generator.loop_registers]
    return {
        "loops": [
            {"register": name, "entry": entry} for name, entry in zip(loops, entries, strict=True)
        ],
        "registers": {r.name: _form(r.form) for r in generator.registers},
        **_states(places),
        "idle": generator.idle,
        "places": [
            str(region.points)
            for region, is_beat in zip(places, generator.is_beat, strict=False)
            if not is_beat and not region.is_empty
        ],
    }


def _entries(generator: AddressGenerator, instances: Instances) -> list[int]:
    """The entries that loops run over: those that vary; of one beat, one of the loop's value."""
    found = instances.varying()
    if not found:
        found = [instances.first().index(generator.registers[generator.loop_registers[0]].first)]
    return found[: len(generator.loops)]


def _states(places: Sequence[Region]) -> dict[str, Any]:
    """The condition of each state over the loops, where there are several, and the limit at which
    others are left out."""
    found: dict[str, Any] = {}
    if not places:
        return {"states": found}
    whole = Region(reduce(Set.union, (region.points for region in places)).coalesce())
    try:
        with bounded(_MOST_OPERATIONS):
            for state, region in enumerate(places):
                condition = condition_of_part(whole, region)
                if condition is not None:
                    found[str(state)] = _condition(condition)
    except WorkLimitError:
        what = f"isl has no conditions of its states within {_MOST_OPERATIONS} operations"
        return {"states": found, "limit": what}
    return {"states": found}


def _condition(condition: Condition) -> Any:
    match condition:
        case Test(form, equal):
            return {"equal" if equal else "at least": [_form(form), 0]}
        case Every(conditions):
            return {"all": [_condition(part) for part in conditions]}
        case Some(conditions):
            return {"any": [_condition(part) for part in conditions]}


def _output(generator: AddressGenerator, output: Output) -> dict[str, Any]:
    if isinstance(output, Term):
        return _form(_term(generator, output))
    then, otherwise = (_output(generator, part) for part in (output.then, output.otherwise))
    return {"where": _guard(generator, output.guard), "then": then, "else": otherwise}


def _guard(generator: AddressGenerator, guard: Guard) -> Any:
    match guard:
        case Sign(term, equal):
            return _condition(Test(_term(generator, term), equal))
        case AllOf(conditions):
            return {"all": [_guard(generator, part) for part in conditions]}
        case AnyOf(conditions):
            return {"any": [_guard(generator, part) for part in conditions]}


def _term(generator: AddressGenerator, term: Term) -> Affine:
    form = Affine() if term.register is None else generator.registers[term.register].form
    return form.scaled(term.sign).plus(term.constant)


def _form(form: Affine) -> dict[str, Any]:
    """constant + factors . loops + sum of factor * floor(form / divisor)."""
    return {
        "constant": form.constant,
        "factors": list(form.factors),
        "quotients": [
            {"factor": factor, "of": _form(quotient.inner), "by": quotient.divisor}
            for factor, quotient in form.quotients
        ],
    }
