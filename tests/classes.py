"""Programs of the golden cases on classes of orders, and the classes they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import class_problems, storage_problems
from hlsmem.polyhedra import UnionMap
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import AffineSchedules, AnyOrder, Band, Banded, ScheduleClass
from tests.programs import make_program

LOOPS = ("i", "j", "k", "l")
E1 = ((1, 2), (1, 0), (1, -1))
JACOBI = ((1, 1), (1, 0), (1, -1))
FIGURE_1 = ((2, 0), (2, 1), (1, 2), (0, 2))
MSA = ((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1))
MIXED = ((1, 0, 2), (0, 3, 0))
HEAT_5 = ((1, 0, 0), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1))


def uniform(
    vectors: Sequence[Sequence[int]],
    sizes: Mapping[str, int],
    *,
    domain: str | None = None,
    context: str | None = None,
    order: str | None = None,
) -> Program:
    """One statement S that writes A[x] and reads A[x - d] for the vectors d, on a box."""
    loops = LOOPS[: len(vectors[0])]
    head = f"[{', '.join(sizes)}] -> "
    inside = " and ".join(f"0 <= {x} < {n}" for x, n in zip(loops, sizes, strict=False))
    point = ", ".join(loops)
    bounds = " and ".join(f"{name} >= 3" for name in sizes)
    return make_program(
        values=sizes,
        context=context or f"{head}{{ : {bounds} }}",
        domains=[head + (domain or f"{{ S[{point}] : {inside} }}")],
        schedules=[head + (order or f"{{ S[{point}] -> [{point}] }}")],
        reads=[f"{head}{{ S[{point}] -> A[{_moved(loops, vector)}] }}" for vector in vectors],
        writes=[f"{head}{{ S[{point}] -> A[{point}] }}"],
        drop_unprovided_reads=True,
    )


def _moved(loops: Sequence[str], vector: Sequence[int]) -> str:
    return ", ".join(f"{x} - ({d})" for x, d in zip(loops, vector, strict=True))


def e1(m: int, n: int) -> Program:
    return uniform(E1, {"m": m, "n": n}, context="[m, n] -> { : m >= 4 and n >= 4 }")


def band(text: str, *, tiled: bool = True) -> Band:
    """A band from isl text, such as "{ S[i, j] -> [i, i + j] }"."""
    return Band(is_tiled=tiled, rows=UnionMap(text), texts=(text,))


def tiled(*rows: str) -> ScheduleClass:
    """One tiled band; of the loops as they stand without rows."""
    return Banded(name="tiled", bands=tuple(band(text) for text in rows))


E1_ROWS = "{ S[i, j] -> [i, i + j] }"
HEAT_ROWS = "{ S[i, j, k] -> [i, i + j, i + k] }"
SEQUENTIAL = Banded(name="sequential")
ANY = AnyOrder()
AFFINE = AffineSchedules()
SYMBOLIC = AffineSchedules(is_symbolic=True)


def problems_of(
    program: Program, asked: ScheduleClass, **options: Any
) -> dict[str, StorageProblem]:
    """The storage problems of a class by array."""
    own = storage_problems(program)
    return {one.array.name: one for one in class_problems(program, own, asked, **options)}
