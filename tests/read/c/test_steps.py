"""`kernel.loops: pipelined`: sums in scalars, the pipelined loop of each nest, datapaths."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program, Storage
from tests.families import by_default
from tests.plans import files_of
from tests.read.c.readings import bodies, read
from tests.steps import load

PIPELINED = "kernel.loops=pipelined"


def normal(folder: Path, text: str, *settings: str) -> str:
    kernel = read(folder, text, PIPELINED, *settings).kernel
    assert kernel is not None
    return kernel.normal


def stored(program: Program) -> dict[str, str]:
    return {name: one.storage.value for name, one in program.arrays.items()}


PRODUCT = """\
#define N 6
void f(const int a[N][N], const int b[N][N], int c[N][N]) {
    int t[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t[i][j] = 1;
            for (int k = 0; k < N; k++)
                t[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i][j] = t[j][i];
}
"""


def test_a_sum_is_collected_and_stored_once(tmp_path: Path) -> None:
    program = read(tmp_path, PRODUCT, PIPELINED)
    assert bodies(program) == [
        "t_sum = 1", "t_sum += a[i][k] * b[k][j]", "t[i][j] = t_sum", "c[i][j] = t[j][i]",
    ]  # fmt: skip
    assert stored(program) == {
        "a": "external", "b": "external", "c": "external", "t": "memory", "t_sum": "datapath",
    }  # fmt: skip
    assert bodies(read(tmp_path, PRODUCT))[1] == "t[i][j] += a[i][k] * b[k][j]"


SUMS = {
    "compound store in front": ("c[i] *= 2; for (int k = 0; k < N; k++) c[i] += a[k];", True),
    "no store, surely a term": ("for (int k = 0; k < N; k++) c[i] += a[k];", True),
    "no store, perhaps no term": ("for (int k = 0; k < i; k++) c[i] += a[k];", False),
    "a term under a condition": (
        "for (int k = 0; k < N; k++) if (k > 2) c[i] += a[k];", False),
    "store, a term under a condition": (
        "c[i] = 0; for (int k = 0; k < N; k++) if (k > 2) c[i] += a[k];", True),
    "store, perhaps no term": ("c[i] = 0; for (int k = 0; k < i; k++) c[i] -= a[k];", True),
    "spelled out": ("c[i] = 0; for (int k = 0; k < N; k++) c[i] = a[k] + c[i];", True),
    "two loops": (
        "c[i] = 0; for (int k = 0; k < 9; k++) for (int l = 0; l < k; l++) c[i] += a[l];", True),
    "another element": ("c[i] = 0; for (int k = 1; k < N; k++) c[k] += c[i];", False),
    "another place": ("c[i] = 0; for (int k = 0; k < N; k++) { c[i] += 1; c[i] += a[k]; }", False),
    "other reads of it": ("c[i] = 0; for (int k = 0; k < N; k++) c[i] += c[k];", False),
    "an element of data": ("c[d[i]] = 0; for (int k = 0; k < N; k++) c[d[i]] += a[k];", False),
    "a loop that breaks": (
        "c[i] = 0; for (int k = 0; k < N; k++) { if (a[k] < 0) break; c[i] += a[k]; }", False),
    "a pragma in the nest": (
        "\n#pragma HLS PIPELINE off\nc[i] = 0; for (int k = 0; k < N; k++) c[i] += a[k];", False),
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
def test_what_a_sum_is(tmp_path: Path, name: str) -> None:
    body, is_sum = SUMS[name]
    text = "#define N 20\nvoid f(const int a[N], const unsigned char d[N], int c[256]) {\n"
    text += f"for (int i = 0; i < N; i++) {{ {body} }} }}"
    assert ("c_sum" in normal(tmp_path, text)) == is_sum


def test_a_sum_of_several_loops_is_one(tmp_path: Path) -> None:
    """Also where the inner loops, whose terms are certain, would be sums of their own."""
    text = """\
void f(const int a[20][20], const int w[9], int c[18][18]) {
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 18; x++) {
            c[y][x] = 0;
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++)
                    c[y][x] += a[y + u][x + v] * w[3 * u + v];
        }
}
"""
    (body,) = bodies(read(tmp_path, text, PIPELINED))
    assert body.startswith("c[y][x] = ((((((((0 + ")


def test_pragmas_that_are_ignored_keep_nothing(tmp_path: Path) -> None:
    body, _ = SUMS["a pragma in the nest"]
    text = "#define N 20\nvoid f(const int a[N], int c[N]) {\n"
    text += f"for (int i = 0; i < N; i++) {{ {body} }} }}"
    assert "c_sum" in normal(tmp_path, text, "kernel.pragmas=ignore")


MEAN = """\
#define N 20
void f(const int x[N], int y[N]) {
    int s = 0;
    for (int i = 0; i < N; i++)
        s += x[i];
    for (int i = 0; i < N; i++)
        y[i] = x[i] - s / N;
}
"""


def test_a_scalar_that_the_next_nest_reads_is_written_once(tmp_path: Path) -> None:
    """No step of the sum waits for a register that the next nest reads."""
    (tmp_path / "f.c").write_text(MEAN)
    settings = ["arrays.x.storage=memory", "arrays.y.storage=stream"]
    written = plan_hardware(load(tmp_path / "f.c", settings=settings))
    found = plan_hardware(load(tmp_path / "f.c", settings=[*settings, PIPELINED]))
    assert found.program is not None
    source = stored(found.program.source)
    assert (source["s"], source["s_sum"]) == ("datapath", "datapath")
    assert written.plan.timing is not None
    assert found.plan.timing is not None
    assert written.plan.timing.cycles is not None
    assert found.plan.timing.cycles is not None
    assert written.plan.timing.cycles > 80 > 50 > found.plan.timing.cycles


def steps_of(folder: Path, body: str, *settings: str) -> list[str]:
    """The headers of the loops that have the mark in normal form."""
    lines = normal(folder, body, *settings).splitlines()
    found = []
    for at, line in enumerate(lines):
        if line.strip() == "#pragma hlsmem pipeline":
            above = next(one for one in reversed(lines[:at]) if "for (" in one)
            found.append(above.strip().removeprefix("for (int ").partition(" ")[0])
    return found


NESTS = {
    "few constant turns": ("for (int j = 0; j < 8; j++) for (int k = 0; k < 8; k++) s += j;", "i"),
    "too many turns": ("for (int j = 0; j < 5; j++) for (int k = 0; k < 13; k++) s += j;", "j"),
    "side by side": (
        "for (int j = 0; j < 33; j++) s += j; for (int k = 0; k < 33; k++) s += k;", "jk"),
    "the size of an array": ("for (int j = 0; j < M; j++) s += d[j];", "j"),
    "a macro that is none": ("for (int j = 0; j < TURNS; j++) s += j;", "i"),
    "a store by the variable": ("for (int j = 0; j < 8; j++) c[j] = s;", "j"),
    "a store by another": ("for (int j = 0; j < 8; j++) c[i] += j;", "i"),
    "a shift register": ("for (int j = 3; j > 0; j--) r[j] = r[j - 1]; r[0] = i; s += r[3];", "i"),
    "a register that is asked for by data": (
        "for (int j = 3; j > 0; j--) r[j] = r[j - 1]; r[0] = i; s += r[d[0] & 3];", "j"),
    "a loop that breaks": (
        "for (int j = 0; j < 7; j++) { if (d[j] > i) break; s += j; }", ""),
    "a loop to an element": ("for (int j = 0; j < d[i & 7]; j++) s += j;", ""),
    "a pragma": ("for (int j = 0; j < 8; j++) {\n#pragma HLS UNROLL factor=2\ns += j; }", ""),
}  # fmt: skip


@pytest.mark.few(0.34)
@pytest.mark.parametrize("macros", ["numbers", "parameters"])
@pytest.mark.parametrize("name", NESTS)
def test_which_loop_of_a_nest_is_pipelined(tmp_path: Path, name: str, macros: str) -> None:
    """The same with the numbers of macros and with parameters: a size is no number of
    iterations."""
    body, wanted = NESTS[name]
    text = f"""\
#define N 20
#define M 8
#define TURNS 8
void f(const unsigned char d[M], int c[N]) {{
    int s = 0, r[4];
    r[0] = r[1] = r[2] = r[3] = 0;
    for (int i = 0; i < N; i++) {{
        {body}
        c[i] = s + d[0];
    }}
}}
"""
    trips = ["arrays.d.values=[0, 8]"]
    found = steps_of(tmp_path, text, f"kernel.macros={macros}", *trips)
    assert "".join(found) == wanted


def test_turns_that_are_written_out_keep_their_macro_a_number(tmp_path: Path) -> None:
    text = """\
#define N 20
#define TURNS 8
void f(const int a[N], int c[N]) {
    for (int i = 7; i < N; i++) {
        int s = 0;
        for (int j = 0; j < TURNS; j++)
            s += a[i - j];
        c[i] = s;
    }
}
"""
    (tmp_path / "f.c").write_text(text)
    assert load(tmp_path / "f.c").input.values == {"N": 20, "TURNS": 8}
    assert load(tmp_path / "f.c", settings=[PIPELINED]).input.values == {"N": 20}


KEPT = """\
#define N 20
void f(const int a[N], int c[N], int e[N]) {
    int v, w, x[2], y[2], z[N];
    for (int i = 0; i < N; i++) {
        v = a[i] * a[i];
        x[0] = v + 1;
        x[1] = v + x[0];
        y[i & 1] = v;
        z[i] = v;
        c[i] = x[1] + x[0] * y[i & 1];
        w = c[i];
    }
    for (int i = 0; i < N; i++)
        e[i] = z[i] + w;
}
"""


def test_what_the_datapath_keeps(tmp_path: Path) -> None:
    """Scalars, and arrays whose subscripts are numbers, of one nest; settings and pragmas win."""
    kept = {
        name for name, one in read(tmp_path, KEPT, PIPELINED).arrays.items()
        if one.storage is Storage.DATAPATH
    }  # fmt: skip
    assert not kept & {"w", "y", "z", "a", "c", "e"}
    assert stored(read(tmp_path, KEPT)) == {
        name: "external" if name in "ace" else "memory" for name in "acevwxyz"
    }
    text = KEPT.replace("z[i] = v;", "z[i] = v; s += v; t += v;", 1)
    text = text.replace("int v,", "int s = 0, t = 0, v,").replace("z[i] + w", "z[i] + w")
    text = text.replace("c[i] = x[1]", "c[i] = s + t + x[1]")
    found = stored(read(tmp_path, text, PIPELINED, "arrays.t.storage=memory"))
    assert (found["s"], found["t"]) == ("datapath", "memory")


@pytest.mark.needs("clang")
def test_a_sum_in_an_argument_is_read_as_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = PRODUCT[: PRODUCT.index("    for", PRODUCT.index("k++"))].replace("int t[N][N];", "")
    (tmp_path / "f.c").write_text(first.replace("t[", "c[") + "}\n")
    out = str(tmp_path / "out")
    asked = ["--set", PIPELINED, "--set", "arrays.a.storage=stream", "-o", out]
    assert main(["plan", str(tmp_path / "f.c"), *asked]) == 0
    checks = by_default(("reading",), ("reading", "host"))
    assert main(["check", out, *(f"--only={one}" for one in checks)]) == 0
    told = capsys.readouterr().out
    assert "normal.c collects the sums in 'c'" in told


def test_where_arguments_overlap_c_adds_term_by_term(tmp_path: Path) -> None:
    """The sum in a variable loads what the source has stored over by then."""
    text = PRODUCT[: PRODUCT.index("    for", PRODUCT.index("k++"))].replace("int t[N][N];", "")
    kernel = read(tmp_path, text.replace("t[", "c[") + "}\n", PIPELINED).kernel
    assert kernel is not None
    assert kernel.summing is not None
    (file,) = [one for one in files_of(tmp_path / "f.c", settings=[PIPELINED]).items()
               if one[0] == "host/f.c"]  # fmt: skip
    tested = file[1].partition("int f_apart(")[2].partition("\n}\n")[0]
    assert "(uintptr_t)a;" in tested
    assert "(uintptr_t)b;" in tested
    assert "(uintptr_t)c;" in tested
    original = file[1].partition("f_text(")[2].partition("\n}\n")[0]
    assert "c[i][j] += a[i][k] * b[k][j];" in original
    assert "c_sum" not in original


GREATEST = {
    "of a row": ("in[y][x] > m", "in[y][x]", True),
    "of a window": ("in[y + x][0] > m", "in[y + x][0]", False),
    "of what comes again": ("in[0][x] > m", "in[0][x]", False),
    "of a row, at an offset": ("in[y][x + 1] > m", "in[y][x + 1]", False),
}


@pytest.mark.parametrize("name", GREATEST)
def test_choices_of_elements_that_come_once_are_turns(tmp_path: Path, name: str) -> None:
    """Written out each would wait for the one before, and no element comes earlier for it."""
    test, value, stays = GREATEST[name]
    text = (
        "void f(const int in[60][60], int out[20]) {\n for (int y = 0; y < 20; y++) {\n"
        f"  int m = 0, p = 0;\n  for (int x = 0; x < 40; x++) if ({test}) {{ m = {value}; p = x; }}"
        "\n  out[y] = p;\n }\n}\n"
    )
    assert ("for (int x" in normal(tmp_path, text)) == stays
    few = text.replace("x < 40", "x < 8")
    assert "for (int x" not in normal(tmp_path, few)
