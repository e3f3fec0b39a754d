"""One proof: Verilog with assertions in, proved or not out, by yosys-smtbmc and a solver.

k-induction: nothing breaks a claim in the first `depth` cycles after reset, and nothing breaks one
after `depth` cycles in which all held, whatever state they began in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path

from hlsmem.core.errors import LimitError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.tools.provers import Prover
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox

# The first start of the Yosys of PyPI compiles it, which takes half a minute.
_YOSYS_SECONDS = 400


class Answer(Enum):
    PROVED = "proved"
    REFUTED = "refuted"
    NOT_INDUCTIVE = "not inductive"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The outcome of a proof: `claim` is the one that fails, in `cycle` of the trace.

    `values` are the signals there, by name, as they stand in the module proved.
    """

    answer: Answer
    claim: str = ""
    cycle: int = 0
    values: Mapping[str, int] = field(default_factory=dict)


def prove(
    prover: Prover, sources: Mapping[str, str], top: str, *, depth: int, seconds: float
) -> Proof:
    """Prove the assertions in module `top` of the sources (texts by file name).

    Raises ToolError where a tool does not take what it is given. A solver that takes longer than
    `seconds` for one of the two parts leaves the proof unfinished.
    """
    with scratch("hlsmem-formal-") as folder:
        for file, text in sources.items():
            (folder / file).write_text(text, encoding="utf-8")
        script = (
            # Induction begins anywhere: a `case` made a ROM would begin with any words.
            f"read_verilog -formal -sv {' '.join(sources)}; hierarchy -check -top {top};"
            f" proc -norom; prep -flatten -top {top};"
            " memory_nordff; async2sync; setundef -undriven -anyseq; opt -keepdc -fast;"
            " dffunmap; write_smt2 -wires proof.smt2"
        )
        sandbox = Sandbox(writable=folder, unlimited=True)
        made = run(
            [*prover.yosys.command, "-q", "-p", script],
            folder=folder,
            seconds=_YOSYS_SECONDS,
            sandbox=sandbox,
        )
        if not made.succeeded:
            what = f"{made.arguments[0]} ended with {made.ending()}:\n{made.last_lines()}"
            raise ToolError(Problem(what, "report the design if it came from hlsmem"))
        for induction in (False, True):
            options = ["-s", prover.solver_name, "-t", str(depth), "--noprogress"]
            options += ["--dump-vcd", "trace.vcd", "-m", top, *(["-i"] if induction else [])]
            try:
                done = run(
                    [*prover.smtbmc.command, *options, "proof.smt2"],
                    folder=folder,
                    seconds=seconds,
                    environment=prover.environment,
                    sandbox=sandbox,
                )
            except LimitError:
                return Proof(answer=Answer.UNFINISHED)
            if "Status: PASSED" not in done.output:
                return _refusal(done, folder / "trace.vcd", induction)
    return Proof(answer=Answer.PROVED)


def _refusal(done: Finished, trace: Path, induction: bool) -> Proof:
    if "Status: FAILED" not in done.output:
        what = f"{done.arguments[0]} ended with {done.ending()}:\n{done.last_lines()}"
        raise ToolError(Problem(what, "install another solver, Yices or Z3"))
    claims = re.findall(r"Assert failed in \S+: (\S+)", done.output)
    answer = Answer.NOT_INDUCTIVE if induction else Answer.REFUTED
    cycle, values = last_values(trace.read_text(encoding="utf-8")) if trace.is_file() else (0, {})
    claim = claims[0] if claims else ""
    return Proof(answer=answer, claim=claim, cycle=cycle, values=values)


def last_values(waves: str) -> tuple[int, dict[str, int]]:
    """The last cycle of a VCD, and what the signals of its top scopes hold there.

    Signals that are unknown are left out; the names of flattened instances have dots.
    """
    names: dict[str, list[str]] = {}
    scopes: list[str] = []
    values: dict[str, int] = {}
    cycles: list[int] = []
    for line in waves.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2].lstrip("\\"))
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            path = ".".join([*scopes[1:], words[4].lstrip("\\")])
            names.setdefault(words[3], []).append(path)
        elif line.startswith("b"):
            digits, code = words[0][1:], words[1]
            for one in names.get(code, []):
                if set(digits) <= {"0", "1"}:
                    values[one] = int(digits, 2)
                else:
                    values.pop(one, None)
        elif line.startswith("#"):
            cycles.append(int(line[1:]))
    step = cycles[1] - cycles[0] if len(cycles) > 1 else 1
    return (len({c // max(1, step) for c in cycles}) - 1 if cycles else 0), values
