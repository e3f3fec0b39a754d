"""Branches that set local numbers alone: values that are chosen, and what stays a branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.read.design import load

HEAD = "const int a[8], const int b[8], const int t[8], int out[8], int r[2]"


def normal(folder: Path, body: str) -> str:
    file = folder / "k.c"
    file.write_text(
        f"void k({HEAD}) {{\n int m = a[0], p = 0, l[8];\n"
        " for (int i = 0; i < 8; i++) l[i] = b[i];\n"
        f" for (int i = 1; i < 8; i++) {{\n{body}\n }}\n r[0] = m; r[1] = p;\n}}\n"
    )
    program = load(file).program
    assert program is not None
    assert program.kernel is not None
    return " ".join(program.kernel.normal.split())


CHOSEN = {
    "the greatest": (
        "if (a[i] > m) { m = a[i]; p = i; }",
        ("T0 = a[i] > m;", "m = (T0) ? ((int) a[i]) : (m);", "p = (T0) ? ((int) i) : (p);"),
    ),
    "otherwise": (
        "if (a[i] > 3) p = m; else { m = p; p = i; }",
        ("p = (a[i] > 3) ? ((int) m) : (p);", "m = (!(a[i] > 3)) ? ((int) p) : (m);"),
    ),
    "steps": ("if (a[i] > 3) p++;", ("p = (a[i] > 3) ? ((int) (p + 1)) : (p);",)),
    "in one another": (
        "if (a[i] > p) { p = i; if (b[i] > m) { m = b[i]; p = 0; } }",
        ("T1 = T0 && (b[i] > m);", "p = (T0 && T1) ? ((int) 0) : (p);"),
    ),
    "an index that loops guard": (
        "if (i >= 2 && a[i] > m) m = b[i - 2];",
        ("if (i >= 2) m = (a[i] > m) ? ((int) b[i - 2]) : (m);",),
    ),
    "one place through several": (
        "if (a[i] > 9) out[i] = 9; else if (a[i] < 0) out[i] = 0; else out[i] = a[i];",
        ("out[i] = (a[i] > 9) ? ((int) 9) : ((int) ((a[i] < 0) ? ((int) 0) : ((int) a[i])));",),
    ),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_value_is_chosen(name: str, tmp_path: Path) -> None:
    body, texts = CHOSEN[name]
    found = normal(tmp_path, body)
    for text in texts:
        assert text in found


KEPT = {
    "an element that is not always written": "if (a[i] > 3) out[i] = 1;",
    "a place that data decide": "if (a[i] >= 0 && a[i] < 8) m = t[a[i]];",
    "an array that a branch writes": "if (a[i] > 3) l[i] = 1; if (b[i] > 3) m = l[i - 1];",
    "an array beside a number": "if (a[i] > m) { m = a[i]; out[i] = 1; }",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_branch_stays(name: str, tmp_path: Path) -> None:
    assert "?" not in normal(tmp_path, KEPT[name])


def test_a_number_that_has_no_value_yet_keeps_its_branches(tmp_path: Path) -> None:
    """Data may set none: then there is no old value to choose."""
    (tmp_path / "k.c").write_text(
        """void k(const int in[8], int out[8]) {
    for (int i = 0; i < 8; i++) {
        int v;
        if (in[i] == 3) v = in[i] * 2;
        else if (in[i] == 4) v = 7;
        else if (in[i] != 3) v = 8;
        out[i] = v;
    }
}
"""
    )
    program = load(tmp_path / "k.c").program
    assert sum(bool(one.filters) for one in program.statements) == 3
