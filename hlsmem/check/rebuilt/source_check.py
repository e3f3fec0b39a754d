"""Check `source`: the program in plan.json is the design's, which is read again.

What `proof` shows follows from the program that plan.json states. Here that is compared with the
design in OUT/design as isl sets, statement by statement, and types, extents and context with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hlsmem.check.rebuilt.loop_bands import loop_bands
from hlsmem.check.rebuilt.order_of_c import text_as_written, texts_of_c
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.plan.program_text import ProgramText, StatementText, program_text
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.isl_text import parse_map, parse_set
from hlsmem.polyhedra.relations import maps_of
from hlsmem.program.model import Array, ConflictInput, Program, Storage
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import (
    AffineSchedules,
    Band,
    Banded,
    Before,
    Given,
    ScheduleClass,
)

Document = Mapping[str, Any]


def check_source(
    design: Design, program: Program | None, document: Document
) -> tuple[Verdict, ...]:
    """One verdict on the whole plan; `program` has its streams, None for a conflict set."""
    try:
        found = list(_differences(design, program, document))
    except InputError as error:
        found = [problem.what for problem in error.problems]
    status = Status.FAIL if found else Status.PASS
    same = "the program in plan.json is the design's: sets, schedules, accesses, types, extents"
    if program is None:
        same = "the conflicts in plan.json are the design's, with types, extents and context"
    detail = "; ".join(found[:4]) or same
    return (Verdict(check="source", subject=document["design"], status=status, detail=detail),)


def _differences(design: Design, program: Program | None, document: Document) -> Iterator[str]:
    given = design.input
    if document["design"] != given.name:
        yield f"design is {document['design']!r}, not {given.name!r}"
    if dict(document["params"]) != dict(given.values):
        yield "params are not those of the design"
    stated_context = parse_set(
        document["context"], parameters=given.parameters, what="plan.json: context"
    )
    context = stated_context.params()
    if not context.is_equal(given.context.params()):
        yield f"context is {document['context']}, not {given.context}"
    stated, wanted = document["target"], design.target
    device = None if stated is None else stated["device"]
    budget = None if stated is None else stated["block_rams"]
    if device != wanted.device or (device is not None and budget != wanted.block_rams):
        yield f"target is {device}, {budget} block RAMs"
    if program is None:
        assert isinstance(given, ConflictInput)
        yield from _given(given, document)
    else:
        yield from _program(design, program, document)
        yield from _text(design, document)
        yield from _source(design, document)


def _text(design: Design, document: Document) -> Iterator[str]:
    """Differences of C's program for overlapping arguments from the design in textual order."""
    stated = (document["host"] or {}).get("text")
    if stated is None:
        return
    found = [
        [
            *_arrays({array.name: array for array in one.planned_arrays()}, stated),
            *_stated(stated["program"], program_text(one), one),
        ]
        for one in texts_of_c(design)
    ]
    yield from (f"host.text: {what}" for what in min(found, key=len))


def _source(design: Design, document: Document) -> Iterator[str]:
    """Differences of the program of the text that comes back from the design as it is written."""
    stated = document.get("source")
    if stated is None:
        return
    own = text_as_written(design)
    beside = {name: own.arrays[name] for name in stated.get("arrays", {}) if name in own.arrays}
    found = [
        *_arrays(beside, {"arrays": stated.get("arrays", {})}),
        *_stated(stated["program"], program_text(own), own),
    ]
    yield from (f"source: {what}" for what in found)


def _arrays(arrays: Mapping[str, Array], document: Document) -> Iterator[str]:
    for name, array in arrays.items():
        own = document["arrays"].get(name)
        if own is None:
            yield f"arrays has no {name!r}"
            continue
        if own["element"] != {"type": array.element.name, "bits": array.element.bits}:
            yield f"arrays.{name}.element is {own['element']}, not {array.element.name}"
        if tuple(own["index"]) != array.index:
            yield f"arrays.{name}.index is {own['index']}"
        extents = None if array.extents is None else [str(one) for one in array.extents]
        if own["extents"] != extents:
            yield f"arrays.{name}.extents are {own['extents']}, not {extents}"
        if own.get("state", False) != (array.storage is Storage.STATE):
            yield f"arrays.{name}.state is {own.get('state', False)}"
    for name in document["arrays"]:
        if name not in arrays:
            yield f"arrays has {name!r}, which the design does not plan"


def _given(given: ConflictInput, document: Document) -> Iterator[str]:
    if document["program"] is not None:
        yield "program is there, and the design gives conflicts"
    yield from _arrays({name: one.array for name, one in given.conflicts.items()}, document)
    for name, one in given.conflicts.items():
        stated = document["arrays"].get(name, {}).get("conflicts")
        if stated is None:
            continue
        path = f"arrays.{name}.conflicts"
        for key, wanted, kind in (
            ("differences", one.differences, Set),
            ("pairs", one.pairs, Map),
            ("elements", one.elements, Set),
        ):
            if (stated[key] is None) != (wanted is None):
                yield f"{path}.{key} is there on one side alone"
            elif wanted is not None and not _equal(stated[key], str(wanted), kind, given):
                yield f"{path}.{key} are not the design's"


def _program(design: Design, program: Program, document: Document) -> Iterator[str]:
    options, stated = design.plan, document["program"]
    yield from _arrays({one.name: one for one in program.planned_arrays()}, document)
    for name in document["arrays"]:
        yield from class_disagreements(program, options.schedules, name, document)
    if stated is None:
        yield "there is no program"
        return
    wanted = program_text(
        program, strict=options.strict, slack=options.slack, capacity=options.capacity
    )
    yield from _stated(stated, wanted, program)


def _stated(stated: Document, wanted: ProgramText, program: Program) -> Iterator[str]:
    """Differences of the stated program from the wanted one."""
    for key in ("order", "time", "step", "strict", "slack"):
        if stated[key] != getattr(wanted, key):
            yield f"program.{key} is {stated[key]}, not {getattr(wanted, key)}"
    if stated.get("capacity", "schedule") != wanted.capacity:
        yield f"program.capacity is not {wanted.capacity}"
    if stated.get("control", "predicate") != wanted.control:
        yield f"program.control is not {wanted.control}"
    if tuple(stated["lanes"]) != wanted.lanes:
        yield f"program.lanes are {stated['lanes']}, not {list(wanted.lanes)}"
    for key, live in (("live_in", wanted.live_in), ("live_out", wanted.live_out)):
        if set(stated[key]) != set(live):
            yield f"program.{key} is of other arrays"
            continue
        for name, elements in live.items():
            if not _equal(stated[key][name], elements, Set, program):
                yield f"program.{key}.{name} is not the design's"
    if list(stated["statements"]) != list(wanted.statements):
        yield f"program.statements are {', '.join(stated['statements'])}"
        return
    for name, text in wanted.statements.items():
        yield from _statement(stated["statements"][name], text, name, program)


def _statement(own: Document, text: StatementText, name: str, program: Program) -> Iterator[str]:
    """Differences of a stated statement from the wanted one."""
    path = f"program.statements.{name}"
    for key in ("process", "role"):
        if own[key] != getattr(text, key):
            yield f"{path}.{key} is {own[key]}, not {getattr(text, key)}"
    if own.get("latency", 1) != text.latency:
        yield f"{path}.latency is {own.get('latency', 1)}, not {text.latency}"
    if not _equal(own["domain"], text.domain, Set, program):
        yield f"{path}.domain is not the design's"
    if not _equal(own["schedule"], text.schedule, Map, program):
        yield f"{path}.schedule is not the design's"
    if len(own["accesses"]) != len(text.accesses):
        yield f"{path}.accesses are {len(own['accesses'])}, not {len(text.accesses)}"
        return
    for position, (one, access) in enumerate(zip(own["accesses"], text.accesses, strict=True)):
        where = f"{path}.accesses[{position}]"
        for key in ("array", "kind", "operand"):
            if one[key] != getattr(access, key):
                yield f"{where}.{key} is {one[key]}, not {getattr(access, key)}"
        if not _equal(one["map"], access.map, Map, program):
            yield f"{where}.map is not the design's"
    filters = own.get("filters", [])
    if [one["entries"] for one in filters] != [one.entries for one in text.filters]:
        yield f"{path}.filters are {len(filters)}, or of other entries"
        return
    for number, (one, given) in enumerate(zip(filters, text.filters, strict=True)):
        if not _equal(one["value"], given.value, Map, program):
            yield f"{path}.filters[{number}].value is not the design's"


def class_disagreements(
    program: Program, asked: ScheduleClass, name: str, document: Document
) -> Iterator[str]:
    """Differences of the class of orders in an array's plan from the one that the design asks."""
    stated, path = document["arrays"][name].get("class"), f"arrays.{name}.class"
    if (stated is None) != isinstance(asked, Given):
        said = "none" if stated is None else stated["schedules"]
        yield f"{path} is there on one side alone: it is {said}, the design asks for {asked.name}"
    if stated is None:
        return
    before = {str(one) for one in maps_of(asked.relation)} if isinstance(asked, Before) else None
    symbolic = isinstance(asked, AffineSchedules) and asked.is_symbolic
    own = None if stated["before"] is None else set(stated["before"])
    if (stated["schedules"], stated["symbolic"], own) != (asked.name, symbolic, before):
        yield f"{path} is of other orders, {stated['schedules']}, than the design's: {asked.name}"
    bands: tuple[Band, ...] = ()
    if isinstance(asked, Banded):
        found = asked.name == "tiled" and not asked.bands
        bands = loop_bands(program) if found else asked.bands
    kinds = ["tiled" if band.is_tiled else "sequential" for band in bands]
    if [band["kind"] for band in stated["bands"]] != kinds:
        yield f"{path}.bands are not the design's"
        return
    for position, (one, band) in enumerate(zip(stated["bands"], bands, strict=True)):
        maps = {each.domain().get_tuple_name(): str(each) for each in maps_of(band.rows)}
        if set(one["maps"]) != set(maps) or not all(
            _equal(one["maps"][key], text, Map, program) for key, text in maps.items()
        ):
            yield f"{path}.bands[{position}].maps are not the design's rows"


def _equal(stated: str, wanted: str, kind: Any, given: Program | ConflictInput) -> bool:
    """True if two texts are one set within the context."""
    if stated == wanted:
        return True
    parse = parse_set if kind is Set else parse_map
    found = parse(stated, parameters=given.parameters)
    other = kind(wanted)
    context = given.context.params()
    return bool(found.intersect_params(context).is_equal(other.intersect_params(context)))
