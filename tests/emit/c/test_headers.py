"""The generated files in somebody's project: names, languages, memory of the wrapper, CMake."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from tests.emit.c.plans import Rows, mappings_of, plan_by_hand, read_design, shaped
from tests.emit.c.running import build, emitted, write_out
from tests.emit.c.test_kernels import BLUR, FEATURES, PARAMS, ROWS, SIZED
from tests.steps import load

OTHER = """
#define N 5
typedef struct { short low, high; } pair;
enum side { LEFT, RIGHT = 3 };
void twice(const pair in[restrict N], pair out[N], _Bool class)
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i].low + RIGHT;
    for (int i = 0; i < N; i++)
        out[i].high = class ? t[i] : 0;
#pragma endscop
}
"""
PROGRAM = """
#include <stdio.h>
#define N nothing that could be an extent
typedef double pair;
enum { LEFT = 7 };
#include "kernel.h"
#include "other.h"
static int in[BLUR_N][BLUR_N + 2], out[BLUR_N][BLUR_N];
int main(void)
{
    struct twice_pair a[TWICE_N] = {{4, 0}}, b[TWICE_N] = {{0, 0}};
    in[1][1] = 5;
    blur(in, out);
    twice(a, b, 1);
    printf("%d %d %d %d %d", BLUR_N, TWICE_N, out[0][0], b[0].high, (int)blur_ws_bytes());
    return 0;
}
"""


def test_two_headers_in_one_file(tmp_path: Path) -> None:
    """Each has its own N, and the names of the program around them stay free."""
    design = read_design(tmp_path / "a", BLUR, PARAMS)
    write_out(tmp_path, design, plan_by_hand(design, ROWS))
    other = read_design(tmp_path / "b", OTHER, "params: {N: 5}")
    texts = emitted(other, plan_by_hand(other, {"t": [(["1"], "N")]}))
    (tmp_path / "other.h").write_text(texts["kernel.h"].replace("KERNEL_HLSMEM_H", "OTHER_H"))
    (tmp_path / "other.c").write_text(texts["kernel.c"].replace('"kernel.h"', '"other.h"'))
    (tmp_path / "main.c").write_text(PROGRAM)
    files = ["main.c", "kernel.c", "other.c"]
    for compiler in (
        ["cc", "-std=c99", "-Werror", "-fsanitize=address,undefined"],
        ["c++", "-x", "c++", "-std=c++17", "-Wno-narrowing"],
    ):
        build(tmp_path, [*compiler, "-Wall", "-Wextra", "-DBLUR_N=9", *files, "-o", "both"])
        run = subprocess.run(["./both"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert run.stdout == "9 5 5 7 76"


@pytest.mark.few("c++17")
@pytest.mark.parametrize("language", ["c99", "c11", "c++17"])
def test_every_kernel_is_c_and_cxx(tmp_path: Path, language: str) -> None:
    cases: list[tuple[str, str, dict[str, Rows]]] = [
        (BLUR, PARAMS, ROWS),
        (OTHER, "params: {N: 5}", {}),
        *FEATURES.values(),
    ]
    kind = "c++" if "++" in language else "c"
    files = []
    for position, (kernel, settings, folds) in enumerate(cases):
        folder = tmp_path / str(position)
        design = read_design(folder / "design", kernel, settings)
        write_out(folder, design, plan_by_hand(design, folds))
        files.append(f"{position}/kernel.c")
    strict = ["-Wall", "-Wextra", "-Wno-narrowing", "-fsyntax-only"]
    build(tmp_path, ["cc", "-x", kind, f"-std={language}", *strict, *files])


def test_a_header_of_run_time_extents_serves_cxx(tmp_path: Path) -> None:
    """C++ has no such arrays: its callers pass pointers, and the text stays C."""
    design = read_design(tmp_path / "design", SIZED, PARAMS)
    write_out(tmp_path, design, plan_by_hand(design, ROWS))
    caller = '#include "kernel.h"\nint in[5 * 7], out[25];\nint main() { blur(5, in, out); }\n'
    (tmp_path / "caller.cpp").write_text(caller)
    build(tmp_path, ["cc", "-std=c99", "-c", "kernel.c"])
    build(tmp_path, ["c++", "-std=c++17", "-Wall", "-Wextra", "caller.cpp", "kernel.o"])
    refused = ["c++", "-x", "c++", "-fsyntax-only", "kernel.c"]
    done = subprocess.run(refused, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "run-time extents need a C compiler" in done.stderr


@pytest.mark.parametrize(
    ("name", "where"),
    [("malloc", "local"), ("free", "parameter"), ("blur_ws", "local"), ("BLUR_N", "parameter")],
)
def test_a_name_that_the_generated_c_uses(tmp_path: Path, name: str, where: str) -> None:
    old, new = ("int out[N][N]", f"int out[N][N], int {name}")
    if where == "local":
        old, new = "int blurx[N][N];", f"int blurx[N][N], {name} = 0;"
    design = read_design(tmp_path, BLUR.replace(old, new), PARAMS)
    text = emitted(design, plan_by_hand(design, ROWS))["kernel.c"]
    assert f"int user_{name}" in text
    assert f"int {name}" not in text


def test_where_the_workspace_is_by_default(tmp_path: Path) -> None:
    """A small one on the stack, a large one from malloc; static where the source is static."""
    static = BLUR.replace("int blurx", "static int blurx")
    union = "HLSMEM_ALIGNED union {"
    for kernel, wanted in ((BLUR, f"    {union}"), (static, f"    static {union}")):
        design = read_design(tmp_path, kernel, PARAMS)
        text = emitted(design, plan_by_hand(design, ROWS))["kernel.c"]
        assert wanted in text
        assert ("malloc(" in text) is ("blur_on_stack(in, out)" in text) is (kernel is BLUR)
    large = PARAMS.replace("N: 16", "N: 10000")
    design = read_design(tmp_path, BLUR.replace("N 16", "N 10000"), large)
    text = emitted(design, plan_by_hand(design, ROWS))["kernel.c"]
    assert "void *const block = malloc(BLUR_WS_BYTES + 63u);" in text
    design = read_design(tmp_path, BLUR, large + "\nhost: {storage: stack}")
    with pytest.raises(InputError, match=r"takes 80004 bytes, more than host\.stack_kib: 64"):
        emitted(design, plan_by_hand(design, ROWS))


@pytest.mark.parametrize("storage", ["stack", "static", "malloc", "auto"])
def test_a_workspace_starts_at_a_line(tmp_path: Path, storage: str) -> None:
    """Rows of vectors cross no line more than they must; the sizes of `auto` meet both cases."""
    design = read_design(tmp_path, BLUR, PARAMS + f"\nhost: {{storage: {storage}, stack_kib: 1}}")
    write_out(tmp_path, design, plan_by_hand(design, ROWS))
    file = tmp_path / "kernel.c"
    start = "int *const blurx = (int *)ws;"
    text = file.read_text(encoding="utf-8")
    assert start in text
    file.write_text(text.replace(start, f'{start}\n    if ((uintptr_t)ws % 64 != 0) puts("no");'))
    (tmp_path / "main.c").write_text(
        '#include "kernel.h"\n#include <stdio.h>\n#define N BLUR_N\n'
        "static int i[N][N + 2], o[N][N];\n"
        'int main(void) { blur(i, o); puts("done"); return 0; }\n'
    )
    for size in ("16", "200") if storage == "auto" else ("16",):
        flags = [f"-DBLUR_N={size}", "-std=c99", "-include", "stdio.h"]
        build(tmp_path, ["cc", *flags, "main.c", "kernel.c", "-o", "run"])
        run = subprocess.run(["./run"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert run.stdout == "done\n"


def test_a_stack_that_other_sizes_exceed_does_not_compile(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, PARAMS + "\nhost: {storage: stack, stack_kib: 1}")
    write_out(tmp_path, design, plan_by_hand(design, ROWS))
    build(tmp_path, ["cc", "-DBLUR_N=100", "-c", "kernel.c"])
    with pytest.raises(AssertionError, match="blur_exceeds_host_stack_kib"):
        build(tmp_path, ["cc", "-DBLUR_N=200", "-c", "kernel.c"])


@pytest.mark.long
@pytest.mark.needs("cmake")
def test_cmake_builds_and_installs_it(tmp_path: Path) -> None:
    from hlsmem.emit.c import emit_host
    from tests.emit.c.plans import program_of

    design = load(Path(__file__).parents[3] / "examples/blur/design.yaml")
    folds: dict[str, Rows] = {"blurx": [(["N", "1"], "2*N + 1")]}
    for file in emit_host(design, program_of(design), mappings_of(plan_by_hand(design, folds))):
        (tmp_path / file.name).parent.mkdir(exist_ok=True)
        (tmp_path / file.name).write_text(file.text)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.12)\nproject(app C)\nfind_package(hlsmem_blur REQUIRED)\n"
        "add_executable(app app.c)\ntarget_link_libraries(app PRIVATE hlsmem::blur)\n"
    )
    (tmp_path / "app.c").write_text(
        '#include "blur.h"\nint main(void) { return blur_ws_bytes() == 201 * 4 ? BLUR_N : 1; }\n'
    )
    sizes = "-DBLUR_N=100"
    installed = f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}"
    build(tmp_path, ["cmake", "-S", "host", "-B", "library", sizes])
    build(tmp_path, ["cmake", "--build", "library"])
    build(tmp_path, ["cmake", "--install", "library", "--prefix", "prefix"])
    build(tmp_path, ["cmake", "-S", ".", "-B", "app", installed])
    build(tmp_path, ["cmake", "--build", "app"])
    assert subprocess.run([tmp_path / "app/app"], check=False).returncode == 100


LONG = """
void f(const int in[40][32], int out[40][32])
{
    int t[41][32], few[8], u[41][32];
#pragma scop
    for (int k = 0; k < 8; k++)
        few[k] = in[0][k];
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 32; x++)
            t[y][x] = in[y][x] + few[7];
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 32; x++)
            u[y][x] = t[39 - y][x] + few[0];
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 32; x++)
            out[y][x] = u[39 - y][x];
#pragma endscop
}
"""


def test_long_arrays_have_a_line_of_the_cache_between_them(tmp_path: Path) -> None:
    """So many bytes that two of them lie a multiple of a page apart; short ones take no more."""
    design = read_design(tmp_path, LONG)
    rows: Rows = [(["1", "0"], "40"), (["0", "1"], "32")]
    plan = shaped(design, plan_by_hand(design, {"t": rows, "u": rows}))
    hosts = {name: array.host for name, array in plan.arrays.items()}
    starts = {name: host.cells.at for name, host in hosts.items() if host is not None}
    assert starts == {"t": 0, "few": 40 * 32 * 4, "u": 40 * 32 * 4 + 8 * 4 + 64}
    write_out(tmp_path, design, plan)
    text = (tmp_path / "kernel.c").read_text(encoding="utf-8")
    assert text.count("64u") == 1
    header = (tmp_path / "kernel.h").read_text(encoding="utf-8")
    (tmp_path / "main.c").write_text(
        '#include "kernel.h"\n#include <stdio.h>\n'
        'int main(void) { printf("%zu", F_WS_BYTES); return 0; }\n'
    )
    assert "F_WS_BYTES" in header
    build(tmp_path, ["cc", "-std=c99", "main.c", "-o", "run"])
    run = subprocess.run(["./run"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert int(run.stdout) == 2 * 40 * 32 * 4 + 8 * 4 + 64


def test_no_line_lies_between_arrays_where_folding_saves_less(tmp_path: Path) -> None:
    design = read_design(tmp_path, LONG)
    plan = shaped(design, plan_by_hand(design, {}))
    hosts = {name: array.host for name, array in plan.arrays.items()}
    starts = {name: host.cells.at for name, host in hosts.items() if host is not None}
    assert starts == {"t": 0, "few": 41 * 32 * 4, "u": 41 * 32 * 4 + 8 * 4}
