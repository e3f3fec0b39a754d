"""The elements that go by at a port of a whole accelerator, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from hlsmem.plan import PlannedPort
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Program


def array_in(program: Program, name: str, arguments: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return an array of the program in the arrays of a call: of structs it is a member.

    A flat one, such as a stream, has the rows of the program.
    """
    if program.kernel is None:
        return arguments[name]
    variable = program.kernel.variables[name]
    found = arguments[str(variable.declaration.name)]
    for member in variable.members:
        found = found[member]
    extents = program.arrays[name].extents or ()
    sizes = tuple(one.evaluate(program.values) for one in extents)
    is_flat = found.ndim == 1 < len(sizes) and found.size == prod(sizes)
    return found.reshape(sizes) if is_flat else found


def elements_of(program: Program, port: PlannedPort, extents: Sequence[int]) -> np.ndarray:
    """Return the subscripts of the elements of a frame, int64, shape (elements, dimensions), in an
    array of these extents.

    All elements go by, row by row, or those alone that the program reads or writes.
    """
    if port.beats * port.elements == prod(extents):
        return np.indices(tuple(extents)).reshape(len(extents), -1).T
    return _accessed(program, port)


def words_of(program: Program, port: PlannedPort, array: np.ndarray) -> np.ndarray:
    """Return the words of a frame as they go by, shape (beats,): 0 where nothing is written."""
    if array.dtype.kind == "f":
        array = array.view(f"u{array.dtype.itemsize}")
    found: np.ndarray = array[tuple(elements_of(program, port, array.shape).T)]
    if port.direction == "in":
        return in_words(port, found)
    if port.beats * port.elements != array.size:
        return found
    is_written = np.zeros(array.shape, dtype=bool)
    is_written[tuple(_accessed(program, port).T)] = True
    return in_words(port, np.where(is_written.ravel(), found, 0).astype(array.dtype))


def in_words(port: PlannedPort, elements: np.ndarray) -> np.ndarray:
    """Return elements as words of tdata, the first of each in the lowest bits."""
    if port.elements == 1:
        return elements
    bits = np.uint64(port.element_bits)
    lanes = elements.astype(np.uint64).reshape(-1, port.elements)
    lanes &= np.uint64((1 << port.element_bits) - 1)
    places = np.arange(port.elements, dtype=np.uint64) * bits
    found: np.ndarray = np.bitwise_or.reduce(lanes << places, axis=1)
    return found


def hexadecimal(words: np.ndarray | Sequence[int], port: PlannedPort) -> str:
    """Return words as the bench in OUT/sim reads them, a line each."""
    digits = -(-port.bits // 4)
    if isinstance(words, np.ndarray):
        own = words.astype(np.uint64)
    else:  # of small and large numbers together numpy would make floats
        own = np.array(words, np.uint64)
    own &= np.uint64((1 << port.bits) - 1)
    text = np.frombuffer(own.astype(">u8").tobytes().hex().encode(), "u1").reshape(-1, 16)
    ends = np.full((len(text), 1), ord("\n"), "u1")
    return np.hstack([text[:, 16 - digits :], ends]).tobytes().decode()


def _accessed(program: Program, port: PlannedPort) -> np.ndarray:
    """The subscripts of the elements that are read, or written, row by row."""
    reached = None
    for statement in program.statements:
        for access in statement.writes if port.direction == "out" else statement.reads:
            if access.array == port.array:
                own = access.relation.intersect_domain(statement.domain).range()
                reached = own if reached is None else reached.union(own)
    assert reached is not None
    return points(fix_parameters(reached, program.values).coalesce())
