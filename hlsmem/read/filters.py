"""Filters of statements: the elements they look at, and the values with which instances run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.errors import Note
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.wording import counted, listed
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.relations import dimension_names
from hlsmem.program.model import Access, Array, Filter, Statement
from hlsmem.read.array_keys import unnamed_range
from hlsmem.read.design_schema import FilterKeys, StatementKeys
from hlsmem.read.document import KeyPath
from hlsmem.read.texts import Texts, example_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterDraft:
    """A filter as it stands in the document, where `path` leads to it."""

    filter: Filter
    keys: FilterKeys
    path: KeyPath

    def accesses(self) -> list[tuple[KeyPath, str, Access]]:
        """Every access with its path and its isl text."""
        return [
            ((*self.path, "access", at), self.keys.access[at], access)
            for at, access in enumerate(self.filter.accesses)
        ]


def read_filters(
    name: str, keys: StatementKeys, domain: Any, texts: Texts, path: KeyPath
) -> tuple[FilterDraft, ...] | None:
    """The filters of a statement; None where one could not be read. `domain` may be unknown."""
    several = isinstance(keys.filter, tuple)
    listed_keys = keys.filter if isinstance(keys.filter, tuple) else (keys.filter,)
    found = []
    for at, one in enumerate(listed_keys):
        own = (*path, "filter", at) if several else (*path, "filter")
        found.append(_filter(name, one, domain, texts, own))
    known = tuple(one for one in found if one is not None)
    if domain is not None:
        _check_disjoint(name, known, texts)
    return known if len(known) == len(found) else None


def _filter(
    name: str, keys: FilterKeys, domain: Any, texts: Texts, path: KeyPath
) -> FilterDraft | None:
    if not keys.access:
        what = f"the filter of {name!r} looks at nothing"
        remedy = "name an element that decides, or remove the filter"
        texts.problem(what, remedy, *path, "access")
        return None
    accesses = [_access(name, at, domain, texts, path) for at in range(len(keys.access))]
    value = _value(name, keys, domain, texts, (*path, "value"))
    if value is not None:
        for at, access in enumerate(accesses):
            if access is not None:
                _check_total(name, access, value, texts, (*path, "access", at))
    known = tuple(access for access in accesses if access is not None)
    if value is None or len(known) < len(accesses):
        return None
    found = Filter(
        accesses=known, value=value, loops=keys.loops, source_location=texts.place(*path, "value")
    )
    return FilterDraft(filter=found, keys=keys, path=path)


def _access(name: str, at: int, domain: Any, texts: Texts, path: KeyPath) -> Access | None:
    path = (*path, "access", at)
    relation = texts.map(*path, what=f"entry {at} of the filter of {name!r}")
    if relation is None or not _is_of(relation.domain(), name, domain, texts, path):
        return None
    if not relation.has_tuple_name(DimType.out):
        what = f"entry {at} of the filter of {name!r} names no array"
        texts.problem(what, "write it like { S[i] -> c[i] }", *path)
        return None
    if domain is not None:
        relation = relation.intersect_domain(domain)
    array = relation.get_tuple_name(DimType.out)
    return Access(array=array, relation=relation, source_location=texts.place(*path))


def _is_of(instances: Any, name: str, domain: Any, texts: Texts, path: KeyPath) -> bool:
    """True if a set is of instances of the statement."""
    found = instances.get_tuple_name() if instances.has_tuple_name() else None
    if found != name:
        shown = repr(found) if found else "an anonymous tuple"
        texts.problem(f"{shown} stands where {name!r} is meant", f"write {name}[...]", *path)
        return False
    if domain is not None and instances.dim(DimType.set) != domain.dim(DimType.set):
        wanted = counted(domain.dim(DimType.set), "dimension")
        what = f"{name!r} has {wanted}, but {instances.dim(DimType.set)} stand here"
        texts.problem(what, "write the tuple of the domain", *path)
        return False
    return True


def _value(name: str, keys: FilterKeys, domain: Any, texts: Texts, path: KeyPath) -> Any:
    value = texts.map(*path, what=f"the filter of {name!r}")
    if value is None or not _is_of(value.domain(), name, domain, texts, path):
        return None
    if value.has_tuple_name(DimType.out):
        what = f"the filter of {name!r} has values of {value.get_tuple_name(DimType.out)!r}"
        texts.problem(what, "write them without a name, like { S[i] -> [1] }", *path)
        return None
    found, wanted = value.dim(DimType.out), len(keys.access)
    if found != wanted:
        entries = counted(wanted, "element")
        what = f"the filter of {name!r} looks at {entries}, but has values for {found}"
        texts.problem(what, "give an entry of value for every entry of access", *path)
        return None
    value = unnamed_range(value)
    if domain is None:
        return value
    value = value.intersect_domain(domain)
    if value.intersect_params(texts.parameters.context).is_empty():
        what = f"the filter of {name!r} is for no instance"
        texts.problem(what, "compare its domain with the statement's, or remove it", *path)
        return None
    return value


def _check_total(name: str, access: Access, value: Any, texts: Texts, path: KeyPath) -> None:
    missing = value.domain().intersect_params(texts.parameters.context)
    missing = missing.subtract(access.relation.domain())
    if not missing.is_empty():
        what = (
            f"the filter of {name!r} looks at no element of {access.array!r}"
            f" at {example_of(missing, texts.parameters)}"
        )
        texts.problem(what, "let every entry of access cover the domain of value", *path)


def _check_disjoint(name: str, drafts: Sequence[FilterDraft], texts: Texts) -> None:
    context = texts.parameters.context
    for at, draft in enumerate(drafts):
        for other in drafts[:at]:
            both = draft.filter.value.domain().intersect(other.filter.value.domain())
            both = both.intersect_params(context)
            if not both.is_empty():
                what = f"two filters of {name!r} are for {example_of(both, texts.parameters)}"
                texts.problems.add(
                    what,
                    "let their domains be disjoint, or make one of them with more entries",
                    draft.filter.source_location,
                    [Note("the other one", other.filter.source_location)],
                )


def check_values(
    statement: Statement, filters: Sequence[FilterDraft], arrays: Mapping[str, Array], texts: Texts
) -> None:
    """Conditions are integers, and every filter holds for some of the values they can have."""
    for draft in filters:
        one = draft.filter
        mine = [arrays.get(access.array) for access in one.accesses]
        known = [array for array in mine if array is not None]
        if len(known) < len(mine):
            continue
        floats = [array for array in known if array.element.is_float]
        for array in floats:
            texts.problems.add(
                f"the filter of {statement.name!r} looks at {array.name!r}, which holds"
                f" {array.element.name}",
                "compare in a statement of its own that writes a uint1",
                _place_of(one, array.name),
            )
        if floats:
            continue
        context = texts.parameters.context
        box = value_box(known, texts.parameters.names)
        if one.value.intersect_range(box).intersect_params(context).is_empty():
            ranges = listed(
                tuple(
                    f"{name!r} has values from {array.value_range[0]} to {array.value_range[1]}"
                    for name, array in {array.name: array for array in known}.items()
                )
            )
            texts.problems.add(
                f"the filter of {statement.name!r} never lets it run: {ranges}",
                "correct value, or the arrays' values",
                one.source_location,
            )


def value_box(arrays: Sequence[Array], parameters: Sequence[str]) -> Any:
    """The tuples of values that elements of some arrays, one each, can have."""
    names = dimension_names("v", len(arrays), parameters)
    bounds = [
        f"{array.value_range[0]} <= {name} <= {array.value_range[1]}"
        for name, array in zip(names, arrays, strict=True)
    ]
    inside = " and ".join(bounds) or "true"
    return Set(f"[{', '.join(parameters)}] -> {{ [{', '.join(names)}] : {inside} }}")


def _place_of(one: Filter, array: str) -> SourceLocation | None:
    return next(access.source_location for access in one.accesses if access.array == array)
