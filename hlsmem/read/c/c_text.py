"""The text of syntax trees of C. Blocks and branches are indented by two columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree

_STEP = 2
_SIMPLE = (tree.Constant, tree.ID, tree.ArrayRef, tree.StructRef, tree.FuncCall)
_LOW = (tree.TernaryOp, tree.Assignment, tree.ExprList)

COUNTER = "hlsmem_count"
"""The type of counters of streams; pointers to them are none of the user's."""

_OF_C = {
    (1, False): "_Bool",
    (8, True): "signed char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): "int",
    (32, False): "unsigned",
    (64, True): "long",
    (64, False): "unsigned long",
    (128, True): "__int128",
    (128, False): "unsigned __int128",
}


def base_name(kind: tree.Type) -> str:
    """Return the name of a type in C that is no array and no pointer.

    >>> base_name(tree.Number(12, False, exact=True)), base_name(tree.LONG)
    ('ap_uint_12', 'long')
    """
    match kind:
        case tree.Void():
            return "void"
        case tree.Float(bits):
            return "float" if bits == 32 else "double"
        case tree.Number(exact=True):
            return f"ap_{'' if kind.signed else 'u'}int_{kind.bits}"
        case tree.Number(is_bool=True):
            return "_Bool"
        case tree.Number():
            return kind.spelled or _OF_C[kind.bits, kind.signed]
        case tree.Struct(name):
            return f"struct {name}"
        case tree.Counter():
            return COUNTER
        case _:
            raise TypeError(kind)


def text_of(node: Any, *, has_few: bool = False) -> str:
    """Return the text of a tree: of a statement without what ends it, of a file with all.

    Equal texts are equal trees. Where it `has_few` parentheses, they stand where C or people who
    read it (-Wparentheses) want them, else around every operand of an operator.

    >>> total = tree.BinaryOp("+", tree.ID("a"), tree.Constant("1", tree.INT))
    >>> text_of(tree.BinaryOp("-", total, tree.ID("b")))
    '(a + 1) - b'
    >>> text_of(tree.BinaryOp("-", total, tree.ID("b")), has_few=True)
    'a + 1 - b'
    """
    return Printer(has_few).text(node)


def is_same_text(left: Any, right: Any) -> bool:
    """Return True for two expressions with one text: large ones that differ do so near the top.

    >>> is_same_text(tree.ID("a"), tree.BinaryOp("-", tree.ID("a"), tree.ID("b")))
    False
    """
    if left is right:
        return True
    match left, right:
        case tree.ID(), tree.ID():
            return bool(left.name == right.name)
        case tree.BinaryOp(), tree.BinaryOp():
            return (
                left.op == right.op
                and is_same_text(left.left, right.left)
                and is_same_text(left.right, right.right)
            )
        case tree.TernaryOp(), tree.TernaryOp():
            return (
                is_same_text(left.cond, right.cond)
                and is_same_text(left.iftrue, right.iftrue)
                and is_same_text(left.iffalse, right.iffalse)
            )
    operators = (tree.BinaryOp, tree.TernaryOp)
    if isinstance(left, operators) or isinstance(right, operators):
        return False
    return text_of(left) == text_of(right)


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints trees, with few parentheses where it `has_few`."""

    has_few: bool = False

    def text(self, node: Any) -> str:
        """Return the text of a tree."""
        match node:
            case tree.FileAST():
                return "".join(map(self.item, self.joined(node.ext)))
            case tree.FuncDef():
                return f"{self.head(node)}\n{self.text(node.body)}\n"
            case tree.Prototype():
                return self.head(node)
            case tree.Decl() | tree.DeclList() | tree.Typedef() | tree.StructDef():
                return self.declared(node, 0)
        if isinstance(node, tree.TYPES):
            return self.typed(node)
        if isinstance(node, _EXPRESSIONS):
            return self.expression(node)
        is_open = isinstance(node, (tree.Compound, tree.If))
        return f"{self.statement(node, 0)}\n" if is_open else self.statement(node, 0)

    def item(self, item: Any) -> str:
        """Return an item of a file."""
        match item:
            case tree.FuncDef():
                return self.text(item)
            case tree.Pragma():
                return f"{self.statement(item, 0)}\n"
        return f"{self.text(item)};\n"

    def joined(self, nodes: Sequence[Any]) -> Sequence[Any]:
        """Return declarations, those that are one in the text joined."""
        return nodes

    # Expressions.

    def expression(self, node: Any) -> str:
        match node:
            case tree.ID():
                return str(node.name)
            case tree.Constant():
                return str(node.value)
            case tree.ArrayRef():
                return f"{self.simple(node.name)}[{self.operand(node.subscript, commas=True)}]"
            case tree.StructRef():
                return f"{self.simple(node.name)}{'->' if node.arrow else '.'}{node.field}"
            case tree.FuncCall():
                return f"{node.name}({', '.join(map(self.operand, node.args))})"
            case tree.UnaryOp(op="p++" | "p--"):
                return f"{self.simple(node.expr)}{node.op[1:]}"
            case tree.UnaryOp():
                return f"{node.op}{self.simple(node.expr)}"
            case tree.BinaryOp():
                left, right = self._side(node, node.left), self._side(node, node.right)
                return f"{left} {node.op} {right}"
            case tree.TernaryOp():
                cond, iftrue, iffalse = map(self._choice, (node.cond, node.iftrue, node.iffalse))
                return f"{cond} ? {iftrue} : {iffalse}"
            case tree.Verbatim():
                return str(node.text)
            case tree.Assignment():
                value = self.operand(node.rvalue)
                value = f"({value})" if isinstance(node.rvalue, tree.Assignment) else value
                return f"{self.operand(node.lvalue)} {node.op} {value}"
            case tree.Cast():
                return f"({self.typed(node.type)}) {self.simple(node.expr)}"
            case tree.ExprList() | tree.InitList():
                return ", ".join(map(self.operand, node.exprs))
        return self.text(node)

    def operand(self, node: Any, *, commas: bool = False) -> str:
        """An expression or list of values where one is expected; with `commas`, several."""
        text = self.expression(node)
        if isinstance(node, tree.InitList):
            return f"{{{text}}}"
        return f"({text})" if isinstance(node, tree.ExprList) and not commas else text

    def _side(self, parent: Any, node: Any) -> str:
        """A side of an operator with two."""
        if not self.has_few or not isinstance(node, tree.BinaryOp):
            is_low = isinstance(node, _LOW) if self.has_few else not self.is_simple(node)
        else:
            is_low = not _is_bare(parent.op, node.op, is_right=node is parent.right)
        return f"({self.operand(node)})" if is_low else self.operand(node)

    def _choice(self, node: Any) -> str:
        """A part of a conditional value."""
        is_bare = self.has_few and not isinstance(node, _LOW)
        return self.operand(node) if is_bare else f"({self.operand(node)})"

    def is_simple(self, node: Any) -> bool:
        """Return True for what binds closer than any operator."""
        return isinstance(node, _SIMPLE)

    def simple(self, node: Any) -> str:
        """An operand of an operator."""
        return self.operand(node) if self.is_simple(node) else f"({self.operand(node)})"

    # Declarations.

    def head(self, node: Any) -> str:
        """Return a function without its body."""
        given = node.parameters
        takes = "" if given is None else ", ".join(map(self.text, given)) or "void"
        words = sorted(node.storage, key=lambda one: one != "inline")
        return " ".join([*words, self.typed(node.returns, f"{node.name}({takes})")])

    def declared(self, node: Any, indent: int) -> str:
        """Return a declaration, or several of one type."""
        match node:
            case tree.DeclList():
                first, *others = node.decls
                behind = [self.declarator(one) + self.initial(one) for one in others]
                return ", ".join([self.declared(first, indent), *behind])
            case tree.Typedef():
                return f"typedef {self.typed(node.type, node.name)}"
            case tree.StructDef():
                members = self.body(node.members, indent + _STEP)
                own = " " * indent
                return f"struct {node.name}\n{own}{{\n{members}{own}}}"
        const = "const " if node.const else ""
        return " ".join([*node.storage, const + self.typed(node.type, node.name)]) + self.initial(
            node
        )

    def declarator(self, node: Any) -> str:
        """Return the name of a declared variable with what stands around it."""
        return self._around(node.type, node.name)[1]

    def initial(self, node: Any) -> str:
        """Return the value that a variable begins with, behind the sign for that."""
        return "" if node.init is None else f" = {self.operand(node.init)}"

    def typed(self, kind: tree.Type, name: str = "") -> str:
        """Return a type, around a name."""
        base, declarator = self._around(kind, name)
        return f"{base_name(base)} {declarator}" if declarator else base_name(base)

    def _around(self, kind: tree.Type, text: str) -> tuple[tree.Type, str]:
        """The type that a declarator ends in, and the name with what stands around it."""
        is_behind_pointer = False
        while isinstance(kind, (tree.Array, tree.Pointer)):
            restrict = "restrict " if kind.restrict else ""
            if isinstance(kind, tree.Array):
                size = "" if kind.extent is None else self.operand(kind.extent)
                text = f"({text})" if is_behind_pointer else text
                text = f"{text}[{restrict}{size}]"
            else:
                text = f"* {restrict}{text}".rstrip() if restrict else f"*{text}"
            is_behind_pointer = isinstance(kind, tree.Pointer)
            kind = kind.element
        return kind, text

    # Statements.

    def statement(self, node: Any, indent: int) -> str:
        """A statement without the indentation of its first line and the end of its last."""
        match node:
            case tree.Verbatim():
                first, *others = node.text.split("\n")
                own = " " * indent
                return "\n".join([first, *(own + one if one else "" for one in others)])
            case tree.Compound():
                own = " " * indent
                return f"{{\n{self.body(node.block_items, indent + _STEP)}{own}}}"
            case tree.If():
                cond = self.operand(node.cond, commas=True)
                text = f"if ({cond})\n{self._branch(node.iftrue, indent)}"
                if node.iffalse is None:
                    return text
                return f"{text}\n{' ' * indent}else\n{self._branch(node.iffalse, indent)}"
            case tree.For():
                return f"for ({self._header(node)})\n{self._branch(node.stmt, indent)}\n"
            case tree.While() | tree.Switch():
                word, cond = type(node).__name__.lower(), self.operand(node.cond, commas=True)
                return f"{word} ({cond})\n{self._branch(node.stmt, indent)}\n"
            case tree.DoWhile():
                cond = self.operand(node.cond, commas=True)
                return f"do\n{self._branch(node.stmt, indent)}\n{' ' * indent}while ({cond});"
            case tree.Case():
                body = self.body(node.stmts, indent + _STEP)
                return f"case {self.operand(node.expr)}:\n{body}"
            case tree.Default():
                return f"default:\n{self.body(node.stmts, indent + _STEP)}"
            case tree.Label():
                return f"{node.name}:\n{' ' * indent}{self.statement(node.stmt, indent)}\n"
            case tree.Return(expr=None):
                return "return;"
            case tree.Return():
                return f"return {self.operand(node.expr, commas=True)};"
            case tree.Break():
                return "break;"
            case tree.Continue():
                return "continue;"
            case tree.EmptyStatement():
                return ";"
            case tree.Pragma():
                return f"#pragma {node.string}" if node.string else "#pragma"
            case tree.Decl() | tree.DeclList():
                return f"{self.declared(node, indent)};"
        return f"{self.text(node)};"

    def _header(self, node: tree.For) -> str:
        first = "" if node.init is None else self._in_header(node.init)
        cond = "" if node.cond is None else f" {self.operand(node.cond, commas=True)}"
        step = "" if node.next is None else f" {self.operand(node.next, commas=True)}"
        return f"{first};{cond};{step}"

    def _in_header(self, node: Any) -> str:
        is_declared = isinstance(node, (tree.DeclList, tree.Decl))
        return self.text(node) if is_declared else self.operand(node, commas=True)

    def _branch(self, node: Any, indent: int) -> str:
        """The statement under a header: a block is not indented for it."""
        if isinstance(node, tree.Compound):
            return f"{' ' * indent}{self.statement(node, indent)}"
        return f"{' ' * (indent + _STEP)}{self.statement(node, indent)}"

    def body(self, items: Iterable[Any], indent: int) -> str:
        """Statements or members, each on lines of its own."""
        return "".join(
            f"{' ' * indent}{self.statement(one, indent)}\n" for one in self.joined([*items])
        )


_EXPRESSIONS = (
    *_SIMPLE,
    tree.UnaryOp,
    tree.BinaryOp,
    tree.TernaryOp,
    tree.Assignment,
    tree.Cast,
    tree.ExprList,
    tree.InitList,
    tree.Verbatim,
)


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
