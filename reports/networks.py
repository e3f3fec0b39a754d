"""Channels of the reference's networks, their capacities and least sums: reports/networks.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hlsmem.core.errors import InputError
from hlsmem.emit.markdown_table import Column, table
from hlsmem.network.channels import channels_of
from hlsmem.network.firing import least_capacity, run
from hlsmem.network.listed_channels import capacities_of, net_of
from hlsmem.planner.array_folding import operations_of
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.read.design import load
from hlsmem.studies.networks.channel_classes import facts_of
from hlsmem.studies.networks.question import write_network
from hlsmem.studies.ranks.question import ask_rank
from hlsmem.timing.planned_program import arranged_within
from hlsmem.timing.schedule_legality import least_offset
from tests.emit.c.test_overlap_test import CASES, answers, parameters_of
from tests.network.programs import NETS, processes_of_case, program_of, rows_of
from tests.network.test_capacity import DESIGNS, SETTINGS, WINDOWS, WORDS
from tests.programs import golden_case
from tests.read.c.test_causes import NAMES, REMEDIES, TAKEN, refusals
from tests.read.c.test_causes import kernel as refused_kernel
from tests.read.test_multifor_blocks import EXTRA, cipher, is_legal, red_and_black, sobel, ticks
from tests.studies.ranks.test_instance_numbers import SOURCE, STATEMENTS

OUT = Path(__file__).with_name("networks.md")
_EXAMPLES = Path(__file__).parents[1] / "examples"
_HEAD = """# Networks

Channels of small networks: the values of one write that one operand reads. Lag is how often the
source runs between the write of a value and its read. Capacities count a time for each instance
(text) or for each step (cycle), cells of a circular buffer (window), and the least with which the
network comes to its end where all others have room (self-timed; of reordering, also as a circular
buffer). Rebuilt by `make reports`.
"""
_TEXT_COLUMNS = ("network", "sizes", "channel", "class", "order")
_NUMBERS = ("lag", "tokens", "reads", "text", "cycle", "window", "self-timed", "as a window")
_COLUMNS = [
    *(Column(name) for name in _TEXT_COLUMNS),
    *(Column(name, right=True) for name in _NUMBERS),
]
_SUMS = """
## Together

Sums over all channels: with a time for each instance, and self-timed, one channel after the other
with those before it fixed. By steps means the capacities of steps, with one value for a wire that
has none: a network without a hand-over within the step may be stuck then.
"""
_SUM_COLUMNS = [
    Column("network"),
    Column("sizes"),
    *(Column(name, right=True) for name in ("text", "self-timed", "cycle")),
    Column("by steps"),
]


_SIDE = """
## Side by side

A 3x3 window behind the image that it reads, as two nests of a multifor block: cells of the plan
between them, beside the most elements alive at once. Refused are offsets with which the window
would read what is not written; the least legal one is what the message says.
"""
_SIDE_COLUMNS = [
    Column("size"),
    Column("offset"),
    Column("mode"),
    Column("cells", right=True),
    Column("alive", right=True),
    Column("least legal"),
]
_RED_AND_BLACK = """
Red and black points of one array, four nests with grains of two, black ones later by an extra
offset; (0,0) is figure 5 of the paper that the pragma is from.
"""
_RED_COLUMNS = [Column("extra offset"), Column("sequence"), Column("parallel")]
_CIPHER = """
Two rounds of a cipher one tick apart: cells between them.
"""
_CIPHER_COLUMNS = [
    Column(name, right=True) for name in ("length", "ticks", "in sequence", "parallel")
]
_RANKS = """
## Ranks

Instances by number: their count, the start of each of three even parts, and how C finds a slice.
"""
_RANK_COLUMNS = [
    Column("nest"),
    Column("count"),
    Column("at N=7", right=True),
    Column("parts begin at"),
    Column("slices"),
]


_DERIVED = """
## Networks from C

Kernels of the examples, and the same written as networks of processes, planned each: cells of
their arrays.
"""
_DERIVED_COLUMNS = [
    Column("kernel"),
    Column("processes", right=True),
    Column("channels", right=True),
    Column("cells of the kernel"),
    Column("cells of the network"),
]
_KERNELS = ("blur", "sobel", "triangle", "durbin", "heat2d", "transpose", "window3")
_FIFOS = """
## FIFOs and windows of self-timed capacities

`plan.channels: dedicated`: words of all parts with the capacities of the schedule, and self-timed,
at least two a FIFO; cycles are predicted, and `check` measures the same. The last two are windows.
"""
_FIFO_COLUMNS = [
    Column("network"),
    Column("words by schedule"),
    Column("cycles", right=True),
    Column("words self-timed"),
    Column("cycles", right=True),
]
_GUARDS = """
## Guards

Bytes that pointers reach from where they point, and what the test in the generated C says of
arguments so many bytes apart: the folded code, or the function as it was.
"""
_GUARD_COLUMNS = [
    Column("kernel"),
    Column("at"),
    Column("apart"),
    Column("reached"),
    Column("runs"),
]


_REFUSALS = """
## Refusals

Regions that static control excludes, with the causes of the literature (Doerfert, Hammacher,
Streit, Hack, 2013), and what the reader says of them now; with a setting, where that changes it.
"""
_REFUSAL_COLUMNS = [
    Column("region"),
    Column("causes of the literature"),
    Column("here"),
    Column("with"),
]


def main() -> None:
    """Write the tables."""
    OUT.write_text(text(), encoding="utf-8")


def text() -> str:
    """The whole report."""
    with TemporaryDirectory() as folder:
        derived = table(_DERIVED_COLUMNS, list(_derived(Path(folder))))
        red = table(_RED_COLUMNS, list(_red_and_black(Path(folder))))
        refused = table(_REFUSAL_COLUMNS, list(_refusals(Path(folder))))
        side = table(_SIDE_COLUMNS, list(_side_by_side(Path(folder))))
    channels, fifos, cipher, *rest = sections()
    return "".join(
        [
            channels,
            f"{_DERIVED}\n{derived}\n",
            fifos,
            f"{_SIDE}\n{side}\n",
            cipher,
            f"{_RED_AND_BLACK}\n{red}\n",
            *rest,
            f"{_REFUSALS}\n{refused}\n",
        ]
    )


def sections() -> list[str]:
    """Its sections but for those that tests hold row by row, and the plans of whole kernels and of
    nests side by side."""
    channels, sums = list[list[str]](), list[list[str]]()
    for case in NETS:
        for sizes in golden_case("004", case)["sizes"]:
            rows, total = _rows(case, sizes)
            channels += rows
            sums.append(total)
    with TemporaryDirectory() as folder:
        ranks = table(_RANK_COLUMNS, list(_ranks(Path(folder))))
        guards = table(_GUARD_COLUMNS, list(_guards(Path(folder))))
        rounds = table(_CIPHER_COLUMNS, list(_cipher(Path(folder))))
    fifos = table(_FIFO_COLUMNS, list(_fifos()))
    return [
        f"{_HEAD}\n{table(_COLUMNS, channels)}\n{_SUMS}\n{table(_SUM_COLUMNS, sums)}\n",
        f"{_FIFOS}\n{fifos}\n",
        f"{_CIPHER}\n{rounds}\n",
        f"{_RANKS}\n{ranks}\n",
        f"{_GUARDS}\n{guards}\n",
    ]


def _derived(folder: Path) -> Iterator[list[str]]:
    for name in _KERNELS:
        design = load(_EXAMPLES / name / "design.yaml")
        target = folder / name / "net.yaml"
        write_network(design, target)
        assert isinstance(design.input, Program)
        both = [plan_design(one).folded.mappings for one in (design, load(target))]
        cells = (", ".join(f"{k} {v.cells}" for k, v in one.items()) for one in both)
        channels = channels_of(arranged_within(operations_of(design), design.input))
        statements = len(design.input.statements)
        yield [name, str(statements), str(len(channels)), *cells]


def _fifos() -> Iterator[list[str]]:
    for name in (*WORDS, *WINDOWS):
        found = []
        for settings in (SETTINGS[:1], SETTINGS):
            plan = plan_design(load(DESIGNS / f"{name}.yaml", settings=settings)).plan
            assert plan.timing is not None
            words = " + ".join(str(one.words) for one in plan.memories.values())
            found += [words, str(plan.timing.cycles)]
        yield [name.replace("_", "-"), *found]


def _guards(folder: Path) -> Iterator[list[str]]:
    for name, case in CASES.items():
        said = answers(folder / name, case)
        for row, is_apart in zip(case["rows"], said, strict=True):
            at = ", ".join(f"{one}={row[one]}" for one in parameters_of(case))
            distances = {k.removesuffix("_bytes"): v for k, v in row.items() if "_minus_" in k}
            apart = ", ".join(
                f"{key.replace('_minus_', ' - ')} = {value}" for key, value in distances.items()
            )
            ranges = {k: v for k, v in row.items() if isinstance(v, list) or v is None}
            reached = ", ".join(
                f"{key} nothing" if value is None else f"{key} {value[0]} to {value[1]}"
                for key, value in ranges.items()
            )
            runs = "folded" if is_apart else "as it was"
            yield [name.removeprefix("s004-alias-"), at, apart, reached, runs]


def _side_by_side(folder: Path) -> Iterator[list[str]]:
    for rows, columns in ((8, 8), (16, 10)):
        for mode in ("sequence", "parallel"):
            for offset in ((2, 2), (2, 3), (3, 2), (3, 3)):
                design = load(sobel(folder, mode, offset, {"K": rows, "N": columns}))
                at = [f"{rows}x{columns}", f"({offset[0]},{offset[1]})", mode]
                try:
                    planning = plan_design(design)
                except InputError:
                    program = design.input
                    assert isinstance(program, Program)
                    least = least_offset(program, program.nests[1])
                    yield [*at, "refused", "-", str(least).replace(" ", "")]
                    continue
                bound = planning.plan.arrays["a"].hardware.bound
                alive = "-" if bound is None else str(bound.cells)
                yield [*at, str(planning.folded.mappings["a"].cells), alive, "-"]


def _red_and_black(folder: Path) -> Iterator[list[str]]:
    for extra in EXTRA:
        modes = ("sequence", "parallel")
        legal = [is_legal(red_and_black(folder, mode, extra)) for mode in modes]
        yield [f"({extra})", *("legal" if one else "refused" for one in legal)]


def _cipher(folder: Path) -> Iterator[list[str]]:
    for row in golden_case("004", "s004-mf-cipher")["rows"]:
        designs = [load(cipher(folder, mode, row["k"])) for mode in ("sequence", "parallel")]
        cells = [str(plan_design(one).folded.mappings["c"].cells) for one in designs]
        yield [str(row["k"]), str(len(ticks(designs[0].input, 1))), *cells]


def _refusals(folder: Path) -> Iterator[list[str]]:
    for name in NAMES:
        file = refused_kernel(folder, name)
        causes = ", ".join(golden_case("004", f"s004-refuse-{name}")["causes"]) or "none"
        said = ", ".join(one.value for one in refusals(file)) or "planned"
        reading = f"{said}: {TAKEN[name]}" if name in TAKEN else said
        settings = "-"
        if name in REMEDIES:
            found = ", ".join(one.value for one in refusals(file, REMEDIES[name])) or "planned"
            settings = f"`{REMEDIES[name]}`: {found}"
        yield [name.replace("-", " "), causes, reading, settings]


def _ranks(folder: Path) -> Iterator[list[str]]:
    file = folder / "nests.c"
    file.write_text(SOURCE, encoding="utf-8")
    design = load(file, parameters={"N": 7})
    for name in STATEMENTS:
        found = ask_rank(design, name, parts=3)
        starts = "; ".join(",".join(map(str, one.start)) for one in found.parts)
        ways = ", ".join("root" if one.root else "bisection" for one in found.ranking.levels)
        yield [name.lower(), found.formula, str(found.instances), starts, ways]


def _rows(case: str, sizes: dict[str, int]) -> tuple[list[list[str]], list[str]]:
    """The lines of one network at some sizes, and its sums."""
    program = program_of(case, sizes)
    channels = rows_of(case, program)
    net = net_of(program, processes_of_case(case, program), channels)
    assert net is not None
    name = case.removeprefix("s004-net-")
    at = ", ".join(f"{one}={value}" for one, value in sizes.items())
    together: list[int | None] = [None] * len(channels)
    lines, texts, steps = list[list[str]](), 0, list[int]()
    for number, channel in enumerate(channels):
        facts, found = facts_of(program, channel), capacities_of(program, channel)
        assert found is not None
        alone = least_capacity(net, [None] * len(channels), number)
        together[number] = least_capacity(net, together, number).most[number]
        texts += found.text
        steps.append(found.cycle)
        window = alone.windows[number] if facts.order.startswith("reorder") else None
        numbers = [facts.lag, facts.tokens, facts.reads, found.text, found.cycle, found.window]
        numbers += [alone.most[number], window]
        lines.append([name, at, str(channel), facts.kind.value, facts.order, *_shown(numbers)])
    least = sum(one for one in together if one is not None)
    end = "stuck" if run(net, [max(one, 1) for one in steps]).deadlock is not None else "ends"
    return lines, [name, at, *map(str, (texts, least, sum(steps))), end]


def _shown(numbers: list[int | None]) -> Iterator[str]:
    return ("-" if one is None else str(one) for one in numbers)
