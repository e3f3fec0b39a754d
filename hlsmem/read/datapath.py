"""Variables of a kernel that its datapath keeps: they have neither a memory nor a stream.

Such are scalars, and arrays all of whose subscripts are numbers by now, that one loop nest alone
touches. Statements outside of loops run once and count for none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.errors import Note, Problem
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import fixed_entries
from hlsmem.program.model import Access, Array, Statement, Storage
from hlsmem.read.design_schema import ArrayKeys
from hlsmem.read.texts import Texts

_REMEDY = "use storage: memory"
# What asks for a memory of an array, in a design or by a pragma.
_OF_MEMORIES = {"storage", "style", "reads", "parts", "max_banks"}


def kept_by_datapaths(
    arrays: Mapping[str, Array],
    statements: Sequence[Statement],
    settings: Mapping[str, ArrayKeys],
    others: Collection[str],
) -> dict[str, Array]:
    """The arrays where each that the datapath can keep is one that it does, but for `others`, and
    those of which the design says how they are stored."""
    found = dict(arrays)
    for name, array in arrays.items():
        asked = settings.get(name, ArrayKeys()).model_fields_set & _OF_MEMORIES
        if array.storage is not Storage.MEMORY or asked or name in others:
            continue
        if next(_objections(array, statements), None) is None:
            found[name] = replace(array, storage=Storage.DATAPATH)
    return found


def refuse_other_datapaths(
    arrays: Mapping[str, Array], statements: Sequence[Statement], texts: Texts
) -> None:
    """Tell why the datapath cannot keep arrays of which the design says so."""
    for name, array in arrays.items():
        if array.storage is Storage.DATAPATH:
            for one in _objections(array, statements):
                source_location = texts.place("arrays", name, "storage")
                texts.problems.add(one.what, one.remedy, source_location, one.notes)
                break


def _objections(array: Array, statements: Sequence[Statement]) -> Iterator[Problem]:
    """Why a datapath cannot keep an array."""
    name = array.name
    if array.is_parameter or array.is_shared:
        what = "is a parameter" if array.is_parameter else "is seen outside of the region"
        notes = (
            () if array.source_location is None else (Note("declared here", array.source_location),)
        )
        what = f"{name!r} {what}: no datapath keeps it"
        yield Problem(what, "use storage: external", None, notes)
        return
    if array.extents is None or any(one.constant_value() is None for one in array.extents):
        yield Problem(f"the datapath keeps {name!r} where its size is a number", _REMEDY)
    touching = [(one, access) for one in statements for access in _accesses(one, name)]
    for _, access in touching:
        elements = access.relation.range()
        if access.chosen or len(fixed_entries(elements.coalesce())) < len(array.index):
            what = f"the datapath keeps {name!r} where its subscripts are numbers, and one is none"
            yield Problem(what, _REMEDY, None, _notes(("the access", access)))
    nests: dict[int, Access] = {}
    for statement, access in touching:
        if statement.iterators and not statement.domain.is_empty():
            nests.setdefault(_nest_of(statement), access)
    if len(nests) > 1:
        first, second, *_ = nests.values()
        what = f"the datapath of one loop nest keeps {name!r}, and {len(nests)} touch it"
        yield Problem(what, _REMEDY, None, _notes(("one nest", first), ("another one", second)))
    for statement in statements:
        for own in statement.filters:
            for access in own.accesses:
                if access.array == name:
                    what = f"conditions look at {name!r}, and streams wait for what they say"
                    yield Problem(what, _REMEDY, None, _notes(("a condition", access)))


def _accesses(statement: Statement, array: str) -> list[Access]:
    return [one for one in (*statement.reads, *statement.writes) if one.array == array]


def _nest_of(statement: Statement) -> int:
    """The slot of the outermost loop around a statement."""
    times = statement.schedule.intersect_domain(statement.domain).range().coalesce()
    return int(times.plain_get_val_if_fixed(DimType.set, 0).to_python())


def _notes(*found: tuple[str, Access]) -> tuple[Note, ...]:
    return tuple(Note(text, one.source_location) for text, one in found)
