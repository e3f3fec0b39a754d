"""`#pragma HLS`: which loops and arrays each is about.

Loops are those of the normal form, where calls are inlined; arrays go by the names that they have
in the function where the pragma stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.program.model import Array, Pragma
from hlsmem.read.c import tree
from hlsmem.read.c.constants import Constant, constant_value
from hlsmem.read.c.expression_parser import NoExpressionError
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.tree import INT, Node
from hlsmem.read.c.trees import expression, nodes_of

_NUMBERS = ("depth", "factor", "ii", "dim")
_OF_LOOPS = ("PIPELINE", "UNROLL")
_OF_VARIABLES = ("ARRAY_PARTITION", "BIND_STORAGE", "RESOURCE", "INTERFACE", "STREAM", "DEPENDENCE")


def pragmas_of(
    functions: Iterable[Any],
    region: Iterable[Any],
    top: str,
    arrays: Mapping[Variable, Array],
    passed: Mapping[tuple[str, str], Collection[str]],
    source: SourceMap,
    problems: Problems,
) -> tuple[Pragma, ...]:
    """The pragmas of the functions of a file that are used, in textual order.

    One on a parameter of a called function is on each array that it was given, as `passed` has it.
    What names no variable of its function, or stands in no loop where it is about one, goes to
    `problems`, and so does ALIAS: ports are taken to lie apart (AMD UG1399, "pragma HLS alias").
    """
    found: list[Pragma] = []
    told: set[Any] = set()
    for node, loops in _in_loops(region, ()):
        made = pragma_of(node, source)
        if made is None or made.name not in _OF_LOOPS or made.source_location in told:
            continue
        told.add(made.source_location)
        if not loops and made.name == "UNROLL":
            what = "#pragma HLS UNROLL stands in no loop"
            problems.add(what, "put it first into the loop's body", made.source_location)
            continue
        found.append(replace(made, loops=loops))
    for function in functions:
        is_top = function.name == top
        for node in nodes_of(function.body):
            made = pragma_of(node, source)
            if made is None or made.name in _OF_LOOPS:
                continue
            if made.name in _OF_VARIABLES:
                named = _arrays(made, function, is_top, arrays, passed, source, problems)
                found += [replace(made, array=own) for own in named] or [made]
            elif made.name == "ALIAS":
                what = "#pragma HLS ALIAS: ports that reach one memory are not planned"
                remedy = "pass one array; where they lie apart set kernel.pragmas: ignore"
                problems.add(what, remedy, made.source_location)
            else:
                found.append(made)
    return tuple(sorted(found, key=_position))


def with_numbers(pragmas: Iterable[Pragma], known: Mapping[str, int | str]) -> tuple[Pragma, ...]:
    """The pragmas with numbers where they have expressions of such, and of names that are `known`:
    of constants their values, of macros their texts."""
    return tuple(
        replace(
            one,
            options={
                key: text if key not in _NUMBERS else _number(text, known)
                for key, text in one.options.items()
            },
        )
        for one in pragmas
    )


def _number(text: str, known: Mapping[str, int | str]) -> str:
    """The value of an expression, the text itself where that is none."""

    def named(name: str) -> Constant | None:
        found = known.get(name)
        if isinstance(found, str):
            found = _number(found, {other: one for other, one in known.items() if other != name})
            found = int(found) if found.lstrip("-").isdecimal() else None
        return None if found is None else (found, INT)

    try:
        value = constant_value(expression(text), named)
    except NoExpressionError:
        return text
    return text if value is None else str(value[0])


def _position(pragma: Pragma) -> tuple[str, int]:
    source_location = pragma.source_location
    return ("", 0) if source_location is None else (source_location.file, source_location.line)


def _in_loops(
    nodes: Iterable[Any], loops: tuple[str, ...]
) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The pragmas below some nodes, with the variables of the loops around, outermost first."""
    for node in nodes:
        if isinstance(node, tree.Pragma):
            yield node, loops
        elif isinstance(node, tree.For):
            yield from _in_loops([node.stmt], (*loops, _counter(node)))
        elif isinstance(node, Node):
            yield from _in_loops(list(node), loops)


def _counter(node: Any) -> str:
    match node.init:
        case tree.DeclList(decls=[declaration, *_]):
            return str(declaration.name)
        case tree.Assignment(lvalue=tree.ID(name=name)):
            return str(name)
    return ""


def pragma_of(node: Any, source: SourceMap) -> Pragma | None:
    """A pragma of HLS; None for other nodes.

    Words are as the vendor has them: upper or lower case, `key=value` or a word by itself.
    """
    if not isinstance(node, tree.Pragma):
        return None
    words = re.sub(r"\s*=\s*", "=", node.string).split()
    if len(words) < 2 or words[0].upper() != "HLS":
        return None
    options = {}
    for word in words[2:]:
        key, _, value = word.partition("=")
        options[key.lower()] = value
    return Pragma(name=words[1].upper(), options=options, source_location=source.place(node))


def _arrays(
    pragma: Pragma,
    function: Any,
    is_top: bool,
    arrays: Mapping[Variable, Array],
    passed: Mapping[tuple[str, str], Collection[str]],
    source: SourceMap,
    problems: Problems,
) -> list[str]:
    """The arrays that a pragma names: of a parameter those that it was given; of a number none."""
    name = pragma.options.get("variable", pragma.options.get("port", ""))
    declared = {node.name: node for node in nodes_of(function) if isinstance(node, tree.Decl)}
    if name in ("return", "") and pragma.name in ("INTERFACE", "DEPENDENCE"):
        return []
    if name not in declared:
        known = ", ".join(one for one in declared if one)
        what = f"#pragma HLS {pragma.name} names no variable of '{function.name}'"
        if name:
            what = f"'{function.name}' has no variable '{name}'"
        problems.add(what, f"its variables are: {known}", pragma.source_location)
        return []
    if not is_top and any(name == one.name for one in function.parameters):
        if pragma.name == "INTERFACE":  # ports are those of the planned function
            return []
        given = passed.get((function.name, name), ())
        return [
            array.name
            for variable, array in arrays.items()
            if variable.name in given and not variable.path
        ]
    source_location = source.name_place(declared[name])
    there = [(v, one) for v, one in arrays.items() if one.source_location == source_location]
    # Members of an object stand in one place.
    return [one.name for _, one in sorted(there, key=lambda each: each[0].name != name)][:1]
