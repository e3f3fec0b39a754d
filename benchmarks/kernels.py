"""The PolyBench kernels at MEDIUM size, with everything taken into memories that is not a result.

Parameter arrays count as local ones, live before the program where they are read first; those
that PolyBench prints are live after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hlsmem.polyhedra import UnionSet
from hlsmem.polyhedra.relations import named
from hlsmem.program.model import Program, Storage
from hlsmem.read.design import load
from hlsmem.timing.planned_program import arranged

FOLDER = Path(__file__).resolve().parent / "polybench"


@dataclass(frozen=True, slots=True)
class Kernel:
    """The MEDIUM sizes of PolyBench/C 4.2.1 and the arrays it prints."""

    sizes: Mapping[str, int]
    results: tuple[str, ...]


def _kernel(results: str, **sizes: int) -> Kernel:
    return Kernel(sizes, tuple(results.split()))


KERNELS = {
    "2mm": _kernel("D", ni=180, nj=190, nk=210, nl=220),
    "3mm": _kernel("G", ni=180, nj=190, nk=200, nl=210, nm=220),
    "adi": _kernel("u", tsteps=100, n=200),
    "atax": _kernel("y", m=390, n=410),
    "bicg": _kernel("s q", m=390, n=410),
    "cholesky": _kernel("A", n=400),
    "correlation": _kernel("corr", m=240, n=260),
    "covariance": _kernel("cov", m=240, n=260),
    "deriche": _kernel("imgOut", w=720, h=480),
    "doitgen": _kernel("A", nq=40, nr=50, np=60),
    "durbin": _kernel("y", n=400),
    "fdtd-2d": _kernel("ex ey hz", tmax=100, nx=200, ny=240),
    "floyd-warshall": _kernel("path", n=500),
    "gemm": _kernel("C", ni=200, nj=220, nk=240),
    "gemver": _kernel("w", n=400),
    "gesummv": _kernel("y", n=250),
    "gramschmidt": _kernel("R Q", m=200, n=240),
    "heat-3d": _kernel("A", tsteps=100, n=40),
    "jacobi-1d": _kernel("A", tsteps=100, n=400),
    "jacobi-2d": _kernel("A", tsteps=100, n=250),
    "lu": _kernel("A", n=400),
    "ludcmp": _kernel("x", n=400),
    "mvt": _kernel("x1 x2", n=400),
    "nussinov": _kernel("table", n=500),
    "seidel-2d": _kernel("A", tsteps=100, n=400),
    "symm": _kernel("C", m=200, n=240),
    "syr2k": _kernel("C", m=200, n=240),
    "syrk": _kernel("C", m=200, n=240),
    "trisolv": _kernel("x", n=400),
    "trmm": _kernel("B", m=200, n=240),
}


def program_of(name: str, sizes: Mapping[str, int] | None = None) -> Program:
    """A kernel as a program whose arrays are all planned, at its MEDIUM sizes by default."""
    kernel = KERNELS[name]
    program = load(FOLDER / f"{name}.c", parameters=sizes or kernel.sizes).input
    if not isinstance(program, Program):
        raise TypeError(f"{name} is not a program")
    live_out = UnionSet("{ }")
    for result in kernel.results:
        live_out = live_out.union(named(program.live_out, result))
    arrays = {
        array.name: replace(array, storage=Storage.MEMORY)
        if array.storage is Storage.EXTERNAL
        else array
        for array in program.arrays.values()
    }
    return arranged(replace(program, arrays=arrays, live_out=live_out))
