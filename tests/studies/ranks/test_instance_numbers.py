"""Ranks: numbers of instances and back, in C, in Python and in a counter, beside plain loops."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Iterator
from math import isqrt
from pathlib import Path

import pytest

from hlsmem.cli.command import main
from hlsmem.studies.ranks.instance_numbers import instance_at
from hlsmem.studies.ranks.question import Ranks, ask_rank
from tests.programs import golden_case
from tests.steps import load

SOURCE = """void nests(int N, int a[2 * N][2 * N]) {
  for (int i = 1; i < N; i++) for (int j = 0; j < i; j++) STRICT: a[i][j] = 1;
  for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) LOWER: a[i][j] = 1;
  for (int i = 0; i < N; i++) for (int j = i; j < N; j++) UPPER: a[i][j] = 1;
  for (int i = 0; i < 3; i++) for (int j = 0; j < N; j++) RECT: a[0][j] = 1;
  for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) for (int k = 0; k <= j; k++)
    CUBE: a[i][j] = k;
  for (int i = N - 1; i >= 0; i -= 3) for (int j = 2 * i; j < N; j += 2) HOLES: a[i][j] = 1;
  for (int i = 0; i < N; i++) for (int k = i; k < 2 * N; k++) for (int j = 0; j <= i; j++)
    MIXED: a[i][j] = k;
}
"""


def instances(statement: str, n: int) -> Iterator[tuple[int, ...]]:
    match statement:
        case "STRICT":
            yield from ((i, j) for i in range(1, n) for j in range(i))
        case "LOWER":
            yield from ((i, j) for i in range(n) for j in range(i + 1))
        case "UPPER":
            yield from ((i, j) for i in range(n) for j in range(i, n))
        case "RECT":
            yield from ((i, j) for i in range(3) for j in range(n))
        case "CUBE":
            yield from ((i, j, k) for i in range(n) for j in range(i + 1) for k in range(j + 1))
        case "HOLES":
            yield from ((i, j) for i in range(n - 1, -1, -3) for j in range(2 * i, n, 2))
        case _:
            yield from ((i, k, j) for i in range(n) for k in range(i, 2 * n) for j in range(i + 1))


STATEMENTS = ("STRICT", "LOWER", "UPPER", "RECT", "CUBE", "HOLES", "MIXED")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("ranks") / "nests.c"
    file.write_text(SOURCE, encoding="utf-8")
    return file


def ranks(kernel: Path, statement: str, n: int, parts: int = 1) -> Ranks:
    return ask_rank(load(kernel, parameters={"N": n}), statement, parts=parts)


def run(folder: Path, rank: str, main: str) -> str:
    (folder / "rank.c").write_text(rank + main, encoding="utf-8")
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    command = ["cc", *flags, "-fno-sanitize-recover=all", "rank.c", "-o", "rank"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / "rank"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_number_has_its_instance_in_c(statement: str, kernel: Path, tmp_path: Path) -> None:
    """For all sizes up to 9 from one text; numbers outside have none."""
    found = ranks(kernel, statement, 9)
    size = len(found.ranking.statement.iterators)
    at = ", ".join(f"&at[{k}]" for k in range(size))
    name = f"nests_{statement}"
    text = (
        "\n#include <stdio.h>\nint main(void)\n{\n    int64_t at[3] = {0, 0, 0};\n"
        "    for (int64_t n = 1; n < 10; n++)\n"
        f"        for (int64_t k = -1; k <= {name}_count(n); k++)\n"
        f"            if ({name}_at(n, k, {at}))\n"
        '                printf("%d %d %d %d %d\\n", (int)n, (int)k,'
        " (int)at[0], (int)at[1], (int)at[2]);\n    return 0;\n}\n"
    )
    lines = [tuple(map(int, line.split())) for line in run(tmp_path, found.c, text).splitlines()]
    expected = [
        (n, k, *point, *[0] * (3 - len(point)))
        for n in range(1, 10)
        for k, point in enumerate(instances(statement, n))
    ]
    assert lines == expected


@pytest.mark.parametrize("statement", ["STRICT", "HOLES", "CUBE"])
def test_parts_differ_by_one_instance_and_begin_where_they_say(
    statement: str, kernel: Path
) -> None:
    every = list(instances(statement, 8))
    found = ranks(kernel, statement, 8, parts=3)
    assert found.instances == len(every)
    assert [one.start for one in found.parts] == [every[one.first] for one in found.parts]
    assert sum(one.instances for one in found.parts) == len(every)
    assert max(p.instances for p in found.parts) - min(p.instances for p in found.parts) <= 1
    values = found.program.values
    assert [instance_at(found.ranking, values, k) for k in range(len(every))] == every


NESTS = {"lower-strict": ("STRICT", 7), "lower": ("LOWER", 6), "upper": ("UPPER", 6)}
NESTS |= {"rect": ("RECT", 7), "tetrahedron": ("CUBE", 4)}


@pytest.mark.parametrize("case", NESTS)
def test_the_maps_of_the_reference(case: str, kernel: Path) -> None:
    statement, size = NESTS[case]
    golden = golden_case("004", f"s004-rank-{case}")
    found = ranks(kernel, statement, size)
    assert found.instances == golden["iterations"]
    rows = [
        f"{k}->{','.join(map(str, instance_at(found.ranking, found.program.values, k)))}"
        for k in range(found.instances)
    ]
    assert rows == golden["map"]


BENCH = """
module bench;
    reg clk = 0, load = 0, step = 0;
    {declared}
    wire valid, last;
    {module} counter (.clk(clk), .load(load), .step(step), .valid(valid), .last(last){ports});
    always #1 clk = ~clk;
    integer k;
    initial begin
        {parts}
        $finish;
    end
endmodule
"""


@pytest.mark.needs("iverilog")
@pytest.mark.parametrize("statement", ["STRICT", "HOLES", "CUBE", "MIXED"])
def test_the_counter_visits_each_part(statement: str, kernel: Path, tmp_path: Path) -> None:
    """In Icarus, with a step in two cycles out of three; and nothing in it multiplies."""
    found = ranks(kernel, statement, 7, parts=3)
    code = re.sub(r"//.*|@\*", "", found.verilog)
    assert not re.search(r"[*/%]", code)
    iterators = found.ranking.statement.iterators
    inputs = re.findall(r"input  wire (signed )?(\[\d+:0\] )?(load_\w+)", found.verilog)
    outputs = re.findall(r"output wire (signed )?(\[\d+:0\] )?(at_\w+)", found.verilog)
    declared = [f"reg {s}{r}{name} = 0;" for s, r, name in inputs]
    declared += [f"wire {s}{r}{name};" for s, r, name in outputs]
    shown = ", ".join(f"at_{name}" for name in iterators)
    parts = []
    states = re.findall(r"part \d+: .*state=(\d+)", found.verilog)
    for number, one in enumerate(found.parts):
        values = {"left": one.instances, **one.registers}
        if states:
            values["state"] = int(states[number])
        sets = " ".join(f"load_{name} = {value};" for name, value in values.items())
        parts.append(
            f"{sets} load = 1; step = 0; @(posedge clk); #0 load = 0;\n"
            "        for (k = 0; valid || k < 2 || !last && counter.left != 0; k = k + 1) begin\n"
            "            @(negedge clk); step = k % 3 != 1;\n"
            f'            if (step && valid) $display("{number} %0d %0d %0d", {shown}'
            f"{', 0' * (3 - len(iterators))});\n"
            "            @(posedge clk); #0;\n        end"
        )
    bench = BENCH.format(
        declared="\n    ".join(declared),
        module=f"nests_{statement}_counter",
        ports="".join(f", .{name}({name})" for *_, name in [*inputs, *outputs]),
        parts="\n        ".join(parts),
    )
    (tmp_path / "c.v").write_text(found.verilog + bench, encoding="utf-8")
    subprocess.run(["iverilog", "-g2005", "-o", "c", "c.v"], cwd=tmp_path, check=True)
    out = subprocess.run(
        ["vvp", "c"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    lines = [tuple(map(int, line.split())) for line in out.splitlines() if line[0].isdigit()]
    expected = [
        (number, *point, *[0] * (3 - len(point)))
        for number, one in enumerate(found.parts)
        for point in list(instances(statement, 7))[one.first : one.first + one.instances]
    ]
    assert lines == expected


LARGE = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int64_t i, j, n = NUMBER, rows[] = {1, 2, 4499, 1000000, 999999999, 1000000000};
    for (int64_t k = 0; k < MOST; k++) {
        static int64_t wanted_i = FIRST, wanted_j = 0;
        if (!NAME_at(n, k, &i, &j) || i != wanted_i || j != wanted_j)
            exit(1);
        if (++wanted_j == wanted_i + 1 - FIRST)
            wanted_i++, wanted_j = 0;
    }
    for (int r = 0; r < 6; r++) {
        int64_t first = rows[r] * (rows[r] + 1 - 2 * FIRST) / 2;
        if (!NAME_at(n, first, &i, &j) || i != rows[r] || j != 0)
            exit(2);
        if (rows[r] > 1 && (!NAME_at(n, first - 1, &i, &j) || i != rows[r] - 1 || j != i - FIRST))
            exit(3);
    }
    return 0;
}
"""


@pytest.mark.parametrize("first", [1, 0])
@pytest.mark.parametrize(
    "most", [pytest.param(20_000), pytest.param(10_000_000, marks=pytest.mark.long)]
)
def test_triangles_at_both_ends_of_every_row(
    first: int, most: int, kernel: Path, tmp_path: Path
) -> None:
    statement = "STRICT" if first else "LOWER"
    found = ranks(kernel, statement, 9)
    text = LARGE.replace("NAME", f"nests_{statement}").replace("FIRST", str(first))
    text = text.replace("NUMBER", "1000000002").replace("MOST", str(most))
    run(tmp_path, found.c, text)


def test_numbers_whose_root_is_beyond_64_bits_are_refused(kernel: Path, tmp_path: Path) -> None:
    """Row 2^30 is found; behind it 8 k + 1 comes near 2^63, where products would overflow."""
    name = "nests_STRICT_at"
    text = f"""
#include <stdio.h>
int main(void)
{{
    const int64_t n = (int64_t)1 << 31, row = (int64_t)1 << 30;
    int64_t i = 0, j = 0;
    printf("%d ", {name}(n, row * (row - 1) / 2, &i, &j));
    printf("%d ", i == row && j == 0);
    printf("%d ", {name}(n, (int64_t)1 << 60, &i, &j));
    printf("%d", {name}(n, ((int64_t)1 << 61) - ((int64_t)1 << 31), &i, &j));
    return 0;
}}
"""
    assert run(tmp_path, ranks(kernel, "STRICT", 9).c, text) == "1 1 0 0"


def test_where_single_floats_fail_first() -> None:
    """What roots in floats would have given: wrong from 10619135 on, the end of a row."""

    def single(value: float) -> float:
        return float(struct.unpack("f", struct.pack("f", value))[0])

    def row(k: int) -> int:
        return int(single(single(single(single(single(k) * 8 + 1) ** 0.5) + 1) / 2))

    for i in range(2, 5000):
        for k in (i * (i - 1) // 2, i * (i - 1) // 2 - 1):
            if row(k) != (1 + isqrt(1 + 8 * k)) // 2:
                assert k == golden_case("004", "s004-rank-failures")["binary32_first_wrong_K"]
                return
    pytest.fail("single floats never fail")


def test_what_has_no_numbers_says_so(
    kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nests = [str(kernel), "--param", "N=7"]
    assert main(["rank", nests[0], "STRCT", *nests[1:]]) == 2
    assert "there is no statement 'STRCT'; did you mean 'STRICT'?" in capsys.readouterr().err
    assert main(["rank", nests[0], "STRICT", *nests[1:], "--parts", "22"]) == 2
    assert "has 21 instances, which make no 22 parts; ask for fewer" in capsys.readouterr().err
    (tmp_path / "n.yaml").write_text(
        "hlsmem: 1\nname: n\nparams: {N: 8}\narrays: {o: {extents: [N, N], storage: external}}\n"
        "network: {p: {statements: {S: {domain: '[N] -> { S[i, j] : 0 <= i, j < N }',"
        " schedule: '{ S[i, j] -> [i, 0] }', writes: ['{ S[i, j] -> o[i, j] }']}}}}\n"
    )
    assert main(["rank", str(tmp_path / "n.yaml"), "S"]) == 2
    assert "run at the same time, so they have no numbers" in capsys.readouterr().err
    assert main(["rank", nests[0], "CUBE", "--param", "N=2000000"]) == 4
    assert "64 bits number" in capsys.readouterr().err


@pytest.mark.parametrize("statement", ["A", "B"])
def test_c_of_a_nest_without_some_parameters_has_no_warnings(
    statement: str, tmp_path: Path
) -> None:
    """The count of the one nest has N, that of the other M1 and M2; both functions have all."""
    seed = Path(__file__).resolve().parents[2] / "seeds" / "004d-listing-4.c"
    found = ask_rank(load(seed, parameters={"N": 9, "M1": 6, "M2": 6}), statement)
    count = f"{found.program.name}_{statement}_count(9, 6, 6)"
    text = f'\n#include <stdio.h>\nint main(void)\n{{\n    printf("%d", (int){count});\n}}\n'
    assert run(tmp_path, found.c, text) == "36"
