"""Many small kernels planned one by one, and all that C has of them compiled at once."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from hlsmem.cli.main import main

_WARNINGS = (
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unknown-pragmas",
    "-Wno-unused-label",
    "-Wno-sign-compare",
)


def planned(
    folder: Path, sources: Sequence[tuple[str, str]], sizes: Sequence[str] = ()
) -> list[Path]:
    """The folders host of sources, each a text with a place for its number, and a suffix.

    The macros `sizes`, one of each source, stay parameters, at 8.
    """
    found = []
    for number, (text, suffix) in enumerate(sources):
        file = folder / f"k{number}.{suffix}"
        file.write_text(text.replace("@", str(number)))
        asked = ["--param", f"{sizes[number]}=8".replace("@", str(number))] if sizes else []
        assert main(["plan", str(file), "-o", str(folder / f"out{number}"), *asked]) == 0, text
        found.append(folder / f"out{number}" / "host")
    return found


def compiled(folder: Path, sources: Sequence[tuple[str, str]], sizes: Sequence[str] = ()) -> None:
    """Compile all files that C has of the sources, and their headers in C and in C++."""
    hosts = planned(folder, sources, sizes)
    files = [host / f"k{number}.c" for number, host in enumerate(hosts)]
    normal = [host.parent / "design" / "normal.c" for host in hosts]
    include = "".join(f'#include "{file.with_suffix(".h")}"\n' for file in files)
    for name, command in (("all.c", ["gcc", "-std=c99"]), ("all.cpp", ["g++", "-std=c++14"])):
        (folder / name).write_text(include)
        also = [*files, *normal] if name == "all.c" else []
        made = [*command, *_WARNINGS, "-fsyntax-only", folder / name, *also]
        subprocess.run(made, check=True)
