"""Sources of reads under conditions, of every program of the reference: reports/dataflow.md."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hlsmem.emit.markdown_table import Column, table
from hlsmem.studies.dataflow.reads import ReadFlow, flows_of
from hlsmem.studies.dataflow.sources import Control
from tests.studies.dataflow.golden import Case, GoldenRun, cases, program_of
from tests.studies.dataflow.judging import wrong_reads

OUT = Path(__file__).with_name("dataflow.md")
_HEAD = """# Dataflow under conditions

Every read of the reference's programs: which parameters tell its sources apart, by the strict rule
(that of the paper) and by the least, and how many reads of how many runs under conditions drawn by
chance had another source than the relations say. Relations are those of the least rule. Rebuilt by
`make reports`.
"""
_COLUMNS = [
    Column("program"),
    Column("read"),
    Column("strict"),
    Column("least"),
    Column("runs", right=True),
    Column("reads", right=True),
    Column("wrong", right=True),
]
_OPERATIONS = 4_000_000
_RUNS, _RUNS_OF_LARGE = 20, 4


def main() -> None:
    """Write the report."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole report."""
    rows, parts = list[Sequence[str]](), list[str]()
    with tempfile.TemporaryDirectory(prefix="hlsmem-dataflow-") as name:
        for case in cases():
            found, relations = _of_case(Path(name), case)
            rows += found
            parts += relations
    return "\n".join([_HEAD, table(_COLUMNS, rows), "", "## Relations", *parts]) + "\n"


def _of_case(folder: Path, case: Case) -> tuple[list[Sequence[str]], list[str]]:
    program = program_of(folder, case)
    by_rule = {
        control: flows_of(program, control=control, operations=_OPERATIONS)
        for control in (Control.STRICT, Control.LEAST)
    }
    counts = _judged(case, by_rule[Control.STRICT]), _judged(case, by_rule[Control.LEAST])
    identifier = case["id"].removeprefix("s004-")
    rows = list[Sequence[str]]()
    parts = [f"\n### {identifier}\n"]
    for strict, least in zip(*by_rule.values(), strict=True):
        if strict.read.filter is not None:
            continue
        key = strict.read.statement, strict.read.operand
        runs, reads, wrong = counts[1][key]
        rows.append(
            [
                identifier,
                f"{strict.read.statement}: {strict.read.array}",
                _names(strict),
                _names(least),
                str(runs),
                str(reads),
                str(wrong + counts[0][key][2]),
            ]
        )
        parts += [f"- {one}" for one in _relations(least)]
    return rows, parts


def _names(one: ReadFlow) -> str:
    return ", ".join(sorted(parameter.name for parameter in one.flow.parameters)) or "none"


def _relations(one: ReadFlow) -> Iterator[str]:
    name = f"{one.read.statement} reads {one.read.array}"
    for source in one.flow.sources:
        yield f"{name} from {source.statement}: `{source.relation}`"
    if not one.flow.no_source.is_empty():
        yield f"{name}, what was there before: `{one.flow.no_source}`"


def _judged(case: Case, flows: tuple[ReadFlow, ...]) -> dict[tuple[str, int], tuple[int, int, int]]:
    """For each read how many runs, reads and wrong ones there were."""
    large = "listing1" in case["id"]
    count = _RUNS_OF_LARGE if large else _RUNS
    chance = random.Random(case["id"])
    runs = [
        GoldenRun(case, 3 if large else number % 4, chance, most=3 if large else 4)
        for number in range(count)
    ]
    result = {}
    for one in flows:
        if one.read.filter is not None:
            continue
        key = one.read.statement, one.read.operand
        reads = [sum((name, operand) == key for name, _, operand in run.sources) for run in runs]
        mine = f"{key[0]}("
        wrong = sum(
            found.startswith(mine) and f".{key[1]}:" in found
            for run in runs
            for found in wrong_reads(flows, run)
        )
        result[key] = count, sum(reads), wrong
    return result
