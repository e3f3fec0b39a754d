"""Lexicographic minima of mixed integer linear programs, by HiGHS.

highspy is an optional part of the installation, loaded where it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

# Form: the factor of every variable that occurs, by its number.
Form = Mapping[int, float]

REMEDY = "install it with: pip install 'hlsmem[ilp]'"

# Below the step of integer objectives, above the noise of the solver.
_GAP = 0.5


def is_available() -> bool:
    """Whether the solver is installed."""
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
    """The values of all variables, and the nodes of the search trees that were visited."""

    values: tuple[float, ...]
    nodes: int

    def integer(self, variable: int) -> int:
        return round(self.values[variable])


def lexicographic_minimum(
    program: IntegerProgram, objectives: Sequence[tuple[int, int]], most_nodes: int
) -> Solution | int:
    """The point where integer variables are least, or greatest, one after another.

    `objectives` are (variable, sign): the variable times the sign is made small. The number
    of nodes visited where there is no point, or where more than `most_nodes` are needed.
    """
    solver = _loaded(program)
    nodes, values = 0, tuple[float, ...]()
    known: dict[int, float] = {}
    for variable, sign in objectives:
        solver.changeColCost(variable, float(sign))
        solver.setOptionValue("mip_max_nodes", max(most_nodes - nodes, 0))
        solver.run()
        nodes += max(int(solver.getInfo().mip_node_count), 0)
        if solver.modelStatusToString(solver.getModelStatus()) != "Optimal":
            return nodes
        values = tuple(solver.getSolution().col_value)
        known[variable] = round(values[variable])
        solver.changeColCost(variable, 0.0)
        solver.changeColBounds(variable, known[variable], known[variable])
    return Solution(values, nodes)


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
