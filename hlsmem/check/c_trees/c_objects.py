"""The object that a name of C means in the region of a kernel, and its array in the plan.

Arrays have the names of their variables; a member of a struct, `z.re`, is the array z_re. Of
variables of different blocks that share a name, the first that the region reads or writes has
it, in order of declaration; the others are t_2, t_3, .., and so is a member whose name the
function, or a variable whose name a parameter of the design has already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.tree_walks import nodes_in
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT

Path = tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Object:
    """A variable, by identity."""

    name: str


class Objects:
    """The objects behind names in a region, and the arrays they are.

    The region is the items `first` to `end` of the block `parent` in a FuncDef of `root`.
    """

    def __init__(
        self, root: Any, function: Any, region: tuple[Any, int, int], parameters: Collection[str]
    ) -> None:
        self._parent, self._first, self._end = region
        self._scopes: list[dict[str, Object | None]] = [{}]
        self._declared: list[Object] = []
        # The nodes are kept too: the identity of one that is gone may come back.
        self._meant: dict[int, tuple[Any, Object]] = {}
        self._touched: dict[Object, dict[Path, None]] = {}
        for node in root.ext:
            if node is function:
                break
            if isinstance(node, written_c.Decl) and not isinstance(node.type, written_c.FuncDecl):
                self._declare(node.name)
        self._scopes.append({})
        arguments = function.decl.type.args
        for node in arguments.params if arguments else []:
            if isinstance(node, written_c.Decl):
                self._declare(node.name)
        self._outside(function.body)
        self._names = self._arrays(set(_identifiers(function)), set(parameters))

    def find(self, node: Any) -> tuple[str, list[Any]] | None:
        """The array of an access and its subscripts; None where it reaches no object."""
        base, path, subscripts = unfold(node)
        _, found = self._meant.get(id(base), (None, None))
        if found is None:
            return None
        name = self._names.get((found, tuple(path)))
        return None if name is None else (name, subscripts)

    def target(self, declaration: Any) -> Any:
        """A name for the variable of a declaration with an initial value."""
        node = tree.ID(declaration.name)
        if id(declaration) in self._meant:
            self._meant[id(node)] = node, self._meant[id(declaration)][1]
        return node

    def _arrays(self, taken: set[str], parameters: set[str]) -> dict[tuple[Object, Path], str]:
        used: set[str] = set()
        found = {}
        folded = {name.casefold() for name in taken}
        for one in self._declared:
            for path in self._touched.get(one, ()):
                name = "_".join((one.name, *path))
                if name in used | parameters or (path and name.casefold() in folded):
                    name = _numbered(name, used | taken | parameters)
                used.add(name)
                found[one, path] = name
        return found

    # Scopes.

    def _declare(self, name: str) -> Object:
        made = Object(name)
        self._scopes[-1][name] = made
        self._declared.append(made)
        return made

    def _find(self, name: str) -> Object | None:
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)

    def _outside(self, node: Any) -> None:
        """Enter the declarations on the way to the region; then the region."""
        self._scopes.append({})
        if isinstance(node, tree.For) and isinstance(node.init, tree.DeclList):
            for counter in node.init.decls:
                self._declare(counter.name)
        items: Sequence[Any] = node.block_items if isinstance(node, tree.Compound) else list(node)
        if node is self._parent:
            for one in items[: self._first]:
                if isinstance(one, written_c.Decl):
                    self._declare(one.name)
            for one in items[self._first : self._end]:
                self._statement(one)
            return
        for one in items:
            if any(part is self._parent for part in nodes_in(one)):
                self._outside(one)
                return
            if isinstance(one, written_c.Decl) and isinstance(node, tree.Compound):
                self._declare(one.name)

    def _block(self, nodes: Sequence[Any]) -> None:
        self._scopes.append({})
        for node in nodes:
            self._statement(node)
        self._scopes.pop()

    def _statement(self, node: Any) -> None:
        match node:
            case tree.Compound():
                self._block(node.block_items)
            case tree.For():
                self._scopes.append({_counter(node): None})
                self._statement(node.stmt)
                self._scopes.pop()
            case tree.If():
                self._guard(node.cond)
                self._block([node.iftrue])
                self._block([node.iffalse] if node.iffalse else [])
            case tree.Label():
                self._statement(node.stmt)
            case written_c.Decl():
                made = self._declare(node.name)
                if node.init is not None:
                    self._touch(node, made, ())
                    self._assigned(node.init)
            case tree.Assignment():
                self._access(node.lvalue)
                self._assigned(node.rvalue)
            case tree.UnaryOp():
                self._access(node.expr)

    def _guard(self, node: Any) -> None:
        """Record the reads of a condition, if it is on data: it is known then; variables are
        touched elsewhere too."""
        if isinstance(node, (tree.ArrayRef, tree.StructRef)):
            self._access(node)
            return
        if isinstance(node, tree.UnaryOp) and node.op == "*":
            self._access(node)
            return
        if not isinstance(node, tree.ID):
            for part in node:
                self._guard(part)
            return
        for part in nodes_in(node):
            if isinstance(part, tree.ID) and (meant := self._find(part.name)) is not None:
                self._meant[id(part)] = part, meant

    def _assigned(self, node: Any) -> None:
        if isinstance(node, tree.Assignment):
            self._statement(node)
        else:
            self._value(node)

    # Accesses: what stands in subscripts is computed, not stored.

    def _value(self, node: Any) -> None:
        match node:
            case tree.ID() | tree.ArrayRef() | tree.StructRef() | tree.UnaryOp(op="*"):
                self._access(node)
            case written_c.FuncCall():
                for one in node.args.exprs if node.args else []:
                    self._value(one)
            case tree.UnaryOp(op="sizeof") | written_c.Typename():
                pass
            case _:
                for one in node:
                    self._value(one)

    def _access(self, node: Any) -> None:
        base, path, subscripts = unfold(node)
        for part in (part for one in subscripts for part in nodes_in(one)):
            # What only says where something is may be a number that stands for its value.
            if isinstance(part, tree.ID) and (meant := self._find(part.name)) is not None:
                self._meant[id(part)] = part, meant
            elif isinstance(part, tree.ArrayRef):  # an element that is read
                inner, way, _ = unfold(part)
                if isinstance(inner, tree.ID) and (meant := self._find(inner.name)) is not None:
                    self._touch(inner, meant, way)
        if isinstance(base, tree.ID) and (found := self._find(base.name)) is not None:
            self._touch(base, found, path)

    def _touch(self, node: Any, found: Object, path: Path) -> None:
        self._meant[id(node)] = node, found
        self._touched.setdefault(found, {})[path] = None


def unfold(node: Any) -> tuple[Any, Path, list[Any]]:
    """Base, members and subscripts of an access; `*(p + i)` is p[i], and `p->x` is p[0].x."""
    match node:
        case tree.ArrayRef():
            base, path, subscripts = unfold(node.name)
            return base, path, [*subscripts, node.subscript]
        case tree.StructRef():
            base, path, subscripts = unfold(node.name)
            zero = [tree.Constant("0", INT)] if node.arrow else []
            return base, (*path, node.field), [*subscripts, *zero]
        case tree.UnaryOp(op="*"):
            pointer = node.expr
            terms: list[tuple[str, Any]] = []
            while isinstance(pointer, tree.BinaryOp) and pointer.op in ("+", "-"):
                terms.insert(0, (pointer.op, pointer.right))
                pointer = pointer.left
            offset: Any = tree.Constant("0", INT)
            for sign, term in terms:
                offset = tree.BinaryOp(sign, offset, term)
            base, path, subscripts = unfold(pointer)
            return base, path, [*subscripts, offset]
    return node, (), []


def _counter(loop: Any) -> str:
    """The variable of a loop; "" where it has none, or several."""
    match loop.init:
        case tree.DeclList(decls=[declaration]):
            return str(declaration.name)
        case tree.Assignment(lvalue=tree.ID(name=name)):
            return str(name)
    return ""


def _numbered(name: str, taken: set[str]) -> str:
    """With the least number that makes it another name than all, in any case."""
    number, folded = 2, {one.casefold() for one in taken}
    while f"{name}_{number}".casefold() in folded:
        number += 1
    return f"{name}_{number}"


def _identifiers(node: Any) -> Iterator[str]:
    """Every name in a function: of uses, declarations, labels and types."""
    for part in nodes_in(node):
        match part:
            case tree.ID() | tree.Label() | written_c.Decl() if part.name:
                yield part.name
            case written_c.IdentifierType():
                yield from part.names
