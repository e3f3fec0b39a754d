"""The parameters of a design: names, values and the context they are planned for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import InputError, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import fix_parameters, with_parameters
from hlsmem.read.design_names import check_name
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.document import Document

_LARGEST = (1 << 31) - 1
_MOST = 64
"""Parameters of one design: each is a dimension of every set of isl, whether it is used or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """`values` has the parameters with a value; `context` is a parameter set over all names."""

    names: tuple[str, ...]
    values: Mapping[str, int]
    context: Any = field(compare=False)


def read_parameters(keys: DesignKeys, document: Document, problems: Problems) -> Parameters:
    """The parameters; bad names, a bad context and values outside of it go to `problems`.

    Raises InputError for more than 64 parameters and for values that do not fit in 32 bits.
    """
    _check_number(keys.params, document, problems)
    names = tuple(
        name
        for name in keys.params
        if check_name("parameter", name, document.key_place("params", name), problems, bare=True)
    )
    values = {name: value for name in names if (value := keys.params[name]) is not None}
    _check_range(values, document, problems)
    context = _context(keys, names, document, problems)
    _check_values(values, context, keys.context, document, problems)
    return Parameters(names=names, values=values, context=context)


def at_their_values(given: Parameters) -> Parameters:
    """The parameters with a context that holds their values alone."""
    conditions = " and ".join(f"{name} = {value}" for name, value in given.values.items())
    point = Set(f"[{', '.join(given.names)}] -> {{ : {conditions or 'true'} }}")
    return replace(given, context=given.context.intersect(point))


def _check_number(names: Mapping[str, int | None], document: Document, problems: Problems) -> None:
    if len(names) <= _MOST:
        return
    source_location = document.place("params", list(names)[_MOST])
    what = f"params has {len(names)} parameters: at most {_MOST} are read"
    problems.add(what, "leave out those that no text of the design uses", source_location)
    problems.raise_if_any()


def _check_range(values: Mapping[str, int], document: Document, problems: Problems) -> None:
    """Values that do not fit in 32 bits, as the arithmetic of generated C supposes, are fatal."""
    large = {name: value for name, value in values.items() if abs(value) > _LARGEST}
    for name, value in large.items():
        source_location = document.place("params", name)
        problems.add(
            f"{name}={value} does not fit in 32 bits", "choose a smaller value", source_location
        )
    if large:
        problems.raise_if_any()


def _context(
    keys: DesignKeys, names: tuple[str, ...], document: Document, problems: Problems
) -> Any:
    positive = " and ".join(f"{name} >= 1" for name in names)
    default = Set(f"[{', '.join(names)}] -> {{ : {positive} }}")
    if keys.context is None:
        return default
    span = document.span("context")
    try:
        context = parse_set(keys.context, parameters=names, source_location=span, what="context")
    except InputError as error:
        problems.extend(error)
        return default
    if not context.is_params():
        remedy = "write it like [N] -> { : N >= 3 }"
        problems.add("context has a tuple, but speaks of parameters only", remedy, span.place())
        return default
    if context.is_empty():
        problems.add("context allows no values at all", "remove what contradicts", span.place())
        return default
    return with_parameters(context, names)


def _check_values(
    values: Mapping[str, int],
    context: Any,
    text: str | None,
    document: Document,
    problems: Problems,
) -> None:
    if not fix_parameters(context, values).is_empty():
        return
    alone = [name for name in values if fix_parameters(context, {name: values[name]}).is_empty()]
    wrong = {name: values[name] for name in alone} or values
    shown = ", ".join(f"{name}={value}" for name, value in wrong.items())
    verb = "is" if len(wrong) == 1 else "are"
    shown_context = repr(text) if text else "that every parameter is at least 1"
    problems.add(
        f"{shown} {verb} outside of the context {shown_context}",
        "choose other values, or change the context",
        _place_of(wrong, document),
    )


def _place_of(wrong: Mapping[str, int], document: Document) -> SourceLocation:
    places = [document.place("params", name) for name in wrong]
    return next(
        (source_location for source_location in places if not source_location.line), places[0]
    )
