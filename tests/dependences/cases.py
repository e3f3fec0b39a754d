"""Small designs that between them use every kind of stream, gate and walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from hlsmem.cycle_model import Prediction, datapaths_of
from hlsmem.datapath.processes import Process
from hlsmem.plan import Plan
from hlsmem.planner.array_folding import Folded
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.storage.build import BuiltStorage, Circuit, circuits
from hlsmem.storage.predicted_run import predict_circuits
from tests.plans import laid, plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = Path(__file__).parent / "designs"

# name -> (file, parameters, settings)
DESIGNS: dict[str, tuple[Path, dict[str, int], tuple[str, ...]]] = {
    "blur": (EXAMPLES / "blur/design.yaml", {"N": 9}, ()),
    "blur by iteration": (EXAMPLES / "blur/design.yaml", {"N": 9}, ("order=iteration",)),
    "sobel": (EXAMPLES / "sobel/design.yaml", {"N": 9}, ()),
    "jacobi1d": (EXAMPLES / "jacobi1d/design.yaml", {"N": 10, "T": 4}, ()),
    "durbin": (EXAMPLES / "durbin/design.yaml", {"N": 9}, ()),
    "matmul_relu": (EXAMPLES / "matmul_relu/design.yaml", {"N": 3, "M": 5, "P": 4}, ()),
    "heat": (OWN / "heat.yaml", {}, ()),
    "triangle": (OWN / "triangle.yaml", {}, ()),
    "half": (OWN / "half.yaml", {"N": 8}, ()),
    "half by iteration": (OWN / "half.yaml", {"N": 8}, ("order=iteration",)),
    "two": (OWN / "two.yaml", {"N": 9}, ()),
    "two by iteration": (OWN / "two.yaml", {"N": 9}, ("order=iteration",)),
    "gaps": (OWN / "gaps.yaml", {}, ()),
    "turned": (OWN / "turned.yaml", {}, ("arrays.a.reads=copies",)),
    "scalar": (OWN / "scalar.yaml", {}, ()),
    "paths": (OWN / "paths.yaml", {}, ()),
}


@dataclass(frozen=True)
class Gated:
    """A planning whose arrays are in memories with gates, whatever would hold them best."""

    folded: Folded
    design: Design
    program: Program
    plan: Plan
    circuits: tuple[Circuit, ...]
    prediction: Prediction
    storage: Mapping[str, BuiltStorage] = field(default_factory=dict)
    processes: tuple[Process, ...] = ()


@cache
def planned(name: str) -> Gated:
    """One of the designs, every array in a memory with gates."""
    file, parameters, settings = DESIGNS[name]
    planning = plan_storage(load(file, parameters=parameters, settings=settings))
    assert planning.program is not None
    memories = circuits(planning.program, laid(planning.plan))
    prediction = predict_circuits(memories, datapaths_of(planning.program))
    return Gated(
        folded=planning.folded,
        design=planning.design,
        program=planning.program,
        plan=planning.plan,
        circuits=memories,
        prediction=prediction,
    )
