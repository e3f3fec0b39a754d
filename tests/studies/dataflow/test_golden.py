"""The programs of the reference: parameters as there, and the sources of every run."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from hlsmem.studies.dataflow.legality import check_loops
from hlsmem.studies.dataflow.reads import ReadFlow, flows_of
from hlsmem.studies.dataflow.sources import Control
from tests.families import by_default
from tests.studies.dataflow.golden import Case, GoldenRun, case_of, cases, program_of
from tests.studies.dataflow.judging import unnamed_sources, wrong_reads

OPERATIONS = 4_000_000
IDS = [case["id"].removeprefix("s004-") for case in cases()]

# Where the least rule needs other parameters than the paper's.
LEAST = {
    ("c_if1", "R"): ["beta_S2"],
    ("c_if2", "R"): ["beta_S3"],
    ("c_if4", "R"): ["beta_S2"],
    ("own-three-way", "R"): ["beta_S2", "beta_S3"],
    ("listing2", "T"): ["beta_C", "lam_C_0"],
    ("own-inner-loops", "R"): ["beta_S2", "lam_S2_0"],
}


def flows_by_control(folder: Path, case: Case) -> dict[Control, tuple[ReadFlow, ...]]:
    program = program_of(folder, case)
    check_loops(program)
    return {
        control: flows_of(program, control=control, operations=OPERATIONS) for control in Control
    }


def names(case: Case, flows: tuple[ReadFlow, ...], sink: str, array: str) -> list[str]:
    """The parameters of the read of an array, which the reference has by names of operands."""
    operands = {one["name"]: list(one.get("reads") or {}) for one in case["statements"]}
    (found,) = (
        one.flow
        for one in flows
        if one.read.filter is None
        and one.read.statement == sink
        and operands[sink][one.read.operand] == array
    )
    return sorted(one.name for one in found.parameters)


@pytest.mark.parametrize("identifier", IDS)
def test_parameters_and_sources_of_every_run(tmp_path: Path, identifier: str) -> None:
    case = case_of(f"s004-{identifier}")
    flows = flows_by_control(tmp_path, case)
    for one in case["dependences"]:
        sink, wanted = one["sink"], sorted(one["params"])
        assert names(case, flows[Control.STRICT], sink, one["array"]) == wanted
        least = LEAST.get((identifier, sink), wanted) if wanted else []
        assert names(case, flows[Control.LEAST], sink, one["array"]) == least
        assert names(case, flows[Control.STATIC], sink, one["array"]) == []
    assert all(one.flow.exact for found in flows.values() for one in found)
    large = "listing1" in identifier
    chance = random.Random(identifier)
    reads = 0
    for number in range(2 if large else by_default(6, 60)):
        run = GoldenRun(case, 3 if large else number % 4, chance, most=3 if large else 4)
        reads += len(run.sources)
        for control in (Control.STRICT, Control.LEAST):
            assert not list(wrong_reads(flows[control], run))
        assert not list(unnamed_sources(flows[Control.STATIC], run))
    assert reads > 0


@pytest.mark.parametrize("identifier", [one for one in IDS if "listing1" not in one])
def test_runs_are_those_of_the_reference(identifier: str) -> None:
    """The oracle of these tests, by the sources that the reference lists."""
    case = case_of(f"s004-{identifier}")
    operands = {one["name"]: list(one.get("reads") or {}) for one in case["statements"]}
    for vector in case["vectors"]:
        values = {}
        for text, value in ((t, v) for v in (1, 0) for t in vector["true" if v else "false"]):
            values[_instance(text)] = value
        run = GoldenRun(case, vector["n"], random.Random(0), values=values, most=vector["n"])
        found = [
            f"{_text(name, point)}.{operands[name][operand]} <-"
            f" {'live-in' if source is None else _text(*source)}"
            for (name, point, operand), source in run.sources.items()
        ]
        assert found[: len(vector["sources"])] == vector["sources"]


def _instance(text: str) -> tuple[str, tuple[int, ...]]:
    name, numbers = text.split("(")
    return name, tuple(int(one) for one in re.findall(r"\d+", numbers))


def _text(name: str, point: tuple[int, ...]) -> str:
    return f"{name}({','.join(map(str, point))})"


def test_every_case_is_there() -> None:
    assert len(IDS) == 31


def test_what_is_known_of_writers_that_did_not_run(tmp_path: Path) -> None:
    """The detector of listing 2 surely ran where the decoder did not: nothing has to say so."""
    flows = flows_by_control(tmp_path, case_of("s004-listing2"))[Control.STRICT]
    (state,) = [one.flow for one in flows if one.read.statement == "T" and one.read.filter is None]
    kinds = [f"{step.statement} {step.kind.value}" for step in state.steps]
    assert kinds[:3] == ["C Input", "D Output", "D Output"]
