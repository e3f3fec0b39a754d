"""Kernels that are affine at values of parameters, and versions of their C."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning, guard_remarks
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design
from hlsmem.verbs.plan import profiled
from tests.emit.c.plans import program_of
from tests.plans import put
from tests.programs import golden_case
from tests.steps import load

SQUARE = """
void square(int *restrict A, const int *restrict B, int N)
{
    int t[N * N];
#pragma scop
    for (int i = 0; i < N * N; i++) {
        t[i] = B[i] * 3;
        if (i >= N)
            A[i] = t[i] + t[i - N];
    }
#pragma endscop
}
"""


def design_of(folder: Path, text: str, host: str, params: str = "N: 4") -> Design:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.c").write_text(text)
    (folder / "k.yaml").write_text(
        f"hlsmem: 1\nname: k\nparams: {{{params}}}\nkernel: {{file: k.c}}\nhost: {{{host}}}\n"
    )
    return load(folder / "k.yaml")


def kernel_of(design: Design) -> Kernel:
    assert isinstance(design.input, Program)
    assert design.input.kernel is not None
    return design.input.kernel


def written(folder: Path, design: Design, planning: Planning | None = None) -> Path:
    """OUT with what the host check needs."""
    put(folder / "out", output_files(planning or plan_design(design)))
    return folder / "out"


# By case: further settings, what is fixed by auto, and values of the parameters.
SPECIAL = {
    "s004-spec-figure2b": ("", (), "N: 8"),  # rows of N elements: affine as it is
    "s004-spec-square-bound": ("", ("N",), "N: 5"),
    "s004-spec-stride": (", alias: check", (), "s: 3, n: 10"),  # rows of s elements
}


@pytest.mark.parametrize("name", SPECIAL)
def test_auto_fixes_the_fewest_parameters(tmp_path: Path, name: str) -> None:
    settings, fixed, params = SPECIAL[name]
    text = golden_case("004", name)["program"]
    design = design_of(tmp_path, text, f"specialise: auto{settings}", params)
    assert kernel_of(design).fixed == fixed


def test_auto_fixes_no_more_than_one_of_two(tmp_path: Path) -> None:
    text = SQUARE.replace("int N)", "int N, int M)").replace("N * N; i++", "N * N + M; i++")
    text = text.replace("t[N * N]", "t[N * N + M]")
    design = design_of(tmp_path, text, "specialise: auto", "M: 3, N: 4")
    assert kernel_of(design).fixed == ("N",)
    assert "N = 4 alone" in guard_remarks(design)[0]


def test_without_values_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="multiplies two values"):
        design_of(tmp_path, SQUARE, "specialise: none")


STRIDE = """
#include <stdio.h>
#include <string.h>
#include "k.h"

int main(void)
{
    for (int s = -1; s <= 4; s++) {
        int A[64] = {0}, B[10], want[64] = {0};
        for (int i = 0; i < 10; i++)
            B[i] = i * i + 1;
        for (int i = 0; i < 10; i++)
            want[20 + s * i] = B[i] + B[9 - i];
        k(A + 20, B, s, 10);
        printf("%d", memcmp(A, want, sizeof A) == 0);
    }
    return 0;
}
"""


def test_other_values_run_the_function_as_it_was(tmp_path: Path) -> None:
    """Versions for 1 to 3; a stride of 0, below it and of 4 is right as well."""
    text = (
        "void k(int *A, int *B, int s, int n) { int t[n];\n#pragma scop\n"
        "for (int i = 0; i < n; i++) t[i] = B[i];\n"
        "for (int i = 0; i < n; i++) A[s * i] = t[i] + t[n - 1 - i];\n#pragma endscop\n}"
    )
    design = design_of(tmp_path, text, "alias: check, specialise: {s: [1, 2, 3]}", "s: 3, n: 10")
    host = written(tmp_path, design) / "host"
    assert {file.name for file in host.glob("*.c")} == {"k.c", "k_s1.c", "k_s2.c"}
    # They run in its workspace.
    assert "k_s1_ws(A, B, s, n, ws)" in (host / "k.c").read_text()
    (host / "main.c").write_text(STRIDE)
    command = ["cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror"]
    files = sorted(file.name for file in host.glob("*.c"))
    subprocess.run([*command, *files, "-o", "main"], cwd=host, check=True)
    found = subprocess.run(["./main"], cwd=host, check=True, capture_output=True, text=True)
    assert found.stdout == "111111"
    assert "add_library(k STATIC k.c k_s1.c k_s2.c)" in (host / "CMakeLists.txt").read_text()


def test_versions_of_several_sizes_have_a_workspace_of_the_size_of_a_call(tmp_path: Path) -> None:
    design = design_of(tmp_path, SQUARE, "specialise: {N: [3, 4, 6]}")
    planning = plan_design(design)
    assert planning.plan.ram is not None
    assert planning.plan.ram.bytes == planning.plan.ram.source == 4 * 4 * 4
    host = written(tmp_path, design, planning) / "host"
    (host / "main.c").write_text(
        '#include "k.h"\n#include <stdio.h>\nint main(void)\n{\n'
        "    for (int n = 3; n < 8; n++)\n"
        '        printf("%d ", (int)square_ws_bytes(n));\n    return 0;\n}\n'
    )
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror"]
    files = sorted(file.name for file in host.glob("*.c"))
    subprocess.run([*command, *files, "-o", "main"], cwd=host, check=True)
    found = subprocess.run(["./main"], cwd=host, check=True, capture_output=True, text=True)
    assert found.stdout == "36 64 100 144 196 "


@pytest.mark.dear
def test_the_check_runs_versions_and_finds_a_wrong_one(tmp_path: Path) -> None:
    design = design_of(tmp_path, SQUARE, "specialise: {N: [3, 4]}")
    planning = plan_design(design)
    out, plan = written(tmp_path, design, planning), planning.plan
    verdicts = check_host(out, design, program_of(design), plan)
    assert verdicts[-1].detail == "so are its versions for N=3"
    file = out / "host" / "k_N3.c"
    file.write_text(file.read_text().replace("B[i] * 3", "B[i] * 2"))
    (failed,) = check_host(out, design, program_of(design), plan)
    assert failed.status is Status.FAIL
    assert "square() at N=3" in failed.detail


def test_a_value_seen_twice_has_a_version(tmp_path: Path) -> None:
    case = golden_case("004", "s004-spec-profile")
    design = design_of(tmp_path, SQUARE, "specialise: auto, profile: true")
    host = written(tmp_path, design) / "host"
    calls = "".join(f"    square(a, b, {n});\n" for n in case["profile"]["N"])
    (host / "main.c").write_text(
        f'#include "k.h"\nstatic int a[1 << 14], b[1 << 14];\nint main(void)\n{{\n{calls}}}\n'
    )
    command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", '-DSQUARE_PROFILE="seen.txt"']
    subprocess.run([*command, "k.c", "main.c", "-o", "main"], cwd=host, check=True)
    subprocess.run(["./main"], cwd=host, check=True)
    found = profiled(design, host / "seen.txt").host.versions
    assert found == {"N": tuple(case["versions"])}


BAD = {
    "specialise: {N: [0, 4]}": "N = 0 is outside of the context",
    "specialise: {M: [4]}": "'M' is not a parameter with a value",
    "specialise: some": "host.specialise must be ",
}


@pytest.mark.parametrize("host", BAD)
def test_bad_values_have_their_place(tmp_path: Path, host: str) -> None:
    with pytest.raises(InputError) as caught:
        design_of(tmp_path, SQUARE, host)
    assert any(BAD[host] in one.what for one in caught.value.problems)
    assert all(one.source_location is not None for one in caught.value.problems)


@pytest.mark.parametrize("text", ["N=4\nM=3\n", "four\n"])
def test_a_line_that_says_no_value_has_its_place(tmp_path: Path, text: str) -> None:
    design = design_of(tmp_path, SQUARE, "specialise: auto")
    (tmp_path / "seen.txt").write_text(text)
    with pytest.raises(InputError, match="the line does not say the value of N"):
        profiled(design, tmp_path / "seen.txt")
