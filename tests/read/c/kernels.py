"""Reading C text in tests, and listing what a reading says happens when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Array, Statement
from hlsmem.read.c.kernel import KernelReading, read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder


def read(folder: Path, text: str, parameters: tuple[str, ...] = ("N",), **more: Any) -> Any:
    """The reading of `text` as k.c in `folder`."""
    (folder / "k.c").write_text(text)
    return read_kernel(
        KernelRequest(
            folder=Folder(folder), file="k.c", function=None, parameters=parameters, **more
        )
    )


def messages(folder: Path, text: str, parameters: tuple[str, ...] = ("N",), **more: Any) -> str:
    """What the reader says against `text`; "" if it takes it."""
    try:
        read(folder, text, parameters, **more)
    except InputError as error:
        return str(error)
    return ""


def region(body: str, signature: str = "int N, int A[N], int B[N][N]", before: str = "") -> str:
    """A kernel f with one region."""
    return f"{before}\nvoid f({signature})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


def statement(reading: KernelReading, name: str) -> Statement:
    return next(one for one in reading.statements if one.name == name)


def array(reading: KernelReading, name: str) -> Array:
    return next(one for one in reading.arrays if one.name == name)


def trace(reading: KernelReading, values: Mapping[str, int]) -> list[tuple[str, list[str]]]:
    """The statement instances in the order of their times, each with the elements it touches.

    Elements are written "A,1,2"; one that is touched twice is listed once.
    """
    found: list[tuple[tuple[int, ...], str, list[str]]] = []
    for one in reading.statements:
        schedule = fix_parameters(one.schedule, values)
        size = len(one.iterators)
        touched: dict[tuple[int, ...], set[str]] = {}
        for access in (*one.reads, *one.writes):
            for row in points(fix_parameters(access.relation, values)).tolist():
                element = ",".join([access.array, *map(str, row[size:])])
                touched.setdefault(tuple(row[:size]), set()).add(element)
        for row in points(schedule).tolist():
            instance, time = tuple(row[:size]), tuple(row[size:])
            found.append((time, one.name, sorted(touched.get(instance, set()))))
    assert len({time for time, _, _ in found}) == len(found), "two instances at one time"
    return [(name, elements) for _, name, elements in sorted(found)]
