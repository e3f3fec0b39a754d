"""The measured tables: what is read from tools, made of sources, and said of figures."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.host.counted import Counts, counted, counts_of, resident
from benchmarks.host.kernels import CASES
from benchmarks.host.polybench import LIST, as_pointers, suite
from benchmarks.host.rows import planned_in
from hlsmem.core.errors import InputError, Problem, ToolError
from hlsmem.tools.find import C_COMPILER, find
from reports import measured
from tests.test_bench_host import row

REPORT = """\
==41== Cachegrind, a cache and branch-prediction profiler
==41== I   refs:      1,234,567
==41== I1  misses:        1,101
==41== D   refs:        345,678  (200,000 rd   + 145,678 wr)
==41== D1  misses:       12,034  (  9,000 rd   +   3,034 wr)
==41== LLd misses:        2,005  (  1,005 rd   +   1,000 wr)
==41== LL misses:         3,001  (  2,001 rd   +   1,000 wr)
"""


def test_counts_are_those_of_data() -> None:
    assert counts_of(REPORT) == Counts(1234567, 12034, 2005)


def test_a_report_without_a_line_is_refused() -> None:
    with pytest.raises(ToolError, match="no line 'D1 misses'"):
        counts_of(REPORT.replace("D1", "D2"))


HEADER = """\
#ifdef SMALL_DATASET
#define NI 3
#endif
#ifdef MEDIUM_DATASET
#  define NI 7
#  define NJ 5
#  define TSTEPS 4
#endif
#define _PB_NI POLYBENCH_LOOP_BOUND(NI,ni)
#define _PB_NJ POLYBENCH_LOOP_BOUND(NJ,nj)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS,tsteps)
#  define DATA_TYPE_IS_DOUBLE
"""
KERNEL = """\
#define twice(x) ((x) + (x))
static
void kernel_own(int tsteps, int ni,
                int nj, DATA_TYPE alpha,
                DATA_TYPE POLYBENCH_3D(A, NI,NJ,NI,ni,nj,ni),
                DATA_TYPE POLYBENCH_2D(B,NI,NJ,ni,nj),
                DATA_TYPE POLYBENCH_1D(x,NJ,nj))
{
  int t, i, j, k;
  DATA_TYPE w[NJ];

#pragma scop
  for (t = 1; t <= TSTEPS; t++)
    for (i = 1; i < _PB_NI; i++)
      for (j = 0; j < _PB_NJ-1; j++) {
        w[j] = twice(B[i-1] [j+1]);
        for (k = 0; k < _PB_NI; k++)
          A[i][j][k] += SCALAR_VAL(0.5) * alpha * B[i][j] + w[j] * A[i-1][j+1][_PB_NI-1-k];
        x[j] -= A[i][j][i] + SQRT_FUN(SCALAR_VAL(2.0));
      }
#pragma endscop
}

int main(void) { return 0; }
"""
MACROS = """\
#include <math.h>
#include <stdio.h>
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#define POLYBENCH_LOOP_BOUND(x, y) y
#define POLYBENCH_1D(v, a, A) v[A]
#define POLYBENCH_2D(v, a, b, A, B) v[A][B]
#define POLYBENCH_3D(v, a, b, c, A, B, C) v[A][B][C]
#define NI 7
#define NJ 5
#define TSTEPS 4
"""
MAIN = """\
int main(void)
{
    static double A[7][5][7], B[7][5], x[5];
    for (int i = 0; i < 7 * 5 * 7; i++)
        (&A[0][0][0])[i] = i % 13 / 8.0;
    for (int i = 0; i < 7 * 5; i++)
        (&B[0][0])[i] = i % 11 / 4.0;
    kernel_own(4, 7, 5, 1.5, (void *)A, (void *)B, x);
    for (int i = 0; i < 7 * 5 * 7; i++)
        printf("%a ", (&A[0][0][0])[i]);
    for (int i = 0; i < 5; i++)
        printf("%a ", x[i]);
    return 0;
}
"""


def output(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.c").write_text(text)
    build = [*find(C_COMPILER).command, "-w", f"{name}.c", "-o", name, "-lm"]
    subprocess.run(build, cwd=folder, check=True)
    return subprocess.run([folder / name], check=True, capture_output=True, text=True).stdout


def test_a_kernel_of_pointers_leaves_what_the_original_does(tmp_path: Path) -> None:
    found = as_pointers(KERNEL, HEADER)
    assert dict(found.values) == {"tsteps": 4, "ni": 7, "nj": 5}
    head = "void kernel_own(int tsteps, int ni, int nj, DATA_TYPE alpha, DATA_TYPE *A, "
    assert head in found.text
    assert "][" not in found.text
    original = MACROS + HEADER + KERNEL.partition("int main")[0] + MAIN
    expected = output(tmp_path, "original", original)
    made = output(tmp_path, "made", f"#include <stdio.h>\n{found.text}{MAIN}")
    assert len(expected.split()) == 7 * 5 * 7 + 5
    assert made == expected
    broken = found.text.replace("* ni + k]", "* nj + k]")
    assert output(tmp_path, "broken", f"#include <stdio.h>\n{broken}{MAIN}") != expected


def test_a_checkout_has_the_kernels_of_its_list(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"there is no file {tmp_path / LIST}"):
        suite(tmp_path)
    (tmp_path / "utilities").mkdir()
    (tmp_path / LIST).write_text("./own/own.c\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own.c").write_text(KERNEL)
    (tmp_path / "own" / "own.h").write_text(HEADER)
    (kernel,) = suite(tmp_path).values()
    assert kernel.name == "kernel_own"
    assert kernel.context == "tsteps >= 4 and ni >= 4 and nj >= 4"
    assert kernel.inputs == 'alpha: ["1", "2"]'


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report with one section, in a place of its own."""
    out = tmp_path / "measured.md"
    out.write_text("# Head\n\n## SICA, figure 9\n\nMeasured once.\n\n| a |\n")
    monkeypatch.setattr(measured, "OUT", out)
    return out


def test_a_table_without_its_tool_is_left_out_by_name(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("POLYBENCH", raising=False)
    monkeypatch.setattr(measured, "_planned", lambda *_: pytest.fail("nothing is planned"))
    measured.main(["figures 4 and 5"])
    text = report.read_text()
    assert "## SPolly, figures 4 and 5\n\nLeft out: POLYBENCH names no checkout" in text
    assert "## SICA, figure 9\n\nMeasured once.\n\n| a |\n" in text
    assert text.index("SICA, figure 9") < text.index("SPolly")


def test_sections_stand_until_they_are_measured_again(report: Path) -> None:
    assert measured.tables() == "## SICA, figure 9\n\nMeasured once.\n\n| a |\n"
    measured.main(["no section"])
    assert "Measured once." in report.read_text()


def test_valgrind_that_is_not_there_is_named(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(report.parent))
    measured.main(["tables III and IV"])
    (line,) = (one for one in report.read_text().splitlines() if one.startswith("Left out"))
    assert "valgrind" in line
    assert "apt-get install valgrind" in line


def test_figures_of_the_pages() -> None:
    assert measured.gflops(2 * 512**3, 0.5) == pytest.approx(0.536870912)
    assert measured.loss({64: 4.4, 1024: 2.6, 3684: 3.0}, 3684) == (pytest.approx(3.0 / 2.6), 1024)
    assert measured.processes(1 << 20) == 8
    assert measured.processes((1 << 20) + 1) == 7
    assert "takes 1.15 of q = 1024, within the 1.3" in measured.lost("one level", 1.15, 1024)
    assert "takes 1.31 of q = 512, above the 1.3" in measured.lost("one level", 1.31, 512)
    assert "it is the best" in measured.lost("one level", 1.0, 3684)


def test_a_row_has_rates_and_ratios() -> None:
    one = row("matmul", "N=512", {"speed": 0.25, "given": 0.5})
    cells = measured.rates(one, 4e6, ("given", "speed"))
    assert cells == ["2.00", "4.00 (0.500)", "8.00 (0.250)"]
    assert measured.rates(one, 4e6, ("q = 4", "speed"))[1:] == ["-", "8.00 (0.250)"]


def test_misses_are_told_in_millions() -> None:
    cells = measured.millions(Counts(5_000_000, 415_000, 0), Counts(4_000_000, 166_000, 0))
    assert cells[:2] == ["5.000 -> 4.000 (0.80)", "0.415 -> 0.166 (0.40)"]


def planned(name: str, folder: Path) -> Path:
    """A kernel of the bench, planned."""
    kernel = next(one.kernel for one in CASES if one.name == name)
    return planned_in(kernel, {"speed": ()}, folder).outs["speed"]


@pytest.fixture(scope="module")
def blur(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planned("blur", tmp_path_factory.mktemp("blur"))


def test_memory_is_that_of_a_call(blur: Path) -> None:
    (source, own), is_measured = resident(blur, {"N": 2048}, 1 << 30)
    assert is_measured
    image = 2048 * 2048 * 4 // 1024
    assert 0.9 * image < source - own < 1.1 * image
    declared, is_measured = resident(blur, {"N": 2048}, 0)
    assert not is_measured
    assert 0.9 * image < declared[0] - declared[1] < 1.1 * image


@pytest.mark.dear
@pytest.mark.needs("valgrind")
def test_misses_are_those_of_the_call(blur: Path) -> None:
    source, own = counted(blur, {"N": 256})
    assert source.instructions < 5_000_000
    assert own.last < source.last
    # The array between is written and read in lines of 64 bytes; C has two rows of it.
    assert source.last - own.last > 0.8 * 256 * 256 * 4 / 64


@pytest.mark.dear
@pytest.mark.needs("valgrind")
def test_arrays_on_the_stack_are_counted_too(tmp_path: Path) -> None:
    """20 MB: by itself valgrind takes 16."""
    source, own = counted(planned("durbin", tmp_path), {"N": 1600})
    assert source.first > own.first > 0


def test_sections_have_the_headings_that_others_link_to() -> None:
    assert list(measured.SECTIONS) == [
        "SICA, tables 1 and 2",
        "SICA, figures 6 to 8",
        "SICA, figure 9",
        "SMO, tables III and IV",
        "SMO, tables V and VI",
        "SPolly, figures 4 and 5",
    ]


def test_a_row_is_measured_at_the_values_of_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of an array of C's own are counted at them."""
    monkeypatch.setattr(measured, "_planned", lambda *_: SimpleNamespace(outs={}))
    monkeypatch.setattr(measured, "timed_row", lambda *given: given)
    at = [measured._timed(Path(), measured.WIDE, (), values)[2] for values in ({}, {"N": 64})]
    assert at == [{"M": 96, "K": 96, "N": 32768}, {"M": 96, "K": 96, "N": 64}]


def test_a_row_that_cannot_be_measured_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> None:
        raise InputError(Problem("it takes too long", "wait"))

    monkeypatch.setattr(measured, "_refusal", lambda *_: "")
    monkeypatch.setattr(measured, "_timed", slow)
    text = next(measured.sica(Path()))
    assert "Left out: matmul, N=256: it takes too long; wait." in text
    assert "| matmul" not in text
