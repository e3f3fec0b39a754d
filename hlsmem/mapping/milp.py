"""Lexicographic minima of mixed integer linear programs, by HiGHS.

highspy is an optional part of the installation, loaded where it is used.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass

# Form: the factor of every variable that occurs, by its number.
Form = Mapping[int, float]

REMEDY = "install it with: pip install 'hlsmem[ilp]'"

# Below the step of integer objectives, above the noise of the solver.
_GAP = 0.5


def is_available() -> bool:
    """True if the solver is installed."""
    return find_spec("highspy") is not None


@dataclass(slots=True)
class IntegerProgram:
    """Variables with bounds, and rows low <= form <= high."""

    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    integer: list[bool] = field(default_factory=list)
    rows: list[tuple[Form, float, float]] = field(default_factory=list)

    def variable(self, low: float, high: float, *, integer: bool = True) -> int:
        """The number of a new variable."""
        self.low.append(low)
        self.high.append(high)
        self.integer.append(integer)
        return len(self.low) - 1

    def require(self, form: Form, low: float, high: float) -> None:
        self.rows.append((form, low, high))


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of all variables, and the steps that the solver took.

    A step is a place where the solver may stop: a node of a search tree, a round of cuts, a
    step of a heuristic. Each takes about a millisecond.
    """

    values: tuple[float, ...]
    steps: int

    def integer(self, variable: int) -> int:
        return round(self.values[variable])


@dataclass(frozen=True, slots=True)
class NoSolution:
    """No point found in so many steps; `ended` where there may be one beyond the limit."""

    steps: int
    ended: bool


def lexicographic_minimum(
    program: IntegerProgram, objectives: Sequence[tuple[int, int]], most_steps: int
) -> Solution | NoSolution:
    """The point where integer variables are least, or greatest, one after another.

    `objectives` are (variable, sign): the variable times the sign is made small.
    """
    solver = _loaded(program)
    steps = 0

    def count(event: Any) -> None:
        nonlocal steps
        steps += 1
        if steps > most_steps:
            event.interrupt()

    solver.cbMipInterrupt.subscribe(count)
    values = tuple[float, ...]()
    for variable, sign in objectives:
        solver.changeColCost(variable, float(sign))
        solver.run()
        status = solver.modelStatusToString(solver.getModelStatus())
        if status != "Optimal" or steps > most_steps:
            return NoSolution(steps, ended=steps > most_steps)
        values = tuple(solver.getSolution().col_value)
        known = round(values[variable])
        solver.changeColCost(variable, 0.0)
        solver.changeColBounds(variable, known, known)
    return Solution(values, steps)


def _loaded(program: IntegerProgram) -> Any:
    import numpy as np

    highspy: Any = import_module("highspy")
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.low), len(program.rows)
    model.col_cost_ = np.zeros(len(program.low))
    model.col_lower_ = np.array(program.low, dtype=np.double)
    model.col_upper_ = np.array(program.high, dtype=np.double)
    model.row_lower_ = np.array([low for _, low, _ in program.rows], dtype=np.double)
    model.row_upper_ = np.array([high for _, _, high in program.rows], dtype=np.double)
    entries = [sorted(form.items()) for form, _, _ in program.rows]
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.cumsum([0, *map(len, entries)], dtype=np.int32)
    matrix.index_ = np.array([k for row in entries for k, _ in row], dtype=np.int32)
    matrix.value_ = np.array([factor for row in entries for _, factor in row], dtype=np.double)
    kinds = {True: highspy.HighsVarType.kInteger, False: highspy.HighsVarType.kContinuous}
    model.integrality_ = [kinds[integer] for integer in program.integer]
    with _silence():
        solver = highspy.Highs()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", _GAP),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(model)
    return solver


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing that libraries print meanwhile is seen: HiGHS 1.16 names itself on standard output
    when it is made, before it takes any option, also where that is JSON for another program."""
    libc = ctypes.CDLL(None)
    sys.stdout.flush()
    libc.fflush(None)
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        libc.fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
