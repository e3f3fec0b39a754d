"""The shape of plan.json: keys, kinds of leaves and their classes; reading it within limits."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hlsmem_verify.outcomes import DEEPEST, DIGITS, MOST_BYTES, Refused
from hlsmem_verify.plan_keys import TABLE

FORMAT = "hlsmem-plan/4"


H, P, M, S = "hypothesis", "proved", "measured", "informative"


@dataclass(frozen=True)
class Leaf:
    """A text, number or truth value of a kind, with its class."""

    kind: str
    claim: str
    words: tuple[str, ...] = ()
    none: bool = False


@dataclass(frozen=True)
class Keys:
    """An object with these keys and no others; `maybe` are keys that may be missing. It `says` a
    sentence, and one of `each` key."""

    keys: dict[str, Any]
    maybe: tuple[str, ...] = ()
    none: bool = False
    says: str = ""
    each: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Named:
    """An object whose keys are of a kind."""

    kind: str
    values: Any


@dataclass(frozen=True)
class Many:
    """A list; null too where `none`."""

    items: Any
    none: bool = False


@dataclass(frozen=True)
class Row:
    """A list of so many entries, each of a shape of its own."""

    entries: tuple[Any, ...]


@dataclass(frozen=True)
class Either:
    """One of several shapes."""

    choices: tuple[Any, ...]


def table_of(table: str) -> dict[str, Keys]:
    """The objects of a table by name."""
    objects: dict[str, Keys] = {}
    for block in re.split(r"\n(?=\w)", table.strip()):
        head, *lines = block.split("\n")
        name, says = head.split(" -- ")
        own = [line.strip().split(" -- ") for line in lines]
        keys = {key: (shape, what) for (key, shape), what in ((k.split(" ", 1), w) for k, w in own)}
        objects[name] = Keys(
            keys={key.rstrip("~"): _read(shape, objects) for key, (shape, _) in keys.items()},
            maybe=tuple(key[:-1] for key in keys if key[-1] == "~"),
            says=says,
            each={key.rstrip("~"): what for key, (_, what) in keys.items()},
        )
    return objects


def _read(text: str, objects: dict[str, Keys]) -> Any:
    """One shape of the table."""
    tokens = re.findall(r"[\[\]<>{}()|?]|@\w+|[HPMS][.=][\w.,/-]+", text)[::-1]

    def one() -> Any:
        token = tokens.pop()
        shape: Any
        if token == "[":
            shape = Many(one())
        elif token in "<{":
            shape = Named("name" if token == "<" else "file", one())
        elif token == "(":
            entries = []
            while tokens[-1] != ")":
                entries.append(one())
            shape = Row(tuple(entries))
        elif token[0] == "@":
            shape = objects[token[1:]]
        else:
            claim = {"H": H, "P": P, "M": M, "S": S}[token[0]]
            words = tuple(token[2:].split(",")) if token[1] == "=" else ()
            shape = Leaf("word" if words else token[2:], claim, words)
        if token in "[<{(":
            tokens.pop()
        if tokens and tokens[-1] == "?":
            tokens.pop()
            shape = replace(shape, none=True)
        return shape

    choices = [one()]
    while tokens:
        tokens.pop()
        choices.append(one())
    return choices[0] if len(choices) == 1 else Either(tuple(choices))


OBJECTS = table_of(TABLE)
SHAPE = OBJECTS["plan"]


NAME = r"[A-Za-z_][A-Za-z0-9_]{0,299}"


# The texts of each kind of leaf and of names; others are judged where they are read.
PATTERNS = {
    "name": NAME,
    "file": r"[^\x00-\x1f\ud800-\udfff]{1,300}",
    "label": r"[A-Za-z0-9_.:@+-]{1,100}",
    "ratio": r"[0-9]{1,9}/[1-9][0-9]{0,8}",
    "text": r"[^\x00-\x08\x0b-\x1f\ud800-\udfff]{0,65536}",
    "formula": r"[A-Za-z0-9_ +*^()/-]{1,4096}",
    "isl": r"[A-Za-z0-9_' +*()/<>=,.:;\[\]{}\n-]{2,65536}",
}


LEAST = {"int": None, "natural": 0, "positive": 1}


KeyPath = tuple[str | int, ...]


def misfits(value: Any, shape: Any, path: KeyPath = ()) -> Iterator[str]:
    """Misfits of a value with the shape, with their paths."""
    match shape:
        case Keys() | Many() if value is None and shape.none:
            return
        case Keys():
            if not isinstance(value, dict):
                yield f"{joined(path) or 'the plan'} is no object"
                return
            for key in shape.keys:
                if key not in value and key not in shape.maybe:
                    yield f"{joined((*path, key))} is missing"
            for key, inner in value.items():
                if key not in shape.keys:
                    known = key[:40].encode(errors="backslashreplace").decode()
                    yield f"{joined((*path, known))} is no key of a plan"
                else:
                    yield from misfits(inner, shape.keys[key], (*path, key))
        case Named():
            if not isinstance(value, dict):
                yield f"{joined(path)} is no object"
                return
            for key, inner in value.items():
                if not re.fullmatch(PATTERNS[shape.kind], key):
                    yield f"{joined(path)} has {key[:40]!a}, which is no {shape.kind}"
                yield from misfits(inner, shape.values, (*path, key))
        case Many():
            if not isinstance(value, list):
                yield f"{joined(path)} is no list"
                return
            for position, inner in enumerate(value):
                yield from misfits(inner, shape.items, (*path, position))
        case Row():
            if not isinstance(value, list) or len(value) != len(shape.entries):
                yield f"{joined(path)} is no list of {len(shape.entries)}"
                return
            for position, (inner, one) in enumerate(zip(value, shape.entries, strict=True)):
                yield from misfits(inner, one, (*path, position))
        case Either():
            # Nobody means null by what is something else.
            choices = [one for one in shape.choices if value is None or not _is_null(one)]
            found = [list(misfits(value, one, path)) for one in choices]
            if all(found):
                yield min(found, key=lambda one: (len(one), -len(one[0])))[0]
        case _:
            if not _is_leaf(value, shape):
                yield f"{joined(path)} is {repr(value)[:60]}"


def _is_null(shape: Any) -> bool:
    return isinstance(shape, Leaf) and shape.kind == "null"


def _is_leaf(value: Any, leaf: Leaf) -> bool:
    if value is None:
        return leaf.none or leaf.kind == "null"
    if leaf.kind == "truth":
        return isinstance(value, bool)
    if leaf.kind in LEAST:
        least = LEAST[leaf.kind]
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (least is None or value >= least)
    if not isinstance(value, str) or leaf.kind == "null":
        return False
    return value in leaf.words if leaf.words else bool(re.fullmatch(PATTERNS[leaf.kind], value))


def leaves(value: Any, shape: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """(path, class) of every leaf of a value that has the shape."""
    match shape:
        case Keys() if value is not None:
            for key, inner in value.items():
                yield from leaves(inner, shape.keys[key], (*path, key))
        case Named():
            for key, inner in value.items():
                yield from leaves(inner, shape.values, (*path, key))
        case Many() if value is not None:
            for position, inner in enumerate(value):
                yield from leaves(inner, shape.items, (*path, position))
        case Row():
            for position, (inner, one) in enumerate(zip(value, shape.entries, strict=True)):
                yield from leaves(inner, one, (*path, position))
        case Either():
            one = next(one for one in shape.choices if not any(misfits(value, one)))
            yield from leaves(value, one, path)
        case Leaf():
            yield path, shape.claim
        case _:
            yield path, _first_claim(shape)


def _first_claim(shape: Any) -> str:
    """The class of what is null where it could be an object or a list."""
    while not isinstance(shape, Leaf):
        match shape:
            case Keys():
                shape = next(iter(shape.keys.values()))
            case Many():
                shape = shape.items
            case Named():
                shape = shape.values
            case Row():
                shape = shape.entries[0]
            case _:
                shape = shape.choices[0]
    return shape.claim


def joined(path: KeyPath) -> str:
    """A path as people read it: of two paths the texts may be equal."""
    parts = (f".{key}" if isinstance(key, str) else f"[{key}]" for key in path)
    return "".join(parts).removeprefix(".")


def read(file: Path) -> dict[str, Any]:
    """plan.json within its limits; raises Refused with the path of what is beyond."""
    try:
        if not file.is_file():  # to open a named pipe would wait for its writer
            raise Refused(f"{file} cannot be read")
        if file.stat().st_size > MOST_BYTES:
            raise Refused(f"{file} has more than {MOST_BYTES >> 20} MiB")
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Refused(f"{file} cannot be read") from None
    return document_of(text)


def parsed(text: str) -> Any:
    """The JSON in a text from anybody; raises Refused for what is no JSON, keys that are there
    twice, fractions, numbers of more digits than any plan has, and values that stand too deep."""
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=lambda one: _refuse(f"the number {one[:40]} is no integer"),
            parse_constant=lambda one: _refuse(f"{one} is no number"),
        )
    except json.JSONDecodeError as error:
        raise Refused(f"not JSON at line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise Refused(f"values stand more than {DEEPEST} deep") from None
    if _depth(document) > DEEPEST:
        raise Refused(f"values stand more than {DEEPEST} deep")
    return document


def document_of(text: str) -> dict[str, Any]:
    """The document in a text; raises Refused where it has not the shape of a plan."""
    document = parsed(text)
    made = document.get("format") if isinstance(document, dict) else None
    if made != FORMAT:
        raise Refused(f"the format is {str(made)[:40]!r}, not {FORMAT!r}")
    found = list(misfits(document, SHAPE))
    if found:
        raise Refused("; ".join(found[:8]))
    read: dict[str, Any] = document
    return read


def _refuse(what: str) -> Any:
    raise Refused(what)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise Refused(f"{twice!r} is there twice")
    return found


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        raise Refused(f"the number {digits[:DIGITS]}.. has more than {DIGITS} digits")
    return int(digits)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)
