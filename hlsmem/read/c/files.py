"""Several files as one: what the functions of `kernel.sources` need, in front of the kernel's.

Every file is parsed by itself, as a compiler does. Names that two files give to
different things of their own are told apart by a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.errors import InputError, Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.memoized import Itself, kept
from hlsmem.read.c import names, tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.head import Head
from hlsmem.read.c.clang.reader import Reading, read_file
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.tree import Member, Struct
from hlsmem.read.c.trees import changed, rewrite
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import numbered
from hlsmem.read.suffixes import is_cxx

_CLASH = "C++: redefinition of"


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The kernel's file and others: their text as one, and the tree of each, the kernel's last.

    `are_cxx` says that one of them is C++, `head` is the planned function where it is in C++.
    """

    parsed: ParsedFile
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
    """`file` and the files whose functions it calls; InputError as of `read_file`.

    Of a C++ file the `function` is read with what it calls; where it `is_whole`, all of them. Files
    of C++ alone are read as one, unless two define one name.
    """
    are_cxx = [is_cxx(name) for name in (*others, file)]
    found: list[ParsedFile] = []
    head: Head | None = None
    if others and all(are_cxx) and not is_whole:
        reading = _read_as_one(folder, file, others, function, cflags, symbolic)
        if reading is not None:
            others, found, head = (), [reading.parsed], reading.head
    for name in (*others, file) if not found else ():
        is_main = name == file and not is_whole
        is_all = is_whole and name == file
        reading = _reading(Itself(folder), name, function, cflags, symbolic, (), is_main, is_all)
        found.append(reading.parsed)
        head = reading.head if is_main and is_cxx(name) else head
    whole = found[0] if len(found) == 1 else _joined(found)
    return Files(
        parsed=whole,
        source=SourceMap(whole.files),
        trees=tuple(one.tree for one in found),
        are_cxx=any(are_cxx),
        head=head,
    )


@kept(4)
def _reading(
    folder: Itself,
    file: str,
    function: str | None,
    cflags: tuple[str, ...],
    symbolic: tuple[str, ...],
    beside: tuple[str, ...],
    is_main: bool,
    is_whole: bool,
) -> Reading:
    """What a file is in the folder of one design, which is loaded in several ways."""
    return read_file(
        folder.value,
        file,
        function,
        cflags=cflags,
        symbolic=symbolic,
        beside=beside,
        is_main=is_main,
        is_whole=is_whole,
    )


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
        return _reading(
            Itself(folder), file, function, cflags, symbolic, tuple(others), True, False
        )
    except InputError as error:
        if any(one.what.startswith(_CLASH) for one in error.problems):
            return None
        raise


def _joined(found: Sequence[ParsedFile]) -> ParsedFile:
    """What several files are of together; their trees stand apart."""
    files = {file.name: file for one in (found[-1], *found) for file in one.files}
    definitions = {name: text for one in found for name, text in one.definitions.items()}
    return replace(
        found[-1],
        files=tuple(files.values()),
        headers=tuple(dict.fromkeys(name for one in (found[-1], *found) for name in one.headers)),
        macros=tuple(dict.fromkeys(name for one in found for name in one.macros)),
        definitions=definitions,
        remarks=tuple(remark for one in found for remark in one.remarks),
        has_structs=any(one.has_structs for one in found),
    )


def merged(files: Files, problems: Problems) -> Any:
    """One tree of all files; functions of the others are static in it.

    What two files have from one header stands there once.
    """
    if len(files.trees) == 1:
        return files.own
    shared = _shared(files, problems)
    used = {name for root in files.trees for name in names.identifiers(root)}
    owners: dict[str, str] = {}
    own, *others = (
        renamed(root, _renamings(root, shared, owners, used))
        for root in (files.own, *files.trees[:-1])
    )
    trees = (*others, own)
    defined = {node.name for root in trees for node in root.ext if isinstance(node, tree.FuncDef)}
    kept: dict[str, Any] = {}
    for root in trees:
        for one in root.ext:
            node = one
            if isinstance(node, tree.FuncDef) and root is not own:
                node = changed(node, storage=["static"])
            if not (isinstance(node, tree.Prototype) and node.name in defined):
                kept.setdefault(text_of(node), node)
    return tree.FileAST(tuple(kept.values()))


def _shared(files: Files, problems: Problems) -> Mapping[str, Any]:
    """Declarations with external linkage, by name; two bodies of one are a problem."""
    found: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    for root in files.trees:
        for node in root.ext:
            if not isinstance(node, tree.LINKED) or not _is_here(node) or "static" in node.storage:
                continue
            found.setdefault(node.name, node)
            if not isinstance(node, tree.FuncDef):
                continue
            first = bodies.setdefault(node.name, node)
            if first is not node and node.name != "main":
                what = f"'{node.name}' has a body in two files"
                note = Note("the other is here", files.source.name_place(first))
                remedy = "keep one of them, or declare them static"
                problems.add(what, remedy, files.source.name_place(node), [note])
    return found


def _renamings(
    root: Any, shared: Mapping[str, Any], owners: dict[str, str], used: set[str]
) -> dict[str, str]:
    """New names for what a file has to itself under names that others have, and they for it.

    `owners` has the names of the files before and the text of what they stand for.
    """
    found: dict[str, str] = {}
    nodes = [o for o in root.ext if _is_here(o) and not isinstance(o, tree.Prototype)]
    again = True
    while again:
        again = False
        for node in nodes:
            text, touched = text_of(node), not names.identifiers(node).isdisjoint(found)
            for one in names.declared_names(node):
                if one in found or _is_shared(node, one, shared):
                    continue
                if one in shared or owners.get(one, text) != text or touched:
                    found[one] = _free(one, used)
                    again = True
    for node in nodes:
        for one in names.declared_names(node):
            owners.setdefault(found.get(one, one), text_of(node))
    return found


def _is_shared(node: Any, name: str, shared: Mapping[str, Any]) -> bool:
    """True if a node declares a name with external linkage."""
    return name in shared and isinstance(node, tree.LINKED) and "static" not in node.storage


def _is_here(node: Any) -> bool:
    """True if a node stands in the user's files: not among the types that headers have."""
    return node.place is not None


def _free(name: str, used: set[str]) -> str:
    tag, _, own = name.rpartition(" ")
    found = numbered(own, used)
    used.add(found)
    return f"{tag} {found}".strip()


# What pragmas of HLS say by the program's names; their other words are the vendor's.
_OF_PRAGMA = re.compile(r"(\b(?:variable|port|depth|factor)\s*=\s*)([A-Za-z_]\w*)", re.IGNORECASE)


def renamed(node: Any, new: Mapping[str, str]) -> Any:
    """Return a tree in which things of a file have other names.

    Variables inside of functions that are called so get the name too: they shadow alike. So do
    those that a pragma says.
    """
    if not new:
        return node

    def once(part: Any) -> Any | None:
        match part:
            case tree.Pragma():
                said = _OF_PRAGMA.sub(lambda o: o[1] + new.get(o[2], o[2]), part.string)
                return changed(part, string=said)
            case tree.StructDef():
                members = [changed(one, type=renamed(one.type, new)) for one in part.members]
                return changed(part, name=_tag(part.name, new), members=members)
            case Struct():
                members = [Member(one.name, renamed(one.type, new)) for one in part.members]
                return changed(part, name=_tag(part.name, new), members=members)
            case _ if isinstance(part, (tree.ID, tree.FuncCall, *tree.LINKED)):
                inner = rewrite(part, lambda one: None if one is part else once(one))
                own = new.get(part.name, part.name)
                return inner if own == part.name else changed(inner, name=own)
        return None

    return rewrite(node, once)


def _tag(name: str, new: Mapping[str, str]) -> str:
    return new.get(f"Struct {name}", f"Struct {name}").partition(" ")[2]
