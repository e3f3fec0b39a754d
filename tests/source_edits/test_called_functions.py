"""Functions that the planned one calls: nests in them merge, templates have a text for all uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_design
from hlsmem.planner.source_planning import ReturnedSource, returned_source
from hlsmem.source_edits.user_arrays import Kept
from tests.steps import load

STAGE = """\
#define H 12
#define V 9
{head}void stage(const short in[{n}][{w}], short out[{n}][{w}])
{{
    short t[{n}][{w}];
    for (int y = 0; y < {n}; y++)
        for (int x = 0; x < {w}; x++)
            t[y][x] = in[y][x] * 3;
    for (int y = 1; y < {n} - 1; y++)
        for (int x = 0; x < {w}; x++)
            out[y][x] = t[y - 1][x] + t[y][x] + t[y + 1][x];
}}
{other}void top(const short in{more}[V][H], short out{more}[V][H])
{{
    {call};
}}
"""
PLAIN = {"head": "static ", "n": "V", "w": "H", "call": "stage(in, out)", "other": "", "more": ""}
TEMPLATE = {"head": "template <int N, int W>\n", "n": "N", "w": "W", "call": "stage<V, H>(in, out)"}
OTHER = "void more(const short in[V][H], short out[V][H]) {{ {} }}\n"
LEFT = {
    "calls": {"other": OTHER.format("stage(in, out);")},
    "instances": {**TEMPLATE, "other": OTHER.format("stage<2, 3>(0, 0);")},
    "loops": {"call": "for (int y = 0; y < 3; y++) stage(in[y], out[y])", "more": "[3]"},
}


def returned(folder: Path, text: str) -> ReturnedSource:
    (folder / "k.cpp").write_text(text)
    design = load(folder / "k.cpp", settings=["kernel.function=top"])
    return returned_source(plan_design(design).folded)


@pytest.mark.parametrize("texts", [{}, TEMPLATE], ids=["function", "template"])
def test_nests_of_a_function_that_is_called_once_merge(
    texts: dict[str, str], tmp_path: Path
) -> None:
    own = PLAIN | texts
    found = returned(tmp_path, STAGE.format(**own))
    assert found.is_merged
    assert found.words["t"] == 2 * 12 + 1
    assert f"short t_line0[{own['w']}];" in found.files["k.cpp"]


@pytest.mark.parametrize("name", LEFT)
def test_functions_that_run_elsewhere_too_are_left(name: str, tmp_path: Path) -> None:
    found = returned(tmp_path, STAGE.format(**(PLAIN | LEFT[name])))
    assert not found.files
    (form,) = found.forms.values()
    assert isinstance(form, Kept)
    assert ("the plan does not have" in form.why) == (name != "loops")


TWICE = """\
#define N 8
template <typename T, int W, int D>
void stage(const T in[N][W], T out[N][W])
{{
    T all[N][W];
    for (int y = 0; y < N; y++) {{
        for (int x = 0; x < W; x++)
            all[y][x] = in[y][x] * 3;
        for (int x = 0; x < W; x++)
            out[y][x] = all[y][W - 1 - x] + all[y < D ? y : y - D][x];
    }}
}}
void top(const short in[N][10], short out[N][10], short other[N][10])
{{
    stage<short, 10, 0>(in, out);
    stage<short, 10, {}>(out, other);
}}
"""


@pytest.mark.parametrize("distance", [0, 2])
def test_a_declaration_of_several_arrays_has_the_text_that_all_need(
    distance: int, tmp_path: Path
) -> None:
    found = returned(tmp_path, TWICE.format(distance))
    if distance:
        assert not found.files
        assert all("not all need the same text" in one.why for one in found.forms.values())
    else:
        assert "T all[W];" in found.files["k.cpp"]
        assert list(found.words.values()) == [10, 10]
