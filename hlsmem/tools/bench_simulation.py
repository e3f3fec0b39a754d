"""Running a cocotb bench on Verilog, in processes of their own, with an end.

`sim/run.py` does it for all simulators by the runner of cocotb, which writes signals over time. As
it takes longer to start than most simulations last, and builds each time, simulators are called as
cocotb's page on custom flows has it otherwise, and what differs in its data alone is built once:
Verilator builds for ten seconds what then runs for some tenths.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import LimitError, MissingToolError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.simulators import Icarus, Simulator, Verilator, simulator_environment
from hlsmem.tools.verilator_runtime import put_objects, runtime_objects

_OUTPUT_LINES = 30
# Each of the two precompiled headers takes as long as a module that is not optimized. Optimization
# pays from some 300,000 cycles: a bench in Python takes most of the time of each.
_QUICK = ("VM_PARALLEL_BUILDS=0", "OPT_FAST=-O0", "OPT_GLOBAL=-O0")
_INTERFACE = ("--vpi", "--public-flat-rw")
TIMESCALE = "1ns/1ps"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTest:
    """One test of a bench; `message` says why it failed and is empty where it passed."""

    name: str
    passed: bool
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationRun:
    """Results of a simulation: its tests, everything it printed, whether it had to be stopped.

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

    `build` is a folder to work in, where the simulation runs; what was built there from the same
    texts is not built again. `variables` are passed to the bench in its environment. All of it
    happens in a sandbox that can write the folder of `build`, no other.

    Raises ToolError where the build fails or the simulator dies before its tests report.
    """
    build.mkdir(parents=True, exist_ok=True)
    results = build / "results.xml"
    results.unlink(missing_ok=True)
    environment = simulator_environment(simulator, os.environ.get("PATH", "")) | dict(variables)
    # Rewritten assertions explain themselves better, and take pytest's plugins to load.
    environment |= {"COCOTB_REWRITE_ASSERTION_FILES": ""}
    if waves:
        steps = [_with_runner(simulator, top, bench, bench_folder, sources, build)]
    else:
        program = _program(simulator, top, sources, build.resolve())
        steps = program.steps(sources)
        environment |= _bench_variables(top, bench, bench_folder, results)
        environment |= program.environment
    seen = {bench_folder, _light(), *(source.parent for source in sources)}
    sandbox = Sandbox(
        writable=build.resolve().parent,
        readable=tuple(folder.resolve() for folder in sorted(seen)),
        unlimited=isinstance(simulator, Verilator),
    )
    output, stopped = _run(steps, build, environment, seconds, sandbox)
    tests = _read_results(results)
    if not tests and not stopped:
        what = f"the simulation of {top} reported no test: {first_error(output)}"
        raise ToolError(Problem(what, "try `hlsmem doctor`; or correct the Verilog"))
    return SimulationRun(tests=tests, output=output, stopped=stopped, waves=_waves_in(build))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Program:
    """A simulation: the commands that build it, the file they make, the command that runs it."""

    building: tuple[list[str], ...]
    file: Path
    running: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)

    def steps(self, sources: Sequence[Path]) -> list[list[str]]:
        """The commands to run; those that build are left out where the same has been built."""
        digest = hashlib.sha256(repr(self.building).encode())
        for source in sources:
            digest.update(source.read_bytes() + b"\0")
        made_from = self.file.with_suffix(f".{digest.hexdigest()}")
        if made_from.is_file() and self.file.is_file():
            return [self.running]
        for earlier in self.file.parent.glob(f"{self.file.stem}.*"):
            earlier.unlink()
        made_from.touch()
        return [*self.building, self.running]


def _program(simulator: Simulator, top: str, sources: Sequence[Path], build: Path) -> _Program:
    """The simulation of module `top` by cocotb, in a folder."""
    files = [str(source.resolve()) for source in sources]
    if isinstance(simulator, Icarus):
        return _with_icarus(top, files, build)
    return _with_verilator(simulator, top, files, build)


def _with_icarus(top: str, files: Sequence[str], build: Path) -> _Program:
    import cocotb_tools.config  # cocotb takes its time to load

    commands, program = build / "commands.f", build / "sim.vvp"
    commands.write_text(f"+timescale+{TIMESCALE}\n")
    compiling = ["iverilog", "-g2012", "-s", top, "-o", str(program), "-f", str(commands), *files]
    interface = cocotb_tools.config.lib_entry("vpi", "icarus")
    return _Program(
        building=(compiling,),
        file=program,
        running=["vvp", "-m", interface, str(program), "-none"],
    )


def _with_verilator(simulator: Verilator, top: str, files: Sequence[str], build: Path) -> _Program:
    import cocotb_tools.config

    program, libraries = build / "sim.verilated", cocotb_tools.config.libs_dir
    linking = f"-Wl,-rpath,{libraries} -L{libraries} -lcocotbvpi_verilator"
    main = cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp"
    translating = [
        str(simulator.folder / "verilator"),
        "-cc",
        "--exe",
        "-Mdir",
        str(build),
        "--prefix",
        "Vtop",
    ]
    translating += ["--top-module", top, "--timescale", TIMESCALE, *_INTERFACE]
    # What it warns of is for `lint`, and loops through the bits of a vector slow it down at most.
    translating += ["-Wno-fatal", "-o", program.name, "-LDFLAGS", linking, str(main), *files]
    compiling = ["make", "-C", str(build), "-f", "Vtop.mk", "-j", str(os.cpu_count() or 1), *_QUICK]
    compiling += put_objects(runtime_objects(simulator, _INTERFACE, _QUICK), build)
    return _Program(
        building=(translating, compiling),
        file=program,
        running=[str(program)],
        environment={"COCOTB_TRUST_INERTIAL_WRITES": "1"},  # as its runner has it
    )


def _bench_variables(top: str, bench: str, bench_folder: Path, results: Path) -> dict[str, str]:
    return {
        "COCOTB_TOPLEVEL": top,
        "COCOTB_TEST_MODULES": bench,
        "COCOTB_RESULTS_FILE": str(results.resolve()),
        "TOPLEVEL_LANG": "verilog",
        "GPI_USERS": _embedded_python(),
        "PYGPI_PYTHON_BIN": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(bench_folder.resolve()), str(_light()), *sys.path]),
    }


def _light() -> Path:
    """A folder with what takes the place of modules that cocotb loads and does not use."""
    return (resource_folder("sim") / "light").resolve()


@cache
def _embedded_python() -> str:
    """The libraries that start Python and cocotb inside of a simulator."""
    import cocotb_tools.config
    import find_libpython

    library = find_libpython.find_libpython()
    if library is None:
        what = f"cocotb needs {sys.executable} as a shared library, which is not there"
        install = "apt-get install libpython3-dev"
        raise MissingToolError(Problem(what, f"install it (Debian: {install})"), install=(install,))
    return f"{library};{cocotb_tools.config.pygpi_entry_point()}"


def _with_runner(
    simulator: Simulator,
    top: str,
    bench: str,
    bench_folder: Path,
    sources: Sequence[Path],
    build: Path,
) -> list[str]:
    name = "icarus" if isinstance(simulator, Icarus) else "verilator"
    command = [sys.executable, str(resource_folder("sim") / "run.py"), "--simulator", name]
    command += ["--top", top, "--bench", bench, "--folder", str(bench_folder.resolve())]
    command += ["--build", str(build.resolve()), "--waves"]
    return command + [str(source.resolve()) for source in sources]


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
    steps: Sequence[list[str]],
    folder: Path,
    environment: Mapping[str, str | None],
    seconds: float,
    sandbox: Sandbox,
) -> tuple[str, bool]:
    """Everything that the steps printed, up to one that fails; whether the time was up."""
    end = time.monotonic() + seconds
    printed = ""
    for command in steps:
        try:
            finished = run(
                command,
                folder=folder,
                seconds=end - time.monotonic(),
                environment=environment,
                sandbox=sandbox,
                together=True,
            )
        except LimitError:
            return printed, True
        printed += finished.output
        if not finished.succeeded:
            return printed, False
    return printed, False


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
