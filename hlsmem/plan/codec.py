"""Frozen values as JSON and back, by the hints of their classes and the shapes of a table.

A field has the key of its name; a key that may be missing is left out where the field has its
default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from operator import itemgetter
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import hlsmem_verify
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial

Write = Callable[[Any, tuple[Any, ...]], Any]
Read = Callable[[Any], Any]
Path = tuple[str, ...]


class Odd(NamedTuple):
    """Exception of a field from the key of its name.

    `key` is a path such as "element.type", that name if "". `write` makes the value of the key
    from the owner of the field and what is around it, outermost first, `read` that of the field
    from the document of the owner. With `read` alone the field has no key, with `write` alone the
    key no field.
    """

    key: str = ""
    write: Write | None = None
    read: Read | None = None


class Pair(NamedTuple):
    """Writer of a value, given what is around it, and reader."""

    write: Write
    read: Read


_AS_IS = Pair(lambda value, _: value, lambda document: document)
_AS_LIST = Pair(_AS_IS.write, tuple)


class Codec:
    """Pairs of types; `odd` are exceptions by (class, field), `unwritten` fields that no key has.

    The pair of a class is made once.
    """

    def __init__(
        self,
        odd: Mapping[tuple[type, str], Odd] | None = None,
        unwritten: Mapping[type, Sequence[str]] | None = None,
    ) -> None:
        self._odd, self._unwritten = odd or {}, unwritten or {}
        self._known: dict[Any, Pair] = {}

    def of(self, hint: Any, shape: Any = None) -> Pair:
        """The pair of a type of this shape; without one, keys stand as fields do."""
        kind, inner = get_origin(hint), get_args(hint)
        if isinstance(shape, hlsmem_verify.Either):
            shape = next(one for one in shape.choices if getattr(one, "kind", "") != "null")
        if NoneType in inner:
            write, read = own = self.of(next(one for one in inner if one is not NoneType), shape)
            or_none = Pair(
                lambda value, around: None if value is None else write(value, around),
                lambda document: None if document is None else read(document),
            )
            return own if own is _AS_IS else or_none
        if hint is QuasiPolynomial:
            return Pair(lambda value, _: str(value), parse_quasi_polynomial)
        if is_dataclass(hint):
            if hint not in self._known:
                self._known[hint] = self._object(hint, shape)
            return self._known[hint]
        if kind is tuple and inner[-1] is ...:
            write, read = own = self.of(inner[0], shape and shape.items)
            of_each = Pair(
                lambda value, around: [write(one, around) for one in value],
                lambda document: tuple(map(read, document)),
            )
            return _AS_LIST if own is _AS_IS else of_each
        if kind is Mapping:
            return _by_name(self.of(inner[1], shape and shape.values), is_dataclass(inner[1]))
        return _AS_LIST if kind is tuple else _AS_IS

    def paths(self, cls: Any) -> dict[str, Path]:
        """The path of the key of each field that has one, and of keys without a field."""
        odd, unwritten = self._exceptions(cls), self._unwritten.get(cls, ())
        names = [one.name for one in fields(cls) if one.name not in unwritten]
        return {
            name: tuple((odd.get(name, Odd()).key or name).split("."))
            for name in dict.fromkeys((*names, *odd))
            if name not in odd or odd[name].write or not odd[name].read
        }

    def _exceptions(self, cls: type) -> dict[str, Odd]:
        return {name: one for (owner, name), one in self._odd.items() if issubclass(cls, owner)}

    def _object(self, cls: Any, shape: Any) -> Pair:
        """The pair of a class: an object with its keys in the order of the shape."""
        hints, odd = get_type_hints(cls), self._exceptions(cls)
        own = {one.name: one for one in fields(cls)}
        writers: dict[Path, Write] = {}
        readers = {name: one.read for name, one in odd.items() if one.read}
        kept_out: dict[Path, tuple[str, Any]] = {}
        for name, path in self.paths(cls).items():
            exception = odd.get(name, Odd()).write
            if exception is not None:
                writers[path] = exception
                continue
            write, read = self.of(hints[name], _inside(shape, path))
            writers[path] = _of_field(name, write)
            default = MISSING
            if shape and path[-1] in _inside(shape, path[:-1]).maybe:
                default = _default(own[name])
                kept_out[path] = (name, default)
            readers[name] = _at(path, read, default)
        write = _writer(writers, shape, (), kept_out)
        known = tuple(readers.items())
        return Pair(write, lambda document: cls(**{name: read(document) for name, read in known}))


def _inside(shape: Any, path: Path) -> Any:
    for key in path if shape else ():
        shape = shape.keys[key]
    return shape


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _by_name(pair: Pair, are_objects: bool) -> Pair:
    """The pair of a mapping by names; an object in it is read with its own as `name`."""
    write, read = pair
    return Pair(
        lambda value, around: {name: write(one, around) for name, one in value.items()},
        lambda document: {
            name: read({**one, "name": name} if are_objects else one)
            for name, one in document.items()
        },
    )


def _of_field(name: str, write: Write) -> Write:
    return lambda owner, around: write(getattr(owner, name), (*around, owner))


def _at(path: Path, read: Read, default: Any) -> Read:
    """The value at a path; null where something in front of it is."""
    if len(path) == 1 and default is MISSING and read is _AS_IS.read:
        return itemgetter(*path)

    def found(document: Any) -> Any:
        for number, key in enumerate(path, 1):
            if number == len(path) and default is not MISSING and key not in document:
                return default
            document = None if document is None else document[key]
        return read(document)

    return found


def _writer(
    writers: Mapping[Path, Write], shape: Any, path: Path, kept_out: Mapping[Path, tuple[str, Any]]
) -> Write:
    """An object with its keys in the order of the shape, but those whose fields have a default.

    Below a path it is null, where it may be, if all in it is.
    """
    parts = []
    for key in shape.keys if shape else [one for (one,) in writers]:
        inner = (*path, key)
        own = writers.get(inner) or _writer(writers, shape.keys[key], inner, kept_out)
        parts.append((key, own, kept_out.get(inner)))

    def write(owner: Any, around: tuple[Any, ...]) -> Any:
        found = {
            key: one(owner, around)
            for key, one, without in parts
            if without is None or getattr(owner, without[0]) != without[1]
        }
        is_null = path and shape.none and all(one is None for one in found.values())
        return None if is_null else found

    return write
