"""C and C++ programs of tests, compiled with the stubs and run."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from hlsmem.core.data_files import resource_folder

STUBS = resource_folder("hls") / "include"
_COMMON = ("-O0", "-w", "-fwrapv", "-fsanitize=undefined", "-fno-sanitize-recover=all")


def printed(folder: Path, files: Mapping[str, str]) -> str:
    """What a program of C and C++ files prints."""
    objects = []
    for name, text in files.items():
        (folder / name).write_text(text)
        cxx = name.endswith(".cpp")
        command = ["g++", "-std=gnu++17", "-I", str(STUBS)] if cxx else ["gcc", "-std=gnu99"]
        objects.append(f"{name}.o")
        made = [*command, *_COMMON, "-c", name, "-o", objects[-1]]
        subprocess.run(made, cwd=folder, check=True)
    subprocess.run(["g++", *_COMMON, *objects, "-o", "program"], cwd=folder, check=True)
    return subprocess.run(
        [folder / "program"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
