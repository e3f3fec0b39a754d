"""The text of C as users write it: declarators, structs and the like besides what all C has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import Printer

_DECLARATORS = (written_c.TypeDecl, written_c.PtrDecl, written_c.ArrayDecl, written_c.FuncDecl)
_TAGS = (written_c.Struct, written_c.Union, written_c.Enum)
_DECLARED = (written_c.Decl, written_c.Typedef)
_STEP = 2


def text_of(node: Any) -> str:
    """Return the text of a tree: of a statement without what ends it, of a file with all."""
    return _Printer().text(node)


@dataclass(frozen=True, slots=True)
class _Printer(Printer):
    def text(self, node: Any) -> str:
        match node:
            case written_c.FileAST():
                return "".join(map(self.item, self.joined(node.ext)))
            case written_c.FuncDef():
                return f"{self.text(node.decl)}\n{self.text(node.body)}\n"
            case written_c.Decl() | written_c.Typedef():
                return self.declared(node, 0)
            case written_c.ParamList():
                return ", ".join(map(self.text, node.params))
            case written_c.EllipsisParam():
                return "..."
            case written_c.Enumerator():
                is_plain = node.value is None
                return node.name if is_plain else f"{node.name} = {self.operand(node.value)}"
            case written_c.Cast() | written_c.FuncCall():
                return self.expression(node)
            case written_c.NamedInitializer() | written_c.CompoundLiteral():
                return self.expression(node)
            case written_c.Goto():
                return self.statement(node, 0)
        if isinstance(node, (written_c.Typename, written_c.IdentifierType, *_TAGS, *_DECLARATORS)):
            return self._typed(node, 0, is_named=isinstance(node, written_c.FuncDecl))
        return Printer.text(self, node)

    def item(self, item: Any) -> str:
        return self.text(item) if isinstance(item, written_c.FuncDef) else Printer.item(self, item)

    def statement(self, node: Any, indent: int) -> str:
        if isinstance(node, written_c.Goto):
            return f"goto {node.name};"
        if isinstance(node, _DECLARED):
            return f"{self.declared(node, indent)};"
        return Printer.statement(self, node, indent)

    def expression(self, node: Any) -> str:
        match node:
            case written_c.Cast():
                to_type = self._typed(node.to_type, 0, is_named=False)
                return f"({to_type}) {self.simple(node.expr)}"
            case written_c.FuncCall():
                given = "" if node.args is None else self.expression(node.args)
                return f"{self.simple(node.name)}({given})"
            case tree.UnaryOp(op="sizeof"):
                return f"sizeof({self.operand(node.expr, commas=True)})"
            case written_c.NamedInitializer():
                return f"{''.join(map(self._designator, node.name))} = {self.operand(node.expr)}"
            case written_c.CompoundLiteral():
                return f"({self._typed(node.type, 0)}){{{self.expression(node.init)}}}"
        return Printer.expression(self, node)

    def is_simple(self, node: Any) -> bool:
        return isinstance(node, written_c.FuncCall) or Printer.is_simple(self, node)

    def _designator(self, node: Any) -> str:
        return f".{node.name}" if isinstance(node, tree.ID) else f"[{self.operand(node.expr)}]"

    # Declarations.

    def declared(self, node: Any, indent: int) -> str:
        if isinstance(node, tree.DeclList):
            first, *others = node.decls
            return ", ".join(
                [
                    self.declared(first, indent),
                    *(self._declarator(one.type) + self.initial(one) for one in others),
                ]
            )
        words = node.storage
        if isinstance(node, written_c.Typedef):
            return " ".join([*words, self._typed(node.type, indent)])
        words = [*node.funcspec, *words]
        if not isinstance(node.type, _DECLARATORS):  # a tag, without a name of its own
            words = [*words, *node.quals]
        return " ".join([*words, self._typed(node.type, indent)]) + self.initial(node)

    def initial(self, node: Any) -> str:
        if isinstance(node, written_c.Typedef):
            return ""
        bits = "" if node.bitsize is None else f" : {self.operand(node.bitsize)}"
        return bits if node.init is None else f"{bits} = {self.operand(node.init)}"

    def _typed(self, node: Any, indent: int, *, is_named: bool = True) -> str:
        """A type, with the name that its declarator has where that `is_named`."""
        match node:
            case written_c.Typename():
                return self._typed(node.type, indent, is_named=is_named)
            case written_c.IdentifierType():
                return " ".join(node.names)
            case written_c.Struct() | written_c.Union() | written_c.Enum():
                return self._tag(node, indent)
        inner = written_c.innermost(node)
        base = " ".join([*(inner.quals or ()), self._typed(inner.type, indent)])
        declarator = self._declarator(node, is_named=is_named)
        return f"{base.rstrip()} {declarator}" if declarator else base

    def _declarator(self, node: Any, *, is_named: bool = True) -> str:
        """The name of a declarator with what stands around it."""
        around = []
        while not isinstance(node, written_c.TypeDecl):
            around.append(node)
            node = node.type
        text = str(node.declname or "") if is_named else ""
        before: Any = None
        for one in around:
            if isinstance(before, written_c.PtrDecl) and not isinstance(one, written_c.PtrDecl):
                text = f"({text})"
            match one:
                case written_c.ArrayDecl():
                    words = [
                        *(one.dim_quals or ()),
                        *([] if one.dim is None else [self.operand(one.dim)]),
                    ]
                    gap = " " if one.dim_quals and one.dim is None else ""
                    text += f"[{' '.join(words)}{gap}]"
                case written_c.FuncDecl():
                    text += f"({'' if one.args is None else self.text(one.args)})"
                case written_c.PtrDecl():
                    quals = " ".join(one.quals or ())
                    text = f"* {quals} {text}".rstrip() if quals else f"*{text}"
            before = one
        return text

    def _tag(self, node: Any, indent: int) -> str:
        """A struct, union or enumeration, with its body where it has one."""
        word = type(node).__name__.lower()
        text = f"{word} {node.name or ''}"
        own, inner = " " * indent, " " * (indent + _STEP)
        if isinstance(node, written_c.Enum):
            if node.values is None:
                return text
            members = ",\n".join(f"{inner}{self.text(one)}" for one in node.values.enumerators)
            return f"{text}\n{own}{{\n{members}\n{own}}}"
        if node.decls is None:
            return text
        return f"{text}\n{own}{{\n{self.body(node.decls, indent + _STEP)}{own}}}"

    def joined(self, nodes: Sequence[Any]) -> Sequence[Any]:
        """Declarations with those of one type joined that is declared in the first of them."""
        found: list[Any] = []
        group: list[Any] = []
        for one in nodes:
            tag = _defined(one)
            if (
                group
                and tag is not None
                and tag is _defined(group[0])
                and _are_alike(group[0], one)
            ):
                group.append(one)
                continue
            found += _joined(group)
            group = [one] if tag is not None else []
            found += [] if group else [one]
        return [*found, *_joined(group)]


def _defined(node: Any) -> Any:
    """The tag whose body a declaration has; None where it has none."""
    if not isinstance(node, (written_c.Decl, written_c.Typedef)):
        return None
    kind = node.type
    while isinstance(kind, _DECLARATORS):
        kind = kind.type
    body = getattr(kind, "values" if isinstance(kind, written_c.Enum) else "decls", None)
    return kind if isinstance(kind, _TAGS) and body is not None else None


def _are_alike(first: Any, second: Any) -> bool:
    words = ("quals", "storage", "funcspec")
    return type(first) is type(second) and all(
        getattr(first, one, None) == getattr(second, one, None) for one in words
    )


def _joined(group: list[Any]) -> list[Any]:
    return group if len(group) < 2 else [tree.DeclList(tuple(group))]
