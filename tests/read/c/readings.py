"""Programs of C texts, and their statements as text."""

from __future__ import annotations

from pathlib import Path

from hlsmem.program.model import KernelBody, Program
from hlsmem.read.c.c_text import text_of
from tests.steps import load


def read(folder: Path, text: str, *settings: str, name: str = "f.c") -> Program:
    (folder / name).write_text(text)
    program = load(folder / name, settings=settings).input
    assert isinstance(program, Program)
    return program


def bodies(program: Program) -> list[str]:
    return [
        text_of(one.body.node) for one in program.statements if isinstance(one.body, KernelBody)
    ]
