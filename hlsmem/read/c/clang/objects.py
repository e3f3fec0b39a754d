"""Objects: one expression a member; members, elements, addresses and copies of them.

A struct is no variable in C but one a member, an array of structs is an array a member, a stream of
structs a stream a member. Parameters of the function that is planned keep their structs. An array
of streams is its streams, each with a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.linear_indices import constant_of
from hlsmem.read.c.tree import Expression, SourceRange


@dataclass(frozen=True, slots=True)
class Object:
    """A struct, or an array or stream of such, as the expressions of its members in order."""

    type: tree.Type
    parts: tuple[Node, ...]
    place: SourceRange

    @property
    def struct(self) -> tree.Struct:
        """The struct of the object or of its elements."""
        kind = element_type(self.type)
        assert isinstance(kind, tree.Struct)
        return kind


class NoPart(Exception):
    """A part of an object that is not known: a member, or an element of an array of streams."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what, self.remedy = what, remedy


Node = Expression | Object
STREAMS = 64
"""The most streams of an array, and turns of a loop that chooses one in each."""


def element_type(kind: tree.Type) -> tree.Type:
    """Return the type of the innermost elements of an array or stream; else the type itself."""
    while isinstance(kind, (tree.Array, tree.Stream)):
        kind = kind.element
    return kind


def is_split(kind: tree.Type) -> bool:
    """Return True for a type whose variables are one a member, or one an element."""
    return isinstance(element_type(kind), tree.Struct) or is_streams(kind)


def is_streams(kind: tree.Type) -> bool:
    """Return True for an array of streams."""
    is_array = isinstance(kind, tree.Array)
    while isinstance(kind, tree.Array):
        kind = kind.element
    return is_array and isinstance(kind, tree.Stream)


def end_in(node: Node) -> tree.ChannelEnd | None:
    """Return the end that a stream is of a channel which splits or merges streams."""
    return node.type.end if isinstance(node.type, tree.Stream) else None


def type_of_part(kind: tree.Type, member: tree.Type) -> tree.Type:
    """Return the type of a member's variable: in the arrays and streams that the struct is in."""
    match kind:
        case tree.Array(element):
            return replace(kind, element=type_of_part(element, member))
        case tree.Stream(element):
            return replace(kind, element=type_of_part(element, member))
        case _:
            return member


def member_of(base: Node, name: str, kind: tree.Type, place: SourceRange) -> Node:
    """Return a member of an object; of one behind a pointer by an arrow."""
    if isinstance(base, Object):
        names = [one.name for one in base.struct.members]
        if name not in names:
            of = f"'{name}' of '{base.struct.name}'"
            what = f"{of} is a member of a base class that is not known here"
            raise NoPart(what, "make it a member of the class itself")
        return base.parts[names.index(name)]
    if points_to_object(base):
        return member_of(dereferenced(base, place), name, kind, place)
    if isinstance(base, tree.UnaryOp) and base.op == "*":
        return tree.StructRef(base.expr, name, True, kind, place)
    if isinstance(base.type, tree.Pointer):
        return tree.StructRef(base, name, True, kind, place)
    return tree.StructRef(base, name, False, kind, place)


def element_of(base: Node, subscript: Expression, place: SourceRange) -> Node:
    """Return an element of an array, or of what a pointer points to."""
    assert isinstance(base.type, (tree.Array, tree.Pointer))
    if isinstance(base, Object) and is_streams(base.type):
        number = constant_of(subscript)
        if number is None:
            what = "this element of an array of streams is not known to be one of them"
            raise NoPart(what, "choose it by a constant, or by the counter of a loop of few turns")
        if not 0 <= number < len(base.parts):
            what = f"element {number} of an array of {len(base.parts)} streams is used"
            raise NoPart(what, "correct the subscript")
        return base.parts[number]
    if isinstance(base, Object):
        parts = tuple(element_of(one, subscript, place) for one in base.parts)
        return Object(base.type.element, parts, place)
    return tree.ArrayRef(base, subscript, base.type.element, place)


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the members of an object of either kind."""
    if isinstance(node, Object):
        return node.parts
    assert isinstance(node.type, tree.Struct)
    return tuple(member_of(node, one.name, one.type, node.place) for one in node.type.members)


def leaves_of(node: Node) -> Iterator[Expression]:
    """Return the numbers, arrays and streams of numbers that an object consists of."""
    if isinstance(node, Object) or isinstance(node.type, tree.Struct):
        for one in parts_of(node):
            yield from leaves_of(one)
    else:
        yield node


def with_leaves(kind: tree.Type, made: Callable[[str, tree.Type], Node], name: str) -> Node:
    """Return an object of which each leaf is made from a name and its type."""
    if is_streams(kind):
        assert isinstance(kind, tree.Array)
        count = None if kind.extent is None else constant_of(kind.extent)
        if count is None or count > STREAMS:
            what = f"'{name}' is an array of streams, which are not known to be few"
            raise NoPart(what, f"give it a constant extent of at most {STREAMS}")
        each = [with_leaves(kind.element, made, f"{name}_{k}") for k in range(count)]
        return Object(kind, tuple(each), kind.extent.place)  # type: ignore[union-attr]
    struct = element_type(kind)
    if not isinstance(struct, tree.Struct):
        return made(name, kind)
    parts = [
        with_leaves(type_of_part(kind, one.type), made, f"{name}_{one.name}")
        for one in struct.members
    ]
    return Object(kind, tuple(parts), struct.place)


def address_of(node: Expression, place: SourceRange) -> Expression:
    """Return the address of a number; that of what a pointer points to is the pointer."""
    if isinstance(node, tree.UnaryOp) and node.op == "*":
        return node.expr
    return tree.UnaryOp("&", node, tree.Pointer(node.type), place)


def dereferenced(node: Expression, place: SourceRange) -> Expression:
    """Return what a pointer points to; of the address of an object that object."""
    if isinstance(node, tree.UnaryOp) and node.op == "&":
        return node.expr
    assert isinstance(node.type, (tree.Pointer, tree.Array))
    return tree.UnaryOp("*", node, node.type.element, place)


def points_to_object(node: Node) -> bool:
    """Return True for the address of an object that is one variable a member."""
    return isinstance(node, tree.UnaryOp) and node.op == "&" and isinstance(node.expr, Object)


def variable(declared: tree.Decl, place: SourceRange) -> tree.ID:
    """Return the name of a declared variable."""
    return tree.ID(declared.name, declared.type, place)


def placed(node: Node, place: SourceRange) -> Node:
    """Return a variable, an element or an object as used at a place."""
    match node:
        case Object(parts=parts):
            return replace(node, parts=tuple(placed(one, place) for one in parts), place=place)
        case _:
            return _placed(node, place)


def _placed(node: Expression, place: SourceRange) -> Expression:
    match node:
        case tree.ArrayRef(name=base) | tree.StructRef(name=base):
            return replace(node, name=_placed(base, place), place=place)
        case tree.UnaryOp(op="*" | "&", expr=expr):
            return replace(node, expr=_placed(expr, place), place=place)
        case tree.ID():
            return replace(node, place=place)
        case _:
            return node


def unwidened(node: Node) -> Node:
    """Return an index or condition without its conversion to 64 bits, where fewer are enough."""
    match node:
        case tree.Cast(
            tree.ID() | tree.ArrayRef() | tree.StructRef() as inner, tree.Number(bits=64)
        ):
            kind = inner.type
            if isinstance(kind, tree.Number) and kind.bits < 32 and not kind.point:
                return inner
    return node


def is_target(node: Node) -> bool:
    """Return True for what can be assigned: a variable, an element, a member."""
    match node:
        case Object(parts=parts):
            return all(map(is_target, parts))
        case tree.ID() | tree.ArrayRef() | tree.StructRef() | tree.UnaryOp(op="*"):
            return True
        case _:
            return False


def has_effect(node: Node) -> bool:
    """Return True for an expression that assigns, or that calls a function."""
    match node:
        case tree.Assignment() | tree.FuncCall():
            return True
        case tree.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return True
        case _:
            return any(map(has_effect, children_of(node)))


def steps(node: Node) -> bool:
    """Return True for an expression that assigns a variable."""
    match node:
        case tree.Assignment() | tree.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return True
        case _:
            return any(map(steps, children_of(node)))


def is_plain(node: Node) -> bool:
    """Return True for what may stand several times: a name, a number, an element of such."""
    match node:
        case Object(parts=parts):
            return all(map(is_plain, parts))
        case tree.ID() | tree.Constant():
            return True
        case tree.UnaryOp(op, expr):
            return op in ("*", "&", "-") and is_plain(expr)
        case tree.StructRef(base):
            return is_plain(base)
        case tree.ArrayRef(base, subscript):
            return is_plain(base) and is_plain(subscript)
        case _:
            return False


def children_of(node: Node) -> tuple[Node, ...]:
    """Return the operands of an expression."""
    match node:
        case Object(parts=parts):
            return parts
        case tree.UnaryOp(expr=expr) | tree.Cast(expr=expr):
            return (expr,)
        case tree.BinaryOp(left=left, right=right):
            return left, right
        case tree.TernaryOp(cond=cond, iftrue=iftrue, iffalse=iffalse):
            return cond, iftrue, iffalse
        case tree.ArrayRef(name=base, subscript=subscript):
            return base, subscript
        case tree.StructRef(name=base):
            return (base,)
        case tree.FuncCall(args=args):
            return args
        case tree.Assignment(lvalue=lvalue, rvalue=rvalue):
            return lvalue, rvalue
        case tree.InitList(exprs=exprs) | tree.ExprList(exprs=exprs):
            return exprs
        case _:
            return ()
