"""Several C files as one: what the functions of `kernel.sources` need, in front of the kernel's.

Every file is preprocessed and parsed by itself, as a compiler does. Names that two files give to
different things of their own are told apart by a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from hlsmem.core.errors import InputError, Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import c_ast, names
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.head import Head
from hlsmem.read.c.clang.reader import Reading, read_cxx
from hlsmem.read.c.preprocess import Preprocessed, preprocess
from hlsmem.read.c.source_map import KERNEL, SourceMap
from hlsmem.read.c.syntax import parse
from hlsmem.read.c.trees import nodes_of
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import numbered
from hlsmem.read.suffixes import is_cxx

_CLASH = "C++: redefinition of"


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The kernel's file and others: their text as one, and the tree of each, the kernel's last.

    `are_cxx` says that one of them is C++, `head` is the planned function where it is in C++.
    """

    preprocessed: Preprocessed
    source: SourceMap
    trees: tuple[Any, ...]
    are_cxx: bool = False
    head: Head | None = None

    @property
    def own(self) -> Any:
        """The tree of the kernel's file."""
        return self.trees[-1]


def read_files(
    folder: Folder,
    file: str,
    others: Sequence[str],
    *,
    function: str | None = None,
    is_whole: bool = False,
    cflags: tuple[str, ...],
    symbolic: tuple[str, ...],
) -> Files:
    """`file` and the files whose functions it calls; InputError as of `preprocess` and `parse`.

    Of a C++ file the `function` is read with what it calls; where it `is_whole`, all of them. Files
    of C++ alone are read as one, unless two define one name.
    """
    are_cxx = [is_cxx(name) for name in (*others, file)]
    found: list[Preprocessed] = []
    head: Head | None = None
    if others and all(are_cxx) and not is_whole:
        reading = _read_as_one(folder, file, others, function, cflags, symbolic)
        if reading is not None:
            others, found, head = (), [reading.preprocessed], reading.head
    for name in (*others, file) if not found else ():
        if not is_cxx(name):
            found.append(preprocess(folder, name, cflags=cflags, symbolic=symbolic))
            continue
        is_main = name == file and not is_whole
        reading = read_cxx(
            folder, name, function, cflags=cflags, symbolic=symbolic, is_main=is_main
        )
        found.append(reading.preprocessed)
        head = reading.head if is_main else head
    whole = found[0] if len(found) == 1 else _joined(found)
    source = SourceMap(whole)
    starts = accumulate((_lines(one) for one in found[:-1]), initial=1)
    trees = tuple(parse(one, source, start) for one, start in zip(found, starts, strict=True))
    return Files(preprocessed=whole, source=source, trees=trees, are_cxx=any(are_cxx), head=head)


def _read_as_one(
    folder: Folder,
    file: str,
    others: Sequence[str],
    function: str | None,
    cflags: tuple[str, ...],
    symbolic: tuple[str, ...],
) -> Reading | None:
    """Files of C++ as one translation unit; None where two define one name."""
    try:
        return read_cxx(folder, file, function, cflags=cflags, symbolic=symbolic, beside=others)
    except InputError as error:
        if any(one.what.startswith(_CLASH) for one in error.problems):
            return None
        raise


def _lines(one: Preprocessed) -> int:
    return one.text.count("\n") + 1


def _joined(found: Sequence[Preprocessed]) -> Preprocessed:
    """The texts one behind the other; tokens keep the place where they were written."""
    tokens, start = [], 0
    for one in found:
        tokens += [replace(token, line=token.line + start) for token in one.tokens]
        start += _lines(one)
    files = {file.name: file for one in (found[-1], *found) for file in one.files}
    definitions = {name: text for one in found for name, text in one.definitions.items()}
    return Preprocessed(
        text="\n".join(one.text for one in found),
        tokens=tuple(tokens),
        files=tuple(files.values()),
        headers=tuple(dict.fromkeys(name for one in (found[-1], *found) for name in one.headers)),
        macros=tuple(dict.fromkeys(name for one in found for name in one.macros)),
        definitions=definitions,
        remarks=tuple(remark for one in found for remark in one.remarks),
    )


def merged(files: Files, problems: Problems) -> Any:
    """One tree of all files; functions of the others are static in it.

    What two files have from one header stands there once.
    """
    if len(files.trees) == 1:
        return files.own
    shared = _shared(files, problems)
    used = {name for tree in files.trees for name in names.identifiers(tree)}
    owners: dict[str, str] = {}
    for tree in (files.own, *files.trees[:-1]):
        rename(tree, _renamings(tree, shared, owners, used))
    defined = {
        node.decl.name
        for tree in files.trees
        for node in tree.ext
        if isinstance(node, c_ast.FuncDef)
    }
    kept: dict[str, Any] = {}
    for tree in files.trees:
        for node in tree.ext:
            if isinstance(node, c_ast.FuncDef) and tree is not files.own:
                if node.decl.name == "main":
                    continue
                inline = [word for word in node.decl.storage if word == "inline"]
                node.decl.storage = ["static", *inline]
            if not (_is_prototype(node) and node.name in defined):
                kept.setdefault(text_of(node), node)
    return c_ast.FileAST(list(kept.values()))


def _shared(files: Files, problems: Problems) -> Mapping[str, Any]:
    """Declarations with external linkage, by name; two bodies of one are a problem."""
    found: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    for tree in files.trees:
        for node in tree.ext:
            own = node.decl if isinstance(node, c_ast.FuncDef) else node
            if not isinstance(own, c_ast.Decl) or not _is_here(node) or "static" in own.storage:
                continue
            if not own.name:
                continue
            found.setdefault(own.name, own)
            if not isinstance(node, c_ast.FuncDef):
                continue
            first = bodies.setdefault(own.name, own)
            if first is not own and own.name != "main":
                what = f"'{own.name}' has a body in two files"
                note = Note("the other is here", files.source.name_place(first))
                remedy = "keep one of them, or declare them static"
                problems.add(what, remedy, files.source.name_place(own), [note])
    return found


def _renamings(
    tree: Any, shared: Mapping[str, Any], owners: dict[str, str], used: set[str]
) -> dict[str, str]:
    """New names for what a file has to itself under names that others have, and they for it.

    `owners` has the names of the files before and the text of what they stand for.
    """
    found: dict[str, str] = {}
    nodes = [node for node in tree.ext if _is_here(node) and not _is_prototype(node)]
    again = True
    while again:
        again = False
        for node in nodes:
            text, touched = text_of(node), not names.identifiers(node).isdisjoint(found)
            for one in _declared(node):
                if one in found or _is_shared(node, one, shared):
                    continue
                if one in shared or owners.get(one, text) != text or touched:
                    found[one] = _free(one, used)
                    again = True
    for node in nodes:
        for one in _declared(node):
            owners.setdefault(found.get(one, one), text_of(node))
    return found


def _is_shared(node: Any, name: str, shared: Mapping[str, Any]) -> bool:
    """True if a node declares a name with external linkage."""
    own = node.decl if isinstance(node, c_ast.FuncDef) else node
    return name in shared and isinstance(own, c_ast.Decl) and "static" not in own.storage


def _is_here(node: Any) -> bool:
    """True if a node stands in the user's files: not among the types that headers have."""
    return node.coord is not None and node.coord.file == KERNEL


def _is_prototype(node: Any) -> bool:
    return isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)


def _declared(node: Any) -> list[str]:
    """The names that a node of a file makes known there; tags as "Struct name"."""
    if isinstance(node, c_ast.FuncDef):
        return [node.decl.name]
    found = [node.name] if isinstance(node, (c_ast.Decl, c_ast.Typedef)) and node.name else []
    for part in nodes_of(node):
        if isinstance(part, (c_ast.Struct, c_ast.Union, c_ast.Enum)) and part.name:
            if getattr(part, "decls", None) or getattr(part, "values", None):
                found.append(f"{type(part).__name__} {part.name}")
        elif isinstance(part, c_ast.Enumerator):
            found.append(part.name)
    return found


def _free(name: str, used: set[str]) -> str:
    tag, _, own = name.rpartition(" ")
    found = numbered(own, used)
    used.add(found)
    return f"{tag} {found}".strip()


# What pragmas of HLS say by the program's names; their other words are the vendor's.
_OF_PRAGMA = re.compile(r"(\b(?:variable|port|depth|factor)\s*=\s*)([A-Za-z_]\w*)", re.IGNORECASE)


def rename(node: Any, new: Mapping[str, str]) -> None:
    """Give things of a file other names in its tree, which is changed in place.

    Variables inside of functions that are called so get the name too: they shadow alike. So do
    those that a pragma says.
    """
    if not new:
        return
    match node:
        case c_ast.StructRef():
            rename(node.name, new)
            return
        case c_ast.Struct() | c_ast.Union() | c_ast.Enum() if node.name:
            tag = f"{type(node).__name__} {node.name}"
            node.name = new.get(tag, tag).partition(" ")[2]
        case c_ast.IdentifierType():
            node.names = [new.get(one, one) for one in node.names]
        case c_ast.Pragma() if node.string:
            node.string = _OF_PRAGMA.sub(lambda o: o[1] + new.get(o[2], o[2]), node.string)
        case c_ast.TypeDecl() if node.declname:
            node.declname = new.get(node.declname, node.declname)
        case c_ast.ID() | c_ast.Decl() | c_ast.Typedef() | c_ast.Enumerator() if node.name:
            node.name = new.get(node.name, node.name)
    for part in node:
        if isinstance(node, (c_ast.Struct, c_ast.Union)) and isinstance(part, c_ast.Decl):
            _rename_types(part.type, new)
        else:
            rename(part, new)


def _rename_types(node: Any, new: Mapping[str, str]) -> None:
    """Of a member of a struct the type and the extents alone."""
    while isinstance(node, (c_ast.ArrayDecl, c_ast.PtrDecl)):
        if isinstance(node, c_ast.ArrayDecl) and node.dim is not None:
            rename(node.dim, new)
        node = node.type
    rename(node.type if isinstance(node, c_ast.TypeDecl) else node, new)
