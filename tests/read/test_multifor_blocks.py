"""Nests side by side: ticks, cells, refusals and messages, beside the reference's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.cli.command import main
from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged
from tests.programs import golden_case
from tests.steps import load

Nest = tuple[str, str, tuple[int, ...], tuple[int, ...]]


def block(mode: str, nests: list[Nest]) -> str:
    """The pragmas and loops of a block; a nest is (label, loop, grain, offset)."""
    lines = [f"#pragma hlsmem multifor {mode}", "{"]
    for label, loop, grain, offset in nests:
        ways = [("grain", grain), ("offset", offset)]
        given = " ".join(f"{name}({','.join(map(str, w))})" for name, w in ways if w)
        lines += [f"#pragma hlsmem nest {label} {given}", loop]
    return "\n".join([*lines, "}"])


def kernel(folder: Path, head: str, text: str, values: dict[str, int], more: str = "") -> Path:
    names = ", ".join(values)
    (folder / "k.c").write_text(f"{head}\n#pragma scop\n{text}\n#pragma endscop\n}}\n")
    at = ", ".join(f"{name}: {value}" for name, value in values.items())
    context = " and ".join(f"{name} >= 3" for name in values)
    design = folder / "design.yaml"
    design.write_text(
        f'hlsmem: 1\nname: k\nparams: {{{at}}}\ncontext: "[{names}] -> {{ : {context} }}"\n'
        f"kernel: {{file: k.c}}\n{more}"
    )
    return design


SOBEL = "void k(int K, int N, const int in[K][N], int out[K][N]) {\n  int a[K][N];"
R = "for (int i = 0; i < K; i++) for (int j = 0; j < N; j++) R: a[i][j] = in[i][j];"
WINDOW = " + ".join(f"a[i + {a}][j + {b}]" for a in (-1, 0, 1) for b in (-1, 0, 1))
S = f"for (int i = 1; i < K - 1; i++) for (int j = 1; j < N - 1; j++) S: out[i][j] = {WINDOW};"


def sobel(folder: Path, mode: str, offset: tuple[int, int], values: dict[str, int]) -> Path:
    text = block(mode, [("R", R, (1, 1), (0, 0)), ("S", S, (1, 1), offset)])
    return kernel(folder, SOBEL, text, values)


def bound(design: Path, array: str) -> int:
    """The most elements alive at once, which no mapping can go below."""
    (found,) = (one for one in plan_hardware(load(design)).problems if one.array.name == array)
    return next(one.cells for one in found.bounds if one.kind == "max-live")


def is_legal(design: Path) -> bool:
    try:
        arranged(load(design).input)  # type: ignore[arg-type]
    except InputError as error:
        said = str(error)
    else:
        return True
    assert "the multifor block breaks a dependence" in said
    return False


ROWS = [row for row in golden_case("004", "s004-mf-sobel")["rows"] if row["K"] in (8, 16)]
CHOSEN = [
    pytest.param(row, mode, marks=[] if row["offset"] == [2, 2] else pytest.mark.long)
    for row in ROWS
    for mode in ("sequence", "parallel")
]


@pytest.mark.parametrize(("row", "mode"), CHOSEN)
def test_the_window_of_the_reference(row: dict[str, Any], mode: str, tmp_path: Path) -> None:
    i, j = row["offset"]
    design = sobel(tmp_path, mode, (i, j), {"K": row["K"], "N": row["N"]})
    assert is_legal(design) == row[mode]["legal"]
    if row[mode]["legal"]:
        mapping = plan_hardware(load(design)).folded.mappings["a"]
        assert mapping.cells == bound(design, "a") == row[mode]["max_live"]


def test_a_refusal_has_the_pair_both_ticks_and_the_least_offset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = sobel(tmp_path, "parallel", (2, 2), {"K": 8, "N": 8})
    assert main(["plan", str(design), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "S at i=1, j=1 reads a[2][2] at [2, 2], but R at i=2, j=2 writes it at [2, 2]" in said
    assert "give nest 'S' offset(2,3), the least legal one where the others stay" in said


@pytest.mark.dear
def test_a_block_plans_as_its_schedule_does(tmp_path: Path) -> None:
    """By a pragma, by the key of design.yaml, and by times that are written out. C keeps the order
    of a block; of other times it may have others."""
    values = {"K": 8, "N": 8}
    pragma = sobel(tmp_path, "sequence", (2, 2), values)
    (tmp_path / "keys").mkdir()
    (tmp_path / "times").mkdir()
    keys = "multifor: [{nests: [{label: R}, {label: S, offset: [2, 2]}]}]\n"
    kept = "host: {order: given}\n"
    times = "{ R[i, j] -> [i, j, 0]; S[i, j] -> [i + 1, j + 1, 1] }"
    designs = [
        pragma,
        kernel(tmp_path / "keys", SOBEL, f"{R}\n{S}", values, keys),
        kernel(tmp_path / "times", SOBEL, f"{R}\n{S}", values, f'schedule: "{times}"\n{kept}'),
    ]
    plans = []
    for design in designs:
        out = design.parent / "out"
        assert main(["plan", str(design), "-o", str(out)]) == 0
        plan = json.loads((out / "plan.json").read_text())
        plans.append({key: value for key, value in plan.items() if key != "inputs"})
    assert _without_places(plans[0]) == _without_places(plans[2])
    assert _without_places(plans[1]) == _without_places(plans[2])


def _without_places(value: Any) -> Any:
    """plan.json without what tells where in the text something stands."""
    return json.loads(json.dumps(value))


def test_a_network_keeps_the_ticks(tmp_path: Path) -> None:
    design = sobel(tmp_path, "sequence", (2, 2), {"K": 8, "N": 8})
    assert main(["network", str(design), "-o", str(tmp_path / "net.yaml")]) == 0
    assert plan_hardware(load(tmp_path / "net.yaml")).plan.arrays["a"].hardware.words == 19


@pytest.mark.parametrize("row", golden_case("004", "s004-mf-pairs-grain2")["rows"])
def test_pairs_with_a_grain_of_two(row: dict[str, Any], tmp_path: Path) -> None:
    text = block(
        row["mode"],
        [
            ("X", "for (int i = 0; i < 2 * N; i++) X: x[i] = in[i];", (), ()),
            (
                "Y",
                "for (int j = 0; j < N; j++) Y: y[j] = x[2 * j] + x[2 * j + 1];",
                (2,),
                (row["offset"],),
            ),
        ],
    )
    head = "void k(int N, const int in[2 * N], int y[N]) {\n  int x[2 * N];"
    design = kernel(tmp_path, head, text, {"N": 8})
    assert is_legal(design) == row["legal"]
    if row["legal"]:
        assert bound(design, "x") == row["max_live"]
    else:
        least = {"sequence": 1, "parallel": 2}[row["mode"]]
        with pytest.raises(InputError, match=rf"nest 'Y' offset\({least}\)"):
            arranged(load(design).input)  # type: ignore[arg-type]


def cipher(folder: Path, mode: str, length: int) -> Path:
    """Two rounds of a cipher, one tick apart."""
    text = block(
        mode,
        [
            ("T1", "for (int i = 0; i < N; i++) T1: c[i] = m[i] + 1;", (), (0,)),
            ("T2", "for (int i = 0; i < N; i++) T2: d[i] = c[i] + 2;", (), (1,)),
        ],
    )
    head = "void k(int N, const int m[N], int d[N]) {\n  int c[N];"
    return kernel(folder, head, text, {"N": length})


@pytest.mark.parametrize("row", golden_case("004", "s004-mf-cipher")["rows"])
@pytest.mark.parametrize("mode", ["sequence", "parallel"])
def test_the_cipher(row: dict[str, Any], mode: str, tmp_path: Path) -> None:
    design = cipher(tmp_path, mode, row["k"])
    assert bound(design, "c") == row[f"cells_{mode}"]
    assert len(ticks(load(design).input, 1)) == row["ticks"]


def ticks(program: Any, depth: int) -> dict[tuple[int, ...], set[str]]:
    """The statements that run at each tick."""
    found: dict[tuple[int, ...], set[str]] = {}
    for name, rows in times(program).items():
        for row in rows[:, :depth].tolist():
            found.setdefault(tuple(row), set()).add(name)
    return found


def times(program: Program) -> dict[str, np.ndarray]:
    result = {}
    for one in program.statements:
        domain = fix_parameters(one.domain, program.values)
        schedule = fix_parameters(one.schedule, program.values).intersect_domain(domain)
        result[one.name] = evaluate(schedule, distinct_points(domain))
    return result


LOOPS = ("header-offset", "header-grain4", "grains-2-2-offsets-0-1", "grains-2-3", "grains-4-6")


@pytest.mark.parametrize("case", LOOPS)
def test_positions_of_single_loops(case: str, tmp_path: Path) -> None:
    golden = golden_case("004", f"s004-mf-{case}")
    nests: list[Nest] = []
    for number, loop in enumerate(golden["loops"]):
        low, high, step = loop["lb"], loop["ub_exclusive"], loop["step"]
        label = f"L{number}"
        text = f"for (int i = {low}; i < {high}; i += {step}) {label}: o[{number}][i] = i;"
        nests.append((label, text, (loop["grain"],), (loop["offset"],)))
    design = kernel(tmp_path, "void k(int o[2][99]) {", block("parallel", nests), {})
    design.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\n")
    program = load(design).input
    assert isinstance(program, Program)
    for statement, positions in zip(program.statements, golden["positions"], strict=True):
        points = distinct_points(statement.domain)
        found = times(program)[statement.name][:, 0]
        at = [f"{tick}:{i}" for tick, (i,) in zip(found.tolist(), points.tolist(), strict=True)]
        assert at == positions


NESTED = {
    "offset": ("for (int i = 0; i < 10; i++) for (int j = 0; j < 10; j++)", (1, 1), (0, 0),
               "for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++)", (1, 1), (2, 2)),
    "grain": ("for (int i = 0; i < 10; i++) for (int j = 0; j < 10; j++)", (1, 1), (0, 0),
              "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++)", (4, 4), (0, 0)),
    "triangle": ("for (int i = 0; i < 6; i++) for (int j = i; j < 6; j++)", (1, 1), (0, 0),
                 "for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++)", (1, 1), (1, 0)),
}  # fmt: skip


@pytest.mark.parametrize("case", NESTED)
def test_ticks_of_two_nests(case: str, tmp_path: Path) -> None:
    golden = golden_case("004", f"s004-mf-nested-{case}")
    first, *at, second, grain, offset = NESTED[case]
    nests = [("A", f"{first} A: o[0][i][j] = 1;", at[0], at[1])]
    nests += [("B", f"{second} B: o[1][i][j] = 1;", grain, offset)]
    design = kernel(tmp_path, "void k(int o[2][10][10]) {", block("parallel", nests), {})
    design.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\n")
    found = ticks(load(design).input, 2)
    assert len(found) == golden["ticks"]
    assert sum(one == {"A"} for one in found.values()) == golden["only_first"]
    assert sum(one == {"B"} for one in found.values()) == golden["only_second"]
    own = sorted(tick for tick, one in found.items() if "B" in one)
    assert [list(own[0]), list(own[-1])] == golden["second_first_last"]


EXTRA = ("0,0", "0,1", "0,2", "1,-1", "1,0", "1,1", "2,0")


def red_and_black(folder: Path, mode: str, extra: str) -> Path:
    """Black points behind the red ones by an extra offset: (0, 0) is figure 5 of the paper."""
    i, j = map(int, extra.split(","))
    body = "u[i][j] = u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j];"
    starts = {"R0": (1, 1), "R1": (2, 2), "B0": (1, 2), "B1": (2, 1)}
    offsets = {"R0": (0, 0), "R1": (1, 1), "B0": (i, 1 + j), "B1": (1 + i, j)}
    nests = [
        (
            label,
            f"for (int i = {a}; i < N - 1; i += 2) for (int j = {b}; j < N - 1; j += 2)"
            f" {label}: {body}",
            (2, 2),
            offsets[label],
        )
        for label, (a, b) in starts.items()
    ]
    return kernel(folder, "void k(int N, int u[N][N]) {", block(mode, nests), {"N": 8})


@pytest.mark.few("sequence-1,-1", "parallel-0,1")
@pytest.mark.parametrize("extra", EXTRA)
@pytest.mark.parametrize("mode", ["sequence", "parallel"])
def test_red_and_black(extra: str, mode: str, tmp_path: Path) -> None:
    i, j = map(int, extra.split(","))
    design = red_and_black(tmp_path, mode, extra)
    legal = golden_case("004", "s004-mf-redblack")["legal_with_extra_black_offset"]
    assert is_legal(design) == legal[f"[{i}, {j}]"][mode]


@pytest.mark.parametrize("row", golden_case("004", "s004-mf-matmul-blocks")["rows"][::2])
def test_a_product_by_blocks(row: dict[str, Any], tmp_path: Path) -> None:
    half = row["n"] // 2
    nests = [
        (
            f"M{a}{b}",
            f"for (int i = 0; i < {half}; i++) for (int j = 0; j < {half}; j++)"
            f" for (int k = 0; k < {2 * half}; k++) M{a}{b}:"
            f" c[i + {a * half}][j + {b * half}] += x[i + {a * half}][k] * y[k][j + {b * half}];",
            (),
            (),
        )
        for a in (0, 1)
        for b in (0, 1)
    ]
    head = f"void k(int x[{2 * half}][{2 * half}], int y[{2 * half}][{2 * half}],"
    head += f" int c[{2 * half}][{2 * half}]) {{"
    design = kernel(tmp_path, head, block("parallel", nests), {})
    design.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\n")
    assert is_legal(design)
    found = ticks(load(design).input, 3)
    assert len(found) == row["ticks"]
    assert all(len(one) == 4 for one in found.values())
    program = load(design).input
    assert isinstance(program, Program)
    for array, name, distinct in (("x", "a", 2), ("y", "b", 2), ("c", "c", 4)):
        at_once = touched_at_ticks(program, array, 3)
        assert {len(one) for one in at_once.values()} == {distinct}
        apart = {
            (one[0] - other[0], one[1] - other[1])
            for elements in at_once.values()
            for one in elements
            for other in elements
        }
        assert sorted(map(list, apart)) == row[f"PS_{name}"]


def touched_at_ticks(
    program: Program, array: str, depth: int
) -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """The elements of an array that are read or written at each tick."""
    found: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for one in program.statements:
        domain = fix_parameters(one.domain, program.values)
        schedule = fix_parameters(one.schedule, program.values).intersect_domain(domain)
        size = len(one.iterators)
        for access in (*one.reads, *one.writes):
            if access.array == array:
                rows = distinct_points(fix_parameters(access.relation, program.values))
                for time, row in zip(evaluate(schedule, rows[:, :size]), rows, strict=True):
                    element = tuple(row[size:].tolist())
                    found.setdefault(tuple(time[:depth].tolist()), set()).add(element)
    return found


def test_the_picture_within_a_picture(tmp_path: Path) -> None:
    """Figure 9 of the paper: three nests take a picture apart, two from its middle on."""
    case = golden_case("004", "s004-mf-steganography")
    low, high = (case["hw"], case["hh"]), (case["ew"], case["eh"])
    nests = {
        "H": ((0, 0), low, "h[i][j] = e[i][j] % 2"),
        "M1": ((0, 0), low, "m[i][j] = e[i][j] - e[i][j] % 2"),
        "M2": ((0, low[1]), (low[0], high[1]), "m[i][j] = e[i][j]"),
        "M3": ((low[0], 0), high, "m[i][j] = e[i][j]"),
    }
    written = [
        (
            label,
            f"for (int i = {first[0]}; i < {end[0]}; i++)"
            f" for (int j = {first[1]}; j < {end[1]}; j++) {label}: {body};",
            (),
            (),
        )
        for label, (first, end, body) in nests.items()
    ]
    head = f"void k(const int e[{high[0]}][{high[1]}], int h[{low[0]}][{low[1]}],"
    head += f" int m[{high[0]}][{high[1]}]) {{"
    design = kernel(tmp_path, head, block("parallel", written), {})
    design.write_text("hlsmem: 1\nname: k\nkernel: {file: k.c}\n")
    assert is_legal(design)
    program = load(design).input
    assert isinstance(program, Program)
    assert len(ticks(program, 2)) == case["ticks"]
    made = touched_at_ticks(program, "m", 2)
    elements = [one for at_once in made.values() for one in at_once]
    assert len(elements) == len(set(elements)) == high[0] * high[1]
    assert case["nests_1_2_3_partition_the_image"]


def test_what_stands_around_and_within_keeps_its_order(tmp_path: Path) -> None:
    """Statements before, between and behind inner loops, a shorter nest, and two blocks."""
    text = (
        "for (int i = 0; i < N; i++) A: s[i] = 0;\n"
        + block(
            "",
            [
                (
                    "P",
                    "for (int i = 0; i < N; i++) { P0: s[i] = s[i] + 1;"
                    " for (int j = 0; j < N; j++) P1: t[i][j] = s[i] + in[i][j];"
                    " P2: s[i] = s[i] * 2; }",
                    (1, 1),
                    (),
                ),
                ("Q", "for (int i = 0; i < N; i++) Q: o[i] = s[i];", (), (1,)),
            ],
        )
        + "\nfor (int i = 0; i < N; i++) for (int j = 0; j < N; j++) Z: u[i][j] = t[i][j];"
    )
    head = "void k(int N, int in[N][N], int o[N], int u[N][N]) {\n  int t[N][N], s[N];"
    design = kernel(tmp_path, head, text, {"N": 4})
    assert is_legal(design)
    rows = {name: [tuple(r) for r in found.tolist()] for name, found in times(
        load(design).input  # type: ignore[arg-type]
    ).items()}  # fmt: skip
    assert max(rows["A"]) < min(rows["P0"])
    assert max(rows["Q"]) < min(rows["Z"])
    assert rows["P0"][1] < rows["Q"][0] < rows["P1"][4] < rows["P2"][1]
    assert rows["P1"][3] < rows["P2"][0] < rows["P0"][1]
    out = tmp_path / "out"
    assert main(["plan", str(design), "-o", str(out)]) == 0
    assert main(["check", str(out), "--only", "proof", "--only", "replay"]) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grain(0,1) offset(0,0)", "nest 'R' has a grain below 1: 0, 1; use 1 or more"),
        ("grain(1)", "nest 'R' has 2 loops, but grain(1); give one for each loop"),
        ("offset(1,2,3)", "nest 'R' has 2 loops, but offset(1, 2, 3)"),
        ("grain(1,N)", "grain(1,N) has an entry that is no integer"),
        ("grian(1,1)", "a nest pragma that is none"),
    ],
)
def test_bad_pragmas_have_a_place(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = sobel(tmp_path, "sequence", (2, 2), {"K": 8, "N": 8})
    file = tmp_path / "k.c"
    file.write_text(file.read_text().replace("grain(1,1) offset(0,0)", text))
    assert main(["plan", str(design), "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "k.c:6:" in error


def test_all_that_is_wrong_with_blocks_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = "multifor: [{nests: [{label: Q}, {label: T}, {label: R}, {label: R}]}]\nschedule: auto\n"
    design = kernel(tmp_path, SOBEL, f"T: a[0][0] = 1;\n{R}\n{S}", {"K": 8, "N": 8}, keys)
    assert main(["plan", str(design), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "there is no statement 'Q'" in said
    assert "nest 'T' is no loop; name one in a loop" in said
    assert "nests 'R' and 'R' are one loop" in said
    text = "#pragma hlsmem multifor loudly\n{\n#pragma hlsmem nest R\n  a[0][0] = 1;\n}"
    design = kernel(tmp_path, SOBEL, f"{text}\n{R}\n{S}", {"K": 8, "N": 8})
    assert main(["plan", str(design), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "#pragma hlsmem multifor does not know 'loudly'" in said
    assert "nest 'R' is no loop" in said
