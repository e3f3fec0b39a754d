"""Numbers of more than 64 bits in a unit of C: arrays of limbs, assigned limb by limb.

A variable of a function whose limbs are known wherever it is used is one variable a limb.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_types import is_wide, literal_number
from hlsmem.read.c.clang.exact_values import NotExact, value_of
from hlsmem.read.c.clang.printed import text_of
from hlsmem.read.c.clang.wide_words import limb, limbs_in
from hlsmem.read.c.clang.word_slices import word_assignments
from hlsmem.read.c.tree import UNSIGNED_LONG, Number, Place


class WordNotRead(Exception):
    """A use of a wide number that is not read: where, what it does, and what to write instead."""

    def __init__(self, place: Place, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.place, self.what, self.remedy = place, what, remedy


def with_limbs(unit: tree.Unit) -> tree.Unit:
    """Return a unit without numbers of more than 64 bits. Raises WordNotRead."""
    if not any(is_wide(one.type) for one in _parts(unit) if isinstance(one, _TYPED)):
        return unit
    return tree.Unit(
        tuple(
            replace(one, members=tuple(replace(m, type=_type(m.type)) for m in one.members))
            for one in unit.structs
        ),
        tuple(_declared(one) for one in unit.variables),
        tuple(_function(one) for one in unit.functions),
    )


_TYPED = (tree.ID, tree.ArrayRef, tree.StructRef, tree.UnaryOp)


def _parts(node: Any) -> Iterator[Any]:
    """The nodes of a tree, types and places left out."""
    if isinstance(node, tuple):
        for one in node:
            yield from _parts(one)
    elif is_dataclass(node) and not isinstance(node, Place):
        yield node
        for own in fields(node):
            if own.name not in ("type", "place"):
                yield from _parts(getattr(node, own.name))


def _type(kind: Any) -> Any:
    """A type in C."""
    match kind:
        case Number() if is_wide(kind):
            place = Place("", 1, 1)
            count = tree.Constant(str(limbs_in(kind)), tree.INT, place)
            return tree.Array(UNSIGNED_LONG, count)
        case tree.Array() | tree.Pointer():
            return replace(kind, element=_type(kind.element))
    return kind


def _element(kind: tree.Type) -> tree.Type:
    while isinstance(kind, (tree.Array, tree.Pointer)):
        kind = kind.element
    return kind


def _function(function: tree.FuncDef) -> tree.FuncDef:
    if is_wide(function.returns):
        raise _by_value(function.place)
    for one in function.parameters:
        if is_wide(one.type):
            raise _by_value(one.place)
    parameters = tuple(replace(one, type=_type(one.type)) for one in function.parameters)
    body = tree.Compound(tuple(_statements(function.body.block_items)), function.body.place)
    names = _split_names(body)
    return replace(function, parameters=parameters, body=_renamed(body, names))


def _by_value(place: Place) -> WordNotRead:
    what = "a number of more than 64 bits goes through a call by value"
    return WordNotRead(place, what, "pass it by reference: ap_uint<128> &x")


# Statements.


def _statements(items: Sequence[tree.Statement]) -> Iterator[tree.Statement]:
    for one in items:
        yield from _statement(one)


def _statement(node: Any) -> Iterator[tree.Statement]:
    match node:
        case tree.Decl() if is_wide(_element(node.type)):
            yield from _declaration(node)
        case tree.Assignment(op="=") if is_wide(node.lvalue.type):
            yield from _assigned(node)
        case tree.Compound():
            yield replace(node, block_items=tuple(_statements(node.block_items)))
        case tree.If():
            then = _block(node.iftrue)
            other = None if node.iffalse is None else _block(node.iffalse)
            yield replace(node, iftrue=then, iffalse=other)
        case tree.For() | tree.While() | tree.DoWhile() | tree.Switch():
            yield replace(node, stmt=_block(node.stmt))
        case tree.Case() | tree.Default():
            yield replace(node, stmts=tuple(_statements(node.stmts)))
        case tree.Label():
            yield replace(node, stmt=_block(node.stmt))
        case tree.Return(expr) if expr is not None and is_wide(expr.type):
            raise _by_value(node.place)
        case _:
            yield from _once_stepped(node)


def _block(node: tree.Statement) -> tree.Statement:
    found = list(_statement(node))
    return found[0] if len(found) == 1 else tree.Compound(tuple(found), node.place)


def _declaration(node: tree.Decl) -> Iterator[tree.Statement]:
    is_constant = node.const or "static" in node.storage
    if node.init is None or isinstance(node.type, tree.Array) or is_constant:
        yield _declared(node)
        return
    yield replace(node, type=_type(node.type), init=None)
    target = tree.ID(node.name, node.type, node.place)
    yield from _assigned(tree.Assignment("=", target, node.init, node.type, node.place))


def _declared(node: tree.Decl) -> tree.Decl:
    """A declaration, its initial value as lists of limbs."""
    if not is_wide(_element(node.type)):
        return node
    init = None if node.init is None else _initial(node.init, node.type)
    return replace(node, type=_type(node.type), init=init)


def _initial(node: tree.Expression, kind: tree.Type) -> tree.Expression:
    if isinstance(kind, tree.Array):
        assert isinstance(node, tree.InitList)
        exprs = tuple(_initial(one, kind.element) for one in node.exprs)
        return replace(node, exprs=exprs, type=_type(kind))
    assert isinstance(kind, Number)
    limbs = tuple(limb(value_of(node), k) for k in range(limbs_in(kind)))
    return tree.InitList(limbs, _type(kind), node.place)


def _assigned(node: tree.Assignment) -> Iterator[tree.Statement]:
    """The assignments of the limbs of a word, then the steps of what it counted."""
    steps = _steps(node)
    lvalue, rvalue = _without(node.lvalue, steps), _without(node.rvalue, steps)
    try:
        yield from word_assignments(lvalue, value_of(rvalue), node.place)
    except NotExact as error:
        raise WordNotRead(node.place, f"'{text_of(lvalue)}' {error.what}", error.remedy) from None
    yield from steps


def _once_stepped(node: Any) -> Iterator[tree.Statement]:
    """A statement whose steps stand in it once; one for two limbs comes behind it."""
    steps = _steps(node)
    counts = [sum(one == part for part in _parts(node)) for one in steps]
    twice = [one for one, count in zip(steps, counts, strict=True) if count > 1]
    yield _without(node, twice) if twice else node
    yield from twice


def _steps(node: Any) -> list[tree.UnaryOp]:
    """The steps of counters in an expression, each once."""
    found: list[tree.UnaryOp] = []
    for one in _parts(node):
        is_step = isinstance(one, tree.UnaryOp) and one.op in ("p++", "p--")
        if is_step and one not in found:
            found.append(one)
    return found


def _without(node: Any, steps: Sequence[tree.UnaryOp]) -> Any:
    """An expression in which what is stepped is not."""
    if node in steps:
        return node.expr
    return _mapped(node, lambda one: _without(one, steps)) if steps else node


def _mapped(node: Any, change: Any) -> Any:
    """A node whose parts are changed; itself where none is."""
    if isinstance(node, tuple):
        made = tuple(change(one) for one in node)
        return made if any(a is not b for a, b in zip(made, node, strict=True)) else node
    if not is_dataclass(node) or isinstance(node, Place):
        return node
    new: dict[str, Any] = {}
    for own in fields(node):
        if own.name not in ("type", "place"):
            before = getattr(node, own.name)
            after = change(before)
            if after is not before:
                new[own.name] = after
    return replace(node, **new) if new else node  # type: ignore[type-var]


# Variables a limb.


def _split_names(body: tree.Compound) -> Mapping[str, int]:
    """The variables of a function that are one a limb, with their limbs."""
    found: dict[str, int] = {}
    for one in _parts(body):
        match one:
            case tree.Decl(name, tree.Array(element, tree.Constant(count)), init=None) if (
                element == UNSIGNED_LONG and not one.storage and _is_of_limbs(name, body)
            ):
                found[name] = int(count)
    names = {one.name for one in _parts(body) if isinstance(one, (tree.ID, tree.Decl))}
    return {
        name: count
        for name, count in found.items()
        if not names & {f"{name}_{k}" for k in range(count)}
    }


def _is_of_limbs(name: str, body: tree.Compound) -> bool:
    """True where a name stands for limbs with constant numbers alone."""
    own = [one for one in _parts(body) if isinstance(one, tree.ID) and one.name == name]
    limbs = [
        one
        for one in _parts(body)
        if isinstance(one, tree.ArrayRef)
        and isinstance(one.name, tree.ID)
        and one.name.name == name
        and is_wide(one.name.type)
        and literal_number(one.subscript) is not None
    ]
    return len(own) == len(limbs)


def _renamed(node: Any, names: Mapping[str, int]) -> Any:
    match node:
        case tree.ArrayRef(tree.ID(name) as word, subscript) if name in names:
            return tree.ID(f"{name}_{literal_number(subscript)}", UNSIGNED_LONG, word.place)
        case tree.Compound():
            items: list[Any] = []
            for one in node.block_items:
                if isinstance(one, tree.Decl) and one.name in names:
                    own = [f"{one.name}_{k}" for k in range(names[one.name])]
                    items += [tree.Decl(name, UNSIGNED_LONG, one.place) for name in own]
                else:
                    items.append(_renamed(one, names))
            return replace(node, block_items=tuple(items))
    return _mapped(node, lambda one: _renamed(one, names)) if names else node
