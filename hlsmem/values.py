"""Dataclasses that cost little until they are used.

The library's decorator writes the methods of a class as text and compiles them at once: of the 700
classes that a plan loads, that took longer than everything else in their modules, and of two thirds
there is never an instance. Here all classes share their methods but `__init__`, which is compiled
when it is first called.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]

Method = Callable[..., Any]
Fields = tuple[dataclasses.Field[Any], ...]


def _decorated(
    cls: type[Any],
    /,
    *,
    eq: bool = True,
    frozen: bool = False,
    kw_only: bool = False,
    order: bool = False,
    repr: bool = True,
    slots: bool = False,
) -> type[Any]:
    """The class as the library has it, but of our methods; those that it has itself stay."""
    if order:  # rare
        return dataclasses.dataclass(
            frozen=frozen, kw_only=kw_only, order=True, repr=repr, slots=slots
        )(cls)
    own = {name for name, value in vars(cls).items() if value is not None}
    made = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only, slots=slots)(
        cls
    )
    fields = dataclasses.fields(made)
    methods: dict[str, Method | None] = {"__init__": _first(made, frozen)}
    if repr:
        methods["__repr__"] = _repr([one.name for one in fields if one.repr])
    if eq:
        methods["__eq__"] = _equal(_values([one.name for one in fields if one.compare]))
        methods["__hash__"] = _hash(_values(_hashed(fields))) if frozen else None
    if frozen:
        methods |= {"__setattr__": _no_change, "__delattr__": _no_change}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _decorator(cls: type[Any] | None = None, /, **options: bool) -> Any:
    return partial(_decorated, **options) if cls is None else _decorated(cls, **options)


# Who checks types knows the library's decorator, whose meaning this has.
if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _decorator


def _first(cls: type[Any], frozen: bool) -> Method:
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        method = cls.__init__ = _init(cls, frozen)
        method(self, *arguments, **named)

    return __init__


def _init(cls: type[Any], frozen: bool) -> Method:
    """What sets the fields of a new value, from its arguments or what they are by default."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    positional, named, lines = ["self"], list[str](), list[str]()
    for one in dataclasses.fields(cls):
        name, default, factory = one.name, f"_default_{one.name}", f"_factory_{one.name}"
        known |= {default: one.default, factory: one.default_factory}
        is_made = one.default_factory is not dataclasses.MISSING
        has_default = is_made or one.default is not dataclasses.MISSING
        value = name
        if one.init:
            given = f"{name}={default}" if has_default else name
            (named if one.kw_only else positional).append(given)
            if is_made:
                value = f"{factory}() if {name} is _missing else {name}"
        elif has_default:
            value = f"{factory}()" if is_made else default
        else:
            continue
        lines.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *named] if named else [])])
    text = "\n    ".join([f"def __init__({parameters}):", *lines, "return None"])
    exec(text, known)
    method: Method = known["__init__"]
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method


def _values(names: Iterable[str]) -> Callable[[Any], Any]:
    """What tells a value from others of its class."""
    found = tuple(names)
    return attrgetter(*found) if found else _nothing


def _nothing(_value: Any) -> tuple[()]:
    return ()


def _hashed(fields: Fields) -> list[str]:
    return [one.name for one in fields if (one.compare if one.hash is None else one.hash)]


def _equal(values: Callable[[Any], Any]) -> Method:
    def __eq__(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Method:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _repr(names: list[str]) -> Method:
    def __repr__(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _no_change(_self: Any, name: str, *_value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"{name!r} is set once")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
