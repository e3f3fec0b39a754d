"""A document checked against the schema: every problem in the user's words, with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.document import Document, KeyPath, shown

# Pydantic's kinds of errors: what is expected, and how to write it.
_EXPECTED = {
    "int_type": ("an integer", "write it like 64"),
    "float_type": ("a number", "write it like 0.9"),
    "string_type": ("a text", "put quotes around it"),
    "bool_type": ("true or false", "write true or false"),
    "tuple_type": ("a list", "write it as [item, item]"),
    "list_type": ("a list", "write it as [item, item]"),
    "dict_type": ("a mapping", "write it as {key: value}"),
    "model_type": ("a mapping", "write it as {key: value}"),
}
_OPTIONS = ("pipeline", "plan", "target", "host")
_KINDS = ("kernel", "network", "conflicts")


@dataclass(frozen=True, slots=True)
class Only:
    """`key` (dotted, `*` for any name) takes only these values so far; the first is the default."""

    key: str
    values: tuple[Any, ...]


# Keys and values that the format has and the code does not have yet.
NOT_YET = (
    Only("arrays.*.storage", (None, "external", "memory", "stream", "state", "datapath")),
    Only("plan.share", (False,)),
    Only("plan.objective", ("auto", "cells", "words", "blocks", "cycles")),
)


def validate(document: Document, problems: Problems) -> DesignKeys | None:
    """The keys of a design; what is wrong with them goes to `problems`.

    Where only options are wrong, or settings of a kernel's arrays, they are left out and the rest
    is returned, so that a reader can go on and find more; else None.
    """
    content = document.value
    if not isinstance(content, dict):
        what = "the file is empty" if content is None else "a design is a mapping of keys"
        problems.add(what, "begin it with hlsmem: 1 and name: NAME", document.place())
        return None
    content = _without_nothing(content)
    keys, bad = _validated(content)
    for alternatives in _by_value(bad, document):
        _report(alternatives, document, problems)
    wrong = {str(error["loc"][0]) for error in bad if error["loc"]}
    droppable = (*_OPTIONS, "arrays") if "kernel" in content else _OPTIONS
    if bad and all(_near_key(name, list(DesignKeys.model_fields)) in droppable for name in wrong):
        keys, _ = _validated(_without(content, wrong))
    if keys is not None:
        _one_kind(keys, document, problems)
        for path, what, remedy in unavailable(keys.model_dump()):
            problems.add(what, remedy, document.place(*path))
    return keys


def _validated(content: Any) -> tuple[DesignKeys | None, list[Any]]:
    try:
        return DesignKeys.model_validate(content), []
    except ValidationError as error:
        return None, _of_its_kind(error.errors(include_url=False))


def _without(content: dict[str, Any], wrong: set[str]) -> dict[str, Any]:
    """The content without what is wrong; of `arrays` the names stay, for the kernel to judge."""
    kept = {key: item for key, item in content.items() if key not in wrong}
    arrays = content.get("arrays")
    if "arrays" in wrong and isinstance(arrays, dict):
        kept["arrays"] = {name: {} for name in arrays}
    return kept


def _of_its_kind(errors: Sequence[Any]) -> list[Any]:
    """The errors without those that a list is no word, where the list itself is judged too.

    Of a list with a wrong item pydantic says besides that it has none.
    """
    found = []
    for one in errors:
        place = one["loc"][:-1]
        others = (other["loc"][: len(place)] == place for other in errors if other is not one)
        is_word = one["type"] == "literal_error" and isinstance(one["input"], list)
        is_filled = one["type"] == "too_short" and bool(one["input"])
        if not (is_filled or (is_word and any(others))):
            found.append(one)
    return found


def _without_nothing(content: dict[str, Any]) -> dict[str, Any]:
    """A section that is there but empty (`plan:` and nothing more) is as if left out."""
    kept = {key: item for key, item in content.items() if item is not None}
    if isinstance(arrays := kept.get("arrays"), dict):
        kept["arrays"] = {name: {} if item is None else item for name, item in arrays.items()}
    return kept


def _known_path(document: Document, location: tuple[Any, ...]) -> KeyPath:
    """The part of a pydantic location that the document has; it also names union members."""
    path: KeyPath = ()
    for step in location:
        if (*path, step) in document.values:
            path = (*path, step)
    return path


def _by_value(errors: Sequence[Any], document: Document) -> list[list[Any]]:
    """The errors, those of one value together: it is none of what it may be."""
    found: dict[object, list[Any]] = {}
    for number, one in enumerate(errors):
        is_of_value = one["type"] not in ("missing", "extra_forbidden")
        key = _known_path(document, tuple(one["loc"])) if is_of_value else number
        found.setdefault(key, []).append(one)
    return list(found.values())


def _report(alternatives: Sequence[Any], document: Document, problems: Problems) -> None:
    error = alternatives[0]
    kind, location = error["type"], tuple(error["loc"])
    path = _known_path(document, location)
    label = ".".join(str(step) for step in path) or "the design"
    if kind == "missing":
        name = location[-1]
        where = f" in {label}" if path else ""
        problems.add(f"the key {name!r} is missing{where}", "add it", document.key_place(*path))
        return
    if kind == "extra_forbidden":
        _report_unknown(path, document, problems)
        return
    wanted = dict.fromkeys(map(_expected, alternatives))
    expected = " or ".join(what for what, _ in wanted)
    _, remedy = next(iter(wanted))
    problems.add(
        f"{label} must be {expected}, not {shown(error['input'])}", remedy, document.place(*path)
    )


def _expected(error: Any) -> tuple[str, str]:
    """The expected value in words, and what to do."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind == "literal_error":
        return _one_of(context["expected"]), _near(error["input"], context)
    if kind == "greater_than_equal":
        return f"at least {context['ge']}", "choose a larger number"
    if kind == "too_short":
        return "a list that is not empty", "leave it out, or list something"
    if kind == "expected":
        return error["msg"], context["remedy"]
    return "something else", error["msg"]


def _report_unknown(path: KeyPath, document: Document, problems: Problems) -> None:
    name = str(path[-1])
    known = list(_model_at(path[:-1]).model_fields)
    near = _near_key(name, known)
    remedy = f"did you mean {near!r}?" if near else f"the keys are: {', '.join(known)}"
    where = f" in {'.'.join(str(step) for step in path[:-1])}" if path[:-1] else ""
    problems.add(f"unknown key {name!r}{where}", remedy, document.key_place(*path))


def _near_key(name: str, known: list[str]) -> str | None:
    return next(iter(get_close_matches(name, known, 1)), None)


def _model_at(path: KeyPath) -> type[BaseModel]:
    """The model of the mapping at `path`, which pydantic has just judged."""
    kind: Any = DesignKeys
    for step in path:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if isinstance(step, int):
                continue  # one of a list of such mappings
            kind = kind.model_fields[str(step)].annotation
        else:
            kind = get_args(kind)[-1]
        while get_origin(kind) in (Union, UnionType, Annotated):
            members = [member for member in get_args(kind) if member is not type(None)]
            kind = members[0]
    assert isinstance(kind, type)
    return kind


def _one_of(expected: str) -> str:
    return expected if expected.isdigit() else f"one of {expected.replace(' or ', ', ')}"


def _near(found: Any, context: Any) -> str:
    choices = re.findall(r"'(.*?)'", context["expected"]) or [context["expected"]]
    near = _near_key(found, choices) if isinstance(found, str) else None
    if near or len(choices) == 1:
        return f"did you mean {near!r}?" if near else f"write {choices[0]}"
    return "choose one of these"


def _one_kind(keys: DesignKeys, document: Document, problems: Problems) -> None:
    given = [kind for kind in _KINDS if getattr(keys, kind) is not None]
    if len(given) > 1:
        problems.add(
            f"a design has only one of kernel, network and conflicts, not {' and '.join(given)}",
            "keep one of them",
            document.key_place(given[1]),
        )
    if not given:
        empty = next((kind for kind in _KINDS if kind in document.value), None)
        problems.add(
            "a design needs one of kernel, network and conflicts",
            "add for example kernel: {file: KERNEL.c}",
            document.key_place(empty) if empty else document.key_place(),
        )


def unavailable(content: Any) -> Iterator[tuple[KeyPath, str, str]]:
    """Path, what is wrong and what to do, for every value that is not available yet.

    `content` is a design with all its keys, as plain values.
    """
    for only in NOT_YET:
        for path, value in _at(content, tuple(only.key.split("."))):
            if value not in only.values:
                label = ".".join(str(step) for step in path)
                choices = [repr(choice) for choice in only.values if choice not in (None, {})]
                use = f" or use {', '.join(choices)}" if len(choices) > 1 else ""
                yield path, f"{label}: {shown(value)} is not available yet", f"leave it out{use}"


def _at(content: Any, steps: tuple[str, ...], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    if not steps:
        yield path, content
        return
    for name in content if steps[0] == "*" else (steps[0],):
        yield from _at(content[name], steps[1:], (*path, name))
