"""Expressions of ap_int as expressions of C that have the same values: exact, then cut.

An operand is converted to the least of int, long and unsigned long that holds all values of the
operands and of the result; what is assigned is cut to the bits of its variable. An expression wider
than 64 bits by its type is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any

from pycparser import c_ast

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.cxx.arbitrary import (
    WIDEST,
    Width,
    arbitrary,
    arbitrary_name,
    result,
    stored_bits,
    stored_type,
)
from hlsmem.read.c.numbers import scope_of_headers, value_in
from hlsmem.read.c.source_map import KERNEL, SourceMap
from hlsmem.read.c.symbols import Scope, Variable, declare, shape_of
from hlsmem.read.c.trees import changed, nodes_of, rewrite, text_of
from hlsmem.read.c.types import FloatType, IntegerType

_NARROW = "cast an operand to a narrower type first, such as static_cast<ap_int<32> >(x)"
_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_LOGICAL = ("&&", "||")
_BOOL = Width(1, False, arbitrary=False)
_INT = Width(32, True, arbitrary=False)


@dataclass(frozen=True, slots=True)
class _Floating:
    """The type of float and double."""


Kind = Width | _Floating | None


@dataclass(frozen=True, slots=True)
class _Value:
    """An expression in C, its type in C++, and the least and greatest value that it may have.

    `computed` is its type in C where it was made here.
    """

    node: Any
    kind: Kind
    least: int = 0
    greatest: int = 0
    computed: str = ""

    @property
    def width(self) -> Width:
        """Its type where it has to be an integer: int where nothing is known of it."""
        return self.kind if isinstance(self.kind, Width) else _INT

    @property
    def is_arbitrary(self) -> bool:
        return isinstance(self.kind, Width) and self.kind.arbitrary


def with_widths(tree: Any, source: SourceMap, problems: Problems) -> Any:
    """The tree with the arithmetic of ap_int and ap_uint spelled out."""
    if not any(_is_arbitrary(node) for node in nodes_of(tree)):
        return tree
    scope = Scope(scope_of_headers(), is_file=True)
    types: dict[str, Any] = {}
    functions: dict[str, Any] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.FuncDef):
            functions[node.decl.name] = node.decl
        elif not (isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)):
            declare(node, scope, "file")
            if isinstance(node, c_ast.Typedef):
                types[node.name] = node.type
    walk = _Walk(
        scope=scope,
        types=types,
        functions=functions,
        source=source,
        problems=problems,
        structs={
            node.name: node
            for node in nodes_of(tree)
            if isinstance(node, c_ast.Struct) and node.name and node.decls is not None
        },
    )
    return changed(tree, ext=[walk.outer(node) for node in tree.ext])


def _is_arbitrary(node: Any) -> bool:
    return isinstance(node, c_ast.IdentifierType) and arbitrary(node.names[0]) is not None


def with_plain_names(tree: Any) -> Any:
    """The tree where numbers, and arrays of them, have no names that a file gives their types."""
    known: dict[str, list[str]] = {}
    arrays: dict[str, Any] = {}

    def renamed(node: Any) -> Any | None:
        match node:
            case c_ast.IdentifierType(names=[name, *_]) if name in known:
                return changed(node, names=known[name])
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])) if name in arrays:
                return _array_of(arrays[name], node)
        return None

    kept: dict[Any, Any] = {}  # a typedef that is written twice is said once
    for node in tree.ext:
        made = rewrite(node, renamed)
        is_named = isinstance(node, c_ast.Typedef) and node.coord.file == KERNEL
        names = getattr(getattr(made.type, "type", None), "names", None) if is_named else None
        if is_named and isinstance(made.type, c_ast.ArrayDecl):
            arrays[node.name] = made.type
        elif names is None or made.type.quals or arbitrary(node.name) is not None:
            kept.setdefault(text_of(made) if is_named else id(made), made)
        else:
            known[node.name] = names
    found = list(kept.values())
    return changed(tree, ext=found) if len(found) < len(tree.ext) else tree


def _array_of(kind: Any, declared: Any) -> Any:
    """A type of arrays for what is declared."""
    if isinstance(kind, c_ast.TypeDecl):
        quals = list(dict.fromkeys([*kind.quals, *declared.quals]))
        return changed(kind, declname=declared.declname, quals=quals)
    return changed(kind, type=_array_of(kind.type, declared))


@dataclass(slots=True, kw_only=True)
class _Walk:
    """The walk over a tree; `scope` has the names in sight."""

    scope: Scope
    types: Mapping[str, Any]
    functions: Mapping[str, Any]
    source: SourceMap
    problems: Problems
    function: Any = None
    structs: Mapping[str, Any] = field(default_factory=dict)

    def refuse(self, node: Any, what: str, remedy: str) -> None:
        text = self.source.text(node)
        self.problems.add(f"'{text}' {what}", remedy, self.source.place(node))

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A block, whose names end with it."""
        around, self.scope = self.scope, self.scope.inner()
        yield
        self.scope = around

    # Declarations.

    def outer(self, node: Any) -> Any:
        if isinstance(node, c_ast.FuncDef):
            self.function = node.decl
            with self.inside():
                for one in node.decl.type.args.params if node.decl.type.args else []:
                    declare(one, self.scope, "parameter")
                return changed(node, body=self.statement(node.body))
        if isinstance(node, c_ast.Decl) and not isinstance(node.type, c_ast.FuncDecl):
            return self.declaration(node)
        return node

    def declaration(self, node: Any) -> Any:
        declare(node, self.scope, "local")
        if node.init is None:
            return node
        return changed(node, init=self.initial(node.init, self.element(node.type)))

    def element(self, kind: Any) -> Any:
        """The type of the elements of a type."""
        kind = self.unfolded(kind)
        while isinstance(kind, c_ast.ArrayDecl):
            kind = self.unfolded(kind.type)
        return kind

    def initial(self, node: Any, kind: Any) -> Any:
        if isinstance(node, c_ast.InitList):
            exprs = [self.initial(one, kind) for one in node.exprs or []]
            return changed(node, exprs=exprs)
        if isinstance(node, c_ast.NamedInitializer):
            return changed(node, expr=self.initial(node.expr, kind))
        return self.converted(self.value(node), self.kind_of(kind), node).node

    # Types.

    def unfolded(self, kind: Any) -> Any:
        """A type without names of the file for arrays and pointers."""
        while isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.IdentifierType):
            found = self.types.get(kind.type.names[0])
            if found is None or arbitrary(kind.type.names[0]):
                break
            kind = found
        return kind

    def kind_of(self, kind: Any) -> Kind:
        """The type of a number."""
        kind = self.unfolded(kind)
        if not isinstance(kind, c_ast.TypeDecl):
            return None
        names = getattr(kind.type, "names", None)
        if names and (found := arbitrary(names[0])) is not None:
            return found
        scalar = shape_of(kind, self.scope).scalar
        if isinstance(scalar, IntegerType):
            return Width(scalar.bits, scalar.signed, arbitrary=False)
        return _Floating() if isinstance(scalar, FloatType) else None

    def place_type(self, node: Any) -> Any:
        """The declared type of what an expression names; None where it names nothing."""
        match node:
            case c_ast.ID():
                symbol = self.scope.find(node.name)
                return symbol.declaration.type if isinstance(symbol, Variable) else None
            case c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
                inner = node.name if isinstance(node, c_ast.ArrayRef) else node.expr
                kind = self.unfolded(self.place_type(inner))
                return getattr(kind, "type", None) if _is_array(kind) else None
            case c_ast.StructRef():
                kind = self.unfolded(self.place_type(node.name))
                kind = self.unfolded(kind.type) if _is_array(kind) else kind
                return self.member(kind, node.field.name)
        return None

    def member(self, kind: Any, member: str) -> Any:
        struct = getattr(kind, "type", None)
        if isinstance(struct, c_ast.Struct) and struct.decls is None:
            struct = self.structs.get(struct.name)
        for one in getattr(struct, "decls", None) or []:
            if one.name == member:
                return one.type
        return None

    # Statements.

    def statement(self, node: Any) -> Any:
        match node:
            case None | c_ast.Pragma() | c_ast.EmptyStatement() | c_ast.Typedef():
                return node
            case c_ast.Compound():
                with self.inside():
                    items = [self.statement(one) for one in node.block_items or []]
                return changed(node, block_items=items)
            case c_ast.Decl():
                return self.declaration(node)
            case c_ast.DeclList():
                return changed(node, decls=[self.declaration(one) for one in node.decls])
            case c_ast.For():
                with self.inside():
                    return self.loop(node)
            case c_ast.While() | c_ast.DoWhile():
                return changed(node, cond=self.truth(node.cond), stmt=self.statement(node.stmt))
            case c_ast.If():
                then, otherwise = self.statement(node.iftrue), self.statement(node.iffalse)
                return changed(node, cond=self.truth(node.cond), iftrue=then, iffalse=otherwise)
            case c_ast.Switch():
                return changed(node, cond=self.truth(node.cond), stmt=self.statement(node.stmt))
            case c_ast.Case() | c_ast.Default():
                return changed(node, stmts=[self.statement(one) for one in node.stmts or []])
            case c_ast.Label():
                return changed(node, stmt=self.statement(node.stmt))
            case c_ast.Return() if node.expr is not None:
                kind = self.kind_of(self.function.type.type)
                return changed(
                    node, expr=self.converted(self.value(node.expr), kind, node.expr).node
                )
            case c_ast.Return() | c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                return node
        return self.effect(node)

    def truth(self, node: Any) -> Any:
        return None if node is None else self.value(node).node

    def loop(self, node: Any) -> Any:
        first = node.init
        counters: list[Any] = []
        if isinstance(first, c_ast.DeclList):
            counters = [one for one in first.decls if self.is_counter(one)]
            first = self.statement(first)
            for one in counters:
                if not self.is_in_range(one, node):
                    what = f"counts in '{one.name}', whose few bits may not hold where it ends"
                    self.refuse(node, what, "count with int")
            decls = [_as_int(one) if counters else one for one in first.decls]
            first = changed(first, decls=decls)
        elif first is not None:
            first = self.effect(first)
        cond = self.truth(node.cond)
        after = node.next
        if after is not None and not counters:
            after = self.effect(after)
        return changed(node, init=first, cond=cond, next=after, stmt=self.statement(node.stmt))

    def is_counter(self, node: Any) -> bool:
        kind = self.kind_of(node.type)
        return isinstance(kind, Width) and kind.arbitrary

    def is_in_range(self, counter: Any, node: Any) -> bool:
        """True if a loop's counter can hold all values that it takes there, the last one too."""
        kind = self.kind_of(counter.type)
        bound = node.cond.right if isinstance(node.cond, c_ast.BinaryOp) else None
        last, first = self.number(bound), self.number(counter.init)
        match node:
            case c_ast.For(
                cond=c_ast.BinaryOp(op="<" | "<=", left=c_ast.ID(name=tested)),
                next=c_ast.UnaryOp(op="++" | "p++", expr=c_ast.ID(name=stepped)),
            ) if tested == stepped == counter.name and first is not None and last is not None:
                assert isinstance(kind, Width)
                values = (first, last + (node.cond.op == "<="))
                return all(_least(kind) <= one <= _greatest(kind) for one in values)
        return False

    def effect(self, node: Any) -> Any:
        """A statement that is an expression; steps of narrow numbers are assignments."""
        if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
            kind = self.kind_of(self.place_type(node.expr))
            if isinstance(kind, Width) and kind.arbitrary and not _is_natural(kind):
                one = c_ast.Constant("int", "1", node.coord)
                return self.effect(c_ast.Assignment(f"{node.op[-1]}=", node.expr, one, node.coord))
        if isinstance(node, c_ast.ExprList):
            return changed(node, exprs=[self.effect(one) for one in node.exprs])
        return self.value(node).node

    # Expressions.

    def value(self, node: Any) -> _Value:
        """Return the value of an expression in C, with its type."""
        match node:
            case c_ast.Constant():
                return self.constant(node)
            case c_ast.ID():
                return self.leaf(node, node)
            case c_ast.ArrayRef():
                new = changed(
                    node,
                    name=self.value(node.name).node,
                    subscript=self.value(node.subscript).node,
                )
                self.check_bits(node)
                return self.leaf(node, new)
            case c_ast.StructRef():
                return self.leaf(node, changed(node, name=self.value(node.name).node))
            case c_ast.UnaryOp():
                return self.unary(node)
            case c_ast.BinaryOp():
                return self.binary(node)
            case c_ast.TernaryOp():
                return self.chosen(node)
            case c_ast.Cast():
                return self.cast(node)
            case c_ast.Assignment():
                return self.assigned(node)
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.ExprList():
                exprs = [self.value(one).node for one in node.exprs]
                return _Value(changed(node, exprs=exprs), None)
        return _Value(node, None)

    def check_bits(self, node: Any) -> None:
        kind = self.kind_of(self.place_type(node.name))
        if isinstance(kind, Width) and kind.arbitrary:
            remedy = "write (x >> n) & 1, with a constant n"
            self.refuse(node, "is a bit of a number, which is not read", remedy)

    def constant(self, node: Any) -> _Value:
        found = integer_literal(node)
        if node.type == "char" and found is not None:
            return _Value(node, Width(8, True, arbitrary=False), found[0], found[0])
        if found is not None:
            kind = Width(found[1].bits, found[1].signed, arbitrary=False)
            return _Value(node, kind, found[0], found[0])
        return _Value(node, _Floating() if node.type in ("float", "double") else None)

    def leaf(self, node: Any, new: Any) -> _Value:
        kind = self.place_type(node)
        value = self.number(node) if isinstance(node, c_ast.ID) else None
        if value is None:
            return _of(new, self.kind_of(kind))
        if kind is None:
            return _Value(node, _INT, value, value, "int")
        return replace(_of(new, self.kind_of(kind)), least=value, greatest=value)

    def number(self, node: Any) -> int | None:
        """The value of a constant; None where it is none."""
        found = None if node is None else value_in(node, self.scope)
        return None if found is None else found[0]

    def unary(self, node: Any) -> _Value:
        if node.op == "sizeof":
            return _Value(node, Width(64, False, arbitrary=False), 0, 1 << 32)
        inner = self.value(node.expr)
        new = changed(node, expr=inner.node)
        if node.op == "*":
            return self.leaf(node, new)
        if node.op == "!":
            return _Value(new, _BOOL, 0, 1)
        if node.op == "-" and inner.kind == _INT and inner.least == inner.greatest:
            return _Value(new, _INT, -inner.greatest, -inner.least)
        if not inner.is_arbitrary:
            return _of(new, inner.kind) if node.op in ("+", "-", "~") else _Value(new, inner.kind)
        width = inner.width
        match node.op:
            case "+":
                return inner
            case "-":
                kind = Width(width.bits + 1, True)
                if kind.bits > WIDEST:
                    self.refuse(node, f"is {kind.bits} bits wide, and 64 are read", _NARROW)
                low, high = -inner.greatest, -inner.least
                compute = _computed(inner, _Value(None, kind, low, high))
                operand = _as(inner, compute)
                return _Value(c_ast.UnaryOp("-", operand, node.coord), kind, low, high)
            case "~" if width.signed:
                return _Value(new, width, ~inner.greatest, ~inner.least)
            case "~":
                return _cut(_Value(new, None), width)
            case "++" | "--" | "p++" | "p--" if not _is_natural(width):
                what = f"steps a number of {width.bits} bits within an expression"
                self.refuse(node, what, "step it in a statement of its own")
        return _Value(new, inner.kind, _least(width), _greatest(width))

    def binary(self, node: Any) -> _Value:
        left, right = self.value(node.left), self.value(node.right)
        new = changed(node, left=left.node, right=right.node)
        if node.op in _LOGICAL:
            return _Value(new, _BOOL, 0, 1)
        if not (left.is_arbitrary or right.is_arbitrary):
            return self.native(node, new, left, right)
        if isinstance(left.kind, _Floating) or isinstance(right.kind, _Floating):
            remedy = "say what is meant: static_cast<float>(x), or static_cast<int>(y)"
            self.refuse(node, "mixes a float and an integer of ap_int.h", remedy)
            return _Value(new, _Floating())
        if node.op in ("<<", ">>"):
            return self.shifted(node, left, right)
        if node.op in _COMPARED:
            compute = _computed(left, right)
            self.check_computed(node, compute)
            sides = (_as(left, compute), _as(right, compute))
            return _Value(c_ast.BinaryOp(node.op, *sides, node.coord), _BOOL, 0, 1)
        return self.arithmetic(node, left, right)

    def native(self, node: Any, new: Any, left: _Value, right: _Value) -> _Value:
        """An operator of C's own numbers: its type by C's rules, which are those of C++."""
        if node.op in _COMPARED:
            return _Value(new, _BOOL, 0, 1)
        if isinstance(left.kind, _Floating) or isinstance(right.kind, _Floating):
            return _Value(new, _Floating())
        if left.kind is None or right.kind is None:
            return _Value(new, None)
        kinds = [IntegerType(one.width.bits, one.width.signed) for one in (left, right)]
        common = kinds[0].promoted() if node.op in ("<<", ">>") else kinds[0].common(kinds[1])
        return _of(new, Width(common.bits, common.signed, arbitrary=False))

    def arithmetic(self, node: Any, left: _Value, right: _Value, *, cut: bool = False) -> _Value:
        """A sum, product and the like, exact; where it is `cut` anyway, of 64 bits at most."""
        kind = result(node.op, left.width, right.width)
        least, greatest = _range(node.op, kind, left, right)
        found = _Value(None, kind, least, greatest)
        compute = _computed(left, right, found)
        if kind.bits > WIDEST or compute is None:
            if cut and node.op in ("+", "-", "*", "&", "|", "^"):
                compute = "unsigned long"
                kind = Width(WIDEST, False)
                least, greatest = _least(kind), _greatest(kind)
            else:
                bits = max(kind.bits, WIDEST + 1)
                self.refuse(node, f"is {bits} bits wide by its type, and 64 are read", _NARROW)
                compute = "long"
        sides = (_as(left, compute), _as(right, compute))
        new = c_ast.BinaryOp(node.op, *sides, node.coord)
        return _Value(new, kind, least, greatest, compute or "")

    def check_computed(self, node: Any, compute: str | None) -> None:
        if compute is None:
            self.refuse(node, "compares numbers that 64 bits do not hold together", _NARROW)

    def shifted(self, node: Any, left: _Value, right: _Value) -> _Value:
        """A shift by a constant; the type of what is shifted stays, and bits go."""
        amount = right.least if right.least == right.greatest else -1
        width = left.width
        if not 0 <= amount < WIDEST or not left.is_arbitrary:
            what = "shifts by what is no constant of 0 to 63"
            self.refuse(node, what, "shift by a constant, or multiply")
            return _Value(node, width, _least(width), _greatest(width))
        if node.op == ">>":
            if amount >= width.bits and not width.signed:
                none = c_ast.Constant("int", "0", node.coord)
                return _Value(c_ast.BinaryOp("&", left.node, none, node.coord), width, 0, 0)
            amount = min(amount, stored_bits(width.bits) - 1)
            count = c_ast.Constant("int", str(amount), node.coord)
            shifted = left.node
            if amount > 30:  # what has more bits by its type may be an int by its values
                shifted = _as(left, _computed(left, _Value(None, Width(34, True), 0, 1 << 32)))
            new = c_ast.BinaryOp(">>", shifted, count, node.coord)
            return _Value(new, width, left.least >> amount, left.greatest >> amount)
        least, greatest = left.least << amount, left.greatest << amount
        count = c_ast.Constant("int", str(amount), node.coord)
        wide = c_ast.BinaryOp("<<", _cast("unsigned long", left.node), count, node.coord)
        if _least(width) <= least and greatest <= _greatest(width):
            compute = _computed(left, _Value(None, width, least, greatest)) or "long"
            factor = c_ast.Constant("int" if amount < 31 else "long int", str(1 << amount))
            factor.value += "" if amount < 31 else "l"
            if amount < 63:
                new = c_ast.BinaryOp("*", _as(left, compute), factor, node.coord)
                return _Value(new, width, least, greatest)
        return _cut(_Value(wide, None), width)

    def chosen(self, node: Any) -> _Value:
        cond = self.value(node.cond).node
        then, otherwise = self.value(node.iftrue), self.value(node.iffalse)
        new = changed(node, cond=cond, iftrue=then.node, iffalse=otherwise.node)
        if not (then.is_arbitrary or otherwise.is_arbitrary):
            return _of(new, then.kind if then.kind == otherwise.kind else None)
        if then.kind != otherwise.kind:
            remedy = "cast one of them to the type of the other"
            self.refuse(node, "chooses between two types", remedy)
        least = min(then.least, otherwise.least)
        greatest = max(then.greatest, otherwise.greatest)
        compute = _computed(then, otherwise) or "long"
        new.iftrue, new.iffalse = _as(then, compute), _as(otherwise, compute)
        return _Value(new, then.kind, least, greatest)

    def cast(self, node: Any) -> _Value:
        inner = self.value(node.expr)
        kind = self.kind_of(node.to_type.type)
        if isinstance(kind, Width) and kind.arbitrary:
            found = self.converted(inner, kind, node.expr)
            if found is inner:
                return _Value(
                    _cast(stored_type_of(kind), inner.node), kind, inner.least, inner.greatest
                )
            return found
        return _of(changed(node, expr=inner.node), kind)

    def converted(self, value: _Value, kind: Kind, node: Any) -> _Value:
        """A value as it is after it was given to a variable of that type."""
        if not isinstance(kind, Width) or not kind.arbitrary:
            return value
        if isinstance(value.kind, _Floating):
            self.refuse(node, "is a float that becomes an ap_int", "cast it: static_cast<int>(x)")
            return value
        is_known = value.kind is not None
        if is_known and _least(kind) <= value.least and value.greatest <= _greatest(kind):
            return value
        return _cut(value, kind)

    def assigned(self, node: Any) -> _Value:
        kind = self.kind_of(self.place_type(node.lvalue))
        target, value = self.value(node.lvalue), self.value(node.rvalue)
        if node.op == "=" or not isinstance(kind, Width) or not kind.arbitrary:
            new = self.converted(value, kind, node.rvalue)
            return _of(changed(node, lvalue=target.node, rvalue=new.node), kind)
        if any(_has_effect(one) for one in nodes_of(node.lvalue)):
            remedy = "write the element's subscript in a statement of its own"
            self.refuse(node, "steps something within what it assigns to", remedy)
        operator = node.op[:-1]
        whole = c_ast.BinaryOp(operator, node.lvalue, node.rvalue, node.coord)
        if isinstance(value.kind, _Floating):
            self.binary(whole)
            return _of(node, kind)
        if operator in ("<<", ">>"):
            made = self.shifted(whole, target, value)
        else:
            made = self.arithmetic(whole, target, value, cut=True)
        new = self.converted(made, kind, node)
        return _of(c_ast.Assignment("=", target.node, new.node, node.coord), kind)

    def call(self, node: Any) -> _Value:
        called = str(node.name.name) if isinstance(node.name, c_ast.ID) else ""
        arguments = node.args.exprs if node.args else []
        values = [self.value(one) for one in arguments]
        declared = self.functions.get(called)
        if isinstance(node.name, c_ast.StructRef):
            what = f"asks a number for its '{node.name.field.name}', which is not read"
            self.refuse(node, what, "write it with >>, & and casts")
            return _Value(node, None)
        if declared is None:
            odd = next((a for a, v in zip(arguments, values, strict=True) if v.is_arbitrary), None)
            if odd is not None:
                remedy = "cast it: static_cast<int>(x)"
                self.refuse(odd, f"is an integer of ap_int.h, and '{called}' takes none", remedy)
            exprs = [one.node for one in values]
            new = changed(node, args=changed(node.args, exprs=exprs)) if node.args else node
            return _Value(new, None)
        parameters = declared.type.args.params if declared.type.args else []
        kinds = [self.kind_of(one.type) if hasattr(one, "type") else None for one in parameters]
        exprs = [
            self.converted(value, kind, given).node
            for value, kind, given in zip(values, kinds, arguments, strict=False)
        ]
        new = changed(node, args=changed(node.args, exprs=exprs)) if node.args else node
        return _of(new, self.kind_of(declared.type.type))


# The parts of C that are made.


def _is_array(kind: Any) -> bool:
    return isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl))


def _has_effect(node: Any) -> bool:
    return isinstance(node, (c_ast.Assignment, c_ast.FuncCall)) or (
        isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--")
    )


def _least(width: Width) -> int:
    return -(1 << width.bits - 1) if width.signed else 0


def _greatest(width: Width) -> int:
    return (1 << width.bits - width.signed) - 1


def _of(node: Any, kind: Kind) -> _Value:
    """An expression of which only its type is known."""
    if isinstance(kind, Width):
        return _Value(node, kind, _least(kind), _greatest(kind))
    return _Value(node, kind)


def _is_natural(width: Width) -> bool:
    """True if C has an integer type of this width."""
    return stored_bits(width.bits) == width.bits


def stored_type_of(width: Width) -> str:
    """The type of C that stores it."""
    return stored_type(arbitrary_name(width.bits, signed=width.signed))


def _range(operator: str, kind: Width, left: _Value, right: _Value) -> tuple[int, int]:
    """The least and the greatest value of an operator's result."""
    ends = [(a, b) for a in (left.least, left.greatest) for b in (right.least, right.greatest)]
    match operator:
        case "+":
            found = [a + b for a, b in ends]
        case "-":
            found = [a - b for a, b in ends]
        case "*":
            found = [a * b for a, b in ends]
        case _:
            found = [_least(kind), _greatest(kind)]
    return min(found), max(found)


def _computed(*values: _Value) -> str | None:
    """The least type of C to compute with that holds some values; None: there is none."""
    spans = [
        (one.least, one.greatest) if one.kind is not None else (_least(_INT), _greatest(_INT))
        for one in values
    ]
    least, greatest = min(a for a, _ in spans), max(b for _, b in spans)
    for name, width in (
        ("int", Width(32, True)),
        ("long", Width(64, True)),
        ("unsigned long", Width(64, False)),
    ):
        if _least(width) <= least and greatest <= _greatest(width):
            return name
    return None


def _as(value: _Value, compute: str | None) -> Any:
    """An operand as one of the type that is computed with."""
    compute = compute or "long"
    return value.node if _c_type(value) == compute else _cast(compute, value.node)


def _c_type(value: _Value) -> str:
    """The type of an operand in C where that is sure, as far as operators see it."""
    if value.computed:
        return value.computed
    match value.node:
        case c_ast.Constant(type="int") if value.greatest < 1 << 31:
            return "int"
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() if isinstance(value.kind, Width):
            bits = stored_bits(value.kind.bits)
            if bits < 32 or (bits == 32 and value.kind.signed):
                return "int"
            return f"{'' if value.kind.signed else 'unsigned '}{'int' if bits == 32 else 'long'}"
    return ""


def _cast(kind: str, node: Any) -> Any:
    names = c_ast.IdentifierType(kind.split(), node.coord)
    declared = c_ast.TypeDecl(declname=None, quals=[], align=None, type=names)
    to_type = c_ast.Typename(name=None, quals=[], align=None, type=declared)
    return c_ast.Cast(to_type, node, node.coord)


def _cut(value: _Value, width: Width) -> _Value:
    """The last bits of a value as a number of that type."""
    coord = value.node.coord
    stored = stored_bits(width.bits)
    kind = stored_type_of(width)
    if stored == width.bits:
        node = _cast(kind, value.node)
    elif width.signed:
        shift = c_ast.Constant("int", str(stored - width.bits), coord)
        wide = _cast("unsigned long" if stored == 64 else "unsigned", value.node)
        moved = c_ast.BinaryOp("<<", wide, shift, coord)
        node = c_ast.BinaryOp(">>", _cast(kind, moved), shift, coord)
    else:
        mask, suffix = (1 << width.bits) - 1, "ul" if stored == 64 else "u"
        names = "unsigned long int" if stored == 64 else "unsigned int"
        wide = _cast("unsigned long" if stored == 64 else "unsigned", value.node)
        node = c_ast.BinaryOp("&", wide, c_ast.Constant(names, f"{mask}{suffix}", coord), coord)
    return _Value(node, width, _least(width), _greatest(width))


def _as_int(node: Any) -> Any:
    """A declaration with int in place of its type."""
    if arbitrary((getattr(node.type.type, "names", None) or ["?"])[0]) is None:
        return node
    names = c_ast.IdentifierType(["int"], node.type.type.coord)
    return changed(node, type=changed(node.type, type=names))
