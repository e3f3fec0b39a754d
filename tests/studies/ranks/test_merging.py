"""Two nests merged by number: the C beside both lists of instances, delays and lives by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hlsmem.cli.command import main
from hlsmem.core.errors import InputError
from hlsmem.studies.ranks.merging import Merged, ask_merged
from tests.families import by_default
from tests.steps import load

SEEDS = Path(__file__).resolve().parents[2] / "seeds"
LISTING = SEEDS / "004d-listing-4.c"
Points = Sequence[tuple[int, ...]]
TRIANGLE = [(i, j) for i in range(1, 9) for j in range(i)]
SQUARE = [(p, q) for p in range(6) for q in range(6)]


def merged(folder: Path, text: str, form: str = "steps", delay: int = 0, **values: int) -> Merged:
    file = folder / "k.c"
    file.write_text(text, encoding="utf-8")
    return ask_merged(load(file, parameters=values), "A", "B", form=form, delay=delay)


Run = tuple[object, ...]
"""A nest's name, and the values of its iterators."""


def calls(folder: Path, text: str, function: str, values: Sequence[int]) -> list[Run]:
    """What a function with A and B in it calls, in order: compiled with sanitizers, and run."""
    head = """#include <stdio.h>
#define SHOWN(name, ...) show(name, (int[]){0, __VA_ARGS__}, sizeof (int[]){0, __VA_ARGS__})
#define A(...) SHOWN('A', __VA_ARGS__)
#define B(...) SHOWN('B', __VA_ARGS__)
static void show(char name, const int *at, unsigned long size)
{
    printf("%c", name);
    for (unsigned long k = 1; k < size / sizeof *at; k++)
        printf(" %d", at[k]);
    printf("\\n");
}
"""
    arguments = ", ".join(map(str, values))
    tail = f"\nint main(void)\n{{\n    {function}({arguments});\n    return 0;\n}}\n"
    (folder / "merged.c").write_text(head + text + tail, encoding="utf-8")
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    flags += ["-Wno-missing-field-initializers", "-fno-sanitize-recover=all"]
    subprocess.run(["cc", *flags, "merged.c", "-o", "merged"], cwd=folder, check=True)
    out = subprocess.run([folder / "merged"], capture_output=True, text=True, check=True).stdout
    return [(line[0], *map(int, line[1:].split())) for line in out.splitlines()]


def in_turn(first: Points, second: Points, delay: int = 0) -> list[Run]:
    """Iteration K of the first before K - delay of the second."""
    order = []
    for slot in range(len(first) + delay):
        order += [("A", *first[slot])] if slot < len(first) else []
        order += [("B", *second[slot - delay])] if slot >= delay else []
    return order


@pytest.mark.parametrize("form", ["steps", "roots"])
@pytest.mark.parametrize("delay", [0, 5, 40])
def test_listing_4(form: str, delay: int, tmp_path: Path) -> None:
    """36 pairs; with a delay beyond all of them A comes first as a whole."""
    design = load(LISTING, parameters={"N": 9, "M1": 6, "M2": 6})
    found = ask_merged(design, "A", "B", form=form, delay=delay)
    assert (found.iterations, found.everywhere, found.order.pairs) == (36, False, 0)
    assert "trip counts are equal at N=9, M1=6, M2=6 alone" in found.c
    ran = calls(tmp_path, found.c, f"{found.program.name}_A_with_B", [9, 6, 6])
    assert ran == in_turn(TRIANGLE, SQUARE, delay)


def test_a_stepper_has_neither_roots_nor_products() -> None:
    found = ask_merged(load(LISTING, parameters={"N": 9, "M1": 6, "M2": 6}), "A", "B")
    code = found.c.split("*/")[1]
    assert not any(one in code for one in ("*", "/", "%", "root"))


@pytest.mark.parametrize(("first", "wrong"), [("K++ first", 36), ("K++ last", 0)])
def test_listing_4_as_printed_is_off_by_one(first: str, wrong: int, tmp_path: Path) -> None:
    """It counts K from 1 in a rank that starts at 0; with K++ at the end it is right."""
    text = (SEEDS / "004d-listing-4-printed.c").read_text(encoding="utf-8")
    if first == "K++ last":
        text = text.replace("    K++;\n", "").replace("(ip, jp);\n", "(ip, jp);\n    K++;\n")
    text = text.replace("instructions1", "A").replace("instructions2", "B")
    body = text.split("*/")[1]
    function = f"""
static double root(double x)
{{
    double y = x > 1 ? x : 1;
    for (int k = 0; k < 60; k++)
        y = (y + x / y) / 2;
    return y;
}}
static void run(int M1, int M2)
{{
    int K, i, j, ip, jp;
{body.replace("sqrt(", "root(").replace("floor(", "(int)(")}
}}
"""
    ran = calls(tmp_path, function, "run", [6, 6])
    pairs = list(zip(ran[::2], ran[1::2], strict=True))
    right = list(zip(*[iter(in_turn(TRIANGLE, SQUARE))] * 2, strict=True))
    assert sum(one != other for one, other in zip(pairs, right, strict=True)) == wrong


def test_other_trip_counts_are_refused_with_both(capsys: pytest.CaptureFixture[str]) -> None:
    values = ["--param", "N=9", "--param", "M1=5", "--param", "M2=7"]
    assert main(["rank", str(LISTING), "A", "--with", "B", *values]) == 2
    assert capsys.readouterr().err.splitlines()[0] == (
        "004d-listing-4.c:8:10: the nest of 'A' has 36 iterations, that of 'B' 35 at N=9, M1=5,"
        " M2=7; choose parameters with which they have as many, see --param, or split the longer"
    )


READS = """void k(int x[9][9], int y[6][6]) {
  for (int i = 1; i < 9; i++) for (int j = 0; j < i; j++) A: x[i][j] = i;
  for (int p = 0; p < 6; p++) for (int q = 0; q < 6; q++) B: y[p][q] = p + q == 0 ? x[2][1] : 0;
}
"""


def told(capsys: pytest.CaptureFixture[str], code: int, *command: str) -> str:
    """The first line that a command with this exit code says."""
    assert main(list(command)) == code
    return capsys.readouterr().err.splitlines()[0]


def test_a_violated_dependence_names_both_ranks_and_the_least_delay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "k.c"
    file.write_text(READS, encoding="utf-8")
    command = ["rank", str(file), "A", "--with", "B"]
    pair = (
        "A at i=2, j=1 (number 2) has to run before B at p=0, q=0 (number 0), as both access"
        " x[2][1]; let B run 2 iterations later: --delay 2"
    )
    assert told(capsys, 2, *command) == f"k.c:3:62: {pair}"
    late = told(capsys, 2, *command, "--delay", "1")
    assert late == f"k.c:3:62: --delay 1 is too little: {pair}"
    assert main([*command, "--delay", "2"]) == 0
    back = told(capsys, 2, "rank", str(file), "B", "--with", "A")
    assert back == (
        "k.c:2:62: A at i=2, j=1 (number 2) has to run before B at p=0, q=0 (number 0), as both"
        " access x[2][1]; ask for A --with B"
    )


@pytest.mark.parametrize("form", ["steps", "roots"])
def test_the_least_delay_keeps_the_dependence_in_c(form: str, tmp_path: Path) -> None:
    found = merged(tmp_path, READS, form, delay=2)
    assert (found.order.least, found.order.pairs) == (2, 1)
    ran = calls(tmp_path, found.c, "k_A_with_B", [])
    assert ran == in_turn(TRIANGLE, SQUARE, 2)
    assert ran.index(("A", 2, 1)) < ran.index(("B", 0, 0))


def test_a_second_nest_of_the_source_may_be_the_first(tmp_path: Path) -> None:
    """Iteration K of the later nest reads what iteration K - 2 of the earlier one writes."""
    text = """void k(int x[12], int y[9]) {
  for (int i = 0; i < 9; i++) B: x[i] = i;
  for (int j = 0; j < 9; j++) A: y[j] = j >= 2 ? x[j - 2] : 0;
}
"""
    assert not merged(tmp_path, text, delay=1).order.is_forward
    with pytest.raises(InputError) as raised:
        merged(tmp_path, text, delay=2)
    assert str(raised.value) == (
        "k.c:2:34: --delay 2 is too much: B at i=0 (number 0) has to run before A at j=2"
        " (number 2), as both access x[0]; let B be at most 1 later: --delay 1"
    )


def most_alive(order: Sequence[Run], element: dict[Run, object]) -> int:
    """The most elements that are written and still to be read, by hand: `element` of each run."""
    alive: set[object] = set()
    most = 0
    for at, one in enumerate(order):
        if one[0] == "A":
            alive.add(element[one])
        most = max(most, len(alive))
        rest = {element[later] for later in order[at + 1 :] if later[0] == "B"}
        alive &= rest
    return most


@pytest.mark.parametrize("delay", [20, 23, 30])
def test_lives_of_a_transposition(delay: int, tmp_path: Path) -> None:
    text = """void k(int x[6][6], int y[6][6]) {
  for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) A: x[i][j] = i;
  for (int p = 0; p < 6; p++) for (int q = 0; q < 6; q++) B: y[p][q] = x[q][p];
}
"""
    element = {("A", i, j): (i, j) for i, j in SQUARE} | {("B", p, q): (q, p) for p, q in SQUARE}
    order = in_turn(SQUARE, SQUARE, delay)
    if any(order.index(("A", j, i)) > order.index(("B", i, j)) for i, j in SQUARE):
        with pytest.raises(InputError, match="let B run 25 iterations later"):
            merged(tmp_path, text, delay=delay)
        return
    live = merged(tmp_path, text, delay=delay).live
    assert (live.merged, live.apart) == (most_alive(order, element), 36)


def test_lives_of_a_window(tmp_path: Path) -> None:
    """A value lives until its last read, whichever statement of the nest that is."""
    text = """void k(int n, int x[n + 2], int y[n], int z[n]) {
  for (int i = 0; i < n; i++) A: x[i] = i;
  for (int p = 0; p < n; p++) { B: y[p] = x[p]; C: z[p] = p >= 3 ? x[p - 3] : 0; }
}
"""
    found = merged(tmp_path, text, n=20)
    assert (found.everywhere, found.live.merged, found.live.apart) == (True, 4, 20)
    assert [one.name for one in found.second.members] == ["B", "C"]
    assert "trip counts are equal for all parameters" in found.c
    assert "B(p);\n        C(p);" in found.c


def test_what_stands_between_decides_on_the_place(tmp_path: Path) -> None:
    text = """void k(int x[9], int y[9], int z[9]) {
  for (int i = 0; i < 9; i++) A: x[i] = i;
  for (int l = 0; l < 9; l++) C: y[l] = BETWEEN;
  for (int p = 0; p < 9; p++) B: z[p] = READ;
}
"""

    def stands(between: str, read: str) -> str:
        return merged(tmp_path, text.replace("BETWEEN", between).replace("READ", read)).stands

    assert (stands("l", "p"), stands("l", "y[p]"), stands("x[l]", "p")) == ("B", "B", "A")
    with pytest.raises(InputError) as raised:
        stands("x[l]", "y[p]")
    assert str(raised.value) == (
        "k.c:3:34: 'C' stands between the nests of 'A' and 'B': it has to run behind 'A', and 'B'"
        " behind 'C'; name nests without such"
    )


NESTS = """void k(int x[40], int y[40], int z[40], int s) {
  S: y[0] = s;
  for (int i = 0; i < 8; i++) A: x[i] = i;
  for (int p = 0; p < 8; p++) { if (p < 3 || p > 5) B: y[p] = p; }
  for (int p = 0; p < 8; p++) { C: z[p] = p; for (int q = 0; q < 2; q++) D: z[p + q + 9] = p; }
  for (int l = 0; l < 8; l++) { E: x[l + 20] = l; F: y[l + 20] = l; }
}
"""
REFUSED = {
    ("A", "A"): "k.c:3:34: 'A' stands in the nest of 'A'; name a statement of another nest",
    ("E", "F"): "k.c:6:54: 'F' stands in the nest of 'E'; name a statement of another nest",
    ("A", "S"): "k.c:2:6: 'S' stands in no loop that runs twice; name a statement of a loop nest",
    ("A", "X"): "there is no statement 'X'; the statements are: S, A, B, C, D, E, F",
    ("A", "D"): "k.c:5:77: 'C' stands in the nest of 'D', not in its innermost loop beside it;"
    " give it a nest of its own",
}


@pytest.mark.parametrize("names", REFUSED)
def test_what_is_no_two_nests_says_so(
    names: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(NESTS, encoding="utf-8")
    command = ["rank", str(tmp_path / "k.c"), names[0], "--with", names[1]]
    assert told(capsys, 2, *command) == REFUSED[names]


def test_a_statement_in_two_nests_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = NESTS.replace("i < 8", "i < 5")
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    assert told(capsys, 2, "rank", str(tmp_path / "k.c"), "A", "--with", "B") == (
        "k.c:4:56: 'B' stands in several loop nests: its instances are not those of one;"
        " give each a statement of its own"
    )


def test_a_network_without_c_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statement = "{domain: '{ %s[i] : 0 <= i < 8 }', schedule: '{ %s[i] -> [%d, i] }', writes: [%s]}"
    one = statement % ("A", "A", 0, "'{ A[i] -> o[i] }'")
    two = statement % ("B", "B", 1, "'{ B[i] -> o[i + 8] }'")
    (tmp_path / "n.yaml").write_text(
        "hlsmem: 1\nname: n\narrays: {o: {extents: [16], storage: external}}\n"
        f"network: {{p: {{statements: {{A: {one}, B: {two}}}}}}}\n"
    )
    assert told(capsys, 2, "rank", str(tmp_path / "n.yaml"), "A", "--with", "B").endswith(
        "nothing says in C what 'A' does; give it a body"
    )


def test_too_many_pairs_are_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hlsmem.studies.ranks.merged_order.MOST_PAIRS", 10_000)
    text = """void k(int n, int x[n][n], int y[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A: x[i][j] = i;
  for (int p = 0; p < n; p++) for (int q = 0; q < n; q++) B: y[p][q] = x[p][q];
}
"""
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    command = ["rank", str(tmp_path / "k.c"), "A", "--with", "B", "--param"]
    assert told(capsys, 4, *command, "n=101") == (
        "not judged: there are more than 10000 dependences between 'A' and 'B';"
        " choose smaller parameters, see --param"
    )
    assert main([*command, "n=100"]) == 0


OPTIONS = {
    ("--by", "roots"): "--by says how two nests are merged, and there is one; name a statement of"
    " the other: --with",
    ("--delay", "0"): "--delay says how two nests are merged, and there is one; name a statement of"
    " the other: --with",
    ("--with", "E", "--parts", "2"): "--parts splits the instances of one nest, and --with names"
    " another; give one of both",
    ("--with", "E", "--verilog"): "--verilog prints a counter of one nest, and --with names"
    " another; give one of both",
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options_of_one_nest_and_of_two_exclude_each_other(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(NESTS, encoding="utf-8")
    assert told(capsys, 2, "rank", str(tmp_path / "k.c"), "A", *options) == OPTIONS[options]


Bounds = tuple[int, int, int, int, int]
"""first = a + b * outer, end = c + d * outer, and the step."""


def points_of(bounds: Sequence[Bounds], modulus: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for a, b, c, d, step in bounds:
        found = [
            (*at, value)
            for at in found
            for value in range(a + b * (at[-1] if at else 0), c + d * (at[-1] if at else 0), step)
        ]
    return [at for at in found if modulus == 1 or sum(at) % modulus == 1]


def loops_of(bounds: Sequence[Bounds], modulus: int, names: str, label: str) -> str:
    text, outer = "", "0"
    for (a, b, c, d, step), name in zip(bounds, names, strict=False):
        text += f"for (int {name} = {a} + {b} * {outer}; {name} < {c} + {d} * {outer};"
        text += f" {name} += {step}) "
        outer = name
    own = names[: len(bounds)]
    guard = "" if modulus == 1 else f"if (({' + '.join(own)}) % {modulus} == 1) "
    subscripts = "".join(f"[{one}]" for one in own)
    return f"{text}{{ {guard}{label}: {label.lower()}{subscripts} = 1; }}"


ONE = st.tuples(
    st.integers(0, 3), st.integers(0, 1), st.integers(2, 6), st.integers(-1, 2), st.integers(1, 3)
)


@example(bounds=[(0, 0, 7, 0, 1), (3, 0, 0, 1, 1)], modulus=1)  # rows are empty
@example(bounds=[(0, 0, 4, 0, 1), (0, 0, 0, 1, 1), (0, 0, 0, 1, 1)], modulus=1)
@example(bounds=[(0, 0, 6, 0, 1), (0, 1, 5, 0, 2)], modulus=1)
@example(bounds=[(0, 0, 6, 0, 1), (0, 0, 0, 1, 1)], modulus=3)
@settings(max_examples=by_default(1, 12), deadline=None)
@given(bounds=st.lists(ONE, min_size=1, max_size=3), modulus=st.sampled_from([1, 1, 2, 3]))
def test_random_nests(
    bounds: list[Bounds], modulus: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bounds by the loop around, strides, empty rows and holes, beside plain loops."""
    points = points_of(bounds, modulus)
    assume(1 < len(points) < 200)
    extents = "[99]" * len(bounds)
    text = f"void k(int a{extents}, int b[999]) {{\n  {loops_of(bounds, modulus, 'ijl', 'A')}\n"
    text += f"  for (int p = 0; p < {len(points)}; p++) B: b[p] = 1;\n}}\n"
    folder = tmp_path_factory.mktemp("nests")
    order = in_turn(points, [(p,) for p in range(len(points))], 1)
    for form in ("steps", "roots"):
        found = merged(folder, text, form, delay=1)
        assert calls(folder, found.c, "k_A_with_B", []) == order
