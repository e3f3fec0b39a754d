"""Bare conflict sets: which elements of an array are alive together, given as isl text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.sets import differences, symmetric_with_zero, without_name
from hlsmem.program.model import Array, ConflictSet, Storage
from hlsmem.read.array_keys import (
    check_array_names,
    check_tuple,
    declared_array,
    dimensions_of,
    unknown_array,
)
from hlsmem.read.design_schema import ArrayKeys, ConflictKeys
from hlsmem.read.document import KeyPath
from hlsmem.read.texts import Texts, default_index, example_of, index_names


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """The value of a conflict key: a set of differences or a relation of pairs, and its text."""

    path: KeyPath
    text: str
    differences: Any = None
    pairs: Any = None

    def tuples(self) -> list[Any]:
        """The sets of its tuples."""
        if self.pairs is None:
            return [self.differences]
        return [self.pairs.domain(), self.pairs.range()]


def read_conflicts(
    conflicts: Mapping[str, ConflictKeys], settings: Mapping[str, ArrayKeys], texts: Texts
) -> dict[str, ConflictSet]:
    """The conflict sets by array, in the order of `arrays` and not restricted to the context.

    All problems go to `texts`; arrays that could not be read are left out.
    """
    check_array_names(settings, texts)
    for name in conflicts:
        if name not in settings:
            unknown_array(name, settings, texts, ("conflicts", name))
    for name in settings:
        if name not in conflicts:
            source_location = texts.document.key_place("arrays", name)
            remedy = f"add conflicts: {{{name}: {{differences: ...}}}}"
            texts.problems.add(f"{name!r} has no conflict set", remedy, source_location)
    found = {
        name: _conflict_set(name, conflicts[name], settings[name], texts)
        for name in settings
        if name in conflicts
    }
    return {name: conflict for name, conflict in found.items() if conflict is not None}


def _conflict_set(
    name: str, keys: ConflictKeys, settings: ArrayKeys, texts: Texts
) -> ConflictSet | None:
    _check_settings(name, settings, texts)
    elements = None
    if settings.elements is not None:
        elements = texts.set("arrays", name, "elements", what=f"elements of {name!r}")
    given = _given(name, keys, texts)
    if given is None or (settings.elements is not None and elements is None):
        return None
    array = _array(name, settings, given, elements, texts)
    valid = [check_tuple(one, array, texts, given.path, named=False) for one in given.tuples()]
    if elements is not None:
        path = ("arrays", name, "elements")
        valid.append(check_tuple(elements, array, texts, path, named=False))
        elements = elements.set_tuple_name(name)
    if not all(valid):
        return None
    if given.pairs is None:
        given_differences = without_name(given.differences)
        closed = symmetric_with_zero(given_differences)
        return ConflictSet(
            array=array,
            differences=closed,
            elements=elements,
            closed=not closed.is_equal(given_differences),
        )
    return _from_pairs(array, given.pairs, elements, texts)


def _from_pairs(array: Array, pairs: Any, elements: Any, texts: Texts) -> ConflictSet:
    for side in (DimType.in_, DimType.out):
        pairs = pairs.set_tuple_name(side, array.name)
    if elements is not None:
        outside = pairs.domain().union(pairs.range()).subtract(elements)
        if not outside.intersect_params(texts.parameters.context).is_empty():
            example = example_of(outside, texts.parameters)
            what = f"{example} conflicts, but is none of the elements of {array.name!r}"
            remedy = "add it to elements, or bound the pairs to them"
            texts.problem(what, remedy, "conflicts", array.name, "pairs")
    symmetric = pairs.union(pairs.reverse()).coalesce()
    return ConflictSet(
        array=array,
        differences=without_name(differences(symmetric)),
        pairs=symmetric.subtract(Map.identity(symmetric.get_space())),
        elements=elements,
        closed=not symmetric.is_equal(pairs),
    )


def _given(name: str, keys: ConflictKeys, texts: Texts) -> _Given | None:
    if (keys.differences is None) == (keys.pairs is None):
        both = "both differences and pairs" if keys.pairs else "neither differences nor pairs"
        source_location = texts.document.key_place("conflicts", name)
        texts.problems.add(f"{name!r} has {both}", "give one of the two", source_location)
        return None
    if keys.pairs is not None:
        path = ("conflicts", name, "pairs")
        pairs = texts.map(*path, what=f"pairs of {name!r}")
        return None if pairs is None else _Given(path=path, text=keys.pairs, pairs=pairs)
    assert keys.differences is not None
    path = ("conflicts", name, "differences")
    found = texts.set(*path, what=f"differences of {name!r}")
    return None if found is None else _Given(path=path, text=keys.differences, differences=found)


def _array(name: str, settings: ArrayKeys, given: _Given, elements: Any, texts: Texts) -> Array:
    declared = dimensions_of(name, settings, texts)
    known = elements if elements is not None else given.tuples()[0]
    size = declared if declared is not None else known.dim(DimType.set)
    candidates = [
        names
        for text in (settings.elements or "", given.text)
        for label in (name, "")
        if (names := index_names(text, label, size))
    ]
    index = candidates[0] if candidates else default_index(size)
    return declared_array(name, settings, texts, index=index, storage=Storage.MEMORY)


def _check_settings(name: str, settings: ArrayKeys, texts: Texts) -> None:
    """A conflict set has no order, hence nothing that enters or leaves."""
    if settings.storage not in (None, "memory", "rom"):
        what = f"{name!r} has storage {settings.storage!r}, but a conflict set has no accesses"
        texts.problem(what, "leave storage out, or use 'memory'", "arrays", name, "storage")
    for key in ("arrival", "departure"):
        if getattr(settings, key) is not None:
            what = f"{name!r} has {key}, but a conflict set has no times"
            texts.problem(what, "remove it", "arrays", name, key)
    for key in ("reads", "parts", "max_banks"):
        if getattr(settings, key) != ArrayKeys.model_fields[key].default:
            what = f"{name!r} has {key}, but a conflict set has no accesses"
            texts.problem(what, "remove it", "arrays", name, key)
