"""The standard library's dataclasses, whose methods are made where they are used.

`dataclass` here takes the same arguments and makes the same classes. The standard one writes and
compiles the text of up to six methods for each class when the module is loaded: a third of the
time of a short plan, which defines 630 classes and makes instances of 250 of them. Here a
method is compiled at its first call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from reprlib import recursive_repr
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

_Class = TypeVar("_Class", bound=type)


def _dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    repr: bool = True,
    **others: Any,
) -> Callable[[_Class], _Class]:
    """As `dataclasses.dataclass`; with other arguments a class is left to that one."""
    if others:
        standard: Any = dataclasses.dataclass
        left: Callable[[_Class], _Class] = standard(
            frozen=frozen, slots=slots, kw_only=kw_only, eq=eq, repr=repr, **others
        )
        return left

    def decorate(cls: _Class) -> _Class:
        own = dict(cls.__dict__)
        cls.__doc__ = cls.__doc__ or cls.__name__  # else its signature is made into one
        made: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )(cls)
        methods: dict[str, Any] = {"__init__": _when_called(made, partial(_initialiser, frozen))}
        if repr:
            methods["__repr__"] = _representation
        if eq:
            methods["__eq__"] = _when_called(made, _equality)
            methods["__hash__"] = _when_called(made, _hash) if frozen else None
        if frozen:
            methods |= {"__setattr__": _assign, "__delattr__": _delete}
        if frozen and slots:
            methods["__getstate__"] = _when_called(made, _state)
            methods["__setstate__"] = _when_called(made, _with_state)
        for name, method in methods.items():
            # A class with an `__eq__` of its own has None for its hash without asking for it.
            if name not in own or (name == "__hash__" and own[name] is None and "__eq__" in own):
                setattr(made, name, method)
        found: _Class = made
        return found

    return decorate


def _when_called(cls: type, text_of: Callable[[type], _Text]) -> Callable[..., Any]:
    """A method that is compiled at its first call, and takes the place of this one."""

    def first(*args: Any, **named: Any) -> Any:
        text = text_of(cls)
        known = dict(text.known)
        exec("\n ".join([f"def {text.name}({text.parameters}):", *text.body]), known)
        made = known[text.name]
        made.__qualname__ = f"{cls.__qualname__}.{text.name}"
        setattr(cls, text.name, made)
        return made(*args, **named)

    return first


class _Text(NamedTuple):
    """The text of a method, which has names of fields alone, and what its names stand for."""

    name: str
    parameters: str
    body: list[str]
    known: Mapping[str, Any] = MappingProxyType({})


def _initialiser(frozen: bool, cls: type) -> _Text:
    known: dict[str, Any] = {"_set": object.__setattr__, "_not_given": object()}
    by_place, by_name, body = ["self"], list[str](), list[str]()
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        parameter = name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{name}"] = field.default_factory
            parameter = f"{name}=_not_given"
            value = f"_make_{name}() if {name} is _not_given else {name}"
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = field.default
            parameter = f"{name}=_default_{name}"
        (by_name if field.kw_only else by_place).append(parameter)
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = [*by_place, *(["*", *by_name] if by_name else [])]
    return _Text("__init__", ", ".join(parameters), [*body, "return None"], known)


def _equality(cls: type) -> _Text:
    names = [one.name for one in dataclasses.fields(cls) if one.compare]
    first, second = _values("self", names), _values("other", names)
    return _Text(
        "__eq__",
        "self, other",
        [
            f"if other.__class__ is self.__class__: return {first} == {second}",
            "return NotImplemented",
        ],
    )


def _hash(cls: type) -> _Text:
    fields = dataclasses.fields(cls)
    names = [one.name for one in fields if (one.compare if one.hash is None else one.hash)]
    return _Text("__hash__", "self", [f"return hash({_values('self', names)})"])


def _values(instance: str, names: list[str]) -> str:
    return f"({''.join(f'{instance}.{name}, ' for name in names)})"


@recursive_repr()
def _representation(self: Any) -> str:
    named = [one.name for one in dataclasses.fields(self) if one.repr]
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in named)
    return f"{self.__class__.__qualname__}({shown})"


def _assign(self: Any, name: str, value: object) -> None:  # noqa: ARG001 (as Python has it)
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(cls: type) -> _Text:
    names = [one.name for one in dataclasses.fields(cls)]
    return _Text("__getstate__", "self", [f"return list({_values('self', names)})"])


def _with_state(cls: type) -> _Text:
    names = [one.name for one in dataclasses.fields(cls)]
    body = [f"_set(self, {name!r}, state[{k}])" for k, name in enumerate(names)]
    check = f"assert len(state) == {len(names)}"
    return _Text("__setstate__", "self, state", [check, *body], {"_set": object.__setattr__})


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass
