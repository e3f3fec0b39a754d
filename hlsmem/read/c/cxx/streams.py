"""Streams of C++ as arrays with counters: what is written n-th is element n, and is read n-th.

`s.write(x)` is `s[s_writes++] = x`, `s.read()` is `s[s_reads++]`. Functions that get a stream get
its counters, too. How many elements pass is found where the subscripts are known (`with_sizes`).
The depth that its type has (the alignment of what `tokens` leaves) becomes a pragma behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pycparser import c_ast, c_parser

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c.cxx.tokens import MARK
from hlsmem.read.c.flat_arrays import Flat, reach
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.region import Walk
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.symbols import Variable
from hlsmem.read.c.trees import changed, integer, name, nodes_of, rewrite, text_of

_COUNTED = "write it with a read() or write() for each element"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stream:
    """A stream as a function has it: its counters are pointers where it is a parameter."""

    name: str
    reads: str
    writes: str
    pointers: bool

    def element(self, counter: str, coord: Any) -> Any:
        """The element that is read or written next."""
        place = name(counter, coord)
        if self.pointers:
            place = c_ast.UnaryOp("*", place, coord)
        return c_ast.ArrayRef(name(self.name, coord), c_ast.UnaryOp("p++", place, coord), coord)

    def arguments(self, coord: Any) -> list[Any]:
        """The arguments that pass it to a function: the array and its two counters."""
        counters = [name(one, coord) for one in (self.reads, self.writes)]
        if not self.pointers:
            counters = [c_ast.UnaryOp("&", one, coord) for one in counters]
        return [name(self.name, coord), *counters]


def is_stream(node: Any) -> bool:
    """True if a declaration is that of a stream."""
    kind = node.type
    while isinstance(kind, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        kind = kind.type
    return isinstance(kind, c_ast.TypeDecl) and MARK in (kind.quals or [])


def streams_of(declaration: Any) -> tuple[str, ...]:
    """The parameters of a function that are streams, by its declaration."""
    return tuple(one.name for one in _parameters(declaration.type) if is_stream(one))


def depth_of(node: Any) -> Any | None:
    """The depth that the type of a stream has, as an expression; None without one."""
    return next((one.alignment for one in node.align), None)


def with_counters(tree: Any, top: str, source: SourceMap, problems: Problems) -> Any:
    """The tree without streams; in the function `top` the counters are variables of its own."""
    passed = {
        node.decl.name: streams_of(node.decl)
        for node in tree.ext
        if isinstance(node, c_ast.FuncDef)
    }
    items: list[Any] = []
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            node = _function(node, node.decl.name == top, passed, source, problems)
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            node = None if any(map(is_stream, _parameters(node.type))) else node
        elif isinstance(node, c_ast.Decl) and is_stream(node):
            what = f"the stream '{node.name}' is outside of all functions"
            remedy = "declare it in the function that calls those that use it"
            problems.add(what, remedy, source.name_place(node))
        items += [] if node is None else [node]
    return changed(tree, ext=items) if items != tree.ext else tree


def _parameters(kind: Any) -> list[Any]:
    return [one for one in (kind.args.params if kind.args else []) if isinstance(one, c_ast.Decl)]


def _function(
    function: Any,
    is_top: bool,
    passed: Mapping[str, tuple[str, ...]],
    source: SourceMap,
    problems: Problems,
) -> Any:
    taken = set(identifiers(function))
    known: dict[str, _Stream] = {}
    front: list[Any] = []
    parameters: list[Any] = []
    for node in _parameters(function.decl.type):
        if not is_stream(node):
            parameters.append(node)
            continue
        if not (isinstance(node.type, c_ast.PtrDecl) and MARK in node.type.quals):
            what = f"the stream '{node.name}' is not passed by reference"
            problems.add(what, f"write hls::stream<T> &{node.name}", source.name_place(node))
            return function
        stream = _named(node.name, taken, pointers=not is_top)
        known[node.name] = stream
        kind = _array(_unmarked(node.type.type), node.name)
        parameters.append(changed(node, type=kind, align=[]))
        if is_top:
            front += _counters(stream, node.coord)
        else:
            parameters += [_pointer(one, node.coord) for one in (stream.reads, stream.writes)]
    local = [one for one in nodes_of(function.body) if isinstance(one, c_ast.Decl)]
    for node in local:
        if is_stream(node):
            if isinstance(node.type, c_ast.ArrayDecl):
                what = f"'{node.name}' is an array of streams"
                problems.add(what, "give each a name of its own", source.name_place(node))
                return function
            known[node.name] = _named(node.name, taken, pointers=False)
    if not known:
        return function
    body = rewrite(function.body, _Replacing(known, passed, source, problems))
    if front:
        body = changed(body, block_items=[*front, *(body.block_items or [])])
    kind = changed(function.decl.type, args=c_ast.ParamList(parameters))
    return changed(function, decl=changed(function.decl, type=kind), body=body)


def _named(stream: str, taken: set[str], *, pointers: bool) -> _Stream:
    found = []
    for counter in ("reads", "writes"):
        own = f"{stream}_{counter}"
        while own in taken:
            own += "_"
        taken.add(own)
        found.append(own)
    return _Stream(name=stream, reads=found[0], writes=found[1], pointers=pointers)


def _unmarked(kind: Any) -> Any:
    return changed(kind, quals=[one for one in kind.quals if one != MARK])


def _array(kind: Any, own: str, *, restrict: bool = True) -> Any:
    """An array of elements, as many as will be known."""
    quals = ["restrict"] if restrict else []
    return c_ast.ArrayDecl(changed(kind, declname=own), None, quals)


def _plain(own: str, coord: Any) -> Any:
    """The type of a counter, marked: pointers to it are no user's."""
    kind = c_ast.IdentifierType(["int"], coord)
    return c_ast.TypeDecl(declname=own, quals=[MARK], align=None, type=kind, coord=coord)


def _declared(own: str, kind: Any, initial: Any, coord: Any) -> Any:
    return c_ast.Decl(
        name=own,
        quals=[],
        align=[],
        storage=[],
        funcspec=[],
        type=kind,
        init=initial,
        bitsize=None,
        coord=coord,
    )


def _pointer(own: str, coord: Any) -> Any:
    return _declared(own, c_ast.PtrDecl([], _plain(own, coord), coord), None, coord)


def _counters(stream: _Stream, coord: Any) -> list[Any]:
    return [
        _declared(one, _plain(one, coord), integer(0, coord), coord)
        for one in (stream.reads, stream.writes)
    ]


def _pragmas(node: Any) -> list[Any]:
    depth = depth_of(node)
    if depth is None:
        return []
    text = text_of(depth).replace(" ", "")
    return [c_ast.Pragma(f"HLS STREAM variable={node.name} depth={text}", node.coord)]


class _Replacing:
    """The rewrite of the uses of streams in a body; uses that cannot be counted are reported."""

    def __init__(
        self,
        known: Mapping[str, _Stream],
        passed: Mapping[str, tuple[str, ...]],
        source: SourceMap,
        problems: Problems,
    ) -> None:
        self.known, self.passed = known, passed
        self.source, self.problems = source, problems

    def __call__(self, node: Any) -> Any | None:
        match node:
            case c_ast.Decl() if is_stream(node):
                stream = self.known[node.name]
                kind = _array(_unmarked(node.type), node.name, restrict=False)
                array = changed(node, type=kind, init=None, storage=[], align=[])
                return [array, *_pragmas(node), *_counters(stream, node.coord)]
            case c_ast.FuncCall(name=c_ast.StructRef(name=c_ast.ID(name=own))) if own in self.known:
                return self.method(node, self.known[own])
            case c_ast.BinaryOp(op="<<", left=c_ast.ID(name=own)) if own in self.known:
                return self.written(self.known[own], node.right, node.coord)
            case c_ast.BinaryOp(op=">>", left=c_ast.ID(name=own)) if own in self.known:
                return self.read_into(self.known[own], node.right, node.coord)
            case c_ast.FuncCall(name=c_ast.ID(name=own)) if own in self.passed and node.args:
                given: list[Any] = []
                for one in node.args.exprs:
                    called = one.name if isinstance(one, c_ast.ID) else ""
                    passed = self.known.get(called)
                    given += [rewrite(one, self)] if passed is None else passed.arguments(one.coord)
                return changed(node, args=changed(node.args, exprs=given))
            case c_ast.ID(name=own) if own in self.known:
                what = f"the stream '{own}' is used in another way than read or written"
                self.problems.add(what, _COUNTED, self.source.place(node))
        return None

    def method(self, node: Any, stream: _Stream) -> Any:
        arguments = node.args.exprs if node.args else []
        match node.name.field.name, arguments:
            case "read", []:
                return stream.element(stream.reads, node.coord)
            case "read", [target]:
                return self.read_into(stream, target, node.coord)
            case "write", [value]:
                return self.written(stream, value, node.coord)
        asked = node.name.field.name
        what = f"'{self.source.text(node)}': what '{asked}' gives depends on when it is asked"
        if asked in ("read", "write"):
            what = f"'{self.source.text(node)}' has other arguments than a stream takes"
        self.problems.add(what, _COUNTED, self.source.place(node))
        return integer(0, node.coord)

    def written(self, stream: _Stream, value: Any, coord: Any) -> Any:
        target = stream.element(stream.writes, coord)
        return c_ast.Assignment("=", target, rewrite(value, self), coord)

    def read_into(self, stream: _Stream, target: Any, coord: Any) -> Any:
        """`s.read(x)` gets a reference: as a function that gets a pointer."""
        value = stream.element(stream.reads, coord)
        target = rewrite(target, self)
        if isinstance(target, c_ast.ID):
            target = c_ast.UnaryOp("*", c_ast.UnaryOp("&", target, coord), coord)
        return c_ast.Assignment("=", target, value, coord)


def with_sizes(unit: Unit, walk: Walk, flat: Mapping[Variable, Flat], problems: Problems) -> Unit:
    """The unit with extents for the streams, found in a walk over it; itself without streams."""
    extents: dict[int, QuasiPolynomial] = {}
    if problems:
        return unit
    for variable in streams_in(walk):
        found = _extent(variable, walk, flat.get(variable))
        if found is None:
            what = f"how many elements pass through the stream '{variable.name}' is not known"
            remedy = (
                "read and write it in loops of known bounds, under no conditions but such as cut "
                "the range of a loop around it, x >= 2 && y < H - 1"
            )
            problems.add(what, remedy, unit.source.name_place(variable.declaration))
        else:
            extents[id(variable.declaration)] = found
    if not extents:
        return unit

    def sized(node: Any) -> Any | None:
        if id(node) not in extents:
            return None
        return changed(node, type=changed(node.type, dim=_expression(extents[id(node)])))

    summing = None if unit.summing is None else rewrite(unit.summing, sized)
    return replace(unit.with_function(rewrite(unit.function, sized)), summing=summing)


def streams_in(walk: Walk) -> list[Variable]:
    """The variables that are declared without extents, which C++ has for streams alone."""
    touched = (touch.variable.object for written in walk.statements for touch in written.touches)
    return [one for one in dict.fromkeys(touched) if is_stream_array(one.declaration)]


def is_stream_array(node: Any) -> bool:
    """True if a declaration is that of an array as `streams` makes them."""
    return isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is None and node.init is None


def _extent(variable: Variable, walk: Walk, flat: Flat | None) -> QuasiPolynomial | None:
    rows = reach(variable, walk)
    if rows is None or any(not isinstance(a, str) for m, _ in rows.terms for a, _ in m):
        return None
    return rows if flat is None else rows * flat.strides[0]


def _expression(quantity: QuasiPolynomial) -> Any:
    """C for a quasi-polynomial."""
    tree = c_parser.CParser().parse(f"enum {{ size = {quantity} }};", "size")
    return tree.ext[0].type.values.enumerators[0].value
