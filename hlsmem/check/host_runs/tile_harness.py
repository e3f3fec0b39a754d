"""A tile for the host check: its interface, and the original with the instances of the tile alone.

The user's C is read again, without the front end that made the plan. Each statement of its region
runs where a table says that the instance is in the tile, in the order of the source. What the
function declares, and what then crosses the border of the tile, is an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.instrumented_c import iterator_of, source_of
from hlsmem.check.c_trees.written_text import text_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.relations import named
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Kernel, Program, Statement, Storage
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT, with_parts

_MOST_INSTANCES = 1 << 22
_MOST_PLACE = 3
"""Other places of a tile that is anywhere have parameters up to so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCase:
    """The program of a tile as a function: `program` has its kernel, and the arrays that cross the
    tile as parameters; `given` is the design's, `places` are parameters that say where it is."""

    program: Program
    given: Program
    crossing: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def kernel(self) -> Kernel:
        """The kernel of the function."""
        assert self.program.kernel is not None
        return self.program.kernel

    def sizes(self) -> list[dict[str, int]]:
        """The plan's parameters, and the first and last places of the tile near the origin."""
        values = dict(self.program.values)
        places = product(range(_MOST_PLACE + 1), repeat=len(self.places))
        others = [{**values, **dict(zip(self.places, place, strict=True))} for place in places]
        context = self.program.context
        inside = [one for one in others if not fix_parameters(context, one).is_empty()]
        return [values, *(one for one in (inside[:1] + inside[-1:]) if one != values)]

    def original(self, folder: Path, values: Mapping[str, int]) -> str:
        """C text of the function that runs the tile by the user's text. Raises NotUnderstood."""
        whole = self.given.kernel
        assert whole is not None
        source = source_of(folder, whole.file, whole.name, cflags=whole.cflags, values=values)
        named_ = {one.name: one for one in self.program.statements}
        guard = _Guard(self.given.statements)
        guarded = [new for item in source.region.items for new in guard.items(item)]
        if guard.number != len(self.given.statements):
            raise NotUnderstood("the text has other statements than the design")
        tables = [
            line
            for number, one in enumerate(self.given.statements)
            for line in _table(number, one, named_.get(one.name), values)
        ]
        function = source.region.with_items(source.function, guarded)
        lifted = {self.kernel.variables[name].declaration.name for name in self.crossing}
        found, body = _lifted(function.body, lifted)
        head = _head(function.decl, self.kernel.name, found, self.places)
        made = source.with_function(with_parts(function, decl=head, body=body))
        text = text_of(made)
        return "\n".join([*source.includes, *tables, text]) + "\n"


def tile_case(given: Program, program: Program) -> TileCase:
    """The tile that `program` is, of the design's program `given`. Raises NotUnderstood."""
    kernel = given.kernel
    if kernel is None or program.original is None:
        raise NotUnderstood("a tile of a network is no function")
    crossing = tuple(
        name
        for name, array in program.arrays.items()
        if array.storage is Storage.MEMORY and not array.is_parameter
        if _arrives(program, name) or not named(program.live_out, name).is_empty()
    )
    nodes = kernel.function.parameters
    known = {node.name for node in nodes} | set(kernel.macros)
    places = tuple(name for name in program.parameters if name not in known)
    declared = [kernel.variables[name].declaration for name in crossing]
    more = [tree.Decl(one.name, one.type) for one in declared]
    more += [tree.Decl(one, INT) for one in places]
    name = f"{kernel.name}_tile"
    function = with_parts(kernel.function, name=name, parameters=(*nodes, *more), storage=())
    arrays = {
        name: replace(one, is_parameter=True) if name in crossing else one
        for name, one in program.arrays.items()
    }
    own = replace(kernel, name=name, function=function)
    return TileCase(
        program=replace(program, kernel=own, arrays=arrays),
        given=given,
        crossing=crossing,
        places=places,
    )


def _arrives(program: Program, array: str) -> bool:
    """True if the tile reads values of an array that it did not make."""
    whole = {one.name: one.reads for one in program.source.statements}
    for one in program.statements:
        asked = [a for a in whole.get(one.name, ()) if a.array == array]
        served = [a for a in one.reads if a.array == array]
        for access in asked:
            rest = access.relation.intersect_domain(one.domain).intersect_params(program.context)
            for other in served:
                if other.node is access.node:
                    rest = rest.subtract(other.relation)
            if not rest.is_empty():
                return True
    return False


def _head(declaration: Any, name: str, arrays: Sequence[Any], places: Sequence[str]) -> Any:
    """A function's declaration under another name, with more parameters."""
    kind = declaration.type
    given = [
        one for one in (kind.args.params if kind.args else []) if isinstance(one, written_c.Decl)
    ]
    more = [_declared(one.name, one.type) for one in arrays]
    more += [_declared(one, _of_type(one, "int")) for one in places]
    returned = written_c.TypeDecl(name, kind.type.quals, kind.type.type)
    return _declared(name, written_c.FuncDecl(written_c.ParamList((*given, *more)), returned))


def _declared(name: str, kind: Any) -> Any:
    return written_c.Decl(name, [], [], [], kind, None, None)


def _of_type(name: str, kind: str) -> Any:
    return written_c.TypeDecl(name, [], written_c.IdentifierType([kind]))


def _lifted(body: Any, names: set[str]) -> tuple[list[Any], Any]:
    """The declarations of these names in a body, or a block right below, and it without them."""
    found: list[Any] = []

    def without(block: Any) -> Any:
        items = block.block_items
        own = [one for one in items if isinstance(one, written_c.Decl) and one.name in names]
        found.extend(own)
        return with_parts(block, block_items=tuple(one for one in items if one not in own))

    rest = without(body)
    items = tuple(
        without(one) if isinstance(one, tree.Compound) else one for one in rest.block_items
    )
    if len(found) != len(names):
        raise NotUnderstood(f"{', '.join(sorted(names))}: not all are declared at the top")
    return found, with_parts(rest, block_items=items)


@dataclass(slots=True)
class _Guard:
    """Puts every statement under the test that its instance is in the tile; numbers them."""

    statements: Sequence[Statement]
    number: int = 0
    loops: list[str] = field(default_factory=list)

    def items(self, node: Any) -> list[Any]:
        """The guarded text of one item of a block."""
        match node:
            case tree.Compound():
                items = (new for item in node.block_items for new in self.items(item))
                return [tree.Compound(tuple(items))]
            case tree.For():
                self.loops.append(iterator_of(node))
                body = tree.Compound(tuple(self.items(node.stmt)))
                self.loops.pop()
                return [with_parts(node, stmt=body)]
            case tree.If():
                iftrue = tree.Compound(tuple(self.items(node.iftrue)))
                iffalse = tree.Compound(tuple(self.items(node.iffalse))) if node.iffalse else None
                return [with_parts(node, iftrue=iftrue, iffalse=iffalse)]
            case tree.Label():
                return self.items(node.stmt)
            case written_c.Decl(init=None) | tree.EmptyStatement() | tree.Pragma():
                return [node]
            case written_c.Decl():
                set_ = tree.Assignment("=", tree.ID(node.name), node.init)
                plain = written_c.Decl(node.name, [], [], [], node.type, None, None)
                return [plain, self.guarded(set_)]
            case tree.Assignment() if not isinstance(node.rvalue, tree.Assignment):
                return [self.guarded(node)]
            case tree.UnaryOp():
                return [self.guarded(node)]
        raise NotUnderstood(f"{node.place}: this statement cannot be cut to a tile")

    def guarded(self, node: Any) -> Any:
        """A statement under its test."""
        number, self.number = self.number, self.number + 1
        if number >= len(self.statements):
            raise NotUnderstood("the text has more statements than the design")
        if len(self.statements[number].iterators) != len(self.loops):
            raise NotUnderstood(f"{node.place}: other loops than in the design are around it")
        arguments = tree.ExprList(tuple(map(tree.ID, self.loops)))
        test: Any = written_c.FuncCall(tree.ID(_test(number)), arguments if self.loops else None)
        return tree.If(test, node, None)


def _test(number: int) -> str:
    return f"hlsmem_in_tile_{number}"


def _table(
    number: int, whole: Statement, own: Statement | None, values: Mapping[str, int]
) -> list[str]:
    """A C function that says whether an instance of a statement is in the tile."""
    depth = len(whole.iterators)
    names = [f"i{k}" for k in range(depth)]
    head = f"static int {_test(number)}({', '.join(f'long {n}' for n in names) or 'void'})"
    unused = [f"    (void){name};" for name in names]
    inside = np.zeros((0, depth), dtype=np.int64)
    if own is not None:
        inside = points(fix_parameters(own.domain, values))
    if not len(inside) or not depth:
        return [head, "{", *unused, f"    return {int(len(inside) > 0)};", "}"]
    low = inside.min(axis=0)
    extents = (inside.max(axis=0) - low + 1).tolist()
    if prod(extents) > _MOST_INSTANCES:
        raise NotUnderstood(f"the tile has more than {_MOST_INSTANCES} instances")
    held = np.zeros(extents, dtype=np.uint8)
    held[tuple((inside - low).T)] = 1
    text = ",".join(map(str, held.reshape(-1).tolist()))
    place, tests = "0", list[str]()
    for name, least, extent in zip(names, low.tolist(), extents, strict=True):
        tests.append(f"{name} < {least} || {name} >= {least + extent}")
        place = f"({place}) * {extent} + {name} - ({least})"
    return [
        head,
        "{",
        f"    static const unsigned char inside[{held.size}] = {{{text}}};",
        f"    return !({' || '.join(tests)}) && inside[{place}];",
        "}",
    ]
