"""The text of a C kernel: its files as one tree, with names that are in the way of no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from hlsmem.core.errors import InputError, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.chained_functions import with_chain
from hlsmem.read.c.clang.head import Head
from hlsmem.read.c.files import Files, merged, read_files
from hlsmem.read.c.files import renamed as with_names
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.reserved import names_of_user, names_out_of_the_way
from hlsmem.read.c.source_map import SourceMap


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelText:
    """One tree of all files, in which the planned function, which calls all others, stands last.

    `renamed` has the new names of what was called otherwise in the user's files, `head` is the
    function as declared in C++.
    """

    files: Files
    tree: Any
    head: Head | None
    renamed: Mapping[str, str]

    @property
    def function(self) -> Any:
        return self.tree.ext[-1]

    @property
    def parsed(self) -> ParsedFile:
        return self.files.parsed

    @property
    def source(self) -> SourceMap:
        return self.files.source

    def names_of(self, own: Iterable[str]) -> frozenset[str]:
        """The names here of what the user calls so."""
        return frozenset(self.renamed.get(name, name) for name in own)


def kernel_text(request: KernelRequest) -> KernelText:
    """The text of what a design asks for; InputError with all problems found."""
    files = read_files(
        request.folder,
        request.file,
        request.sources,
        function=request.function,
        is_whole=request.chain is not None,
        cflags=request.cflags,
        symbolic=request.parameters,
    )
    problems = Problems()
    tree = merged(files, problems)
    problems.raise_if_any()
    if request.chain is not None:
        tree = with_chain(tree, request.chain, request.parameters, problems)
        problems.raise_if_any()
    renamed = names_out_of_the_way(tree, tree.ext[-1], request.parameters)
    return KernelText(
        files=files,
        tree=with_names(tree, renamed),
        head=None if files.head is None else files.head.renamed(renamed),
        renamed=renamed,
    )


@contextmanager
def in_words_of_user(renamed: Mapping[str, str]) -> Iterator[None]:
    """Have problems name things as the user's files do."""
    try:
        yield
    except InputError as error:
        words = names_of_user(renamed)
        raise InputError(*(one.in_words(words) for one in error.problems)) from None
