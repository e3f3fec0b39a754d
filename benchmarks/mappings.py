"""How long methods take on the cases of three papers, and how the exhaustive search does.

Seconds are of CPU, in a warm process, children included. Visited are lattices of a
section tried with a pivot of the next dimension (in the plane: directions with heights);
pruned are those among the rest that a section's optimum, or a line too long, leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import numpy as np

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.methods import exhaustive, methods
from hlsmem.mapping.search.least import Found, least_lattice
from hlsmem.planner.array_folding import analyse
from hlsmem.read.design import load
from tests.mapping.problems import golden_problems, problem_of
from tests.programs import golden_cases, make_program, program_from_golden

BUDGET = 1_000_000
PAPERS = Path(__file__).resolve().parents[1] / "examples/papers"

# Seconds that a method may take on any case.
FIGURE = 0.3
FIGURES = {"hyperplane": 1.5, "exhaustive": 1.0, "family": 20.0}


def seconds_of(action: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds of CPU, children included; what the action returns)."""

    def used() -> float:
        each = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in each)

    start = used()
    result = action()
    return used() - start, result


def print_methods() -> None:
    """Each method on each case of three papers, at the largest size listed."""
    names = [method.name for method in methods()]
    print("\nseconds of each method on the cases of three papers, at the largest size")
    print(_line("case", [*names, "cells", "visited", "pruned"]))
    slowest = dict.fromkeys(names, 0.0)
    for number, (name, problem) in enumerate(cases()):
        if number == 0:
            for method in methods():
                method.run(problem, BUDGET)  # what is loaded on first use
        took = [seconds_of(partial(method.run, problem, BUDGET)) for method in methods()]
        seconds = dict(zip(names, (each for each, _ in took), strict=True))
        slowest = {one: max(slowest[one], seconds[one]) for one in names}
        cells = min(answer.cells for _, answer in took if hasattr(answer, "cells"))
        outcome = exhaustive.searched(problem, BUDGET)
        work = (0, 0) if outcome is None else (outcome.found.nodes, outcome.found.pruned)
        print(_line(name, [*_texts(seconds.values()), cells, *work]), flush=True)
    print(_line("slowest", _texts(slowest.values())))
    print(_line("to be below", _texts(FIGURES.get(name, FIGURE) for name in names)))


def _texts(seconds: Iterable[float]) -> list[str]:
    return [f"{each:.3f}" for each in seconds]


def _line(name: str, entries: Sequence[object]) -> str:
    return f"{name[:31]:32}" + "".join(f"{entry:>12}" for entry in entries)


def cases() -> Iterator[tuple[str, StorageProblem]]:
    """Every case that has printed conflicts or a program, at the largest size listed."""
    printed = {
        case["id"]: problem
        for case, position, problem in golden_problems("000", "001", "002")
        if position == len(case["params"]) - 1
    }
    for number in ("000", "001", "002"):
        for case in golden_cases(number):
            if case["id"] in printed:
                yield case["id"], printed[case["id"]]
            elif case["program"] is not None:
                (problem,) = storage_problems(program_from_golden(case, case["params"][-1]))
                yield case["id"], problem


def print_variants() -> None:
    """Each published variant on each array of the papers' designs, a line a method."""
    print("\nseconds of each variant on the arrays of examples/papers")
    for file in sorted(PAPERS.glob("*/*.yaml")):
        _, problems = analyse(load(file))
        for problem in problems:
            print(f"{file.parent.name}/{file.stem} {problem.array.name}")
            for method in methods():
                took = [
                    f"{one.name} {seconds_of(partial(one.run(one.name), problem, BUDGET))[0]:.3f}"
                    for one in method.variants
                ]
                if took:
                    print(f"  {method.name:12}{', '.join(took)}", flush=True)


def print_searches() -> None:
    """The exhaustive search on large conflicts, given bounds and without them."""
    print("\nthe least lattice: seconds, lattices visited and pruned")
    columns = ["cells", "gap", "visited", "pruned", "seconds", "to be below"]
    print(_line("conflicts", columns))
    for name, figure, problem in large():
        seconds, outcome = seconds_of(partial(exhaustive.searched, problem, BUDGET))
        _print_search(name, outcome.found, seconds, figure)
    points = half_differences(conflicts_of(durbin(1000)).differences_at, BUDGET)
    assert points is not None
    seconds, found = seconds_of(lambda: least_lattice(points, budget=BUDGET))
    _print_search("durbin N=1000 without a bound", found, seconds, 1)


def _print_search(name: str, found: Found, seconds: float, figure: int | None) -> None:
    cells = f"{found.least}" if found.lattice is not None else f">={found.least}"
    work = [cells, found.least - found.known, found.nodes, found.pruned]
    print(_line(name, [*work, f"{seconds:.3f}", figure or "-"]), flush=True)


def large() -> Iterator[tuple[str, int | None, StorageProblem]]:
    """(name, seconds it may take at most, conflicts); the gap is that above the bounds."""
    for width in (64, 256, 1024):
        yield f"skewed front, width {width}", 1, front(width)
    for width in (16, 32, 48):
        yield f"3-D front, width {width}", 2, plane_front(width)
    yield "3-D front with a gap, width 48", 2, problem_of(_BAND.format(48))
    for seed in range(3):
        yield f"polygon of 10^5 points, {seed}", 5, polygon(100_000, seed)
    for radius in (8, 12):
        yield f"octahedron, radius {radius}", None, octahedron(radius)
    yield "durbin N=1000", 1, durbin(1000)
    yield "hexagon N=181", None, hexagon(181)


_BAND = "{{ [t,x,y] : -3 <= 2t + x + y <= 3 and -{0} < t,x,y < {0} }}"


def durbin(size: int) -> StorageProblem:
    text = "[N] -> { [a,b] : (b = 0 and -N < a < N) or (b = 1 and 2 - N <= a <= N - 3) }"
    return problem_of(text, {"N": size}, context="[N] -> { : N >= 3 }")


def hexagon(size: int) -> StorageProblem:
    return problem_of(f"{{ [a,b] : -{size} < a,b,a-b < {size} }}")


def octahedron(radius: int) -> StorageProblem:
    signs = ("a + b + c", "a - b + c", "a + b - c", "a - b - c")
    return problem_of(
        f"{{ [a,b,c] : {' and '.join(f'-{radius} <= {s} <= {radius}' for s in signs)} }}"
    )


def front(width: int) -> StorageProblem:
    """A stencil in one dimension by diagonals, without its max-live bound."""
    return _unbounded(
        width // 2 + 4,
        width,
        "S[t,x] : 0 <= t < T and 0 <= x < W",
        "S[t,x] -> [2t + x, t]",
        ["S[t,x] -> A[t-1,z] : t >= 1 and x - 1 <= z <= x + 1 and 0 <= z < W"],
        "S[t,x] -> A[t,x]",
    )


def plane_front(width: int) -> StorageProblem:
    """The same in two dimensions."""
    return _unbounded(
        2 * width // 3 + 5,
        width,
        "S[t,y,x] : 0 <= t < T and 0 <= y,x < W",
        "S[t,y,x] -> [3t + y + x, t, y]",
        [
            "S[t,y,x] -> A[t-1,z,x] : t >= 1 and y - 1 <= z <= y + 1 and 0 <= z < W",
            "S[t,y,x] -> A[t-1,y,z] : t >= 1 and x - 1 <= z <= x + 1 and 0 <= z < W",
        ],
        "S[t,y,x] -> A[t,y,x]",
    )


def _unbounded(
    steps: int, width: int, domain: str, schedule: str, reads: list[str], write: str
) -> StorageProblem:
    program = make_program(
        values={"T": steps, "W": width},
        domains=[f"[T,W] -> {{ {domain} }}"],
        schedules=[f"[T,W] -> {{ {schedule} }}"],
        reads=[f"[T,W] -> {{ {read} }}" for read in reads],
        writes=[f"[T,W] -> {{ {write} }}"],
    )
    (problem,) = storage_problems(program)
    return replace(problem, bounds=())


def polygon(points: int, seed: int) -> StorageProblem:
    """A symmetric polygon of twelve sides with about so many integer points."""
    random = np.random.default_rng(seed)
    radius = (points / np.pi) ** 0.5
    sides = []
    for number in range(6):
        angle = np.pi * (number + random.random()) / 6
        a, b = round(12 * np.cos(angle)), round(12 * np.sin(angle))
        limit = int(np.hypot(a, b) * radius * (0.8 + 0.5 * random.random()))
        sides.append(f"-{limit} <= {a}x + {b}y <= {limit}")
    return problem_of(f"{{ [x,y] : {' and '.join(sides)} }}")
