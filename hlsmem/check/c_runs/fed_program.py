"""The original C, called with frames of somebody's own: one process, a call a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hlsmem.check.c_runs.c_building import Builder, NoOriginal
from hlsmem.check.c_runs.c_harness import prelude
from hlsmem.check.c_runs.c_interface import (
    Argument,
    Interface,
    NotCallable,
    numpy_type,
)
from hlsmem.check.c_runs.c_programs import ending
from hlsmem.tools.run import run

_SECONDS = 600.0


def results_of(
    builder: Builder, interface: Interface, frames: Sequence[Mapping[str, np.ndarray]]
) -> list[dict[str, np.ndarray]]:
    """Return the arrays of the caller behind each call of the original.

    Arrays that `frames` do not have are 0 before a call. Raises NoOriginal where the function
    cannot be compiled or run, NotCallable where nothing can call it.
    """
    folder = builder.work
    (folder / "harness.c").write_text(fed_program(interface), encoding="utf-8")
    values = dict(builder.program.values)
    builder.build_original(folder, interface, values, folder / "original")
    (folder / "given").write_bytes(b"".join(_given(interface, one) for one in frames))
    command = [str(folder / "original"), str(folder / "given"), str(folder / "left")]
    finished = run(
        command, folder=folder, seconds=_SECONDS, large_stack=True, sandbox=builder.sandbox()
    )
    if not finished.succeeded:
        raise NoOriginal(f"the original {ending(finished)}")
    content = (folder / "left").read_bytes()
    size = len(content) // max(1, len(frames))
    return [dict(arrays_in(content[at * size :], interface)) for at in range(len(frames))]


def fed_program(interface: Interface) -> str:
    """Return the text of the program: `program INPUT OUTPUT`.

    It reads the bytes of all arrays from INPUT, calls the function, writes those that it leaves to
    OUTPUT, and so on to the end of INPUT. Exit status 3: something wrote past the ends of what
    stderr names. Raises NotCallable where the function has a value that is no parameter.
    """
    for one in interface.arguments:
        if not one.is_array and one.value is None:
            raise NotCallable(f"{interface.function} has the argument {one.name!r}, no array")
    types = ", ".join("void *" if one.is_array else one.type for one in interface.arguments)
    call = ", ".join(f"given_{one.name}" for one in interface.arguments)
    lines = [
        prelude(interface.function),
        *(line for one in interface.arguments if one.members for line in one.definition()),
        f"extern {interface.result or 'void'} {interface.function}({types or 'void'});",
        "",
        "int main(int argc, char **argv)",
        "{",
        '    FILE *const from = fopen(argv[1], "rb");',
        '    FILE *const to = fopen(argv[2], "wb");',
        *(f"    {line}" for one in interface.arguments for line in _declared(one)),
        "    for (;;) {",
        *(line for one in interface.arrays for line in _read(one)),
        f"        {interface.function}({call});",
        *(line for one in interface.arrays for line in _written(one)),
        "    }",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _declared(one: Argument) -> Iterator[str]:
    if one.is_array:
        yield f"{one.type} *const given_{one.name} = block({_size(one)});"
    else:
        yield f"{one.type} given_{one.name} = ({one.type}){one.value};"


def _read(one: Argument) -> Iterator[str]:
    yield f"        if (fread(given_{one.name}, 1, {_size(one)}, from) != {_size(one)})"
    yield "            return fclose(to) != 0;"


def _written(one: Argument) -> Iterator[str]:
    yield f'        inspect("{one.name}", given_{one.name}, {_size(one)});'
    yield f"        fwrite(given_{one.name}, 1, {_size(one)}, to);"


def _size(one: Argument) -> str:
    return f"{one.elements}u * sizeof({one.type})"


def _given(interface: Interface, frame: Mapping[str, np.ndarray]) -> bytes:
    """The arrays of a call as the program reads them."""
    found = []
    for one in interface.arrays:
        kind = numpy_type(one.type, one.members)
        own = frame.get(one.name)
        found.append(bytes(one.elements * kind.itemsize) if own is None else own.astype(kind))
    return b"".join(own if isinstance(own, bytes) else own.tobytes() for own in found)


def arrays_in(content: bytes, interface: Interface) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the arrays of a call by name, as a program of an interface writes them."""
    at = 0
    for one in interface.arrays:
        kind = numpy_type(one.type, one.members)
        size = one.elements * kind.itemsize
        assert one.extents is not None
        yield one.name, np.frombuffer(content[at : at + size], kind).reshape(one.extents)
        at += size
