"""Readings of C that tests share: of the same texts a worker is asked for the same but once.

Reading takes a quarter of the time of `make test`, more than half of it for texts that have been
read: by another test, or by the same load, which tries macros as parameters. What was read is given
again where all of its files have their texts still. A test that patches what the reader may look at
has each made anew, as do all in `make test-all`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from hlsmem.core.errors import Problem
from hlsmem.core.user_files import read_text as text_of
from hlsmem.program.model import SourceFile
from hlsmem.read.c.clang.reader import Reading
from hlsmem.read.c.kernel import KernelReading
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder
from tests.plans import alters_plans

_KEPT = 64  # requests at hand in one worker


@dataclass(slots=True)
class Readings:
    """What reads C in place of `work`; `request` tells the folder and what is asked of it, `files`
    what a reading is of, `remarks` which of these are missing."""

    work: Callable[..., Any]
    request: Callable[..., tuple[Folder, Hashable]]
    files: Callable[[Any], Iterable[SourceFile]]
    remarks: Callable[[Any], Collection[Problem]]
    patch: pytest.MonkeyPatch | None = None
    known: OrderedDict[Hashable, list[Any]] = field(default_factory=OrderedDict)

    def __call__(self, *asked: Any, **more: Any) -> Any:
        if self.patch is not None and alters_plans(self.patch):
            return self.work(*asked, **more)
        folder, key = self.request(*asked, **more)
        for one in self.known.get(key, ()):
            if all(_is_still(folder, file) for file in self.files(one)):
                self.known.move_to_end(key)
                return one
        found = self.work(*asked, **more)
        if self.remarks(found):
            return found
        self.known.setdefault(key, []).append(found)
        self.known.move_to_end(key)
        if len(self.known) > _KEPT:
            self.known.popitem(last=False)
        return found


def _is_still(folder: Folder, file: SourceFile) -> bool:
    path = folder / file.name
    return path.is_file() and text_of(path) == file.text


def of_files(read: Callable[..., Reading]) -> Readings:
    """Those of `read_file`."""

    def request(folder: Folder, *asked: object, **more: object) -> tuple[Folder, Hashable]:
        return folder, repr((asked, sorted(more.items()), folder.elsewhere))

    return Readings(read, request, lambda one: one.parsed.files, lambda one: one.parsed.remarks)


def of_kernels(read: Callable[[KernelRequest], KernelReading]) -> Readings:
    """Those of `read_kernel`."""

    def request(asked: KernelRequest) -> tuple[Folder, Hashable]:
        return asked.folder, repr((asked, asked.folder.elsewhere))

    return Readings(read, request, lambda one: one.kernel.sources, lambda one: one.notes)
