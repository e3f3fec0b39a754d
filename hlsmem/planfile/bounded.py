"""The JSON of a plan from anybody: read within limits, each told with the path of the field.

What is larger is no plan that hlsmem writes, and would keep a reader busy, or end it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hlsmem import files
from hlsmem.errors import InputError, Problem
from hlsmem.files import NotRegularError
from hlsmem.places import Place

MOST_BYTES = 16 << 20
_DEEPEST = 24
_DIGITS = 18
MOST_CHARACTERS = 64 << 10
_DIMENSIONS = 8
_AGAIN = "run `hlsmem plan` again"


class _Refused(Exception):
    """A value that no plan has, found while it is read."""


def read_text(file: Path, remedy: str) -> str:
    """The text of plan.json; raises InputError where it cannot be read, or is too large."""
    try:
        if file.stat().st_size > MOST_BYTES:
            what = f"{file} has more than {MOST_BYTES >> 20} MiB"
            raise InputError(Problem(what, _AGAIN))
        return files.read_text(file)
    except NotRegularError as error:
        raise InputError(Problem(f"{file} cannot be read: {error.strerror}", remedy)) from None
    except (OSError, UnicodeDecodeError):
        raise InputError(Problem(f"{file} cannot be read", remedy)) from None


def document_of(text: str, file: str) -> Any:
    """The value that `text` stands for.

    Raises InputError with all fields beyond a limit: nesting 24 deep, integers of 18 digits, texts
    of 65536 characters, 8 dimensions of an array; and for keys that are there twice, NaN and
    texts that are no Unicode.
    """
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        place = Place(file=file, line=error.lineno, column=error.colno)
        raise InputError(Problem(f"not JSON: {error.msg}", _AGAIN, place)) from None
    except RecursionError:
        what = f"{file}: values stand more than {_DEEPEST} deep in others"
        raise InputError(Problem(what, _AGAIN)) from None
    except _Refused as refused:
        raise InputError(Problem(f"{file}: {refused}", _AGAIN)) from None
    problems = [Problem(f"{file}: {one}", _AGAIN) for one in _beyond(document, "", 1)]
    if problems:
        raise InputError(*problems)
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"{twice!r} is there twice")
    return found


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > _DIGITS:
        raise _Refused(f"the number {digits[:_DIGITS]}.. has more than {_DIGITS} digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if len(digits) > 2 * _DIGITS or value in (float("inf"), float("-inf")):
        raise _Refused(f"the number {digits[: 2 * _DIGITS]} is none that a plan has")
    return value


def _constant(name: str) -> float:
    raise _Refused(f"{name} is no number")


def _beyond(value: Any, path: str, depth: int) -> Iterator[str]:
    """The fields below `path` that are beyond a limit, in the order of the file."""
    if depth > _DEEPEST:
        yield f"{path} stands more than {_DEEPEST} deep"
        return
    match value:
        case str():
            if len(value) > MOST_CHARACTERS:
                yield f"{path} has {len(value)} characters, more than {MOST_CHARACTERS}"
            elif not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
                yield f"{path} is no Unicode text"
        case list():
            if path.endswith(".index") and len(value) > _DIMENSIONS:
                yield f"{path} has {len(value)} dimensions, more than {_DIMENSIONS}"
            for position, one in enumerate(value):
                yield from _beyond(one, f"{path}[{position}]", depth + 1)
        case dict():
            for key, one in value.items():
                yield from _beyond(key, f"the name of {path or 'the plan'}.{key[:40]!a}", depth)
                yield from _beyond(one, f"{path}.{key}" if path else key, depth + 1)
        case _:
            pass
