"""Random C expressions, their values by gcc, and the same expressions as Verilog by Icarus."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hlsmem.core.data_files import resource_folder
from hlsmem.datapath import arithmetic
from hlsmem.datapath.evaluate import Evaluator, Sight
from hlsmem.datapath.semantics import Typed, converted
from hlsmem.datapath.stages import Delays, Timing
from hlsmem.datapath.sums import with_trees
from hlsmem.datapath.values import Graph, of_bits
from hlsmem.datapath.verilog import Module, Result, module
from hlsmem.read.c.expression_parser import parsed_expression
from hlsmem.read.c.tree import Number

TYPES = {
    "signed char": Number(8, True),
    "unsigned char": Number(8, False),
    "short": Number(16, True),
    "unsigned short": Number(16, False),
    "int": Number(32, True),
    "unsigned": Number(32, False),
    "_Bool": Number(1, False, is_bool=True),
}
STORED = {"int48": ("long", Number(48, True)), "uint40": ("unsigned long", Number(40, False))}
"""Numbers of widths that C has not, with the types that store them."""
_KINDS = TYPES | {name: kind for name, (_, kind) in STORED.items()}
_NUMBERS = (0, 1, 2, 3, 5, 7, 100, 255, 1000, 65535, 0x7FFFFFFF, "0x80000000", "3u")
_DIVISORS = (1, 2, 3, 7, 8, 9, 10, 255, 1000, "-3", "-4")


@dataclass(frozen=True)
class Case:
    """A function of numbers: its name, the C types of its arguments and result, its expression."""

    name: str
    kinds: tuple[str, ...]
    result: str
    text: str

    def function(self) -> str:
        given = ", ".join(f"{kind} {one}" for kind, one in zip(self.kinds, "abcd", strict=True))
        return f"{self.result} {self.name}({given}) {{ return {self.text}; }}"


def random_case(seed: int, depth: int) -> Case:
    drawn = random.Random(seed)
    kinds = tuple(drawn.choice([*TYPES]) for _ in range(4))
    return Case(f"f{seed}", kinds, drawn.choice([*TYPES]), _expression(drawn, depth))


def _expression(drawn: random.Random, depth: int) -> str:
    def inner() -> str:
        return _expression(drawn, depth - 1)

    if depth == 0 or drawn.random() < 0.08:
        return drawn.choice("abcd") if drawn.random() < 0.75 else str(drawn.choice(_NUMBERS))
    match drawn.choices(range(9), (45, 10, 8, 8, 8, 7, 7, 4, 4))[0]:
        case 0:
            return f"({inner()} {drawn.choice('+-*+-')} {inner()})"
        case 1:
            return f"({inner()} {drawn.choice('&|^')} {inner()})"
        case 2:
            return f"({inner()} {drawn.choice(('<', '<=', '==', '!=', '>', '>='))} {inner()})"
        case 3:
            return f"({inner()} {drawn.choice('/%')} ({drawn.choice(_DIVISORS)}))"
        case 4:
            amount = drawn.choice(("0", "1", "2", "5", "7", f"({inner()} & 15)"))
            return f"({inner()} {drawn.choice(('<<', '>>'))} {amount})"
        case 5:
            return f"({inner()} ? {inner()} : {inner()})"
        case 6:
            return f"(({drawn.choice([*TYPES])}){inner()})"
        case 7:
            return f"({drawn.choice('-~!')}{inner()})"
        case _:
            return f"({inner()} {drawn.choice(('&&', '||'))} {inner()})"


def circuit(case: Case, period: float = 1000 / 140) -> Module:
    """Return the module of a case; NoCircuitError where it has none."""
    graph = Graph()
    names, inputs = {}, {}
    for name, kind in zip("abcd", case.kinds, strict=True):
        own = _KINDS[kind]
        inputs[name] = of_bits(own.bits, signed=own.signed)
        names[name] = Typed(arithmetic.operand(graph, name, inputs[name]), own)

    sight = Sight(element=lambda _: None, function=lambda _: None)
    value = Evaluator(graph, sight).expression(parsed_expression(case.text), names)
    kind = _KINDS[case.result]
    wanted = converted(graph, value, kind).value
    (root,) = with_trees(graph, [wanted], Delays())
    result = Result(name="q", bits=kind.bits, value=root)
    return module(case.name, inputs, [result], Timing(period=period, delays=Delays()))


def differences(
    cases: Sequence[Case],
    vectors: int,
    folder: Path,
    changed: Callable[[str], str] = lambda text: text,
) -> list[str]:
    """Return what circuits differ in from gcc's C, and what Icarus warns of.

    `changed` is what is done to the text of each module.
    """
    drawn = random.Random(len(cases))
    modules = {one.name: circuit(one) for one in cases}
    rows = {one.name: [_vector(drawn, one) for _ in range(vectors)] for one in cases}
    expected = _by_gcc(cases, rows, folder)
    benches = [_bench(one, modules[one.name], rows[one.name], expected[one.name]) for one in cases]
    files = [changed(own.text) for own in modules.values()]
    library = (resource_folder("rtl") / "hlsmem_multiply.v").read_text()
    (folder / "all.v").write_text("\n".join([library, *files, *benches]))
    tops = [word for one in cases for word in ("-s", f"tb_{one.name}")]
    command = ["iverilog", "-g2005", "-Wall", *tops, "-o", "all.vvp", "all.v"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    told = [line for line in done.stderr.splitlines() if "timescale" not in line]
    run = subprocess.run(["vvp", "all.vvp"], cwd=folder, capture_output=True, text=True, check=True)
    return [*told, *(line for line in run.stdout.splitlines() if "WRONG" in line)]


def _vector(drawn: random.Random, case: Case) -> list[int]:
    found = []
    for kind in case.kinds:
        own = _KINDS[kind]
        ends = (own.least, own.greatest, 0, 1)
        is_end = drawn.random() < 0.25
        found.append(drawn.choice(ends) if is_end else drawn.randint(own.least, own.greatest))
    return found


def _by_gcc(
    cases: Sequence[Case], rows: dict[str, list[list[int]]], folder: Path
) -> dict[str, list[int]]:
    stored = (f"typedef {kind} {name};" for name, (kind, _) in STORED.items())
    functions = (one.function() for one in cases)
    lines = ["#include <stdio.h>", *stored, *functions, "int main(void) {"]
    for one in cases:
        for row in rows[one.name]:
            given = ", ".join(f"({own}LL)" for own in row)
            lines.append(f'  printf("%lld\\n", (long long){one.name}({given}));')
    (folder / "all.c").write_text("\n".join([*lines, "  return 0;", "}", ""]))
    command = ["gcc", "-w", "-O0", "-fwrapv", "all.c", "-o", "all"]
    subprocess.run(command, cwd=folder, check=True)
    run = subprocess.run(["./all"], cwd=folder, capture_output=True, text=True, check=True)
    values = iter(map(int, run.stdout.split()))
    return {one.name: [next(values) for _ in rows[one.name]] for one in cases}


def _bench(case: Case, made: Module, rows: list[list[int]], expected: list[int]) -> str:
    """A bench that gives a vector a cycle and compares each result after the latency."""
    sizes = [_KINDS[kind].bits for kind in case.kinds]
    out = _KINDS[case.result].bits
    whole = sum(sizes)
    lines = [f"module tb_{case.name};", "  reg clk = 0; integer t;"]
    lines += [f"  reg [{whole - 1}:0] given [0:{len(rows) - 1}];"]
    lines += [f"  reg [{out - 1}:0] wanted [0:{len(rows) - 1}];"]
    lines += [f"  reg [{whole - 1}:0] now; wire [{out - 1}:0] q;", "  initial begin"]
    for k, (row, value) in enumerate(zip(rows, expected, strict=True)):
        packed = 0
        for one, size in zip(row, sizes, strict=True):
            packed = packed << size | one & (1 << size) - 1
        low = value & (1 << out) - 1
        lines.append(f"    given[{k}] = {whole}'h{packed:x}; wanted[{k}] = {out}'h{low:x};")
    ports, low = [], whole
    for name, size in zip("abcd", sizes, strict=True):
        low -= size
        ports.append(f".{name}(now[{low + size - 1}:{low}])")
    lines += [
        f"    for (t = 0; t < {len(rows) + made.latency}; t = t + 1) begin",
        f"      now = t < {len(rows)} ? given[t] : 0; #1 clk = 1; #1 clk = 0;",
        f"      if (t >= {made.latency - 1} && t - {made.latency - 1} < {len(rows)}",
        f"          && q !== wanted[t - {made.latency - 1}])",
        f'        $display("WRONG {case.name} %0d: %h, not %h", t - {made.latency - 1}, q,'
        f" wanted[t - {made.latency - 1}]);",
        "    end",
        "  end",
        f"  {case.name} dut (.clk(clk), .ce(1'b1), {', '.join(ports)}, .q(q));",
        "endmodule",
        "",
    ]
    return "\n".join(lines)
