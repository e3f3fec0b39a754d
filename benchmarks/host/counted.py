"""Costs of one call of a source and of its C that need no clock: misses of caches, counted by
cachegrind, and the most memory that the process has at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import sub
from pathlib import Path
from typing import NamedTuple, TypeVar

from hlsmem.check.c_runs.c_building import TIMED
from hlsmem.check.c_runs.c_harness import given, prelude
from hlsmem.check.c_runs.c_interface import Interface
from hlsmem.check.host_runs.bench_timing import bench_of
from hlsmem.core.errors import InputError, Problem, ToolError
from hlsmem.core.watchdog import scratch
from hlsmem.tools.find import C_COMPILER, Need, find
from hlsmem.tools.run import Finished, run

COUNTED = ("-O3", "-mavx2", "-ffp-contract=off")
"""Flags of what is counted: valgrind 3.19 knows no instructions of AVX-512."""
VALGRIND = Need(
    name="valgrind",
    purpose="misses of caches",
    commands=("valgrind",),
    variable=None,
    version_arguments=("--version",),
    least=(3, 15),
    install=("apt-get install valgrind", "dnf install valgrind"),
)
_SECONDS = 600.0
Figure = TypeVar("Figure")
_CACHEGRIND = (
    "--tool=cachegrind",
    "--cache-sim=yes",
    "--cachegrind-out-file=/dev/null",
    "--main-stacksize=1000000000",  # arrays of a source are there
)


class Counts(NamedTuple):
    """Instructions, and misses of data in the first and in the last cache."""

    instructions: int
    first: int
    last: int


def counts_of(report: str) -> Counts:
    """The counts of a report of cachegrind.

    >>> counts_of("==7== I   refs:      1,200\\n==7== D1  misses:  30 ( 20 rd + 10 wr)\\n"
    ...           "==7== LLd misses:  4 ( 3 rd + 1 wr)\\n")
    Counts(instructions=1200, first=30, last=4)
    """
    found = []
    for name in ("I +refs", "D1 +misses", "LLd +misses"):
        line = re.search(rf"^==\d+== {name}: +([\d,]+)", report, re.MULTILINE)
        if line is None:
            what = f"cachegrind printed no line {name.replace(' +', ' ')!r}: {report[-200:]}"
            raise ToolError(Problem(what, "use valgrind 3.15 or later"))
        found.append(int(line[1].replace(",", "")))
    return Counts(*found)


def counted(out: Path, values: Mapping[str, int]) -> tuple[Counts, Counts]:
    """The counts of a call of the source of an OUT and of its C; what the process does without the
    call is taken off. Raises MissingToolError without valgrind."""
    tool = find(VALGRIND)

    def difference(program: Path) -> Counts:
        command = [*tool.command, *_CACHEGRIND, str(program)]
        whole, empty = (counts_of(_run(one).errors) for one in ([*command, "call"], command))
        return Counts(*map(sub, whole, empty))

    return _of_both(out, values, COUNTED, difference)


def resident(out: Path, values: Mapping[str, int], most: int) -> tuple[tuple[int, int], bool]:
    """The most KiB that a process has at once which calls the source of an OUT, or its C, and
    whether that was measured: above `most` it is computed from what they declare."""
    declared = declared_kib(out, values)
    if max(declared) > most:
        return declared, False

    def figure(program: Path) -> int:
        return int(_run([str(program), "call"]).output)

    return _of_both(out, values, TIMED, figure), True


def declared_kib(out: Path, values: Mapping[str, int]) -> tuple[int, int]:
    """The KiB of arrays that a source and its C have, arguments among them."""
    bench = bench_of(out, out, find(C_COMPILER))
    at = {**bench.plan.params, **values}
    source = generated = 0
    for name, array in bench.program.arrays.items():
        assert array.declared is not None
        cells = array.declared.evaluate(at)
        source += cells * array.element.cell_bytes
        own = bench.plan.arrays.get(name)
        if own is not None and own.host is not None:
            cells = sum(one.cells().evaluate(at) for one in own.host.cells.mapping.pieces)
        generated += cells * array.element.cell_bytes
    return -(-source // 1024), -(-generated // 1024)


def _of_both(
    out: Path, values: Mapping[str, int], flags: Sequence[str], figure: Callable[[Path], Figure]
) -> tuple[Figure, Figure]:
    """A figure of the program of a source and of that of its C."""
    with scratch("hlsmem-counted-") as folder:
        bench = bench_of(out, folder.resolve(), find(C_COMPILER))
        pair = bench.build({**bench.plan.params, **values}, flags)
        main = pair.folder / "once.c"
        written = {one.array for each in bench.program.statements for one in each.writes}
        main.write_text(once(pair.interface, written), encoding="utf-8")
        programs = []
        for generated in (False, True):
            programs.append(pair.folder / f"once{int(generated)}")
            built = bench.with_main(pair, main, flags, programs[-1], generated=generated)
            if not built.succeeded:
                what = f"{out}: it does not compile: {built.last_lines()}"
                raise InputError(Problem(what, "correct it"))
        source, own = map(figure, programs)
        return source, own


def once(interface: Interface, written: Collection[str]) -> str:
    """The text of a program that gives a function its arguments, calls it once where there is an
    argument of its own, and prints the most KiB that it had in memory.

    Arrays that are `written` are zeros that nothing has touched; the others have been filled.
    The system's figure for an ended process would be that of the one that started it, if larger.
    """
    types = ", ".join("void *" if one.is_array else one.type for one in interface.arguments)
    call = ", ".join(f"given_{one.name}" for one in interface.arguments)
    lines = [
        prelude(interface.function),
        *(line for one in interface.arguments if one.members for line in one.definition()),
        f"extern {interface.result or 'void'} {interface.function}({types or 'void'});",
        "int main(int argc, char **argv)",
        "{",
        "    uint64_t state = 88172645463325252u;",
        "    char line[128];",
        "    (void)argv;",
        *(line for one in interface.arguments if one.name not in written for line in given(one)),
        *(
            f"    void *const given_{one.name} = calloc({one.elements}u, sizeof({one.type}));"
            for one in interface.arrays
            if one.name in written
        ),
        "    if (argc > 1)",
        f"        {interface.function}({call});",
        '    FILE *const status = fopen("/proc/self/status", "r");',
        "    while (status != NULL && fgets(line, sizeof line, status) != NULL)",
        '        if (strncmp(line, "VmHWM:", 6) == 0)',
        '            printf("%ld\\n", strtol(line + 6, NULL, 10));',
        "    return status == NULL;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _run(command: Sequence[str]) -> Finished:
    finished = run(command, folder=Path.cwd(), seconds=_SECONDS, large_stack=True)
    if not finished.succeeded:
        what = f"{Path(command[0]).name} {Path(command[-1]).name}: {finished.ending()}"
        raise ToolError(Problem(what, "try a smaller size"))
    return finished
