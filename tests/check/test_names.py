"""Parameters with the names of dimensions in texts of hlsmem and of isl: right plans pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.families import by_default

DESIGN = """\
hlsmem: 1
name: k
params: {{{a}: 8, {b}: 9}}
context: "[{a}, {b}] -> {{ : {a} >= 3 and {b} >= 3 }}"
kernel: {{file: k.c, function: k}}
"""
# A chain with taps in both sizes; data decide whether a value is kept.
KERNEL = """\
void k(const unsigned char a[{a}][{b}], int r[{a}][{b}])
{{
    int s[{a}][{b}], kept[{a}][{b}];
    for (int i = 0; i < {a}; i++)
        for (int j = 0; j < {b}; j++) {{
            s[i][j] = 3 * a[i][j] + 1;
            if (i >= 2) r[i][j] = s[i][j] - s[i - 2][j];
        }}
    for (int i = 0; i < {a}; i++)
        for (int j = 0; j < {b}; j++) {{
            kept[i][j] = a[i][j];
            if (a[i][j] > 100) kept[i][j] = 0;
            r[i][j] += kept[i][j];
        }}
}}
"""


@pytest.mark.dear
@pytest.mark.parametrize(
    "names",
    [
        "d0-i0",
        "v0-d1",
        "x0-t0",
        "v1-i1",
        "o0-e0",
        "a0-y0",
        "d_0-k0",
        "N_old-P_N",
        "z0-hls",
        "r0-q0",
    ],
)
def test_sizes_may_be_called_as_dimensions_are(
    names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = names.split("-")
    (tmp_path / "design.yaml").write_text(DESIGN.format(a=a, b=b))
    defined = f"#define {a} 8\n#define {b} 9\n"
    (tmp_path / "k.c").write_text(defined + KERNEL.format(a=a, b=b))
    out = str(tmp_path / "out")
    assert main(["plan", str(tmp_path / "design.yaml"), "-o", out]) == 0
    checks = by_default(("proof", "replay"), ("source", "proof", "replay", "host"))
    code = main(["check", out, *(word for one in checks for word in ("--only", one))])
    assert code == 0, capsys.readouterr().out
