"""The user's C with every access of interest written to a trace: C text from C text.

A reading of C of its own, which shares nothing with `hlsmem.read.c`: what the replay compares
must not depend on the front end that made the plan. The kernel itself is left as it is; each
statement between the scop pragmas first notes its number and iterators, each read and write
of a planned array its subscripts and bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.c_objects import Objects
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.file_trees import file_tree
from hlsmem.check.c_trees.tree_walks import nodes_in, with_children, with_node
from hlsmem.check.c_trees.written_text import text_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT, with_parts

BEGIN, READ, WRITE, RAN, LOOK = 0, 1, 2, 3, 4


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
    `root`, and `globals` the file-level variables, for the harness to fill.
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
    root, definition, region = source.tree, source.function, source.region
    objects = Objects(root, definition, (region.parent, region.first, region.end), values)
    tracer = _Tracer(ranks, objects, looked_up, guarded, filtered, played or {})
    tracer.labels = _labels(definition.body)
    traced = [new for item in region.items for new in tracer.items(item)]
    return Instrumented(
        text=text_of(source.with_function(region.with_items(definition, traced))),
        includes=source.includes,
        statements=tuple(tracer.statements),
        accesses=tuple(tracer.accesses),
        function=definition,
        tree=root,
        globals=tuple(node for node in root.ext if _is_variable(node)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A C file as it is read here: its `root`, and a function in it with its region."""

    tree: Any
    function: Any
    region: Region
    includes: tuple[str, ...]

    def with_function(self, function: Any) -> Any:
        """The tree with another function in the place of its own."""
        return with_node(self.tree, self.function, function)


def source_of(
    folder: Path, file: str, function: str, *, cflags: Sequence[str], values: Mapping[str, int]
) -> Source:
    """The C file `file` below `folder` with macros at `values`. Raises NotUnderstood."""
    root, includes = file_tree(folder, file, cflags=cflags, values=values)
    definition = _function(root, function)
    return Source(tree=root, function=definition, region=_region(definition), includes=includes)


def _function(root: Any, name: str) -> Any:
    for node in root.ext:
        if isinstance(node, written_c.FuncDef) and node.decl.name == name:
            return node
    raise NotUnderstood(f"there is no function {name!r}")


def _is_variable(node: Any) -> bool:
    if not isinstance(node, written_c.Decl) or isinstance(node.type, written_c.FuncDecl):
        return False
    return not node.init and "const" not in node.quals and "extern" not in node.storage


@dataclass(frozen=True, slots=True)
class Region:
    """The statements between the scop pragmas: a stretch of the items of one block."""

    parent: Any
    first: int
    end: int

    @property
    def items(self) -> list[Any]:
        """The statements."""
        return list(self.parent.block_items[self.first : self.end])

    def with_items(self, function: Any, items: Sequence[Any]) -> Any:
        """The function with other statements in their place."""
        old = self.parent.block_items
        new = (*old[: self.first], *items, *old[self.end :])
        return with_node(function, self.parent, with_parts(self.parent, block_items=new))


def _region(function: Any) -> Region:
    for node in nodes_in(function.body):
        if not isinstance(node, tree.Compound):
            continue
        items = node.block_items
        marks = [
            " ".join(item.string.split()) if isinstance(item, tree.Pragma) else "" for item in items
        ]
        if "scop" in marks:
            if "endscop" not in marks:
                raise NotUnderstood("#pragma scop has no #pragma endscop in the same block")
            return Region(node, marks.index("scop") + 1, marks.index("endscop"))
    raise NotUnderstood("there is no #pragma scop")


# Tracing.


def _labels(node: Any) -> set[str]:
    """The labels of statements in a tree."""
    own = {node.name} if isinstance(node, tree.Label) else set()
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

    def items(self, node: Any, label: str | None = None) -> list[Any]:
        """The traced text of one item of a block."""
        match node:
            case tree.Compound():
                items = [new for item in node.block_items for new in self.items(item)]
                return [tree.Compound(tuple(items))]
            case tree.For():
                self.loops.append(iterator_of(node))
                body = self.one(node.stmt)
                self.loops.pop()
                return [with_parts(node, stmt=body)]
            case tree.If() if len(self.statements) in self.guarded and _decides(node):
                number = len(self.statements)
                begin = self.begin(label)
                ran = []
                if number in self.filtered:
                    ran = [_call("HLSMEM_RAN", _number(number), _number(0), _number(0))]
                    self.reading = "HLSMEM_LOOK"
                cond = self.reads(node.cond)
                self.reading = "HLSMEM_READ"
                iftrue = tree.Compound((*ran, *self.made(_only(node.iftrue))))
                return [begin, with_parts(node, cond=cond, iftrue=iftrue)]
            case tree.If():
                iftrue = self.one(node.iftrue)
                iffalse = self.one(node.iffalse) if node.iffalse else None
                return [with_parts(node, iftrue=iftrue, iffalse=iffalse)]
            case tree.Label():
                body = tree.Compound(tuple(self.items(node.stmt, node.name)))
                return [with_parts(node, stmt=body)]
            case written_c.Decl():
                return self.declaration(node, label)
            case tree.Assignment() | tree.UnaryOp():
                return self.assignment(node, label)
            case tree.EmptyStatement() | tree.Pragma() | written_c.Cast(expr=tree.ID()):
                return [node]
        raise NotUnderstood(f"{node.place}: this statement cannot be replayed")

    def one(self, node: Any) -> Any:
        items = self.items(node)
        return items[0] if len(items) == 1 else tree.Compound(tuple(items))

    def declaration(self, node: Any, label: str | None) -> list[Any]:
        # The flag of a condition, which has its name as a label, begins with 0 and is no statement.
        if node.init is None or node.name in self.labels:
            return [node]
        if isinstance(node.init, tree.InitList):
            raise NotUnderstood(f"{node.place}: an initializer list cannot be replayed")
        inner, value = self.unchained(node.init)
        begin = self.begin(label)
        made = with_parts(node, init=self.reads(value))
        return [*inner, begin, made, *self.write(self.objects.target(node))]

    def assignment(self, node: Any, label: str | None) -> list[Any]:
        if isinstance(node, tree.UnaryOp):
            begin = self.begin(label)
            if node.op not in ("++", "--", "p++", "p--"):
                raise NotUnderstood(f"{node.place}: this statement cannot be replayed")
            return [begin, *self.made(node)]
        inner, value = self.unchained(node.rvalue)
        begin = self.begin(label)
        return [*inner, begin, *self.made(with_parts(node, rvalue=value))]

    def made(self, node: Any) -> list[Any]:
        """The traced text of an assignment whose statement has begun."""
        if isinstance(node, tree.UnaryOp):
            return [*self.read_first(node.expr), node, *self.write(node.expr)]
        before = self.searched(node.lvalue) if node.op == "=" else self.read_first(node.lvalue)
        made = with_parts(node, rvalue=self.reads(node.rvalue))
        return [*before, made, *self.write(node.lvalue)]

    def unchained(self, value: Any) -> tuple[list[Any], Any]:
        """The assignment in front of `a = b = x`, which is `b = x`; and the value of `a`, `b`."""
        if not isinstance(value, tree.Assignment):
            return [], value
        return self.assignment(value, None), value.lvalue

    def begin(self, label: str | None) -> Any:
        self.statements.append(TracedStatement(label, tuple(self.loops)))
        number = len(self.statements) - 1
        return _call("HLSMEM_BEGIN", _number(number), _number(0), *map(tree.ID, self.loops))

    def read_first(self, target: Any) -> list[Any]:
        traced = self.reads(target)
        return [] if traced is target else [written_c.Cast(_void(), traced)]

    def searched(self, target: Any) -> list[Any]:
        """The reads that find the element that is written."""
        if not self.searches(target):
            return []
        return [written_c.Cast(_void(), self.reads(one)) for one in _subscripts_of(target)]

    def searches(self, node: Any) -> bool:
        """True if subscripts have reads that are to be traced."""
        found = (self.objects.find(part) for one in _subscripts_of(node) for part in nodes_in(one))
        names = {one[0] for one in found if one is not None}
        own = self.objects.find(node)
        if own is not None and own[0] in names & self.looked:
            raise NotUnderstood(f"{node.place}: {own[0]!r} says where in itself something is")
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
        searches = bool(self.looked) and isinstance(node, tree.ArrayRef) and self.searches(node)
        place = self.within(node) if searches else node
        if found:
            return self.access(self.reading, *found, place, is_write=False)
        node = place
        if isinstance(node, tree.Assignment):
            raise NotUnderstood(f"{node.place}: an assignment inside an expression")
        if isinstance(node, tree.UnaryOp) and node.op in ("&", "++", "--", "p++", "p--"):
            raise NotUnderstood(f"{node.place}: {node.op} inside an expression")
        if isinstance(node, tree.UnaryOp) and node.op == "sizeof":
            return node
        kind = type(node)

        def traced(child: Any, part: str) -> Any:
            is_read = (kind, part) not in _NOT_READ and not isinstance(child, written_c.Typename)
            return self.reads(child) if is_read else child

        return with_children(node, traced)

    def within(self, node: Any) -> Any:
        """An access with the reads in its subscripts traced."""
        match node:
            case tree.ArrayRef():
                subscript = self.looked_at(node.subscript)
                return with_parts(node, name=self.within(node.name), subscript=subscript)
            case tree.StructRef():
                return with_parts(node, name=self.within(node.name))
        return node

    def looked_at(self, node: Any) -> Any:
        """A subscript with the reads of arrays traced that say where something is."""
        found = self.objects.find(node)
        if found is not None:
            return self.reads(node) if found[0] in self.looked else node
        is_call = isinstance(node, written_c.FuncCall)

        def traced(child: Any, part: str) -> Any:
            return child if is_call and part == "name" else self.looked_at(child)

        return with_children(node, traced)

    def subscripts(self, node: Any) -> tuple[str, list[Any]] | None:
        """The array and subscripts of an access of interest; None for anything else."""
        found = self.objects.find(node)
        if found is None or found[0] not in self.ranks:
            return None
        name, subscripts = found
        if len(subscripts) != self.ranks[name]:
            raise NotUnderstood(f"{node.place}: {name!r} is used with {len(subscripts)} subscripts")
        return name, subscripts

    def access(
        self, macro: str, array: str, subscripts: list[Any], node: Any, *, is_write: bool
    ) -> Any:
        self.accesses.append(TracedAccess(array, is_write))
        return _call(macro, _number(len(self.accesses) - 1), node, _number(0), *subscripts)


def _decides(node: Any) -> bool:
    """True if an `if` guards one assignment alone."""
    is_assignment = isinstance(_only(node.iftrue), (tree.Assignment, tree.UnaryOp))
    return is_assignment and node.iffalse is None


def _only(node: Any) -> Any:
    """The only statement of a block, itself of one."""
    while isinstance(node, tree.Compound) and len(node.block_items) == 1:
        node = node.block_items[0]
    return node


def _subscripts_of(node: Any) -> list[Any]:
    """The subscripts of an access, outermost last."""
    found = []
    while isinstance(node, (tree.ArrayRef, tree.StructRef)):
        if isinstance(node, tree.ArrayRef):
            found.append(node.subscript)
        node = node.name
    return found


# Names of functions and members are no reads, and subscripts are computed.
_NOT_READ = {
    (written_c.FuncCall, "name"),
    (tree.ArrayRef, "subscript"),
}


def iterator_of(loop: Any) -> str:
    """The variable of a loop. Raises NotUnderstood where it has no single one."""
    match loop.init:
        case tree.DeclList(decls=[declaration]):
            return str(declaration.name)
        case tree.Assignment("=", tree.ID(name)):
            return name
    raise NotUnderstood(f"{loop.place}: this loop has no single iterator")


def _call(macro: str, *arguments: Any) -> Any:
    return written_c.FuncCall(tree.ID(macro), tree.ExprList(arguments))


def _number(value: int) -> Any:
    return tree.Constant(str(value), INT)


def _void() -> Any:
    kind = written_c.TypeDecl(None, [], written_c.IdentifierType(["void"]))
    return written_c.Typename([], kind)
