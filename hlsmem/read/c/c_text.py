"""The text of syntax trees of C. Blocks and branches are indented by two columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import c_ast

_STEP = 2
# What binds closer than any operator.
_SIMPLE = (c_ast.Constant, c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.FuncCall)
_DECLARATORS = (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)
_LOW = (c_ast.TernaryOp, c_ast.Assignment, c_ast.ExprList)
_TAGS = (c_ast.Struct, c_ast.Union, c_ast.Enum)


def text_of(node: Any, *, has_few: bool = False) -> str:
    """Return the text of a tree: of a statement without what ends it, of a file with all.

    Equal texts are equal trees. Where it `has_few` parentheses, they stand where C or people who
    read it (-Wparentheses) want them, else around every operand of an operator.

    >>> total = c_ast.BinaryOp("+", c_ast.ID("a"), c_ast.Constant("int", "1"))
    >>> text_of(c_ast.BinaryOp("-", total, c_ast.ID("b")))
    '(a + 1) - b'
    >>> text_of(c_ast.BinaryOp("-", total, c_ast.ID("b")), has_few=True)
    'a + 1 - b'
    """
    return _Printer(has_few).text(node)


@dataclass(frozen=True, slots=True)
class _Printer:
    has_few: bool

    def text(self, node: Any) -> str:
        match node:
            case c_ast.FileAST():
                return "".join(map(self._item, _with_joined(node.ext)))
            case c_ast.FuncDef():
                return f"{self.text(node.decl)}\n{self.text(node.body)}\n"
            case c_ast.Decl() | c_ast.DeclList() | c_ast.Typedef():
                return self._declared(node, 0)
            case c_ast.ParamList():
                return ", ".join(map(self.text, node.params))
            case c_ast.EllipsisParam():
                return "..."
            case c_ast.Enumerator():
                return (
                    node.name
                    if node.value is None
                    else f"{node.name} = {self._operand(node.value)}"
                )
            case c_ast.Typename() | c_ast.IdentifierType():
                return self._typed(node, 0)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return self._tag(node, 0)
            case c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.ArrayDecl() | c_ast.FuncDecl():
                return self._typed(node, 0, is_named=isinstance(node, c_ast.FuncDecl))
        if isinstance(node, _EXPRESSIONS):
            return self._expression(node)
        is_open = isinstance(node, (c_ast.Compound, c_ast.If))
        return f"{self._statement(node, 0)}\n" if is_open else self._statement(node, 0)

    def _item(self, item: Any) -> str:
        """An item of a file."""
        match item:
            case c_ast.FuncDef():
                return self.text(item)
            case c_ast.Pragma():
                return f"{self._statement(item, 0)}\n"
        return f"{self.text(item)};\n"

    # Expressions.

    def _expression(self, node: Any) -> str:
        match node:
            case c_ast.ID():
                return str(node.name)
            case c_ast.Constant():
                return str(node.value)
            case c_ast.ArrayRef():
                return f"{self._simple(node.name)}[{self._operand(node.subscript, commas=True)}]"
            case c_ast.StructRef():
                return f"{self._simple(node.name)}{node.type}{self._expression(node.field)}"
            case c_ast.FuncCall():
                given = "" if node.args is None else self._expression(node.args)
                return f"{self._simple(node.name)}({given})"
            case c_ast.UnaryOp(op="sizeof"):
                return f"sizeof({self._operand(node.expr, commas=True)})"
            case c_ast.UnaryOp(op="p++" | "p--"):
                return f"{self._simple(node.expr)}{node.op[1:]}"
            case c_ast.UnaryOp():
                return f"{node.op}{self._simple(node.expr)}"
            case c_ast.BinaryOp():
                left, right = self._side(node, node.left), self._side(node, node.right)
                return f"{left} {node.op} {right}"
            case c_ast.TernaryOp():
                cond, iftrue, iffalse = map(self._choice, (node.cond, node.iftrue, node.iffalse))
                return f"{cond} ? {iftrue} : {iffalse}"
            case c_ast.Verbatim():
                return str(node.text)
            case c_ast.Assignment():
                value = self._operand(node.rvalue)
                value = f"({value})" if isinstance(node.rvalue, c_ast.Assignment) else value
                return f"{self._operand(node.lvalue)} {node.op} {value}"
            case c_ast.Cast():
                return f"({self._typed(node.to_type, 0, is_named=False)}) {self._simple(node.expr)}"
            case c_ast.ExprList() | c_ast.InitList():
                return ", ".join(map(self._operand, node.exprs))
            case c_ast.NamedInitializer():
                return f"{''.join(map(self._designator, node.name))} = {self._operand(node.expr)}"
            case c_ast.CompoundLiteral():
                return f"({self._typed(node.type, 0)}){{{self._expression(node.init)}}}"
        return self.text(node)

    def _designator(self, node: Any) -> str:
        is_member = isinstance(node, c_ast.ID)
        return f".{node.name}" if is_member else f"[{self._operand(node.expr)}]"

    def _operand(self, node: Any, *, commas: bool = False) -> str:
        """An expression or list of values where one is expected; with `commas`, several."""
        text = self._expression(node)
        if isinstance(node, c_ast.InitList):
            return f"{{{text}}}"
        return f"({text})" if isinstance(node, c_ast.ExprList) and not commas else text

    def _side(self, parent: Any, node: Any) -> str:
        """A side of an operator with two."""
        if not self.has_few or not isinstance(node, c_ast.BinaryOp):
            is_low = isinstance(node, _LOW) if self.has_few else not isinstance(node, _SIMPLE)
        else:
            is_low = not _is_bare(parent.op, node.op, is_right=node is parent.right)
        return f"({self._operand(node)})" if is_low else self._operand(node)

    def _choice(self, node: Any) -> str:
        """A part of a conditional value."""
        is_bare = self.has_few and not isinstance(node, _LOW)
        return self._operand(node) if is_bare else f"({self._operand(node)})"

    def _simple(self, node: Any) -> str:
        """An operand of an operator."""
        return self._operand(node) if isinstance(node, _SIMPLE) else f"({self._operand(node)})"

    # Declarations.

    def _declared(self, node: Any, indent: int) -> str:
        if isinstance(node, c_ast.DeclList):
            first, *others = node.decls
            return ", ".join(
                [
                    self._declared(first, indent),
                    *(self._declarator(one.type) + self._initial(one) for one in others),
                ]
            )
        words = node.storage
        if isinstance(node, c_ast.Typedef):
            return " ".join([*words, self._typed(node.type, indent)])
        words = [*node.funcspec, *words]
        if not isinstance(node.type, _DECLARATORS):  # a tag, without a name of its own
            words = [*words, *node.quals]
        return " ".join([*words, self._typed(node.type, indent)]) + self._initial(node)

    def _initial(self, node: Any) -> str:
        if isinstance(node, c_ast.Typedef):
            return ""
        bits = "" if node.bitsize is None else f" : {self._operand(node.bitsize)}"
        return bits if node.init is None else f"{bits} = {self._operand(node.init)}"

    def _typed(self, node: Any, indent: int, *, is_named: bool = True) -> str:
        """A type, with the name that its declarator has where that `is_named`."""
        match node:
            case c_ast.Typename():
                return self._typed(node.type, indent, is_named=is_named)
            case c_ast.IdentifierType():
                return " ".join(node.names)
            case c_ast.Struct() | c_ast.Union() | c_ast.Enum():
                return self._tag(node, indent)
        inner = _innermost(node)
        base = " ".join([*(inner.quals or ()), self._typed(inner.type, indent)])
        declarator = self._declarator(node, is_named=is_named)
        return f"{base.rstrip()} {declarator}" if declarator else base

    def _declarator(self, node: Any, *, is_named: bool = True) -> str:
        """The name of a declarator with what stands around it."""
        around = []
        while not isinstance(node, c_ast.TypeDecl):
            around.append(node)
            node = node.type
        text = str(node.declname or "") if is_named else ""
        before: Any = None
        for one in around:
            if isinstance(before, c_ast.PtrDecl) and not isinstance(one, c_ast.PtrDecl):
                text = f"({text})"
            match one:
                case c_ast.ArrayDecl():
                    words = [
                        *(one.dim_quals or ()),
                        *([] if one.dim is None else [self._operand(one.dim)]),
                    ]
                    gap = " " if one.dim_quals and one.dim is None else ""
                    text += f"[{' '.join(words)}{gap}]"
                case c_ast.FuncDecl():
                    text += f"({'' if one.args is None else self.text(one.args)})"
                case c_ast.PtrDecl():
                    quals = " ".join(one.quals or ())
                    text = f"* {quals} {text}".rstrip() if quals else f"*{text}"
            before = one
        return text

    def _tag(self, node: Any, indent: int) -> str:
        """A struct, union or enumeration, with its body where it has one."""
        word = type(node).__name__.lower()
        text = f"{word} {node.name or ''}"
        own, inner = " " * indent, " " * (indent + _STEP)
        if isinstance(node, c_ast.Enum):
            if node.values is None:
                return text
            members = ",\n".join(f"{inner}{self.text(one)}" for one in node.values.enumerators)
            return f"{text}\n{own}{{\n{members}\n{own}}}"
        if node.decls is None:
            return text
        return f"{text}\n{own}{{\n{self._body(node.decls, indent + _STEP)}{own}}}"

    # Statements.

    def _statement(self, node: Any, indent: int) -> str:
        """A statement without the indentation of its first line and the end of its last."""
        match node:
            case c_ast.Verbatim():
                first, *others = node.text.split("\n")
                own = " " * indent
                return "\n".join([first, *(own + one if one else "" for one in others)])
            case c_ast.Compound():
                own = " " * indent
                return f"{{\n{self._body(node.block_items or (), indent + _STEP)}{own}}}"
            case c_ast.If():
                cond = self._operand(node.cond, commas=True)
                text = f"if ({cond})\n{self._branch(node.iftrue, indent)}"
                if node.iffalse is None:
                    return text
                return f"{text}\n{' ' * indent}else\n{self._branch(node.iffalse, indent)}"
            case c_ast.For():
                return f"for ({self._header(node)})\n{self._branch(node.stmt, indent)}\n"
            case c_ast.While() | c_ast.Switch():
                word, cond = type(node).__name__.lower(), self._operand(node.cond, commas=True)
                return f"{word} ({cond})\n{self._branch(node.stmt, indent)}\n"
            case c_ast.DoWhile():
                cond = self._operand(node.cond, commas=True)
                return f"do\n{self._branch(node.stmt, indent)}\n{' ' * indent}while ({cond});"
            case c_ast.Case():
                body = self._body(node.stmts or (), indent + _STEP)
                return f"case {self._operand(node.expr)}:\n{body}"
            case c_ast.Default():
                return f"default:\n{self._body(node.stmts or (), indent + _STEP)}"
            case c_ast.Label():
                return f"{node.name}:\n{' ' * indent}{self._statement(node.stmt, indent)}\n"
            case c_ast.Goto():
                return f"goto {node.name};"
            case c_ast.Return(expr=None):
                return "return;"
            case c_ast.Return():
                return f"return {self._operand(node.expr, commas=True)};"
            case c_ast.Break():
                return "break;"
            case c_ast.Continue():
                return "continue;"
            case c_ast.EmptyStatement():
                return ";"
            case c_ast.Pragma():
                return f"#pragma {node.string}" if node.string else "#pragma"
            case c_ast.Decl() | c_ast.DeclList() | c_ast.Typedef():
                return f"{self._declared(node, indent)};"
        return f"{self.text(node)};"

    def _header(self, node: c_ast.For) -> str:
        first = "" if node.init is None else self._in_header(node.init)
        cond = "" if node.cond is None else f" {self._operand(node.cond, commas=True)}"
        step = "" if node.next is None else f" {self._operand(node.next, commas=True)}"
        return f"{first};{cond};{step}"

    def _in_header(self, node: Any) -> str:
        is_declared = isinstance(node, (c_ast.DeclList, c_ast.Decl))
        return self.text(node) if is_declared else self._operand(node, commas=True)

    def _branch(self, node: Any, indent: int) -> str:
        """The statement under a header: a block is not indented for it."""
        if isinstance(node, c_ast.Compound):
            return f"{' ' * indent}{self._statement(node, indent)}"
        return f"{' ' * (indent + _STEP)}{self._statement(node, indent)}"

    def _body(self, items: Iterable[Any], indent: int) -> str:
        """Statements or members, each on lines of its own."""
        return "".join(
            f"{' ' * indent}{self._statement(one, indent)}\n" for one in _with_joined([*items])
        )


_EXPRESSIONS = (
    *_SIMPLE,
    c_ast.UnaryOp,
    c_ast.BinaryOp,
    c_ast.TernaryOp,
    c_ast.Assignment,
    c_ast.Cast,
    c_ast.ExprList,
    c_ast.InitList,
    c_ast.NamedInitializer,
    c_ast.CompoundLiteral,
    c_ast.Verbatim,
)


def _innermost(node: Any) -> Any:
    while not isinstance(node, c_ast.TypeDecl):
        node = node.type
    return node


def _defined(node: Any) -> Any:
    """The tag whose body a declaration has; None where it has none."""
    if not isinstance(node, (c_ast.Decl, c_ast.Typedef)):
        return None
    kind = node.type
    while isinstance(kind, _DECLARATORS):
        kind = kind.type
    body = getattr(kind, "values" if isinstance(kind, c_ast.Enum) else "decls", None)
    return kind if isinstance(kind, _TAGS) and body is not None else None


def _with_joined(nodes: Sequence[Any]) -> list[Any]:
    """Declarations with those of one type joined that is declared in the first of them."""
    found: list[Any] = []
    group: list[Any] = []
    for one in nodes:
        tag = _defined(one)
        if group and tag is not None and tag is _defined(group[0]) and _are_alike(group[0], one):
            group.append(one)
            continue
        found += _joined(group)
        group = [one] if tag is not None else []
        found += [] if group else [one]
    return [*found, *_joined(group)]


def _are_alike(first: Any, second: Any) -> bool:
    words = ("quals", "storage", "funcspec")
    return type(first) is type(second) and all(
        getattr(first, one, None) == getattr(second, one, None) for one in words
    )


def _joined(group: list[Any]) -> list[Any]:
    return group if len(group) < 2 else [c_ast.DeclList(group)]


_ARITHMETIC = ("+", "-", "*", "/", "%")
_COMPARISON = ("<", "<=", ">", ">=", "==", "!=")


def _is_bare(parent: str, child: str, *, is_right: bool) -> bool:
    """True if an operator below another one needs no parentheses for those who read it."""
    if parent in _ARITHMETIC:
        if child not in _ARITHMETIC:
            return False
        if parent == child == "*" and not is_right:
            return True
        outer, inner = parent in "*/%", child in "*/%"
        # i % 2 * 5 is right, but readers stumble over it.
        return inner > outer or (inner == outer and not is_right and parent in "+-")
    if parent in _COMPARISON:
        return child in _ARITHMETIC
    return parent in ("&&", "||") and child in _COMPARISON
