"""The verbs as functions of hlsmem, and the values that they give."""

from __future__ import annotations

import inspect
import os
import pydoc
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import hlsmem
import hlsmem.api
from hlsmem.api import _settings
from hlsmem.core.errors import InputError
from hlsmem.verb import VERBS

BLUR = Path(__file__).resolve().parent.parent / "examples" / "blur"
KERNEL = (
    "void k(const int in[16], int out[16])\n{\n    int t[16];\n"
    "    for (int i = 0; i < 16; i++) {\n        t[i] = in[i];\n"
    "        if (i >= 2)\n            out[i] = t[i - 2] + t[i];\n    }\n}\n"
)


def test_importing_it_imports_nothing_else() -> None:
    script = "import sys; import hlsmem; print(sorted(m for m in sys.modules if 'hlsmem' in m))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "['hlsmem']"


def test_all_names_are_there_and_documented() -> None:
    assert set(hlsmem.__all__) <= set(dir(hlsmem))
    for name in hlsmem.__all__:
        assert getattr(hlsmem, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = hlsmem.nothing


def test_every_verb_has_an_example_and_help_lists_it() -> None:
    text = pydoc.plain(pydoc.render_doc(hlsmem))
    for name in hlsmem.__all__:
        assert name in text
        if inspect.isfunction(getattr(hlsmem, name)):
            assert ">>>" in (getattr(hlsmem, name).__doc__ or ""), name


def test_every_verb_is_a_function_also_where_a_room_has_its_name() -> None:
    names = {name.replace("-", "_") for name in VERBS.own}
    assert names == set(hlsmem.verb_names())
    assert names <= set(hlsmem.__all__)
    import_module("hlsmem.network")
    import_module("hlsmem.studies.tilings")
    for name in names:
        verb = VERBS.own[name.replace("_", "-")]
        assert getattr(hlsmem.api, name).__wrapped__ is verb.run
        assert callable(getattr(hlsmem, name)), name
        told = inspect.signature(verb.run).parameters
        asked = {option.keyword for option in verb.options if option.of_run}
        assert asked <= set(told), name
        assert set(told) - asked <= {"design", "params", "settings"}, name
    design = hlsmem.load(text=KERNEL, name="k.c")
    assert hlsmem.network(design).found.rows
    for answer in (hlsmem.network(design), hlsmem.dataflow(design), hlsmem.what_if(design)):
        assert repr(answer).startswith("<Answer about k: ")
        assert len(str(answer).splitlines()) > 2
    assert hlsmem.schema("plan")["type"] == "object"


def test_a_plan_and_what_can_be_asked_of_it() -> None:
    planning = hlsmem.plan(BLUR / "design.yaml", params={"N": 8})
    array = planning.arrays["blurx"]
    assert (array.cells, array.words, array.standing) == (16, 17, "optimal")
    assert array.bound is not None
    assert array.bound.expr == "2*N + 1"
    assert array.cell(3, 4) == 3 % 2 * 8 + 4
    with pytest.raises(hlsmem.HlsmemError, match="blurx has 2 indices, and 1 are given"):
        array.cell(3)
    with pytest.raises(hlsmem.HlsmemError, match=r"blurx\[3, 8\] is outside of blurx\[8\]\[8\]"):
        array.cell(3, 8)
    assert "blurx[y - 2][x] costs 8 of 17 cells" in str(array.explain())
    assert planning.report().startswith(
        "# blur: 6656 bits declared -> 672 bits (hardware), 64 bytes (C) of 256, "
    )
    row = "<td>blurx</td><td>17</td><td>17</td><td>optimal</td><td>16</td><td>16</td>"
    assert row in planning._repr_html_()
    verdicts = planning.check(only=["proof"]).verdicts
    assert verdicts
    assert all(verdict.fine for verdict in verdicts)


def test_what_is_written_opens_again(tmp_path: Path) -> None:
    planning = hlsmem.plan(BLUR / "design.yaml", params={"N": 8}, settings={"order": "iteration"})
    planning.write(tmp_path / "out")
    again = hlsmem.open_plan(tmp_path / "out")
    assert repr(again) == repr(planning) == "<Planning of blur: in 3, out 0, blurx 17 words>"
    assert again.document() == planning.document()
    assert hlsmem.check(tmp_path / "out", only=["proof"]).verdicts[0].fine
    page = hlsmem.view(tmp_path / "out")
    for _ in range(2):  # in the place of itself
        page.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith(page.html)
    (tmp_path / "mine.html").write_text("mine")
    with pytest.raises(InputError, match="is there, and is not as hlsmem made it"):
        page.write(tmp_path / "mine.html")
    assert (tmp_path / "mine.html").read_text() == "mine"
    page.write(tmp_path / "mine.html", force=True)
    assert (tmp_path / "mine.html").read_text() == (tmp_path / "page.html").read_text()
    assert "srcdoc=" in page._repr_html_()
    assert "<!doctype html>" not in page._repr_html_()


def test_a_text_is_a_design() -> None:
    design = hlsmem.load(text=KERNEL, name="k.c")
    t = hlsmem.plan(design).arrays["t"]
    assert (t.words, t.cells) == (3, 16)  # C has two loops of vectors
    assert hlsmem.plan(design, settings={"order": "iteration"}).arrays["t"].cells == 2
    assert [one.chosen.cells for one in hlsmem.compare(design)] == [1, 1, 3]  # in, out, t
    assert "t[i - 2]" in str(hlsmem.explain(design))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "load: nothing to load"),
        ({"text": KERNEL}, "load: text without a file name"),
        ({"text": KERNEL, "name": "a/k.c"}, "load: text without a file name"),
        ({"path": "no/such.yaml"}, "such.yaml"),
        ({"text": KERNEL.replace("t[i]", "t[[i]"), "name": "k.c"}, "k.c:5:"),
        ({"path": BLUR / "design.yaml", "settings": {"plan.metod": "x"}}, "plan.metod"),
        ({"path": BLUR / "design.yaml", "params": {"M": 3}}, "has no parameter 'M'"),
    ],
)
def test_what_cannot_be_loaded(given: dict, told: str) -> None:
    with pytest.raises(hlsmem.HlsmemError) as caught:
        hlsmem.load(**given)
    assert told in str(caught.value)
    assert os.sep + "tmp" not in str(caught.value)


@pytest.mark.parametrize(
    ("verb", "keywords", "told"),
    [
        ("synth", {"family": "zz"}, "family is 'zz'; use one of: "),
        ("dataflow", {"control": "zz"}, "control is 'zz'; use one of: least, strict, static"),
        (
            "rank",
            {"statement": "blurx", "parts": 0},
            "parts is 0, no number of parts; use 1 to 4096",
        ),
        ("network", {"processes": "zz"}, "processes is 'zz'; use one of: "),
        ("vectors", {"kind": "zz"}, "kind is 'zz'; use one of: ov, aov, uov, quov"),
        ("what_if", {"order": "zz"}, "order is 'zz'; use one of: kept, any"),
        ("schema", {"of": "zz"}, "of is 'zz'; use one of: design, plan"),
    ],
)
def test_a_function_refuses_what_its_command_refuses(
    verb: str, keywords: dict[str, object], told: str
) -> None:
    subject = () if verb == "schema" else (BLUR / "design.yaml",)
    with pytest.raises(hlsmem.HlsmemError) as error:
        getattr(hlsmem, verb)(*subject, **keywords)
    assert str(error.value).startswith(told)


def test_settings_are_written_as_yaml_reads_them() -> None:
    given = {"order": "iteration", "plan.strict": True, "schedule": "[N] -> { S[i] -> [i] }"}
    assert _settings(given) == [
        "order=iteration",
        "plan.strict=true",
        'schedule="[N] -> { S[i] -> [i] }"',
    ]


@pytest.mark.dear
def test_nothing_prints_a_page_of_itself() -> None:
    design = hlsmem.load(BLUR / "design.yaml", params={"N": 8})
    planning = hlsmem.plan(design)
    worked = planning.worked()
    values = [
        design, planning, planning.arrays["blurx"], planning.plan, worked, worked.program,
        worked.problems[0], worked.plan.arrays["blurx"].hardware, hlsmem.explain(design),
        planning.view(),
    ]  # fmt: skip
    for value in values:
        assert len(repr(value)) <= 200, type(value)
