"""The `code` key: what bodies of a network may use of a C file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.program.model import NetworkBody, Program
from tests.steps import load

DESIGN = """hlsmem: 1
name: net
params: {N: 8, M: 3}
code: {file: net.c}
arrays: {a: {type: int16, extents: [N]}, o: {type: int16, extents: [N], storage: external}}
network:
  p:
    statements:
      P:
        domain: "[N] -> { P[i] : 0 <= i < N }"
        schedule: "[N] -> { P[i] -> [i, 0] }"
        writes: ["[N] -> { P[i] -> a[i] }"]
        body: BODY
      C:
        domain: "[N] -> { C[i] : 0 <= i < N }"
        schedule: "[N] -> { C[i] -> [i, 1] }"
        reads: ["[N] -> { C[i] -> a[i] }"]
        writes: ["[N] -> { C[i] -> o[i] }"]
        body: "o = a0"
"""


def read(tmp_path: Path, code: str, body: str) -> Program:
    (tmp_path / "net.c").write_text(code, encoding="utf-8")
    (tmp_path / "net.yaml").write_text(DESIGN.replace("BODY", body), encoding="utf-8")
    found = load(tmp_path / "net.yaml").input
    assert isinstance(found, Program)
    return found


def test_a_body_names_iterators_parameters_and_what_the_file_declares(tmp_path: Path) -> None:
    code = "typedef int num;\nstatic inline num twice(num v) { return 2 * v; }\n"
    program = read(tmp_path, code, '"a = (num)i + twice(M) + N"')
    body = program.statements[0].body
    assert isinstance(body, NetworkBody)
    assert (body.iterators, body.parameters) == (("i",), ("N", "M"))
    assert program.code is not None
    assert [text.split("(")[0].split(";")[0] for text in program.code.declarations] == [
        "typedef int num",
        "static inline num twice",
    ]


def test_constants_of_headers_are_known(tmp_path: Path) -> None:
    read(tmp_path, "#include <math.h>\n#include <stdint.h>\n", '"a = fabs(-2.0) + INT8_MAX"')


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("int state;\n", "net.c:1:5: 'state' is a variable, and bodies run in an order of their"),
        ("const int k = 1;\n", "the constant 'k' is not static; make it static const"),
        ("int f(int v) { return v; }\n", "the function 'f' is not static; make it static"),
        ("static int hlsmem_x(int v) { return v; }\n", "'hlsmem_x' is a name that generated C"),
        ("static int net_ws(int v) { return v; }\n", "'net_ws' is a name that generated C"),
        ("static int f(\n", "net.c:1:14: C: expected parameter declarator; correct it"),
    ],
)
def test_what_the_file_may_not_have(tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, code, '"a = i"')
    assert said in str(caught.value)


def test_names_that_nothing_declares(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, "#define TWO 2\n", '"a = twice(i) + TWO + THREE"')
    assert sorted(one.what for one in caught.value.problems) == [
        f"body uses {name!r}, which it does not know" for name in ("THREE", "twice")
    ]


def test_the_file_has_to_be_there_and_a_kernel_has_its_own(tmp_path: Path) -> None:
    text = DESIGN.replace("BODY", '"a = i"')
    (tmp_path / "net.yaml").write_text(text.replace("net.c", "../net.c"), encoding="utf-8")
    with pytest.raises(InputError, match="is not below the folder"):
        load(tmp_path / "net.yaml")
    (tmp_path / "net.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="there is no file"):
        load(tmp_path / "net.yaml")
    kernel = "hlsmem: 1\nname: k\ncode: {file: k.c}\nkernel: {file: k.c}\n"
    (tmp_path / "k.c").write_text("void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = 0; }\n")
    (tmp_path / "k.yaml").write_text(kernel, encoding="utf-8")
    with pytest.raises(InputError, match="code is for the bodies of a network"):
        load(tmp_path / "k.yaml")
