"""Kernels whose names look like those of what is generated: what is generated gives way."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.emit.c.compiling import compiled

# Names that hlsmem makes, that its C calls, includes or declares, and keywords of other languages;
# each kernel has its number in place of @.
_NAMES = """
    T0 t0 T1 S0 s0 S1 hlsmem_t HLSMEM_IVDEP Hlsmem_row user_malloc malloc memcpy free abort NULL
    f@_ws f@_ws_bytes F@_WS_BYTES F@_RESTRICT f@_original uint8_t int64_t size_t bool true
    div exit remainder abs index strlen block workspace larger ws value bits word h i d0 x0
    fill drain cell beat clk rst reg wire module begin class new this template mod floor min
""".split()  # noqa: SIM905
# What design.yaml calls a parameter cannot be called otherwise in generated C, nor in isl.
_NO_SIZES = frozenset(
    """
    hlsmem_t HLSMEM_IVDEP Hlsmem_row malloc memcpy free abort NULL f@_ws f@_ws_bytes F@_WS_BYTES
    F@_RESTRICT f@_original uint8_t int64_t size_t bool true mod floor min
    """.split()  # noqa: SIM905
)
_OF_CXX = {"bool", "true", "class", "new", "this", "template", "NULL"}

_KERNEL = """#define SIZE 8
static int FUNCTION(int one, int two) { return one > two ? one : two; }
void f@(const short ARGUMENT[SIZE][9], short out[SIZE][9]) {
    short ARRAY[SIZE][9];
    int SCALAR = 0;
    for (int LOOP = 0; LOOP < SIZE; LOOP++)
        for (int col = 0; col < 9; col++) {
            if (FUNCTION(ARGUMENT[LOOP][col], 2) > 50) SCALAR = ARGUMENT[LOOP][col];
            LABEL: ARRAY[LOOP][col] = SCALAR;
        }
    for (int LOOP = 1; LOOP < SIZE; LOOP++)
        for (int col = 0; col < 9; col++) out[LOOP][col] = ARRAY[LOOP][col] + ARRAY[LOOP - 1][col];
}
"""
_ROLES = ("ARRAY", "SCALAR", "FUNCTION", "ARGUMENT", "LABEL", "LOOP", "SIZE")


def _named(names: dict[str, str]) -> str:
    """The kernel with these names for what has a role, others with plain ones."""
    return re.sub("|".join(_ROLES), lambda role: names.get(role[0], role[0].lower()), _KERNEL)


def _rotated(number: int) -> dict[str, str]:
    """Other names for every role, so that each has each in one of the numbers."""
    found = {role: _NAMES[(number + 8 * place) % len(_NAMES)] for place, role in enumerate(_ROLES)}
    if found["SIZE"] in _NO_SIZES:
        found["SIZE"] = "rows"
    return found


def _source(number: int) -> tuple[str, str]:
    names = _rotated(number)
    is_cxx = number % 2 == 1 and not _OF_CXX & set(names.values())
    return _named(names), "cpp" if is_cxx else "c"


_GROUPS = 16


@pytest.mark.few(1)
@pytest.mark.parametrize("group", range(_GROUPS))
def test_a_name_of_the_user_is_in_nobodys_way(group: int, tmp_path: Path) -> None:
    numbers = range(len(_NAMES))[group::_GROUPS]
    sizes = [_rotated(number)["SIZE"] for number in numbers]
    compiled(tmp_path, [_source(number) for number in numbers], sizes)


def test_the_cells_of_an_array_with_another_name_hold_what_they_held(tmp_path: Path) -> None:
    """A condition's T0 beside an array t0, and an array that is called otherwise in C."""
    text = _named({"ARRAY": "malloc", "SCALAR": "t0", "LABEL": "s0", "LOOP": "hlsmem_t"})
    (tmp_path / "f.c").write_text(text.replace("@", ""))
    assert main(["plan", str(tmp_path / "f.c"), "-o", str(tmp_path / "out")]) == 0
    assert main(["check", str(tmp_path / "out"), "--only", "host"]) == 0


_NETWORK = """hlsmem: 1
name: n@
params: {@0: 8, @1: 2}
arrays:
  a: {storage: stream, type: int9, extents: [@0]}
  t: {type: float}
  o: {storage: stream, extents: [@0]}
network:
  p:
    statements:
      S:
        domain: "[@0, @1] -> { S[x] : 0 <= x < @0 }"
        schedule: "{ S[x] -> [0, x] }"
        reads: ["{ S[x] -> a[x] }"]
        writes: ["{ S[x] -> t[x] }"]
      R:
        domain: "[@0, @1] -> { R[x] : @1 <= x < @0 }"
        schedule: "{ R[x] -> [1, x] }"
        reads: ["[@1] -> { R[x] -> t[x - @1] }"]
        writes: ["{ R[x] -> o[x] }"]
        body: "o = a0 + 1"
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("names", [("h", "word"), ("bits", "value"), ("a0", "i0"), ("i", "d0")])
def test_a_size_is_in_no_way_of_the_functions_of_a_network(
    names: tuple[str, str], tmp_path: Path
) -> None:
    text = _NETWORK.replace("@0", names[0]).replace("@1", names[1]).replace("@", "")
    (tmp_path / "n.yaml").write_text(text)
    assert main(["plan", str(tmp_path / "n.yaml"), "-o", str(tmp_path / "out")]) == 0
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run([*command, tmp_path / "out/host/n.c"], check=True)


@pytest.mark.parametrize("name", ["div", "exit", "main", "size_t", "INT32_MAX", "UINT8_C"])
@pytest.mark.parametrize("what", ["design", "array"])
def test_names_that_a_network_cannot_have_in_c_are_refused_or_do_no_harm(
    what: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = _NETWORK.replace("@0", "N").replace("@1", "M").replace("@", "")
    if what == "design":
        text = text.replace("name: n", f"name: {name}")
    else:
        text = re.sub(r"\bt\b", name, text)
    (tmp_path / "n.yaml").write_text(text)
    if main(["plan", str(tmp_path / "n.yaml"), "-o", str(tmp_path / "out")]) == 2:
        said = capsys.readouterr().err
        assert re.search(rf"n\.yaml:\d:\d: the {what} name '{name}' is ", said)
        return
    assert (what, name) in {("array", one) for one in ("div", "exit", "main")}
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run([*command, tmp_path / "out/host/n.c"], check=True)


@pytest.mark.dear
def test_settings_and_pragmas_go_by_the_users_names(tmp_path: Path) -> None:
    pragma = "#pragma HLS BIND_STORAGE variable=malloc impl=lutram\n    int last"
    text = _named({"ARRAY": "malloc", "ARGUMENT": "free"}).replace("int scalar", pragma)
    (tmp_path / "f.c").write_text(text.replace("@", "").replace("scalar", "last"))
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        settings = ["--set", "arrays.malloc.type=int12", "--set", "arrays.free.storage=stream"]
        assert main(["plan", str(tmp_path / "f.c"), "-o", str(tmp_path / "out"), *settings]) == 0
    assert "'malloc' is called 'user_malloc' in what is planned" in said.getvalue()
    assert "int12" in (tmp_path / "out/report.md").read_text()
    buffer = (tmp_path / "out/rtl/f_user_malloc_buffer.v").read_text()
    assert "distributed" in buffer
    assert any((tmp_path / "out/rtl").glob("*free*"))
