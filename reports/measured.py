"""Measured tables of the papers: reports/measured.md.

`python -m reports measured` makes all of them, `python -m reports.measured NAME..` the sections
whose headings contain a name; the others keep their figures. A table is left out by name where its
tool is not there.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from itertools import chain, product
from pathlib import Path
from statistics import geometric_mean
from types import MappingProxyType

from benchmarks.host.counted import COUNTED, VALGRIND, Counts, counted, resident
from benchmarks.host.kernels import CASES, CUT_BY_HAND, TABLE_II, WIDE, Kernel
from benchmarks.host.polybench import suite
from benchmarks.host.rows import Effort, Planned, Row, planned_in, timed_row
from hlsmem.check.c_runs.c_building import TIMED
from hlsmem.check.host_runs.bench_timing import machine
from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.emit.markdown_table import Column, table
from hlsmem.schedule_search.caches import Machine
from hlsmem.tools.find import C_COMPILER, CLANG, Tool, find
from hlsmem.verb import parameters_text

OUT = Path(__file__).with_name("measured.md")
Ways = tuple[tuple[str, tuple[str, ...]], ...]
_C: Ways = (("C", ()),)
_UNCUT = ("host.tile=none", "host.jam=none")
_FEW, _ONCE = Effort(3, 5), Effort(1, 1)
_WRITTEN = ("schedule=text", "kernel.loops=written", "kernel.parameters=external")
_SIZES = (256, 257, 512, 513, 1024, 1025, 1536, 1537, 2048, 2049)
_SLOW = 1000
"""From this N on a call of the sources of tables 1 and 2 takes over half a second."""
_OF_SICA = (("matmul", "S0", lambda n: 2 * n**3), ("correlation", "S9", lambda n: n**3 + 5 * n**2))
_SWEEP = (64, 256, 512, 1024, 2048, 3684, 4096, 8192)
_FORMULA = Machine(simd_bits=128).vector_tile(element_bytes=4, streams=2)
_WANTED = 1.3
_GIB = 8
_COUNTED_AT = {
    "blur": {"N": 1024},
    "blur_tiled": {"T": 2},
    "unsharp_tiled": {"T": 2},
    "harris_tiled": {"T": 16},
    "lbm_d2q9": {"N": 512, "T": 6},
    "lbm_d3q19": {"N": 64, "T": 10},
    "lbm_d3q27": {"N": 64, "T": 10},
    "diamond": {"K": 4},
    "parallelogram": {"K": 4096},
}
_RESIDENT_AT = {
    "lbm_d2q9": ({"N": 1024, "T": 6}, {"N": 8192, "T": 6}),
    "lbm_d3q27": ({"N": 100, "T": 10}, {"N": 200, "T": 10}),
}
_HEAD = """# Measured tables

`python -m reports measured` makes this page, `python -m reports.measured "figure 9"` one section \
of it. {machine}, {memory:.0f} GiB; {compilers}. Times: processor time, all programs of a row by \
turns, each the fastest round of a start, the median over starts; flags `{flags}`. Counts: flags \
`{counted}`. Results are equal bit for bit.
"""


def gflops(operations: float, seconds: float) -> float:
    """Operations in 10^9 a second."""
    return operations / seconds / 1e9


def loss(seconds: Mapping[int, float], size: int) -> tuple[float, int]:
    """The time with this size over that with the best one, and which that is."""
    best = min(seconds, key=seconds.__getitem__)
    return seconds[size] / seconds[best], best


def processes(kib: int) -> int:
    """The processes of so many KiB each that fit into the memory of tables V and VI."""
    return (_GIB << 20) // kib


@cache
def _refusal(folder: Path, kernel: Kernel, way: tuple[str, tuple[str, ...]]) -> str:
    """Why a kernel cannot be planned in a way; empty where it can."""
    try:
        _planned(kernel, (way,), folder / "alone")
    except HlsmemError as error:
        return f"{kernel.name}, {way[0]}: {error}"
    return ""


@cache
def _planned(kernel: Kernel, ways: Ways, folder: Path) -> Planned:
    settings = {name: (*_WRITTEN, *own) for name, own in ways}
    return planned_in(kernel, settings, folder / kernel.name)


def _timed(
    folder: Path,
    kernel: Kernel,
    ways: Ways,
    values: Mapping[str, int] = MappingProxyType({}),
    effort: Effort = _FEW,
    compiler: Tool | None = None,
) -> Row:
    found, at = _planned(kernel, ways, folder), {**kernel.values, **values}
    return timed_row(
        f"{kernel.name}: {parameters_text(at)}", found, at, effort, found.outs, compiler
    )


def _right(*headings: str) -> list[Column]:
    return [Column(one, right=True) for one in headings]


def sica(folder: Path) -> Iterator[str]:
    """Tables 1 and 2."""
    done, refused = list[list[str]](), dict[str, None]()
    for size, (name, label, operations) in product(_SIZES, _OF_SICA):
        (kernel,) = (one.kernel for one in CASES if one.name == name)
        cut = ((f"q = {q}", (f"host.tile={{{label}: [{q}, 8]}}",)) for q in (4, 64, 256))
        ways: Ways = (("interchange", _UNCUT), *cut, ("formula", ("host.tile=sica",)), ("auto", ()))
        effort = _ONCE if size >= _SLOW else _FEW
        why = [_refusal(folder, kernel, way) for way in ways]
        refused.update(dict.fromkeys(filter(None, why)))
        own = tuple(way for way, refusal in zip(ways, why, strict=True) if not refusal)
        with _left_out(refused, f"{name}, N={size}"):
            row = _timed(folder, kernel, own, {"N": size}, effort)
            cells = rates(row, operations(size), [way for way, _ in ways])
            done.append([name, str(size), *cells])
        done.sort(key=lambda line: line[0], reverse=True)
        columns = [Column("kernel"), *_right("N", "source", *(way for way, _ in ways))]
        yield f"""GFLOP/s, and the time over the source's. `q` tiles the vector loop by q and the \
outermost by 8; `formula` takes q by `host.tile: sica`. Operations are 2 N^3 for matmul, N^3 + 5 \
N^2 for correlation. From N = {_SLOW} on one start of one round, else {_FEW.starts} starts of \
{_FEW.rounds}. At odd N rows lie across lines of the caches.

{table(columns, done)}{_listed(refused)}"""


def rates(row: Row, operations: float, ways: Sequence[str]) -> list[str]:
    """GFLOP/s of the source and of the ways, and the ratios of these; a dash where it has not run
    in a way."""

    def cell(way: str) -> str:
        rate = gflops(operations, row.timed(way).seconds)
        return f"{rate:.2f} ({row.ratio(way):.3f})"

    source = f"{gflops(operations, row.measured.original):.2f}"
    return [source, *(cell(way) if way in row.names else "-" for way in ways)]


def sweep(folder: Path) -> Iterator[str]:
    """Figures 6 to 8: times over the size of tiles."""
    lines, said = list[list[str]](), list[str]()
    for outer, what in ((1, "one level"), (8, "two levels, 8 rows")):
        cut = ((f"{q}", (f"host.tile={{S0: [{q}, {outer}]}}",)) for q in _SWEEP)
        ways: Ways = (*cut, ("uncut", _UNCUT))
        row = _timed(folder / what.split()[0], WIDE, ways)
        lines.append([what, *(f"{1e3 * row.timed(way).seconds:.1f}" for way, _ in ways)])
        said.append(lost(what, *loss({q: row.timed(f"{q}").seconds for q in _SWEEP}, _FORMULA)))
        columns = [Column("ms by q"), *_right(*(way for way, _ in ways))]
        yield f"""matmul in float, M = K = 96, N = 32768, loops i, k, j. The formula's q (32 KiB, \
128 bits, rho 9/10) is {_FORMULA}. {" ".join(said)}

{table(columns, lines)}"""


def lost(what: str, ratio: float, best: int) -> str:
    """What the formula's size costs, in words."""
    if best == _FORMULA:
        return f"With {what} it is the best of these."
    verdict = "within" if ratio <= _WANTED else "above"
    return f"With {what} it takes {ratio:.2f} of q = {best}, {verdict} the {_WANTED:g} wanted."


def second_level(folder: Path) -> Iterator[str]:
    """Figure 9: which loop is cut for the second cache."""
    cut = ("none", (f"host.tile={{S0: [{_FORMULA}, 1]}}",))
    found = {"none": _timed(folder, WIDE, (cut,))}
    for kernel in CUT_BY_HAND:
        loop = kernel.name.removeprefix("matmul_")
        found[loop] = _timed(folder, kernel, (("given", ("host.order=given",)),))
    seconds = {loop: row.measured.outs[0].seconds for loop, row in found.items()}
    lines = [
        [k, f"{1e3 * own:.1f} ms", f"{own / seconds['none']:.2f}"] for k, own in seconds.items()
    ]
    yield f"""The product of the section above in blocks of q = {_FORMULA}, and one of its loops \
i, k, j in blocks of 8 (the third: of 8 q). `host.tile` cuts the outermost of them alone; the \
sources are cut by hand (benchmarks/host/matmul_first.c and so on) and their C keeps the order. \
Programs of different rows do not take turns.

{table([Column("loop"), *_right("C", "over none")], lines)}"""


def misses(folder: Path) -> Iterator[str]:
    """Tables III and IV: instructions and misses of a call."""
    columns = [Column("kernel"), Column("at"), *_right("instructions", "L1", "last level")]
    lines, reasons = list[list[str]](), dict[str, None]()
    find(VALGRIND)
    for one in TABLE_II:
        values = _COUNTED_AT[one.kernel.name]
        with _left_out(reasons, one.row):
            out = _planned(one.kernel, _C, folder).outs["C"]
            lines.append([one.row, parameters_text(values), *millions(*counted(out, values))])
        yield f"""Of one call, in millions, source -> C and their ratio, by cachegrind with the \
caches of this machine; the process without the call is taken off. Results lie in memory that \
nothing has touched. DTLB, LEA stalls and CPI need counters.

{table(columns, lines)}{_listed(reasons)}"""


def millions(source: Counts, own: Counts) -> list[str]:
    """Counts of a source and of C, and what C has of them."""
    pairs = zip(source, own, strict=True)
    return [f"{a / 1e6:.3f} -> {b / 1e6:.3f} ({b / max(a, 1):.2f})" for a, b in pairs]


def memory(folder: Path) -> Iterator[str]:
    """Tables V and VI: memory of a process, and how many fit."""
    columns = [Column("kernel"), Column("at"), *_right("source", "C", "source fit", "C fit")]
    lines, reasons = list[list[str]](), dict[str, None]()
    most = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 10
    for kernel in (one.kernel for one in TABLE_II if one.kernel.name in _RESIDENT_AT):
        for values in _RESIDENT_AT[kernel.name]:
            head = [kernel.name, parameters_text(values)]
            with _left_out(reasons, ", ".join(head)):
                both, is_measured = resident(_planned(kernel, _C, folder).outs["C"], values, most)
                star = "" if is_measured else " (computed)"
                sizes = [f"{kib / 1024:.0f} MiB{star}" for kib in both]
                lines.append([*head, *sizes, *(f"{processes(kib)}" for kib in both)])
            yield f"""The most memory that a process has at once which makes one call, and how \
many of them fit into {_GIB} GiB. The figure is VmHWM of /proc, as ru_maxrss begins with that of \
the process that starts it; `computed` is from declared bytes, where they pass this machine's \
memory. Swapping is not measured.

{table(columns, lines)}{_listed(reasons)}"""


def pointers(folder: Path) -> Iterator[str]:
    """SPolly's figures 4 and 5: PolyBench/C by plain pointers."""
    named = os.environ.get("POLYBENCH")
    if not named:
        what = "POLYBENCH names no checkout of PolyBench/C 4.2.1"
        raise InputError(Problem(what, "set it to the path of one"))
    compilers, without = {"gcc": find(C_COMPILER)}, list[str]()
    try:
        compilers["clang"] = find(CLANG)
    except HlsmemError as error:
        without.append(f"clang: {error}")
    lines = list[list[str]]()
    found: dict[str, list[float]] = {name: [] for name in compilers}
    ways: Ways = (("C", ("host.alias=check", "host.storage=auto")),)
    for name, kernel in suite(Path(named)).items():
        try:
            rows = {one: _timed(folder, kernel, ways, compiler=compilers[one]) for one in compilers}
        except HlsmemError as error:
            without.append(f"{name}: {error}")
        else:
            cells = ((f"{1e3 * row.measured.original:.3f}", row.text("C")) for row in rows.values())
            lines.append([name, *chain(*cells)])
            for one, row in rows.items():
                found[one].append(row.ratio("C"))
        means = (f"{one} {geometric_mean(own):.3f}" for one, own in found.items() if own)
        columns = [
            Column("kernel"),
            *_right(*chain(*((f"{c}: source, ms", "C") for c in compilers))),
        ]
        yield f"""The kernels of PolyBench/C 4.2.1, medium sizes, made by benchmarks/host/\
polybench.py: every array a plain pointer, flat subscripts; `host.alias: check`. C over the \
source by the same compiler, median [least, greatest] of {_FEW.starts} starts of {_FEW.rounds} \
rounds. Geometric means of {len(lines)}: {", ".join(means)}.

{table(columns, lines)}{_listed(without)}"""


def _listed(reasons: Iterable[str]) -> str:
    return "".join(f"\n\nLeft out: {one}." for one in reasons)


@contextmanager
def _left_out(reasons: dict[str, None], row: str) -> Iterator[None]:
    """A row that cannot be measured is left out, with the reason."""
    try:
        yield
    except HlsmemError as error:
        reasons[f"{row}: {error}"] = None


SECTIONS: Mapping[str, Callable[[Path], Iterator[str]]] = {
    "SICA, tables 1 and 2": sica,
    "SICA, figures 6 to 8": sweep,
    "SICA, figure 9": second_level,
    "SMO, tables III and IV": misses,
    "SMO, tables V and VI": memory,
    "SPolly, figures 4 and 5": pointers,
}


def tables(measure: bool = False) -> str:
    """The sections, measured anew or as they stand in the report."""
    if measure:
        main()
    return "\n".join(f"## {name}\n\n{text}" for name, text in _kept().items())


def main(names: Sequence[str] = ("",)) -> None:
    """Measure the sections whose headings contain one of the names; the report stands after each
    of their rows."""
    kept = _kept()
    with tempfile.TemporaryDirectory(prefix="hlsmem-measured-") as folder:
        for heading, section in SECTIONS.items():
            if not any(name in heading for name in names):
                continue
            try:
                for text in section(Path(folder)):
                    _write(kept, heading, f"{_meanwhile()}\n\n{text}")
            except HlsmemError as error:
                _write(kept, heading, f"Left out: {error}.")


def _meanwhile() -> str:
    """When a section was measured, and whether the machine did anything else."""
    load, processors = os.getloadavg()[2], os.cpu_count() or 1
    others = ": other programs ran beside it" if load > 1.5 else ""
    when = datetime.now().strftime("%Y-%m-%d %H:%M")
    return f"Measured {when}, load {load:.1f} on {processors} processors{others}."


def _write(kept: dict[str, str], heading: str, text: str) -> None:
    kept[heading] = f"{text}\n"
    compilers = []
    for need in (C_COMPILER, CLANG):
        try:
            tool = find(need)
        except HlsmemError:
            continue
        compilers.append(f"{Path(tool.command[0]).name} {tool.version_text}")
    head = _HEAD.format(
        machine=machine(),
        memory=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30,
        compilers=", ".join(compilers),
        flags=" ".join(TIMED),
        counted=" ".join(COUNTED),
    )
    parts = [head, *(f"## {name}\n\n{kept[name]}" for name in SECTIONS if name in kept)]
    OUT.write_text("\n".join(parts), encoding="utf-8")


def _kept() -> dict[str, str]:
    """The sections of the report by heading, as they stand in it."""
    if not OUT.exists():
        return {}
    _, *sections = OUT.read_text(encoding="utf-8").split("\n## ")
    found = (one.partition("\n\n") for one in sections)
    return {heading: f"{text.rstrip()}\n" for heading, _, text in found}


if __name__ == "__main__":
    main(sys.argv[1:] or ("",))
