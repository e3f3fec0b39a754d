"""Networks written from kernels: the same plan, and the same values as the C they come from."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from hlsmem.cli.command import main
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.studies.networks.question import write_network
from tests.plans import plan_storage, whole_files
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HERE = Path(__file__).resolve().parent
KERNELS = sorted(
    str(file.relative_to(EXAMPLES))
    for file in EXAMPLES.rglob("*.yaml")
    if "kernel:" in file.read_text(encoding="utf-8")
    # A network has arrays of its own, and plan.expand is refused (below).
    if "expand:" not in file.read_text(encoding="utf-8")
)
SMALL = ("triangle/design.yaml",)


def network_of(design: Path, folder: Path, *settings: str) -> Design:
    given = load(design, settings=settings)
    write_network(given, folder / "net.yaml")
    return load(folder / "net.yaml")


def facts(plan: Plan) -> dict[str, Any]:
    """What has to be equal: mappings, cells, bounds, certificates, and what holds each array."""
    arrays = {
        name: (array.hardware, [part.operands for part in array.hardware.parts])
        for name, array in plan.arrays.items()
    }
    return {**arrays, "memories": {n: (m.kind, m.words) for n, m in plan.memories.items()}}


@pytest.mark.parametrize(
    "name",
    [pytest.param(k, marks=[] if k in SMALL else pytest.mark.long) for k in KERNELS],
)
def test_a_network_plans_to_what_its_kernel_plans_to(name: str, tmp_path: Path) -> None:
    design = load(EXAMPLES / name)
    network = network_of(EXAMPLES / name, tmp_path)
    assert facts(plan_design(network).plan) == facts(plan_design(design).plan)


ONE_LATTICE = {
    "blur": [129],
    "sobel": [131],
    "triangle": [32],
    "durbin": [197, 1, 1, 1],
    "heat2d": [272],
    "transpose": [256],
    "window3": [1282],
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(k, marks=[] if k == "blur" else pytest.mark.long) for k in ONE_LATTICE],
)
def test_the_cells_of_the_examples(name: str, tmp_path: Path) -> None:
    found = plan_design(network_of(EXAMPLES / name / "design.yaml", tmp_path)).folded.mappings
    assert [mapping.cells for mapping in found.values()] == ONE_LATTICE[name]


def test_expanded_kernels_are_no_networks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plan\.expand is for C kernels"):
        network_of(EXAMPLES / "seidel" / "design.yaml", tmp_path)
    assert list(tmp_path.iterdir()) == []


MAIN = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x; short y; };
void nasty(int n, const unsigned char in[16][16], const struct point p[16], float gain,
           float out[16][16], int *sum);
#define nasty nasty_net
#include "nasty_net.h"
#undef nasty
int main(void)
{
    static unsigned char in[16][16];
    static struct point p[16];
    static float out[16][16], other[16][16];
    int32_t x[16], n = -3;
    int16_t y[16];
    float gain = 1.5f;
    int sum = 0;
    int32_t own = 0;
    for (int k = 0; k < 256; k++)
        in[k / 16][k % 16] = (unsigned char)(k * 37 % 251);
    for (int k = 0; k < 16; k++) {
        x[k] = p[k].x = k * 91 % 77;
        y[k] = p[k].y = (short)(k * 13 - 60);
    }
    nasty(n, in, p, gain, out, &sum);
    nasty_net(&n, in, x, y, &gain, other, &own);
    printf("%d %d %d\\n", sum, own, memcmp(out, other, sizeof out));
    return sum != own || memcmp(out, other, sizeof out) || out[3][5] == 0;
}
"""


@pytest.mark.dear
def test_bodies_compute_what_the_c_computes(tmp_path: Path) -> None:
    """Casts, constants, functions, loop variables and structs, compiled and run by both."""
    design = tmp_path / "nasty_net.yaml"
    (tmp_path / "nasty.c").write_text((HERE / "nasty.c").read_text(encoding="utf-8"))
    design.write_text(
        "hlsmem: 1\nname: nasty_net\nparams: {N: 16}\n"
        'context: "[N] -> { : 4 <= N <= 100 }"\nschedule: text\n'
        "kernel: {file: nasty.c, loops: written, parameters: external}\n"
    )
    out = tmp_path / "out"
    assert main(["network", str(design), "-o", str(tmp_path / "net.yaml")]) == 0
    write_folder(out, whole_files(plan_storage(load(tmp_path / "net.yaml"))))
    (tmp_path / "main.c").write_text(MAIN)
    flags = ["-std=gnu99", "-w", "-ffp-contract=off", "-I", str(out / "host")]
    files = ["main.c", "nasty.c", str(out / "host" / "nasty_net.c")]
    command = ["cc", *flags, *files, "-o", "both", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_network_is_written_again_as_itself(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    first = tmp_path / "a" / "net.yaml"
    write_network(load(EXAMPLES / "sobel" / "design.yaml"), first)
    write_network(load(first), tmp_path / "net.yaml")
    assert first.read_text() == (tmp_path / "net.yaml").read_text()
    assert (tmp_path / "a" / "net.c").read_text() == (tmp_path / "net.c").read_text()


def test_nests_are_processes_on_demand(tmp_path: Path) -> None:
    write_network(load(EXAMPLES / "blur" / "design.yaml"), tmp_path / "net.yaml", grain="nest")
    assert len({one.process for one in load(tmp_path / "net.yaml").input.statements}) == 1


def test_files_of_others_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.c").write_text("int mine;\n")
    (tmp_path / "net.yaml").write_text("mine: 1\n")
    sobel = [str(EXAMPLES / "sobel" / "design.yaml"), "--param", "N=8"]
    assert main(["network", *sobel, "-o", str(tmp_path / "net.yaml")]) == 2
    said = capsys.readouterr().err
    assert said.count("is there, and is not as hlsmem made it; name another file, or") == 2
    assert (tmp_path / "net.c").read_text() == "int mine;\n"
    assert main(["network", *sobel, "-o", str(tmp_path / "net.json")]) == 2
    assert "give it the ending .yaml" in capsys.readouterr().err


def test_what_a_network_cannot_say_is_said_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.c").write_text(
        "void k(int *n, int a0[8], int o[8]) {\n"
        "  for (int i = 0; i < 8; i++) a0[i] = o[i] + 1;\n"
        "}\n"
    )
    target = tmp_path / "net.yaml"
    assert main(["network", str(tmp_path / "k.c"), "-o", str(target)]) == 2
    said = capsys.readouterr().err
    assert "as a network: 'a0' is the name of a result and of an operand of 'S0'" in said
    assert not target.exists()


FILTERED = """\
#include <stdlib.h>
#pragma hlsmem values m(0, 4)
void k(const int a[8], const unsigned char m[8], int out[8])
{
    int t[8];
    for (int i = 0; i < 8; i++) {
        t[i] = a[i];
        if (a[i] > 2)
            t[i] = a[i] + i;
        else if (abs(a[i]) > 3)
            t[i] += 5;
        for (int j = 0; j < m[i]; j++)
            t[i] = t[i] + j;
    }
    for (int i = 0; i < 8; i++) {
        if (t[i] == 7)
            break;
        out[i] = t[7 - i];
    }
}
"""


@pytest.mark.dear
def test_filters_are_those_of_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(FILTERED)
    given = load(tmp_path / "k.c")
    network = network_of(tmp_path / "k.c", tmp_path)
    kernel, written = given.input, network.input
    assert isinstance(kernel, Program)
    assert isinstance(written, Program)
    assert sum(len(one.filters) for one in kernel.statements) >= 5
    for one, other in zip(kernel.statements, written.statements, strict=True):
        assert len(one.filters) == len(other.filters)
        for mine, theirs in zip(one.filters, other.filters, strict=True):
            assert mine.loops == theirs.loops
            assert mine.value.is_equal(theirs.value)
            domain = mine.value.domain()
            for left, right in zip(mine.accesses, theirs.accesses, strict=True):
                assert left.relation.intersect_domain(domain).is_equal(
                    right.relation.intersect_domain(domain)
                )
    assert kernel.arrays["m"].value_range == written.arrays["m"].value_range
    first, second = (
        {name: one.cells for name, one in plan_design(design).folded.mappings.items()}
        for design in (given, network)
    )
    assert first == second


def test_what_filters_cannot_say_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(
        "void k(const unsigned char in[8], int h[256])\n"
        "{\n    for (int i = 0; i < 8; i++)\n        h[in[i]]++;\n}\n"
    )
    with pytest.raises(InputError) as caught:
        network_of(tmp_path / "k.c", tmp_path)
    assert "k.c:4:9: S0: data decide which element is read: 'h'; a network has filters" in str(
        caught.value
    )
    assert not (tmp_path / "net.yaml").exists()
