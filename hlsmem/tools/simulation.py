"""Running a cocotb bench on Verilog: `sim/run.py` in a process of its own, with an end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from hlsmem.errors import Problem, ToolError
from hlsmem.resources import resource_folder
from hlsmem.tools.simulators import Icarus, Simulator, simulator_environment

_OUTPUT_LINES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTest:
    """One test of a bench; `message` says why it failed and is empty where it passed."""

    name: str
    passed: bool
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationRun:
    """What a simulation left: its tests, everything it printed, whether it had to be stopped.

    `waves` is the file with the signals over time, if one was asked for.
    """

    tests: tuple[BenchTest, ...]
    output: str
    stopped: bool = False
    waves: Path | None = None

    @property
    def passed(self) -> bool:
        """At least one test ran, and none failed."""
        return bool(self.tests) and not self.stopped and all(test.passed for test in self.tests)

    def last_lines(self) -> str:
        return "\n".join(self.output.splitlines()[-_OUTPUT_LINES:])


def simulate(
    simulator: Simulator,
    *,
    top: str,
    bench: str,
    bench_folder: Path,
    sources: Sequence[Path],
    build: Path,
    variables: Mapping[str, str],
    seconds: float,
    waves: bool = False,
) -> SimulationRun:
    """Build `sources`, run the tests of the Python module `bench` on module `top`.

    `build` is a folder to work in, `variables` are passed to the bench in its environment.
    Raises ToolError where the build fails or the simulator dies before its tests report.
    """
    build.mkdir(parents=True, exist_ok=True)
    name = "icarus" if isinstance(simulator, Icarus) else "verilator"
    command = [sys.executable, str(resource_folder("sim") / "run.py"), "--simulator", name]
    command += ["--top", top, "--bench", bench, "--folder", str(bench_folder.resolve())]
    command += ["--build", str(build.resolve())] + (["--waves"] if waves else [])
    command += [str(source.resolve()) for source in sources]
    environment = simulator_environment(simulator, os.environ) | dict(variables)
    results = build / "results.xml"
    results.unlink(missing_ok=True)
    output, stopped = _run(command, build, environment, seconds)
    tests = _read_results(results)
    if not tests and not stopped:
        what = f"the simulation of {top} reported no test: {first_error(output)}"
        raise ToolError(Problem(what, "try `hlsmem doctor`; or correct the Verilog"))
    return SimulationRun(tests=tests, output=output, stopped=stopped, waves=_waves_in(build))


def first_error(output: str) -> str:
    """The line that tells most of what a build or a run printed: a tool's own first error.

    The traceback of the runner comes behind it, and says nothing but that it failed.
    """
    printed, _, traceback = output.partition("Traceback (most recent call last):")
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|critical|not found", line, re.IGNORECASE)]
    last = traceback.strip().splitlines()[-1:]
    return (errors or last or lines[-1:] or ["it printed nothing"])[0].strip()


def _run(
    command: list[str], folder: Path, environment: Mapping[str, str], seconds: float
) -> tuple[str, bool]:
    """Everything printed, and whether the time was up; the whole process group ends with it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        return output, False
    except subprocess.TimeoutExpired:
        return _stop(process), True
    except BaseException:
        _stop(process)
        raise


def _stop(process: subprocess.Popen[str]) -> str:
    os.killpg(process.pid, signal.SIGKILL)
    output, _ = process.communicate()
    return output


def _read_results(file: Path) -> tuple[BenchTest, ...]:
    if not file.is_file():
        return ()
    try:
        cases = ElementTree.parse(file).getroot().iter("testcase")
    except ElementTree.ParseError:
        return ()
    return tuple(_bench_test(case) for case in cases)


def _bench_test(case: ElementTree.Element) -> BenchTest:
    trouble = [*case.iter("failure"), *case.iter("error")]
    message = " ".join(
        element.get("error_msg") or element.get("message") or "" for element in trouble
    )
    return BenchTest(name=case.get("name", ""), passed=not trouble, message=message.strip())


def _waves_in(build: Path) -> Path | None:
    found = [file for kind in ("*.fst", "*.vcd") for file in sorted(build.glob(kind))]
    return found[0] if found else None
