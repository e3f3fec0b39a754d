"""The `arrays` key: what it declares for networks and conflict sets, and changes of C arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.core.wording import counted, listed
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program.model import Array, ElementType, Storage
from hlsmem.read.design_names import check_name, nearest
from hlsmem.read.design_schema import ArrayKeys
from hlsmem.read.texts import Texts

DEFAULT_TYPE = "int32"


def element_types(settings: Mapping[str, ArrayKeys]) -> dict[str, ElementType]:
    """The element types that the settings give."""
    return {name: ElementType(keys.type) for name, keys in settings.items() if keys.type}


def extents_of(
    settings: Mapping[str, ArrayKeys], texts: Texts
) -> dict[str, tuple[QuasiPolynomial, ...]]:
    """The extents that the settings give; what is wrong with them is a problem of `texts`."""
    found = {}
    for name, keys in settings.items():
        if keys.extents is None:
            continue
        extents = [
            texts.quantity("arrays", name, "extents", position, what=f"extent of {name!r}")
            for position in range(len(keys.extents))
        ]
        known = [extent for extent in extents if extent is not None]
        if len(known) == len(extents):
            found[name] = tuple(known)
    return found


def declared_array(
    name: str, keys: ArrayKeys, texts: Texts, *, index: tuple[str, ...], storage: Storage
) -> Array:
    """An array that design.yaml alone declares; `index` names its coordinates by default."""
    if keys.storage == "datapath":
        what = f"{name!r} is no variable of a kernel: no datapath is known that keeps it"
        texts.problem(what, "use storage: memory", "arrays", name, "storage")
    return Array(
        name=name,
        element=ElementType(keys.type or DEFAULT_TYPE),
        index=keys.index or index,
        extents=extents_of({name: keys}, texts).get(name),
        storage=Storage(keys.storage) if keys.storage else storage,
        style=keys.style,
        reads=keys.reads,
        parts=_parts(keys),
        max_banks=keys.max_banks,
        transfer=keys.transfer,
        word=keys.word,
        source_location=texts.document.key_place("arrays", name),
        values=values_of(name, keys, ElementType(keys.type or DEFAULT_TYPE), texts),
    )


def values_of(
    name: str, keys: ArrayKeys, element: ElementType, texts: Texts
) -> tuple[QuasiPolynomial, QuasiPolynomial] | None:
    """The bounds that the settings give values; what is wrong with them goes to `texts`."""
    if keys.values is None:
        return None
    path = ("arrays", name, "values")
    if element.is_float:
        what = f"values are bounds of integers, and {name!r} holds {element.name}"
        texts.problem(what, "remove it", *path)
        return None
    bounds = [texts.quantity(*path, at, what=f"values of {name!r}") for at in range(2)]
    low, high = bounds
    if low is None or high is None:
        return None
    for at, one in enumerate((low, high)):
        if not one.is_affine():
            what = f"values of {name!r}: {one} is not affine in the parameters"
            texts.problem(what, "write a number, or a sum such as 2*N - 1", *path, at)
            return None
    known = texts.parameters.values
    if (low.parameters() | high.parameters()) <= set(known):
        least, greatest = low.evaluate(known), high.evaluate(known)
        first, last = element.value_range
        if least > greatest:
            what = f"values of {name!r}: there is none from {least} to {greatest}"
            texts.problem(what, "write the least first", *path)
            return None
        if least < first or greatest > last:
            what = f"values of {name!r}: {element.name} has those from {first} to {last}"
            texts.problem(what, "choose a wider type, or other bounds", *path)
            return None
    return low, high


def _parts(keys: ArrayKeys) -> str | tuple[tuple[tuple[tuple[str, int], ...], str], ...]:
    """`parts` as they are asked for: a word, or (operands, kind) of each."""
    if isinstance(keys.parts, str):
        return keys.parts
    return tuple(
        (tuple(_operand(text) for text in part.operands), part.kind) for part in keys.parts
    )


def _operand(text: str) -> tuple[str, int]:
    stream, _, number = text.rpartition(".")
    return stream, int(number)


def check_array_names(
    settings: Mapping[str, ArrayKeys], texts: Texts, *, of_kernel: bool = False
) -> None:
    """Array and index names must be usable, and index names differ.

    Arrays of a kernel have the names that its C gives them.
    """
    for name, keys in settings.items():
        source_location = texts.document.key_place("arrays", name)
        if not of_kernel:
            check_name("array", name, source_location, texts.problems)
        names = keys.index or ()
        for position, entry in enumerate(names):
            source_location = texts.place("arrays", name, "index", position)
            check_name("index", entry, source_location, texts.problems, bare=True)
            if entry in names[:position]:
                what = f"the index {entry!r} of {name!r} stands here twice"
                texts.problems.add(what, "give every coordinate its own name", source_location)


def dimensions_of(name: str, keys: ArrayKeys, texts: Texts) -> int | None:
    """Number of dimensions that the settings declare; None where they leave it open."""
    extents, index = keys.extents, keys.index
    if extents is not None and index is not None and len(extents) != len(index):
        what = f"{name!r} has {len(extents)} extents, but {len(index)} index names"
        texts.problem(what, "give as many of both", "arrays", name, "index")
    declared = extents if extents is not None else index
    return None if declared is None else len(declared)


def refuse_elements(name: str, keys: ArrayKeys, texts: Texts) -> None:
    """`elements` is for conflict sets only."""
    if keys.elements is not None:
        remedy = "remove it: the accesses say which elements exist"
        texts.problem("elements belongs to conflict sets", remedy, "arrays", name, "elements")


def with_settings(array: Array, keys: ArrayKeys, texts: Texts) -> Array:
    """An array of a C kernel with the settings that do not change how the kernel is read."""
    refuse_elements(array.name, keys, texts)
    if keys.storage == "state" and array.storage is not Storage.STATE:
        what = f"{array.name!r} keeps nothing between calls that a later one may read"
        remedy = "state is for static variables that are read before they are written"
        texts.problem(what, remedy, "arrays", array.name, "storage")
    if keys.index is not None and len(keys.index) != len(array.index):
        found = counted(len(array.index), "dimension")
        what = f"{array.name!r} has {found}, but {len(keys.index)} index names"
        texts.problem(what, "give as many of both", "arrays", array.name, "index")
        return array
    return replace(
        array,
        index=keys.index or array.index,
        storage=Storage(keys.storage) if keys.storage else array.storage,
        style=keys.style,
        reads=keys.reads,
        parts=_parts(keys),
        max_banks=keys.max_banks,
        transfer=keys.transfer,
        word=keys.word,
        values=values_of(array.name, keys, array.element, texts) or array.values,
    )


def ranges_of(
    settings: Mapping[str, ArrayKeys], texts: Texts
) -> dict[str, tuple[QuasiPolynomial, QuasiPolynomial]]:
    """Value ranges from the settings; problems are reported at the setting."""
    found = {}
    for name, keys in settings.items():
        try:
            bounds = [parse_quasi_polynomial(str(one)) for one in keys.values or ()]
        except ValueError:
            continue
        known = set(texts.parameters.names)
        fit = all(one.is_affine() and one.parameters() <= known for one in bounds)
        if len(bounds) == 2 and fit:
            found[name] = (bounds[0], bounds[1])
    return found


# What can be asked of the array of the values of another.
_OF_VALUES = {"style", "reads", "parts", "max_banks"}


def with_settings_of_values(array: Array, name: str, keys: ArrayKeys, texts: Texts) -> Array:
    """An array that is put into single assignment, with settings for the array of its values."""
    for key in sorted(keys.model_fields_set - _OF_VALUES):
        what = f"arrays.{name}: {key} follows from {array.name!r}, whose values it holds"
        texts.problem(what, f"remove it; what can be said is {listed(sorted(_OF_VALUES))}",
            "arrays", name, key)  # fmt: skip
    of_values = replace(
        array,
        name=name,
        style=keys.style,
        reads=keys.reads,
        parts=_parts(keys),
        max_banks=keys.max_banks,
    )
    return replace(array, of_values=of_values)


def with_stream_times(array: Array, keys: ArrayKeys, texts: Texts, time_dimensions: int) -> Array:
    """The array with the `arrival` and `departure` of its settings."""
    return replace(
        array,
        arrival=_stream_time(array, keys, "arrival", texts, time_dimensions),
        departure=_stream_time(array, keys, "departure", texts, time_dimensions),
    )


def _stream_time(
    array: Array, keys: ArrayKeys, key: str, texts: Texts, time_dimensions: int
) -> Any:
    if getattr(keys, key) is None:
        return getattr(array, key)
    path = ("arrays", array.name, key)
    if array.storage is not Storage.STREAM:
        what = f"{array.name!r} has {key}, but is no stream"
        texts.problem(what, f"add storage: stream, or remove {key}", *path)
        return None
    relation = texts.map(*path, what=f"{key} of {array.name!r}")
    if relation is None or not check_tuple(relation.domain(), array, texts, path):
        return None
    if relation.dim(DimType.out) != time_dimensions:
        size = counted(relation.dim(DimType.out), "dimension")
        name = array.name
        what = f"{key} of {name!r} has times of {size}, but the schedules have {time_dimensions}"
        texts.problem(what, "give as many", *path)
        return None
    if not relation.is_single_valued():
        what = f"{key} of {array.name!r} has several times for one element"
        texts.problem(what, "give one time for every element", *path)
        return None
    return unnamed_range(relation)


def unnamed_range(relation: Any) -> Any:
    """The relation with an anonymous range."""
    named = relation.has_tuple_id(DimType.out)
    return relation.reset_tuple_id(DimType.out) if named else relation


def check_tuple(
    elements: Any, array: Array, texts: Texts, path: tuple[str | int, ...], *, named: bool = True
) -> bool:
    """True if a set holds elements of `array`: its name (or, if not `named`, none) and rank."""
    name = elements.get_tuple_name() if elements.has_tuple_name() else None
    if name != array.name and (named or name is not None):
        what = f"{name or 'an anonymous tuple'!r} stands where {array.name!r} is meant"
        texts.problem(what, f"write {array.name}[...]", *path)
        return False
    found = elements.dim(DimType.set)
    if found != len(array.index):
        what = (
            f"{array.name!r} has {counted(len(array.index), 'dimension')}, but {found} stand here"
        )
        texts.problem(what, "give an entry for every dimension", *path)
        return False
    return True


def unknown_array(
    name: str, known: Iterable[str], texts: Texts, path: tuple[str | int, ...]
) -> None:
    """Note that there is no array of that name."""
    remedy = nearest(name, list(known), f"add {name} to arrays")
    texts.problem(f"there is no array {name!r}", remedy, *path)


def with_room(context: Any, arrays: Iterable[Array]) -> Any:
    """The parameters of a context at which every array has an element, as C demands.

    Extents that are not affine in the parameters of the context are left alone.
    """
    names = parameter_names(context)
    extents = {
        extent
        for array in arrays
        for extent in array.extents or ()
        if extent.is_affine() and extent.parameters() <= set(names)
    }
    for extent in sorted(extents, key=str):
        room = Set(f"[{', '.join(names)}] -> {{ : {extent} >= 1 }}")
        if not context.is_subset(room):
            context = context.intersect(room).coalesce()
    return context
