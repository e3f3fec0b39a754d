"""Many small kernels planned one by one, and all that C has of them compiled at once."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from hlsmem.planner.output_files import host_files
from hlsmem.read.design import load
from tests.plans import plan_c, put

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
        asked = {sizes[number].replace("@", str(number)): 8} if sizes else {}
        planning = plan_c(load(file, parameters=asked))
        out, kernel = folder / f"out{number}", planning.design.kernel
        assert kernel is not None
        put(out, host_files(planning) | {"design/normal.c": kernel.normal})
        found.append(out / "host")
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
