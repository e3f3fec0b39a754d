"""`kernel.functions`: functions that run one after the other on arrays of the design, as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import SourceFile
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.tree import Array, Pointer, Void
from hlsmem.read.c.trees import base_of, block, changed, integer, nodes_of
from hlsmem.read.c.trees import name as name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call as the design has it, and where."""

    text: str
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Calls in turn, as the function `name`.

    `inside` are arrays that are its own, `outside` ones that are its parameters, by the design;
    of others those are its own that a call writes and a later one reads.
    """

    name: str
    calls: tuple[Call, ...]
    inside: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """An array, or number, in a call: the parameter that it is there."""

    call: int
    parameter: Any
    reads: bool
    writes: bool


def with_chain(root: Any, chain: Chain, parameters: Sequence[str], problems: Problems) -> Any:
    """The tree with the function that makes the calls behind all others.

    What is no call of a function of the file, with as many arguments, goes to `problems`.
    """
    functions = {node.name: node for node in root.ext if isinstance(node, tree.FuncDef)}
    if chain.name in functions:
        what = f"the file has a function '{chain.name}' already"
        problems.add(what, "give the design another name", chain.calls[0].source_location)
    uses: dict[str, list[_Use]] = {}
    calls = [
        made
        for number, one in enumerate(chain.calls)
        if (made := _call(number, one, functions, uses, problems)) is not None
    ]
    problems.raise_if_any()
    place = calls[0].place
    given: list[Any] = []
    own: list[Any] = []
    for name, found in uses.items():
        if name in parameters and not _is_array(found[0].parameter):
            continue
        _check_alike(name, found, chain, problems)
        chosen = sorted(found, key=lambda one: (not _has_extents(one.parameter), not one.writes))
        like = chosen[0].parameter
        made = tree.Decl(name, like.type, const=like.const, place=place)
        if _is_array(made) and _is_inside(name, found, chain):
            if not _has_extents(chosen[0].parameter):
                what = f"nothing says how many elements '{name}' has"
                remedy = "declare the parameter with its extents"
                problems.add(what, remedy, chain.calls[found[0].call].source_location)
            own.append(_plain(made))
        else:
            given.append(made)
    problems.raise_if_any()
    body = block([*own, *calls], place)
    function = tree.FuncDef(chain.name, Void(), tuple(given), body, place=place)
    return changed(root, ext=[*root.ext, function])


def chain_entry(file: str, function: Any) -> SourceFile:
    """A file that includes the user's and has the function as text."""
    text = f'#include "{file}"\n\n{text_of(function)}'
    return SourceFile(name="hlsmem_entry.c", text=text)


def _call(
    number: int,
    call: Call,
    functions: Mapping[str, Any],
    uses: dict[str, list[_Use]],
    problems: Problems,
) -> Any | None:
    found = re.fullmatch(r"\s*(\w+)\s*\(\s*((?:\w+\s*(?:,\s*\w+\s*)*)?)\)\s*;?\s*", call.text)
    if found is None:
        remedy = 'write it as "hblur(in, t)", with names of arrays, parameters and integers'
        problems.add(f"{call.text!r} is no call", remedy, call.source_location)
        return None
    called, arguments = found[1], [word.strip() for word in found[2].split(",") if word.strip()]
    if called not in functions:
        known = ", ".join(functions)
        remedy = f"those with a body are: {known}" if known else "the files define none"
        problems.add(f"there is no function '{called}' with a body", remedy, call.source_location)
        return None
    function = functions[called]
    declared = function.parameters
    if len(declared) != len(arguments):
        what = f"'{called}' has {len(declared)} parameters, and {len(arguments)} are given"
        remedy = f"they are: {', '.join(str(one.name) for one in declared)}"
        problems.add(what, remedy, call.source_location)
        return None
    for argument, parameter in zip(arguments, declared, strict=True):
        if not argument.isdecimal():
            uses.setdefault(argument, []).append(_use(number, parameter, function))
    place = function.place
    given = [
        integer(int(one), place) if one.isdecimal() else name_of(one, parameter.type, place)
        for one, parameter in zip(arguments, declared, strict=True)
    ]
    return tree.FuncCall(called, tuple(given), function.returns, place)


def _use(number: int, parameter: Any, function: Any) -> _Use:
    """The accesses of a function to a parameter: an argument passed on may be read and written."""
    written = [target for target in _targets(function.body) if target.name == parameter.name]
    only = {
        id(node.lvalue if isinstance(node, tree.Assignment) and node.op == "=" else None)
        for node in nodes_of(function.body)
    }
    bases = {
        id(base_of(one.lvalue))
        for one in nodes_of(function.body)
        if isinstance(one, tree.Assignment) and id(one.lvalue) in only
    }
    named = [
        node
        for node in nodes_of(function.body)
        if isinstance(node, tree.ID) and node.name == parameter.name
    ]
    passed = {
        one.name
        for node in nodes_of(function.body)
        if isinstance(node, tree.FuncCall)
        for one in node.args
        if isinstance(one, tree.ID)
    }
    return _Use(
        call=number,
        parameter=parameter,
        reads=any(id(node) not in bases for node in named),
        writes=not parameter.const and (bool(written) or parameter.name in passed),
    )


def _targets(node: Any) -> Iterator[Any]:
    """The names of what is assigned or stepped, whatever subscripts there are."""
    for part in nodes_of(node):
        target = None
        if isinstance(part, tree.Assignment):
            target = base_of(part.lvalue)
        elif isinstance(part, tree.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            target = base_of(part.expr)
        if isinstance(target, tree.ID):
            yield target


def _is_array(node: Any) -> bool:
    return isinstance(node.type, (Array, Pointer))


def _has_extents(node: Any) -> bool:
    """True if the declaration of a parameter gives its number of elements."""
    return isinstance(node.type, Array) and node.type.extent is not None


def _is_inside(name: str, found: Sequence[_Use], chain: Chain) -> bool:
    if name in chain.inside or name in chain.outside:
        return name in chain.inside
    return any(
        first.writes and later.reads and later.call > first.call
        for first in found
        for later in found
    )


def _check_alike(name: str, found: Sequence[_Use], chain: Chain, problems: Problems) -> None:
    """Refuse an array that two functions have with other rows, or other elements."""
    first = _shape(found[0].parameter.type)
    for one in found[1:]:
        if _shape(one.parameter.type) != first:
            here = _shape(one.parameter.type)
            what = f"'{name}' is {first} in the first call that has it, and {here} here"
            remedy = "declare both parameters alike"
            problems.add(what, remedy, chain.calls[one.call].source_location)


def _shape(kind: Any) -> str:
    """The type of the elements and the extents behind the first, such as int[..][8]."""
    inner: list[str] = []
    while isinstance(kind, (Array, Pointer)):
        extent = kind.extent if isinstance(kind, Array) else None
        inner.append(".." if extent is None or not inner else text_of(extent))
        kind = kind.element
    return text_of(kind) + "".join(f"[{one}]" for one in inner)


def _plain(node: Any) -> Any:
    """A variable of its own: without qualifiers that a parameter may have."""
    kind = node.type
    if isinstance(kind, Array):
        kind = changed(kind, restrict=False)
    return changed(node, type=kind, const=False)
