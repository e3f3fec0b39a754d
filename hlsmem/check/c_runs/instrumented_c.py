"""The user's C with every access of interest written to a trace: C text from C text.

A reading of C of its own, which shares nothing with `hlsmem.read.c`: what the replay compares
must not depend on the front end that made the plan. The kernel itself is left as it is; each
statement between the scop pragmas first notes its number and iterators, each read and write
of a planned array its subscripts and bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pcpp
from pcpp.preprocessor import Action, OutputDirective

from hlsmem.check.c_runs.c_objects import Objects
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import c_ast
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.parsed_text import ParseError, tree_of

BEGIN, READ, WRITE, RAN, LOOK = 0, 1, 2, 3, 4


class NotUnderstood(Exception):
    """C outside of what the replay can follow; says what and where."""


@dataclass(frozen=True, slots=True)
class TracedStatement:
    """A statement in textual order: its label and the loops around it, outermost first."""

    label: str | None
    iterators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TracedAccess:
    """An access as it is numbered in the trace."""

    array: str
    is_write: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrumented:
    """C text of the kernel with its trace calls, to be followed by the harness.

    `includes` are the system headers of the original; `function` is the kernel's FuncDef in
    `tree`, and `globals` the file-level variables, for the harness to fill.
    """

    text: str
    includes: tuple[str, ...]
    statements: tuple[TracedStatement, ...]
    accesses: tuple[TracedAccess, ...]
    function: Any
    tree: Any
    globals: tuple[Any, ...]


def instrument(
    folder: Path,
    file: str,
    function: str,
    *,
    cflags: Sequence[str],
    values: Mapping[str, int],
    ranks: Mapping[str, int],
    looked_up: Sequence[frozenset[str]] = (),
    guarded: frozenset[int] = frozenset(),
    filtered: frozenset[int] = frozenset(),
    played: Mapping[str, int] | None = None,
) -> Instrumented:
    """The C file `file` below `folder`, with the accesses to the arrays in `ranks` traced.

    `ranks` gives the number of subscripts of each array of interest, 0 for a scalar. Macros
    named in `values` get these values. `looked_up` has for each statement, in textual order, the
    arrays that it reads to find other elements: in subscripts no others are traced. Those of the
    numbers in `guarded` stand under an `if` on data, which is theirs; of those also in `filtered`
    it is noted whether they ran, and what the condition reads is predicate reads. What is written
    to the arrays in `played` may be replaced, by their numbers. Raises NotUnderstood.
    """
    source = source_of(folder, file, function, cflags=cflags, values=values)
    tree, definition, region = source.tree, source.function, source.region
    objects = Objects(tree, definition, (region.parent, region.first, region.end), values)
    tracer = _Tracer(ranks, objects, looked_up, guarded, filtered, played or {})
    tracer.labels = _labels(definition.body)
    tracer.block(region)
    kept = source.kept()
    return Instrumented(
        text=text_of(c_ast.FileAST(kept)),
        includes=source.includes,
        statements=tuple(tracer.statements),
        accesses=tuple(tracer.accesses),
        function=definition,
        tree=tree,
        globals=tuple(node for node in kept if _is_variable(node)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A C file as it is read here: its `tree`, and a function in it with its region."""

    tree: Any
    function: Any
    region: _Region
    includes: tuple[str, ...]

    def kept(self) -> list[Any]:
        """The items of the file besides `main`."""
        return [node for node in self.tree.ext if not _is_main(node)]


def source_of(
    folder: Path, file: str, function: str, *, cflags: Sequence[str], values: Mapping[str, int]
) -> Source:
    """The C file `file` below `folder` with macros at `values`. Raises NotUnderstood."""
    text, includes = _preprocess(folder, file, cflags, values)
    tree = _parse(text, file)
    definition = _function(tree, function)
    return Source(tree=tree, function=definition, region=_region(definition), includes=includes)


# Preprocessing: system headers stay with the compiler, the values of the parameters win.


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    def __init__(self, values: Mapping[str, int]) -> None:
        super().__init__()
        self.values = values
        self.includes: dict[str, None] = {}
        self.line_directive = None
        self.assume_encoding = "utf-8"
        self.expand_filemacro = False
        self.define("__SYNTHESIS__ 1")  # as HLS tools do
        for spelling in ("__restrict restrict", "__restrict__ restrict", "__inline__ inline"):
            self.define(spelling)
        for spelling in ("__inline inline", "__extension__ ", "__attribute__(x) ", "register "):
            self.define(spelling)  # the address of a register variable cannot be taken

    def on_include_not_found(
        self, _malformed: bool, _system: bool, _folder: str, includepath: str
    ) -> None:
        self.includes[f"#include <{includepath.strip('<>')}>"] = None
        raise OutputDirective(Action.IgnoreAndRemove)

    def on_directive_handle(
        self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any
    ) -> Any:
        if directive.value in ("define", "undef") and toks and toks[0].value in self.values:
            name = toks[0].value
            self.define(f"{name} {self.values[name]}")
            raise OutputDirective(Action.IgnoreAndRemove)
        return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)

    def on_error(self, file: Any, line: int, msg: str) -> None:
        raise NotUnderstood(f"{file}:{line}: {msg}")


def _preprocess(
    folder: Path, file: str, cflags: Sequence[str], values: Mapping[str, int]
) -> tuple[str, tuple[str, ...]]:
    from io import StringIO

    reader = _Preprocessor(values)
    for kind, value in _flags(cflags):
        if kind == "-I":
            reader.add_path(str(folder / value))
        elif kind == "-D":
            name, _, body = value.partition("=")
            reader.define(f"{name} {values.get(name, body if '=' in value else 1)}")
        else:
            reader.undef(value)
    reader.parse((folder / file).read_text(encoding="utf-8-sig"), str(folder / file))
    output = StringIO()
    reader.write(output)
    return output.getvalue(), tuple(reader.includes)


def _flags(cflags: Sequence[str]) -> Iterator[tuple[str, str]]:
    rest = iter(cflags)
    for flag in rest:
        if flag[:2] in ("-I", "-D", "-U"):
            yield flag[:2], flag[2:] or next(rest, "")


# Parsing: the names of standard types are enough, their widths are the compiler's business.

_SIZED = (f"int{kind}{bits}_t" for kind in ("", "_fast", "_least") for bits in (8, 16, 32, 64))
_TYPES = [f"{sign}{name}" for name in _SIZED for sign in ("", "u")]
_TYPES += ["intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "size_t", "ssize_t", "ptrdiff_t"]
_TYPES += ["wchar_t", "bool", "float_t", "double_t", "time_t", "clock_t", "FILE", "va_list"]


def _parse(text: str, file: str) -> Any:
    known = " ".join(f"typedef int {name};" for name in _TYPES)
    try:
        tree = tree_of(f"{known} {text}", file)
    except ParseError as error:
        raise NotUnderstood(str(error)) from None
    return c_ast.FileAST(tree.ext[len(_TYPES) :])


def _function(tree: Any, name: str) -> Any:
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef) and node.decl.name == name:
            return node
    raise NotUnderstood(f"there is no function {name!r}")


def _is_main(node: Any) -> bool:
    return isinstance(node, c_ast.FuncDef) and node.decl.name == "main"


def _is_variable(node: Any) -> bool:
    if not isinstance(node, c_ast.Decl) or isinstance(node.type, c_ast.FuncDecl):
        return False
    return not node.init and "const" not in node.quals and "extern" not in node.storage


class _Region:
    """The statements between the scop pragmas: a stretch of the items of one block."""

    def __init__(self, parent: Any, first: int, end: int) -> None:
        self.parent, self.first, self.end = parent, first, end


def _region(function: Any) -> _Region:
    for node in _nodes(function.body):
        if not isinstance(node, c_ast.Compound):
            continue
        items = node.block_items or []
        marks = [
            " ".join(item.string.split()) if isinstance(item, c_ast.Pragma) else ""
            for item in items
        ]
        if "scop" in marks:
            if "endscop" not in marks:
                raise NotUnderstood("#pragma scop has no #pragma endscop in the same block")
            return _Region(node, marks.index("scop") + 1, marks.index("endscop"))
    raise NotUnderstood("there is no #pragma scop")


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node:
        yield from _nodes(child)


# Tracing.


def _labels(node: Any) -> set[str]:
    """The labels of statements in a tree."""
    own = {node.name} if isinstance(node, c_ast.Label) else set()
    return own.union(*(_labels(child) for child in node))


class _Tracer:
    """Rewrites statements; numbers statements and accesses in textual order."""

    def __init__(
        self,
        ranks: Mapping[str, int],
        objects: Objects,
        looked_up: Sequence[frozenset[str]],
        guarded: frozenset[int],
        filtered: frozenset[int],
        played: Mapping[str, int],
    ) -> None:
        self.guarded = guarded
        self.filtered = filtered
        self.played = played
        self.ranks = ranks
        self.objects = objects
        self.looked_up = looked_up
        self.statements: list[TracedStatement] = []
        self.accesses: list[TracedAccess] = []
        self.loops: list[str] = []
        self.reading = "HLSMEM_READ"
        self.labels: set[str] = set()

    def block(self, region: _Region) -> None:
        items = region.parent.block_items
        inside = [new for item in items[region.first : region.end] for new in self.items(item)]
        items[region.first : region.end] = inside

    def items(self, node: Any, label: str | None = None) -> list[Any]:
        """The traced text of one item of a block."""
        match node:
            case c_ast.Compound():
                items = [new for item in node.block_items or [] for new in self.items(item)]
                return [c_ast.Compound(items)]
            case c_ast.For():
                self.loops.append(iterator_of(node))
                node.stmt = self.one(node.stmt)
                self.loops.pop()
                return [node]
            case c_ast.If() if len(self.statements) in self.guarded and _decides(node):
                number = len(self.statements)
                begin = self.begin(label)
                ran = []
                if number in self.filtered:
                    ran = [_call("HLSMEM_RAN", _number(number), _number(0), _number(0))]
                    self.reading = "HLSMEM_LOOK"
                node.cond = self.reads(node.cond)
                self.reading = "HLSMEM_READ"
                node.iftrue = c_ast.Compound([*ran, *self.made(_only(node.iftrue))])
                return [begin, node]
            case c_ast.If():
                node.iftrue = self.one(node.iftrue)
                node.iffalse = self.one(node.iffalse) if node.iffalse else None
                return [node]
            case c_ast.Label():
                node.stmt = c_ast.Compound(self.items(node.stmt, node.name))
                return [node]
            case c_ast.Decl():
                return self.declaration(node, label)
            case c_ast.Assignment() | c_ast.UnaryOp():
                return self.assignment(node, label)
            case c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.Cast(expr=c_ast.ID()):
                return [node]
        raise NotUnderstood(f"{node.coord}: this statement cannot be replayed")

    def one(self, node: Any) -> Any:
        items = self.items(node)
        return items[0] if len(items) == 1 else c_ast.Compound(items)

    def declaration(self, node: Any, label: str | None) -> list[Any]:
        # The flag of a condition, which has its name as a label, begins with 0 and is no statement.
        if node.init is None or node.name in self.labels:
            return [node]
        if isinstance(node.init, c_ast.InitList):
            raise NotUnderstood(f"{node.coord}: an initializer list cannot be replayed")
        inner = self.unchained(node, "init")
        begin = self.begin(label)
        node.init = self.reads(node.init)
        return [*inner, begin, node, *self.write(self.objects.target(node))]

    def assignment(self, node: Any, label: str | None) -> list[Any]:
        if isinstance(node, c_ast.UnaryOp):
            begin = self.begin(label)
            if node.op not in ("++", "--", "p++", "p--"):
                raise NotUnderstood(f"{node.coord}: this statement cannot be replayed")
            return [begin, *self.made(node)]
        inner = self.unchained(node, "rvalue")
        begin = self.begin(label)
        return [*inner, begin, *self.made(node)]

    def made(self, node: Any) -> list[Any]:
        """The traced text of an assignment whose statement has begun."""
        if isinstance(node, c_ast.UnaryOp):
            return [*self.read_first(node.expr), node, *self.write(node.expr)]
        before = self.searched(node.lvalue) if node.op == "=" else self.read_first(node.lvalue)
        node.rvalue = self.reads(node.rvalue)
        return [*before, node, *self.write(node.lvalue)]

    def unchained(self, node: Any, key: str) -> list[Any]:
        """The assignment in front of `a = b = x`: `b = x`; the node itself becomes `a = b`."""
        inner = getattr(node, key)
        if not isinstance(inner, c_ast.Assignment):
            return []
        setattr(node, key, self.objects.copied(inner.lvalue))
        return self.assignment(inner, None)

    def begin(self, label: str | None) -> Any:
        self.statements.append(TracedStatement(label, tuple(self.loops)))
        number = len(self.statements) - 1
        return _call("HLSMEM_BEGIN", _number(number), _number(0), *map(c_ast.ID, self.loops))

    def read_first(self, target: Any) -> list[Any]:
        if not self.searches(target):
            traced = self.reads(target)
            return [c_ast.Cast(_void(), traced)] if traced is not target else []
        return [c_ast.Cast(_void(), self.reads(self.objects.copied(target)))]

    def searched(self, target: Any) -> list[Any]:
        """The reads that find the element that is written."""
        if not self.searches(target):
            return []
        copy = self.objects.copied(target)
        return [c_ast.Cast(_void(), self.reads(one)) for one in _subscripts_of(copy)]

    def searches(self, node: Any) -> bool:
        """True if subscripts have reads that are to be traced."""
        found = (self.objects.find(part) for one in _subscripts_of(node) for part in _nodes(one))
        names = {one[0] for one in found if one is not None}
        own = self.objects.find(node)
        if own is not None and own[0] in names & self.looked:
            raise NotUnderstood(f"{node.coord}: {own[0]!r} says where in itself something is")
        return not names.isdisjoint(self.looked)

    @property
    def looked(self) -> frozenset[str]:
        number = len(self.statements) - 1
        return self.looked_up[number] if number < len(self.looked_up) else frozenset()

    def write(self, target: Any) -> list[Any]:
        meant = self.objects.find(target)
        played = [] if meant is None or meant[0] not in self.played else [meant[0]]
        chosen = [_call("HLSMEM_PLAY", _number(self.played[name]), target) for name in played]
        found = self.subscripts(target)
        if not found:
            return chosen
        return [*chosen, self.access("HLSMEM_WRITE", *found, target, is_write=True)]

    def reads(self, node: Any) -> Any:
        """An expression with its reads of planned arrays traced."""
        found = self.subscripts(node)
        searches = bool(self.looked) and isinstance(node, c_ast.ArrayRef) and self.searches(node)
        if found:
            name, subscripts = found
            if searches:
                subscripts = deepcopy(subscripts)
                self.within(node)
            return self.access(self.reading, name, subscripts, node, is_write=False)
        if searches:
            self.within(node)
        if isinstance(node, c_ast.Assignment):
            raise NotUnderstood(f"{node.coord}: an assignment inside an expression")
        if isinstance(node, c_ast.UnaryOp) and node.op in ("&", "++", "--", "p++", "p--"):
            raise NotUnderstood(f"{node.coord}: {node.op} inside an expression")
        if isinstance(node, c_ast.UnaryOp) and node.op == "sizeof":
            return node
        for name in node.__slots__:
            value = getattr(node, name, None)
            if (type(node), name) in _NOT_READ:
                continue
            if isinstance(value, c_ast.Node) and not isinstance(value, c_ast.Typename):
                setattr(node, name, self.reads(value))
            elif isinstance(value, list):
                setattr(node, name, [_if_node(item, self.reads) for item in value])
        return node

    def within(self, node: Any) -> None:
        """Trace the reads in the subscripts of an access."""
        while isinstance(node, (c_ast.ArrayRef, c_ast.StructRef)):
            if isinstance(node, c_ast.ArrayRef):
                node.subscript = self.looked_at(node.subscript)
            node = node.name

    def looked_at(self, node: Any) -> Any:
        """A subscript with the reads of arrays traced that say where something is."""
        found = self.objects.find(node)
        if found is not None:
            return self.reads(node) if found[0] in self.looked else node
        for name in node.__slots__:
            value = getattr(node, name, None)
            if isinstance(value, c_ast.Node) and (type(node), name) != (c_ast.FuncCall, "name"):
                setattr(node, name, self.looked_at(value))
            elif isinstance(value, list):
                setattr(node, name, [_if_node(item, self.looked_at) for item in value])
        return node

    def subscripts(self, node: Any) -> tuple[str, list[Any]] | None:
        """The array and subscripts of an access of interest; None for anything else."""
        found = self.objects.find(node)
        if found is None or found[0] not in self.ranks:
            return None
        name, subscripts = found
        if len(subscripts) != self.ranks[name]:
            raise NotUnderstood(f"{node.coord}: {name!r} is used with {len(subscripts)} subscripts")
        return name, subscripts

    def access(
        self, macro: str, array: str, subscripts: list[Any], node: Any, *, is_write: bool
    ) -> Any:
        self.accesses.append(TracedAccess(array, is_write))
        return _call(macro, _number(len(self.accesses) - 1), node, _number(0), *subscripts)


def _decides(node: Any) -> bool:
    """True if an `if` guards one assignment alone."""
    is_assignment = isinstance(_only(node.iftrue), (c_ast.Assignment, c_ast.UnaryOp))
    return is_assignment and node.iffalse is None


def _only(node: Any) -> Any:
    """The only statement of a block, itself of one."""
    while isinstance(node, c_ast.Compound) and len(node.block_items or ()) == 1:
        node = node.block_items[0]
    return node


def _subscripts_of(node: Any) -> list[Any]:
    """The subscripts of an access, outermost last."""
    found = []
    while isinstance(node, (c_ast.ArrayRef, c_ast.StructRef)):
        if isinstance(node, c_ast.ArrayRef):
            found.append(node.subscript)
        node = node.name
    return found


# Names of functions and members are no reads, and subscripts are computed.
_NOT_READ = {
    (c_ast.FuncCall, "name"),
    (c_ast.ArrayRef, "subscript"),
    (c_ast.StructRef, "field"),
}


def _if_node(item: Any, rewrite: Any) -> Any:
    return rewrite(item) if isinstance(item, c_ast.Node) else item


def iterator_of(loop: Any) -> str:
    """The variable of a loop. Raises NotUnderstood where it has no single one."""
    match loop.init:
        case c_ast.DeclList(decls=[declaration]):
            return str(declaration.name)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID()):
            return str(loop.init.lvalue.name)
    raise NotUnderstood(f"{loop.coord}: this loop has no single iterator")


def _call(macro: str, *arguments: Any) -> Any:
    return c_ast.FuncCall(c_ast.ID(macro), c_ast.ExprList(list(arguments)))


def _number(value: int) -> Any:
    return c_ast.Constant("int", str(value))


def _void() -> Any:
    kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["void"]))
    return c_ast.Typename(None, [], None, kind)
