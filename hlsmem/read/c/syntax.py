"""The syntax tree of a kernel file, its function, and the region between the scop pragmas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from pycparser import c_parser

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import c_ast, headers
from hlsmem.read.c.parsed_text import ParseError, tree_of
from hlsmem.read.c.preprocess import Preprocessed
from hlsmem.read.c.source_map import KERNEL, SourceMap
from hlsmem.read.c.trees import inner_statements, nodes_of

COUNTER = "hlsmem_count"
"""The type of counters of streams; pointers to them are none of the user's."""


@dataclass(frozen=True, slots=True)
class Region:
    """The statements between `#pragma scop` and `#pragma endscop`, and where they stand.

    `statements` are items `start` to `stop` (exclusive) of the block `parent`; `enclosing`
    are the blocks and loops around, the function's body first, `parent` last.
    """

    function: Any
    parent: Any
    start: int
    stop: int
    enclosing: tuple[Any, ...]

    @property
    def pragma(self) -> Any:
        """The `#pragma scop`."""
        return self.parent.block_items[self.start - 1]

    @property
    def statements(self) -> tuple[Any, ...]:
        return tuple(self.parent.block_items[self.start : self.stop])


def parse(preprocessed: Preprocessed, source: SourceMap, first: int = 1) -> Any:
    """The pycparser FileAST; InputError with a place for what is no C.

    `first` is the line of the text in that of all files, which `source` knows.
    """
    known = headers.types_of(preprocessed.headers)
    known |= {COUNTER: "int"}
    prelude = "".join(f"typedef {base} {name};" for name, base in known.items())
    text = f'{prelude}\n#line {first} "{KERNEL}"\n{preprocessed.text}'
    parser = c_parser.CParser()
    try:
        return tree_of(text, "known", parser)
    except ParseError as error:
        message = _placed(str(error), parser)
        raise InputError(_syntax_problem(message, source)) from None


def _placed(message: str, parser: Any) -> str:
    """The message with the place that the parser has come to, where it names none."""
    if "Invalid expression" not in message:
        return message
    tokens = getattr(parser, "_tokens", None)
    following = None if tokens is None else tokens.peek(1)
    if following is None:
        return message
    return f"{KERNEL}:{following.lineno}:{following.column}: before: {following.value}"


def _syntax_problem(message: str, source: SourceMap) -> Problem:
    found = re.match(r"(?:[^:]*):(\d+):(\d+): (.*)", message, re.DOTALL)
    if not found and "Invalid" in message:
        return _unknown_type(source)
    if not found:
        return Problem(
            "the C text ends in the middle of something",
            "look for a missing brace or semicolon",
            source.last_place(),
        )
    line, column, what = int(found[1]), int(found[2]), found[3]
    source_location = source.place_at(line, column)
    if headers.header_of_type(source.text_before(line, column)):
        return _unknown_type(source)
    if what.startswith("before: "):
        what = f"C syntax error: unexpected {what.removeprefix('before: ')!r}"
    else:
        what = f"C syntax error: {what[0].lower()}{what[1:]}"
    return Problem(what, "correct what stands before it", source_location)


def _unknown_type(source: SourceMap) -> Problem:
    """pycparser names no place where a declaration makes no sense: nearly always for its type."""
    unknown = source.first_unknown_type()
    if unknown is None:
        remedy = "look at the types: each needs a typedef or the header that has it"
        return Problem("C syntax error: invalid declaration", remedy, source.first_place())
    name, source_location = unknown
    missing = headers.header_of_type(name)
    remedy = f"include <{missing}>" if missing else "add its typedef, or the file that has it"
    return Problem(f"C syntax error: there is no type {name!r}", remedy, source_location)


def find_function(tree: Any, name: str | None, file: str, source: SourceMap) -> Any:
    """The FuncDef called `name`; where `name` is None the only one with a scop pragma.

    Where no function has one, it is the only function of `file` that nothing but `main` calls, or
    of what it includes. Raises InputError where there is none, or more than one.
    """
    functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
    if name is None:
        return _only_function(tree, functions, file, source)
    chosen = [function for function in functions if function.decl.name == name]
    if not chosen:
        raise no_such_function(name, file, (one.decl.name for one in functions))
    return chosen[0]


def no_such_function(name: str, file: str, defined: Iterable[str]) -> InputError:
    """Return the error for a name that none of the functions `defined` has."""
    names = _listed(defined)
    remedy = f"name one that '{file}' defines: {names}" if names else "define it"
    return InputError(Problem(f"there is no function '{name}' in '{file}'", remedy))


def not_one_function(
    names: Sequence[str],
    file: str,
    second: SourceLocation | None,
    *,
    is_marked: bool,
    is_found: bool,
) -> InputError:
    """Return the error where several functions may be the one to plan, or none is.

    `names` are these, the `second` of them at that place; else those that there are. Where
    `is_marked`, each has a region.
    """
    if not is_found:
        what = "every function is called by another" if names else "there is no function"
        remedy = "name one with kernel.function" if names else "define the function to plan"
        first = SourceLocation(file=file, line=1, column=1)
        return InputError(Problem(f"{what}: none is known to be the one to plan", remedy, first))
    why = "all have a scop region" if is_marked else "are called by no other: one is to be planned"
    what = f"the functions {_listed(names)} {why}"
    return InputError(Problem(what, "name one with kernel.function", second))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{one}'" for one in names)


def _using(tree: Any) -> Iterator[Any]:
    """Nodes that may name functions: bodies, but that of `main`, and initialisers at file scope."""
    for one in tree.ext:
        if isinstance(one, c_ast.FuncDef) and one.decl.name != "main":
            yield one.body
        elif isinstance(one, c_ast.Decl) and one.init is not None:
            yield one.init


def _only_function(tree: Any, functions: list[Any], file: str, source: SourceMap) -> Any:
    marked = [function for function in functions if any(_pragmas(function.body, ()))]
    # Called, or given to a pointer that calls it, which may stand in a table of the file.
    called = {
        node.name for part in _using(tree) for node in nodes_of(part) if isinstance(node, c_ast.ID)
    }
    free = [one for one in functions if one.decl.name not in called | {"main"}]
    # What an included file offers is not what this one is for.
    own = [
        one
        for one in free
        if (source_location := source.name_place(one.decl)) and source_location.file == file
    ]
    found = marked or own or free
    if len(found) == 1:
        return found[0]
    names = [function.decl.name for function in found or functions]
    second = source.name_place(found[1].decl) if found else None
    raise not_one_function(names, file, second, is_marked=bool(marked), is_found=bool(found))


def find_region(function: Any, source: SourceMap) -> Region:
    """The one scop region of the function; InputError if the pragmas are not one pair."""
    name = function.decl.name
    found = _scop_pragmas(function)
    places = [source.place(pragma) for _, _, pragma in found]
    if not found:
        raise InputError(
            Problem(
                f"'{name}' has no region to plan",
                "put #pragma scop and #pragma endscop around it",
                source.name_place(function.decl),
            )
        )
    words = [pragma.string.split()[0] for _, _, pragma in found]
    if words[0] == "endscop":
        raise InputError(
            Problem("#pragma endscop without #pragma scop", "put #pragma scop before", places[0])
        )
    if len(words) == 1 or words[1] == "scop":
        raise InputError(
            Problem("#pragma scop without #pragma endscop", "put #pragma endscop after", places[0])
        )
    if len(words) > 2:
        raise InputError(
            Problem(
                f"'{name}' has a second scop region",
                "keep one pair of pragmas",
                places[2],
                (Note("the first begins here", places[0]),),
            )
        )
    (enclosing, start, _), (other, stop, _) = found
    if enclosing[-1] is not other[-1]:
        raise InputError(
            Problem(
                "#pragma endscop stands in another block than #pragma scop",
                "put both into the same block",
                places[1],
                (Note("#pragma scop", places[0]),),
            )
        )
    return Region(function, enclosing[-1], start + 1, stop, enclosing)


@lru_cache(maxsize=4)
def _scop_pragmas(function: Any) -> tuple[tuple[tuple[Any, ...], int, Any], ...]:
    """Those of a function, for which every rewrite asks anew."""
    return tuple(_pragmas(function.body, ()))


def _pragmas(node: Any, around: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], int, Any]]:
    """Scop pragmas below a node with the nodes around and the position in their block."""
    around = (*around, node)
    for position, item in enumerate(inner_statements(node)):
        if isinstance(item, c_ast.Pragma):
            words = (item.string or "").split()
            if words and words[0] in ("scop", "endscop") and isinstance(node, c_ast.Compound):
                yield around, position, item
        else:
            yield from _pragmas(item, around)
