"""The options of every verb, as argparse reads them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hlsmem.cli.memory import size_of
from hlsmem.devices import DEFAULT_FAMILY, FAMILIES
from hlsmem.network.grains import GRAINS
from hlsmem.orders.changes import KINDS
from hlsmem.tiles.tiling import KINDS as TILINGS
from hlsmem.verdict import BEATS, CHECKS
from hlsmem.version import TOOL
from hlsmem.wording import listed

AS_WRITTEN = ("schedule=text",)
"""Settings without which a plan changes the C that it is of."""


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """The parsed arguments; what is explained may come after options, which argparse misses."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    late = len(rest) == 1 and not rest[0].startswith("-")
    if late and options.verb == "explain" and options.array is None:
        options.array = rest.pop()
    elif late and options.verb == "dataflow" and options.statement is None:
        options.statement = rest.pop()
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="hlsmem",
        description="Fold arrays into the fewest cells, write Verilog and C for them, prove both.",
    )
    parser.add_argument("--version", action="version", version=TOOL)
    # Options of a verb that may name a plan that it reads.
    parser.set_defaults(reads=())
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    plan = verbs.add_parser("plan", help="plan the memories of a design and write OUT")
    _add_design(plan)
    plan.add_argument("-o", "--out", type=Path, metavar="OUT", help="default: build/<name>")
    plan.add_argument(
        "--method", metavar="NAME[:VARIANT]", help="use this method instead of the best"
    )
    plan.add_argument("--debug", type=Path, metavar="DIR", help="write every intermediate value")
    plan.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="versions of the C for values that a counting build has seen twice (host.profile)",
    )
    plan.add_argument("--json", action="store_true", help="print plan.json instead of the report")

    check = verbs.add_parser("check", help="prove a plan again from the files in OUT")
    _add_out(check)
    check.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CHECK",
        help=f"{', '.join(CHECKS.names())}; may be given several times",
    )
    check.add_argument("--waves", action="store_true", help="keep the simulated signals in OUT/sim")
    check.add_argument(
        "--orders",
        type=_orders,
        default=20,
        metavar="N",
        help="random orders of a class that are replayed, default 20",
    )
    check.add_argument(
        "--beats",
        type=_beats,
        default=BEATS,
        metavar="N|all",
        help="replay and rtl stop after N beats of the longest stream, and play smaller whole"
        f" frames besides; default {BEATS}",
    )
    check.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    check.add_argument(
        "--foreign", action="store_true", help="judge a folder that another version wrote"
    )
    _add_trust(check)

    bench = verbs.add_parser(
        "bench", help="time the host C in OUT beside the original, run by turns"
    )
    _add_out(bench)
    bench.set_defaults(reads=("out", "against"))
    bench.add_argument(
        "--against",
        type=Path,
        action="append",
        default=[],
        metavar="OUT2",
        help="another plan of the same kernel; may be given several times",
    )
    bench.add_argument(
        "--param", action="append", default=[], metavar="N=4096", help="value of a parameter"
    )
    bench.add_argument(
        "--starts", type=_times, default=3, metavar="N", help="fresh processes, default 3"
    )
    bench.add_argument(
        "--rounds", type=_times, default=9, metavar="N", help="turns of each, default 9"
    )
    bench.add_argument("--json", action="store_true", help="print the times as JSON")

    placed = [family.name for family in FAMILIES.values() if family.router is not None]
    synth = verbs.add_parser("synth", help="area and clock of the Verilog in OUT, by Yosys")
    _add_out(synth)
    synth.add_argument(
        "--family",
        choices=tuple(FAMILIES),
        help=f"default: that of the target, else {DEFAULT_FAMILY};"
        f" {listed(placed)} are also placed and routed",
    )
    synth.add_argument(
        "--seeds",
        type=_seeds,
        default=5,
        metavar="N",
        help="the clock is the median of N, default 5",
    )
    synth.add_argument("--json", action="store_true", help="print the figures as JSON")
    _add_trust(synth)

    compare = verbs.add_parser("compare", help="every method on every array, beside the bounds")
    _add_design(compare)
    compare.add_argument(
        "--classes",
        action="store_true",
        help="classes of orders instead of methods: what independence of the schedule costs",
    )
    compare.add_argument(
        "--variants",
        action="store_true",
        help="each published variant of the methods under its own name, as published",
    )
    compare.add_argument("--json", action="store_true", help="print JSON")

    explain = verbs.add_parser(
        "explain", help="why an array is not smaller, what its reads cost, what would save"
    )
    _add_design(explain, "a design.yaml, a C file, or a folder written by `hlsmem plan`")
    explain.set_defaults(reads=("design",))
    explain.add_argument("array", nargs="?", metavar="ARRAY", help="default: every array")
    explain.add_argument(
        "--lifetimes",
        action="store_true",
        help="first write and last read of every element, differences of conflicting elements",
    )
    explain.add_argument("--json", action="store_true", help="print JSON")

    vectors = verbs.add_parser(
        "vectors", help="occupancy vectors: which element may take the cell of which"
    )
    _add_design(vectors)
    vectors.add_argument("--array", metavar="A", help="default: every planned array")
    vectors.add_argument(
        "--kind",
        choices=("ov", "aov", "uov", "quov"),
        help="of the design's schedule, all affine ones, every order, all tilings; default: all",
    )
    vectors.add_argument(
        "--store",
        action="append",
        default=[],
        metavar="A=[2,0]",
        help="the schedules that this store allows; once for each array",
    )
    vectors.add_argument(
        "--stores",
        action="append",
        default=[],
        metavar="ISL",
        help='the schedules that all stores of a set allow, "{ A[2,y] : -1 <= y <= 1 }"',
    )
    vectors.add_argument(
        "--length", type=_length, default=12, metavar="N", help="longest vectors, default 12"
    )
    vectors.add_argument("--json", action="store_true", help="print JSON")
    vectors.add_argument("--svg", type=Path, metavar="FILE", help="draw those of a 2-D array")
    _add_force(vectors)

    tiles = verbs.add_parser("tiles", help="tilings of the nest: waves of tiles, and one tile")
    _add_design(tiles)
    tiles.add_argument(
        "--kind", choices=(*TILINGS, "all"), default="all", help="the tiling; default: all"
    )
    tiles.add_argument(
        "--rows", metavar="ROWS", help='tiles by these rows instead, such as "t+i,t-i"'
    )
    tiles.add_argument(
        "--sizes",
        type=_numbers,
        default=(),
        metavar="4,4",
        help="the size of a tile in each row, or one for all; default: 4, in time 2; with all"
        " kinds, tiles over both time and data get twice the size in time",
    )
    tiles.add_argument(
        "--origin", type=_numbers, default=(), metavar="0,0", help="where the first tile begins"
    )
    tiles.add_argument(
        "--parallel",
        type=_width,
        metavar="P",
        help="the share of tiles in waves of at least so many",
    )
    tiles.add_argument("--json", action="store_true", help="print JSON")
    tiles.add_argument("--svg", type=Path, metavar="FILE", help="draw the tiles of each wave")
    _add_force(tiles)

    network = verbs.add_parser(
        "network", help="the channels between processes: class, order, lag, capacities"
    )
    _add_design(network)
    network.add_argument(
        "--processes",
        choices=GRAINS,
        help="what runs as one process: each statement, those of a nest, or as given; default: as"
        " a network or DATAFLOW gives them, each statement of another kernel",
    )
    network.add_argument(
        "-o", "--out", type=Path, metavar="NET.yaml", help="write the design as this network"
    )
    _add_force(network)
    network.add_argument(
        "--capacities",
        type=_capacities,
        metavar="C,C,..",
        help="run the network with channels of so many values, in the order of the table",
    )
    network.add_argument("--json", action="store_true", help="print JSON")

    rank = verbs.add_parser(
        "rank", help="the instances of a statement by number, in even parts: C, or a counter"
    )
    _add_design(rank)
    rank.add_argument("statement", metavar="STATEMENT")
    rank.add_argument(
        "--parts", type=_parts, default=1, metavar="P", help="engines that share them, default 1"
    )
    rank.add_argument("--verilog", action="store_true", help="print the counter instead of C")
    rank.add_argument("--json", action="store_true", help="print JSON")

    flow = verbs.add_parser(
        "dataflow", help="which write every read gets its value from, conditions and all"
    )
    _add_design(flow)
    flow.add_argument("statement", nargs="?", metavar="STATEMENT", help="default: every statement")
    flow.add_argument(
        "--control",
        choices=("least", "strict", "static"),
        default="least",
        help="what tells sources apart that conditions decide about: the fewest numbers known at"
        " run time (least), those of every such source (strict), or none (static: all sources"
        " that are possible)",
    )
    flow.add_argument("--json", action="store_true", help="print JSON")

    what_if = verbs.add_parser("what-if", help="changes that save most, planned and proved legal")
    _add_design(what_if)
    what_if.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="KIND",
        help=f"{', '.join(KINDS)}; may be given several times, default: all",
    )
    what_if.add_argument(
        "--order",
        choices=("kept", "any"),
        help="kept: streams and external arrays are touched in their old order; default: as"
        " plan.search.order says, kept if it does not",
    )
    what_if.add_argument("--top", type=_rank, default=10, metavar="N", help="default: 10")
    one = what_if.add_mutually_exclusive_group()
    one.add_argument(
        "--try", dest="attempt", metavar="KEY=VALUE", help="the figures of this setting alone"
    )
    one.add_argument("--apply", type=int, metavar="RANK", help="write the design so changed")
    what_if.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="of --apply; default: DESIGN itself, kept as NAME.orig, or NAME.yaml beside a source",
    )
    _add_force(what_if)
    what_if.add_argument("--json", action="store_true", help="print JSON")

    view = verbs.add_parser("view", help="the run of a plan, cell by cell, on a page")
    _add_out(view)
    view.add_argument(
        "-o", "--output", dest="file", type=Path, metavar="FILE", help="default: OUT/report.html"
    )
    _add_force(view)
    view.add_argument("--array", metavar="X", help="this array alone, default: all")
    view.add_argument("--steps", type=_steps, metavar="A..B", help="these steps of the run alone")
    view.add_argument("--open", action="store_true", help="open the page in a browser")

    diff = verbs.add_parser("diff", help="what differs between two plans, and which access did it")
    sides = "a folder written by `hlsmem plan`, a plan.json, or a design"
    diff.add_argument("old", type=Path, metavar="OLD", help=sides)
    diff.add_argument("new", type=Path, metavar="NEW", help=sides)
    diff.set_defaults(reads=("old", "new"))
    diff.add_argument("--format", choices=("text", "markdown", "github"), default="text")
    diff.add_argument(
        "--fail-on",
        action="append",
        default=[],
        metavar="RULE",
        help="exit 1 where it is broken: [ARRAY.]METRIC[+N|+N%%], such as cells+0, words+5%%,"
        " blurx.blocks+1, standing; may be given several times",
    )
    diff.add_argument("--json", action="store_true", help="print JSON")

    verbs.add_parser("doctor", help="the tools hlsmem finds, with versions and minima")
    schema = verbs.add_parser("schema", help="the JSON Schema of design.yaml, or of plan.json")
    schema.add_argument("of", nargs="?", choices=("design", "plan"), default="design")
    for verb in verbs.choices.values():
        verb.add_argument(
            "--memory",
            type=size_of,
            metavar="6G",
            help="the most that it may take; default: three quarters of what there is",
        )
    return parser


def _add_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="a folder written by `hlsmem plan`")
    parser.set_defaults(reads=("out",))


def _add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--force", action="store_true", help="write over a file that hlsmem did not make"
    )


def _add_trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the programs of this design as you, without a sandbox (also HLSMEM_TRUST=1)",
    )


def _add_design(
    parser: argparse.ArgumentParser, what: str = "a design.yaml, or a C file with a scop"
) -> None:
    parser.add_argument("design", type=Path, metavar="DESIGN", help=what)
    parser.add_argument(
        "--param", action="append", default=[], metavar="N=64", help="value of a parameter"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="override a key, e.g. arrays.in.storage=stream",
    )
    parser.add_argument(
        "--as-written",
        action="store_const",
        const=AS_WRITTEN,
        default=(),
        help=f"keep what the C says: {', '.join(AS_WRITTEN)}",
    )
    parser.add_argument(
        "--include",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of files that the C includes, not below the design",
    )


def _seeds(text: str) -> int:
    """A number of seeds; 0 leaves placing and routing out."""
    if not text.isdecimal() or int(text) > 99:
        what = f"{text!r} is no number of seeds; use 0 (area alone) to 99"
        raise argparse.ArgumentTypeError(what)
    return int(text)


def _times(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 999:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs; use 1 to 999")
    return int(text)


def _steps(text: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    if not dots or not low.isdecimal() or not high.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no range of steps; write it like 100..199")
    return int(low), int(high)


def _parts(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 4096:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of parts; use 1 to 4096")
    return int(text)


def _length(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is no length; use 1 to 64")
    return int(text)


def _orders(text: str) -> int:
    if not text.isdecimal() or int(text) > 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of orders; use 0 to 100000")
    return int(text)


def _capacities(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(one.strip().isdecimal() and int(one) >= 1 for one in parts):
        message = f"{text!r} are no capacities; write one of at least 1 for each channel, as 13,7,1"
        raise argparse.ArgumentTypeError(message)
    return tuple(map(int, parts))


def _width(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tiles; use 1 or more")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in text.split(","))
    except ValueError:
        message = f"{text!r} are no whole numbers with commas between them; write 4,4"
        raise argparse.ArgumentTypeError(message) from None


def _beats(text: str) -> int | None:
    """A number of beats; None for all of them."""
    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of beats; use 1 or more, or all")
    return int(text)


def _rank(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of changes; use 1 or more")
    return int(text)
