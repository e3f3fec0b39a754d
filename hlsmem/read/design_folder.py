"""The folder below which all that a design names must lie."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path, PurePath

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.model import SourceFile

_NAME = "included"
# Includes that leave the folder of their file, and the files that are looked at for them.
_UPWARDS = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"((?:\.\./)+)([^"\n]+)"', re.MULTILINE)
_SOURCES = {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, and further ones that are read as if they stood below it under a name.

    The further ones are those of `--include`. What is read of them is copied with the
    design, so that the copy needs none of them. A copy `holds` these files and no others; what
    else there is in a folder of the user is not known.
    """

    path: Path
    elsewhere: Mapping[str, Path] = field(default_factory=dict)
    holds: tuple[SourceFile, ...] | None = None

    def __truediv__(self, name: str | PurePath) -> Path:
        """The path of the file or folder of a name."""
        first, *rest = Path(name).parts or ("",)
        other = self.elsewhere.get(first)
        return self.path / name if other is None else other.joinpath(*rest)

    def name_of(self, path: Path) -> str | None:
        """The name of a file, links followed; None where it lies in none of the folders."""
        return next(iter(self.names_of(path)), None)

    def names_of(self, path: Path) -> list[str]:
        """The names of a file in each of the folders that it lies in, links followed."""
        resolved = path.resolve()
        folders = (("", self.path), *self.elsewhere.items())
        inner = [(name, folder.resolve()) for name, folder in folders]
        return [
            Path(name, resolved.relative_to(folder)).as_posix()
            for name, folder in inner
            if resolved.is_relative_to(folder)
        ]

    def folders_beside(self) -> list[str]:
        """Folders from which `#include "../x/y.h"` finds a file of a further folder.

        Its copy stands in `included_1/x/y.h`, which is `included_1/x/../x/y.h`.
        """
        found = dict[str, None]()
        sources = (one for one in sorted(self.path.glob("*")) if one.suffix in _SOURCES)
        for file in sources if self.elsewhere else ():
            if not file.is_file():
                continue
            for up, inner in _UPWARDS.findall(file.read_text(encoding="utf-8", errors="replace")):
                levels, parts = up.count("../"), PurePath(inner).parts
                for name in self.names_of(self.path / up / inner) if len(parts) > levels else ():
                    if f"/{name}".endswith(f"/{inner}"):
                        outer = PurePath(name).parts[: -len(parts)]
                        found[PurePath(*outer, *parts[:levels]).as_posix()] = None
        return list(found)


def folder_with(path: Path, includes: Sequence[Path]) -> Folder:
    """A folder with those of include files, elsewhere under names that nothing in it has.

    >>> folder_with(Path("/nowhere"), [Path("/a"), Path("/nowhere/h"), Path("/b")]).elsewhere
    {'included_1': PosixPath('/a'), 'h': PosixPath('/nowhere/h'), 'included_2': PosixPath('/b')}
    """
    names = (f"{_NAME}_{k}" for k in range(1, 2 + len(includes) + len(_taken(path))))
    free = (name for name in names if name not in _taken(path))
    return Folder(path, {_below(path, one) or next(free): one for one in includes})


def _below(path: Path, folder: Path) -> str:
    """The name of a folder that lies in another, where its files have names already; else ""."""
    inner, outer = folder.resolve(), path.resolve()
    return inner.relative_to(outer).as_posix() if inner.is_relative_to(outer) else ""


def _taken(path: Path) -> set[str]:
    return {one.name for one in path.glob(f"{_NAME}_*")}
