"""The Verilog library: its modules, and the names and texts that they have in OUT.

In OUT the names carry the version, and each file stands in an include guard: what hlsmem wrote for
two designs, or two versions of it, can be compiled together. `rtl/` and the proofs have the plain
names.

>>> versioned("hlsmem_ram").removesuffix(SUFFIX), plain(f"{versioned('hlsmem_ram')} #(")
('hlsmem_ram', 'hlsmem_ram #(')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from hlsmem.core.data_files import resource_folder
from hlsmem.version import VERSION

SUFFIX = "_v" + re.sub(r"\W", "_", VERSION)

# Modules that others of the library are made of, each before its users.
_USERS = {
    "hlsmem_ram": ("hlsmem_ram_output", "hlsmem_delay", "hlsmem_fifo"),
    "hlsmem_ram_output": ("hlsmem_delay", "hlsmem_fifo"),
    "hlsmem_wrap": ("hlsmem_fifo",),
}


@cache
def modules() -> tuple[str, ...]:
    """The names of the modules, each before those that are made of it."""
    found = sorted(file.stem for file in resource_folder("rtl").glob("*.v"))
    return (*_USERS, *(name for name in found if name not in _USERS))


def used_by(texts: Iterable[str]) -> tuple[str, ...]:
    """The modules that generated texts need, in the order of `modules`."""
    named = {name for text in texts for name in _INSTANCE.findall(text)}
    return tuple(
        name for name in modules() if name in named or named.intersection(_USERS.get(name, ()))
    )


def versioned(name: str) -> str:
    """The name of a module in OUT."""
    return f"{name}{SUFFIX}"


def with_versions(text: str) -> str:
    """A generated text, its instances of library modules under their names in OUT."""
    return _INSTANCE.sub(lambda found: versioned(found[0]), text)


def plain(text: str) -> str:
    """A text or the name of a file out of OUT, of any version, with the plain names."""
    return _VERSIONED.sub(r"\1", text)


def library_files(names: Iterable[str], leaves: Iterable[str]) -> Iterator[tuple[str, str]]:
    """File names below OUT/rtl and texts of modules, also the `leaves` that families have instead.

    A leaf is a path below rtl/ such as ecp5/hlsmem_ram_output.v.
    """
    folder = resource_folder("rtl")
    instead = [PurePosixPath(leaf) for leaf in leaves]
    for name in names:
        plain_name = PurePosixPath(f"{name}.v")
        for file in (plain_name, *(leaf for leaf in instead if leaf.name == plain_name.name)):
            text = (folder / file).read_text(encoding="utf-8")
            yield str(file.with_name(f"{versioned(name)}.v")), _guarded(name, text)


@cache
def installed() -> Mapping[str, str]:
    """All that OUT/rtl may have of the library, by file name below it."""
    leaves = resource_folder("rtl").glob("*/*.v")
    return dict(library_files(modules(), [f"{one.parent.name}/{one.name}" for one in leaves]))


def _guarded(name: str, text: str) -> str:
    guard = versioned(name).upper()
    stamped = _NAME.sub(lambda found: versioned(found[0]), text)
    return f"`ifndef {guard}\n`define {guard}\n{stamped}`endif\n"


_NAMES = "|".join(sorted(modules(), key=len, reverse=True))
_NAME = re.compile(rf"\b(?:{_NAMES})\b")
_INSTANCE = re.compile(rf"(?m)(?<=^    )(?:{_NAMES})(?= #\($)")
_VERSIONED = re.compile(rf"\b({_NAMES})_v\d\w*\b")
