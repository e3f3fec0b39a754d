"""Types as they are written: declarators from the name outwards, structs, enumerations.

Clang gives what a type is, and apart from that the expressions, parameters and structs that stand
in it, as children of what has the type: those of what an array or function is made of come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import NotUnderstood, SourceLine
from hlsmem.check.c_trees.clang_functions import children_of
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT

TAGS = ("STRUCT_DECL", "UNION_DECL", "ENUM_DECL")
FUNCTIONS = ("FUNCTIONPROTO", "FUNCTIONNOPROTO")
_ARRAYS = ("CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY")
_IN_BRACKETS = r"[^\[]*\[((?:(?:static|restrict|const|volatile)\b ?)+)"
_NUMBERS = (
    *("VOID", "BOOL", "CHAR_U", "CHAR_S", "UCHAR", "SCHAR", "USHORT", "SHORT", "UINT", "INT"),
    *("ULONG", "LONG", "ULONGLONG", "LONGLONG", "UINT128", "INT128"),
    *("HALF", "FLOAT16", "FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "COMPLEX"),
)


@dataclass(frozen=True, slots=True)
class Types:
    """Reads types at a place; `expression` reads what stands in them.

    `tags` are structs and the like that were read already, by the hash of their cursors.
    """

    expression: Callable[[Any, SourceLine], Any]
    at: SourceLine
    tags: Mapping[int, Any] = field(default_factory=dict)

    def declarator(self, kind: Any, name: str | None, parts: list[Any]) -> Any:
        """Return a type around a name; takes the `parts` that stand in it off the list."""
        match kind.kind.name:
            case "POINTER":
                inner = self.declarator(kind.get_pointee(), name, parts)
                return written_c.PtrDecl(_qualifiers(kind), inner, self.at)
            case word if word in _ARRAYS:
                inner = self.declarator(kind.element_type, name, parts)
                dim = None
                if word != "INCOMPLETEARRAY" and parts:
                    dim = self.expression(parts.pop(0), self.at)
                elif "[*]" in kind.spelling:
                    dim = tree.ID("*", place=self.at)
                # Clang does not say those of an array of no extent, which are promises alone.
                said = re.match(_IN_BRACKETS, kind.spelling)
                return written_c.ArrayDecl(inner, dim, said[1].split() if said else [], self.at)
            case word if word in FUNCTIONS:
                inner = self.declarator(kind.get_result(), name, parts)
                return written_c.FuncDecl(self.parameters(kind, parts), inner, self.at)
        named, words = kind, _qualifiers(kind)
        while named.kind.name == "ELABORATED":
            named = named.get_named_type()
            words += [one for one in _qualifiers(named) if one not in words]
        return written_c.TypeDecl(name, words, self._base(named, parts), self.at)

    def typename(self, kind: Any, parts: list[Any]) -> written_c.Typename:
        """Return a type without a name."""
        found = self.declarator(kind, None, parts)
        return written_c.Typename(list(written_c.innermost(found).quals), found, self.at)

    def parameters(self, kind: Any, parts: list[Any]) -> written_c.ParamList | None:
        """Return the parameters of a function of a type."""
        own = [one for one in parts if one.kind.name == "PARM_DECL"]
        if kind.kind.name == "FUNCTIONPROTO":
            own = own[: len(kind.argument_types())]
        parts[:] = [one for one in parts if one not in own]
        made: list[Any] = list(map(self._parameter, own))
        if kind.kind.name == "FUNCTIONPROTO":
            if kind.is_function_variadic():
                made.append(written_c.EllipsisParam(self.at))
            if not made:
                void = written_c.TypeDecl(None, [], written_c.IdentifierType(["void"]), self.at)
                made.append(written_c.Typename([], void, self.at))
        return written_c.ParamList(tuple(made), self.at) if made else None

    def _parameter(self, cursor: Any) -> Any:
        parts = written_parts(cursor)
        name = cursor.spelling or None
        found = self.declarator(cursor.type, name, parts)
        words = list(written_c.innermost(found).quals)
        if name is None:
            return written_c.Typename(words, found, self.at)
        return written_c.Decl(name, words, [], [], found, None, None, self.at)

    def _base(self, kind: Any, parts: list[Any]) -> Any:
        word = kind.kind.name
        if word == "TYPEDEF":
            _take_reference(parts)
            return written_c.IdentifierType([kind.get_typedef_name()], self.at)
        if word in ("RECORD", "ENUM"):
            if parts and parts[0].kind.name in TAGS:
                cursor = parts.pop(0)
                return self.tags.get(cursor.hash) or self.tag(cursor)
            _take_reference(parts)
            return _tag(kind.get_declaration(), None, self.at)
        if word in _NUMBERS:
            words = [one for one in kind.spelling.split() if one not in ("const", "volatile")]
            return written_c.IdentifierType(words, self.at)
        raise NotUnderstood(f"{self.at}: the type '{kind.spelling}' is not understood")

    def tag(self, cursor: Any) -> Any:
        """Return a struct, union or enumeration with its body; without where it has none."""
        if not cursor.is_definition():
            return _tag(cursor, None, self.at)
        if cursor.kind.name == "ENUM_DECL":
            own = [self._enumerator(one) for one in written_parts(cursor)]
            return _tag(cursor, written_c.EnumeratorList(tuple(own), self.at), self.at)
        return _tag(cursor, tuple(self._members(cursor)), self.at)

    def _enumerator(self, cursor: Any) -> written_c.Enumerator:
        parts = written_parts(cursor)
        value = self.expression(parts[0], self.at) if parts else None
        return written_c.Enumerator(cursor.spelling, value, self.at)

    def _members(self, cursor: Any) -> list[Any]:
        found: list[Any] = []
        inner: dict[int, Any] = {}
        used: set[int] = set()
        parts = [one for one in written_parts(cursor) if one.kind.name != "STATIC_ASSERT"]
        for one in parts:
            used.update(part.hash for part in children_of(one) if one.kind.name == "FIELD_DECL")
        for one in parts:
            if one.kind.name == "FIELD_DECL":
                found.append(Types(self.expression, self.at, inner).member(one))
            elif one.kind.name in TAGS and one.is_definition():
                inner[one.hash] = self.tag(one)
                if one.hash not in used:
                    found.append(bare(inner[one.hash], self.at))
        return found

    def member(self, cursor: Any) -> written_c.Decl:
        """Return the declaration of a member."""
        parts = written_parts(cursor)
        name = cursor.spelling or None
        found = self.declarator(cursor.type, name, parts)
        bits = None
        if cursor.is_bitfield():
            bits = tree.Constant(str(cursor.get_bitfield_width()), INT, place=self.at)
        words = list(written_c.innermost(found).quals)
        return written_c.Decl(name, words, [], [], found, None, bits, self.at)


def written_parts(cursor: Any) -> list[Any]:
    """Return what stands in a declaration, without attributes."""
    return [one for one in children_of(cursor) if not one.kind.is_attribute()]


def bare(tag: Any, at: SourceLine) -> written_c.Decl:
    """Return the declaration of a struct, union or enumeration alone."""
    return written_c.Decl(None, [], [], [], tag, None, None, at)


def _take_reference(parts: list[Any]) -> None:
    if parts and parts[0].kind.name == "TYPE_REF":
        parts.pop(0)


def _tag(cursor: Any, body: Any, at: SourceLine) -> Any:
    """A struct and the like; the type of one without a tag is called by its place."""
    found = re.fullmatch(r"(?:const |volatile )*(?:struct|union|enum) (\w+)", cursor.type.spelling)
    name = found[1] if found else None
    if name is None and body is None:
        raise NotUnderstood(f"{at}: the type '{cursor.type.spelling}' has no name")
    match cursor.kind.name:
        case "STRUCT_DECL":
            return written_c.Struct(name, body, at)
        case "UNION_DECL":
            return written_c.Union(name, body, at)
    return written_c.Enum(name, body, at)


def _qualifiers(kind: Any) -> list[str]:
    words = {
        "const": kind.is_const_qualified(),
        "volatile": kind.is_volatile_qualified(),
        "restrict": kind.is_restrict_qualified(),
    }
    return [word for word, is_there in words.items() if is_there]
