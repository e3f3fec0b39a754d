"""Parts of arrays as plan.json has them: the program in which each is an array of its own.

An array in several parts becomes arrays X_0, X_1, ..; a write of X goes to all of them, to each
with the elements that it takes; a read comes from the part that lists it. What holds for arrays is
then judged for parts. Made from plan.json and the program alone: nothing of the planner says what a
part reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any

from hlsmem.check.plans.plan_holdings import bounds_of, parts_of
from hlsmem.core.errors import InputError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, UnionSet, Val
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Array, ConflictInput, Program, Statement, Storage
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem_verify.kinds import KINDS

Document = Mapping[str, Any]
Operand = tuple[str, int]

DRAIN = "drain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part, an array `name` of the divided program.

    `takes` are the elements written into it, None: all. `entry` is the part in the shape of an
    array of plan.json: index, element, bounds, and its own mapping, memory, base and banks.
    """

    name: str
    array: str
    operands: tuple[Operand, ...]
    entry: Document = field(compare=False)
    takes: Any = field(default=None, compare=False)

    @property
    def has_addresses(self) -> bool:
        return self.entry["mapping"] is not None

    @property
    def is_window(self) -> bool:
        """True if a write waits for all accesses of its cell before it, in no schedule's order."""
        return bool(self.entry["kind"] == "window")


@dataclass(frozen=True, slots=True, kw_only=True)
class Divided:
    """The divided program (None: a conflict set) with plan.json's arrays replaced by their parts.

    `faults` say by array what is wrong with its parts; such an array is left as it is.
    """

    source: Program | ConflictInput = field(compare=False)
    document: Document = field(compare=False)
    parts: tuple[Part, ...]
    faults: Mapping[str, str]

    @property
    def program(self) -> Program:
        assert isinstance(self.source, Program)
        return self.source

    def of(self, array: str) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.array == array)

    def is_divided(self, array: str) -> bool:
        return any(part.name != array for part in self.of(array))


def operand_text(operand: Operand) -> str:
    """`m_y_S5.0`, as in `arrays.X.parts`."""
    return f"{operand[0]}.{operand[1]}"


def divide(source: Program | ConflictInput, document: Document) -> Divided:
    """The program with its arrays in the parts that plan.json has them in."""
    parts: list[Part] = []
    faults: dict[str, str] = {}
    for name, own in document["arrays"].items():
        array = _array(source, name)
        if array is None:
            continue
        try:
            found = _parts(source, array, own, document["memories"])
        except (ValueError, KeyError, TypeError) as error:
            faults[name] = f"its parts cannot be read: {error}"
            continue
        fault = next(_faults(source, array, found), None)
        if fault is None:
            parts += found
        else:
            faults[name] = fault
    view = {part.name: part.entry for part in parts}
    divided: Program | ConflictInput = source
    if isinstance(source, Program):
        for name in dict.fromkeys(part.array for part in parts):
            own_parts = [part for part in parts if part.array == name]
            assert isinstance(divided, Program)
            divided = _divided(divided, name, own_parts)
    return Divided(
        source=divided, document={**document, "arrays": view}, parts=tuple(parts), faults=faults
    )


def operands_of(program: Program, array: Array) -> tuple[Operand, ...]:
    """The operands of all read streams of an array, counted in textual order within a beat.

    A statement that reads nothing of it at the plan's parameters has no stream. An array of which
    data decide what is read, or whether it is written, has none at all, and neither has state of
    which no first contents are known.
    """
    if array.storage is Storage.STATE and array.first is None:
        return ()
    accesses = [(one, False) for s in program.statements for one in s.reads]
    accesses += [(one, True) for s in program.statements for one in s.writes if not s.filters]
    if only_looked_at(program, array.name) or any(
        one.chosen or (is_write and not one.must)
        for one, is_write in accesses
        if one.array == array.name
    ):
        return ()
    found: list[Operand] = []
    for statement in program.statements:
        if _is_dead(program, statement, array.name):
            continue
        many = sum(access.array == array.name for access in statement.reads)
        lanes = len(lanes_of(program, statement))
        found += [(f"m_{array.name}_{statement.name}", k) for k in range(many * lanes)]
    if array.storage is Storage.MEMORY and _has(program.live_out, array.name):
        found.append((f"m_{array.name}_{DRAIN}", 0))
    return tuple(found)


def only_looked_at(program: Program, array: str) -> bool:
    """True if an array is for filters alone: it is no operand, and is not live-out."""
    looked = any(
        access.array == array
        for statement in program.statements
        for one in statement.filters
        for access in one.accesses
    )
    is_read = any(a.array == array for s in program.statements for a in s.reads)
    return looked and not is_read and not _has(program.live_out, array)


def _is_dead(program: Program, statement: Statement, array: str) -> bool:
    """True if a statement's reads of an array have no instance at the plan's parameters."""
    domain = fix_parameters(statement.domain, program.values)
    own = [access.relation for access in statement.reads if access.array == array]
    return bool(own) and all(
        fix_parameters(one, program.values).intersect_domain(domain).is_empty() for one in own
    )


def lanes_of(program: Program, statement: Statement) -> list[tuple[int, ...]]:
    """The lanes in which a statement has instances; one, (), where nothing is unrolled."""
    if not program.lanes:
        return [()]
    first = program.step_dimensions
    times = fix_parameters(
        statement.schedule.intersect_domain(statement.domain), program.values
    ).range()
    found = []
    for lane in product(*(range(size) for size in program.lanes)):
        inside = times
        for column, value in enumerate(lane, start=first):
            inside = inside.fix_val(DimType.set, column, Val(value))
        if not inside.is_empty():
            found.append(lane)
    return found


def _array(source: Program | ConflictInput, name: str) -> Array | None:
    if isinstance(source, Program):
        planned = {array.name: array for array in source.planned_arrays()}
        return planned.get(name)
    return source.conflicts[name].array if name in source.conflicts else None


def _has(elements: Any, array: str) -> bool:
    sets = elements.get_set_list()
    return any(sets.get_at(k).get_tuple_name() == array for k in range(sets.n_set()))


def _parts(
    source: Program | ConflictInput, array: Array, own: Document, memories: Document
) -> list[Part]:
    """The parts of one array, as they are written; ValueError for what cannot be read."""
    shared = {key: own[key] for key in ("index", "element")}
    shared |= {"declared": None, "bounds": []}
    several = len(parts_of(own)) > 1
    found = []
    for part in parts_of(own):
        if part["memory"] not in memories:
            raise ValueError(f"memory {part['memory']!r} is not in the plan")
        entry = {**shared, **part, "kind": memories[part["memory"]]["kind"]}
        if not several and entry["kind"] != "window":  # which has fewer cells than a schedule needs
            entry["bounds"] = bounds_of(own)
        found.append(
            Part(
                name=part["memory"] if several else array.name,
                array=array.name,
                operands=tuple((str(stream), int(k)) for stream, k in part["operands"]),
                entry=entry,
                takes=_takes(part["takes"], source, array),
            )
        )
    return found


def _takes(text: str | None, source: Program | ConflictInput, array: Array) -> Any:
    if text is None:
        return None
    try:
        found = parse_set(text, parameters=source.parameters, what="takes")
    except InputError as error:
        raise ValueError("; ".join(problem.what for problem in error.problems)) from None
    if found.dim(DimType.set) != len(array.index):
        raise ValueError(f"takes {text} has no {len(array.index)} dimensions")
    return found


def _faults(source: Program | ConflictInput, array: Array, parts: Sequence[Part]) -> Iterator[str]:
    """Contradictions to the program, or to any circuit, found before anything is computed."""
    if not parts:
        yield "no part holds it"
    wanted = operands_of(with_predicate_reads(source), array) if isinstance(source, Program) else ()
    served = Counter(operand for part in parts for operand in part.operands)
    for operand in wanted:
        if served[operand] != 1:
            where = "no part" if not served[operand] else f"{served[operand]} parts"
            yield f"{operand_text(operand)} is read from {where}"
    for operand in served:
        if operand not in wanted:
            yield f"{operand_text(operand)} is no operand of its streams"
    if len(parts) > 1 and isinstance(source, Program):
        if source.lanes:
            yield "its loops are unrolled, and it is in several parts"
        if _has(source.live_in, array.name) and array.storage is Storage.MEMORY:
            yield "it has values before the start, and is in several parts"
        for part in parts:
            if part.name in source.arrays:
                yield f"{part.name} is a part of it and another array"
    if len({part.entry["memory"] for part in parts}) != len(parts):
        yield "two of its parts are in one memory"
    for part in parts:
        yield from _kind_faults(part)


def _kind_faults(part: Part) -> Iterator[str]:
    kind, taps = part.entry["kind"], part.entry["taps"]
    known = KINDS.get(kind)
    if not known or not (known.has_mapping if part.has_addresses else known.is_ordered):
        without = "a mapping" if part.has_addresses else "no mapping"
        yield f"{part.name} has {without} in a memory of kind {kind}"
    if part.has_addresses and taps is not None:
        yield f"{part.name} has taps and a mapping"
    if not part.has_addresses and known and (taps is None) == known.has_taps:
        yield f"{part.name} has {'no taps' if taps is None else 'taps'} in a memory of kind {kind}"
    if kind == "wire" and any(taps or ()):
        yield f"{part.name} has taps {taps} in a wire, which keeps nothing"
    if taps is not None and len(taps) != len(part.operands):
        yield f"{part.name} has {len(taps)} taps for {len(part.operands)} operands"
    if not part.has_addresses and any(
        stream == f"m_{part.array}_{DRAIN}" for stream, _ in part.operands
    ):
        yield f"{part.name} is drained, and nothing stays in a memory of kind {kind}"


def _divided(program: Program, name: str, parts: Sequence[Part]) -> Program:
    """The program with the parts of one array in its place; reads without a beat are left out."""
    is_whole = len(parts) == 1 and parts[0].takes is None
    if is_whole and not any(_is_dead(program, one, name) for one in program.statements):
        return program
    part_of = {operand: part.name for part in parts for operand in part.operands}
    arrays: dict[str, Array] = {}
    for key, one in program.arrays.items():
        if key == name:
            arrays |= {part.name: replace(one, name=part.name) for part in parts}
        else:
            arrays[key] = one
    return replace(
        program,
        arrays=arrays,
        statements=tuple(_statement(one, name, parts, part_of) for one in program.statements),
        live_out=_renamed(program.live_out, name, part_of.get((f"m_{name}_{DRAIN}", 0))),
    )


def _statement(
    statement: Statement, name: str, parts: Sequence[Part], part_of: Mapping[Operand, str]
) -> Statement:
    reads, number = [], 0
    for access in statement.reads:
        if access.array == name:
            held = part_of.get((f"m_{name}_{statement.name}", number))
            number += 1
            if held is None:
                continue
            access = _moved(access, held)
        reads.append(access)
    writes: list[Access] = []
    for access in statement.writes:
        if access.array != name:
            writes.append(access)
            continue
        for part in parts:
            own = _moved(access, part.name)
            if part.takes is not None:
                taken = part.takes.set_tuple_name(part.name)
                own = replace(own, relation=own.relation.intersect_range(taken))
            writes.append(own)
    return replace(statement, reads=tuple(reads), writes=tuple(writes))


def _moved(access: Access, part: str) -> Access:
    return replace(access, array=part, relation=access.relation.set_tuple_name(DimType.out, part))


def _renamed(elements: Any, name: str, part: str | None) -> Any:
    """The live elements with those of an array as elements of a part, None: of none."""
    sets = elements.get_set_list()
    found = elements
    for k in range(sets.n_set()):
        one = sets.get_at(k)
        if one.get_tuple_name() == name:
            found = found.subtract(UnionSet.from_set(one))
            if part is not None:
                found = found.union(UnionSet.from_set(one.set_tuple_name(part)))
    return found
