"""Every refused construct has its place, its class and a remedy: files with their messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.kernel import read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.design_folder import Folder
from tests.read.c.kernels import messages, region

FILES = sorted((Path(__file__).parent / "refusals").glob("*.c"))


def refused(file: Path) -> InputError:
    """The error for a file whose first line is `// params: n, m`."""
    first = file.read_text().partition("\n")[0]
    parameters = tuple(first.removeprefix("// params: ").split(", "))
    with pytest.raises(InputError) as caught:
        read_kernel(
            KernelRequest(
                folder=Folder(file.parent),
                file=file.name,
                function=None,
                parameters=parameters,
                cflags=(),
            )
        )
    return caught.value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_refused_file_gives_exactly_its_messages(file: Path) -> None:
    assert str(refused(file)) + "\n" == file.with_suffix(".txt").read_text()


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("in_header", [False, True])
def test_line_ends_of_other_systems_move_no_place(
    end: str, in_header: bool, tmp_path: Path
) -> None:
    kernel = region("int s = 0;\nwhile (s < 10) s = A[s];")
    found = []
    for one in ("\n", end):
        (tmp_path / "k.h").write_text(kernel.replace("\n", one))
        text = '#include "k.h"\nvoid g(int N, int A[N], int B[N][N])\n{\n    f(N, A, B);\n}\n'
        found.append(messages(tmp_path, (text if in_header else kernel).replace("\n", one)))
    assert found[0] == found[1]
    assert "'while (s < 10)' repeats" in found[0]


def test_every_class_has_a_file_and_a_remedy() -> None:
    texts = "".join(file.with_suffix(".txt").read_text() for file in FILES)
    for refusal in Refusal:
        assert f": {refusal.value}: " in texts
        assert refusal.remedy


# Seed cases of the literature on rejected regions that are accepted all the same.
ACCEPTED = {
    "restrict": (
        "for (int i = 1; i < n; i++) A[i] = B[i];",
        "int *restrict A, int *restrict B, int n",
    ),
    "pair that is only read": (
        "for (int i = 0; i < n; i++) A[i] = B[i] + C[i];",
        "int *restrict A, int *B, int *C, int n",
    ),
    "quasi-affine": ("for (int i = 0; i < n; i++) A[i/2] = B[i%4];", "int n, int A[n], int B[n]"),
    "downwards": ("for (int i = n - 1; i >= 0; i--) A[i] = 0;", "int n, int A[n]"),
    "pure call": (
        "for (int i = 0; i < n; i++) A[i] = sqrtf(B[i]);",
        "int n, float A[n], float B[n]",
    ),
    "unsigned that cannot wrap": (
        "for (unsigned i = 0; i < n; i++) A[i] = 0;",
        "unsigned n, int A[n]",
    ),
    "pointers to different types": (
        "for (int i = 0; i < n; i++) A[i] = B[i];",
        "float *A, int *B, int n",
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_neighbours_of_refused_constructs_are_taken(tmp_path: Path, name: str) -> None:
    body, signature = ACCEPTED[name]
    assert messages(tmp_path, region(body, signature), ("n",)) == ""


def test_a_second_pointer_is_named(tmp_path: Path) -> None:
    text = region("A[0] = B[1];", "int *A, const int *B")
    assert messages(tmp_path, text) == (
        "k.c:5:1: aliasing: 'A' and 'B' may point into the same array; "
        "declare the pointers restrict, or as arrays with their extents; "
        "host.alias: auto has C test it where it matters"
    )
