"""report.html in Debian's Chromium, driven by Playwright; `pytest -m browser tests/viewing`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlsmem.check import load_subject
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.plan import Plan, read_plan
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.viewing.instance_columns import runs_of
from hlsmem.viewing.page import page_of
from hlsmem.viewing.run_trace import trace_of
from tests.fuzz.compare import expected, random_case
from tests.plans import put
from tests.steps import load

pytestmark = [pytest.mark.browser, pytest.mark.needs("playwright", "chromium")]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DESKTOP, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
SMALL = ["--param", "N=16"]
CUBE = """\
void cube(const int in[6][6][6], int out[6][6][6])
{
    int t[6][6][6];
    for (int z = 0; z < 6; z++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 6; x++) {
                t[z][y][x] = in[z][y][x];
                if (z > 0)
                    out[z][y][x] = t[z - 1][y][x] + t[z][y][x];
            }
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright import sync_api

    path = shutil.which("chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def outs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of some examples, planned once."""
    folder = tmp_path_factory.mktemp("outs")
    found = {}
    for name, file, *settings in [
        ("blur", "blur/design.yaml"),
        ("iteration", "blur/design.yaml", "--set", "order=iteration", *SMALL),
        ("tiled", "blur/tile.yaml"),
        ("conflicts", "blur/conflicts.yaml"),
        ("two_consumers", "two_consumers/design.yaml"),
        ("triangle", "triangle/design.yaml"),
        ("fifo", "fifo/design.yaml"),
        ("two_readers", "two_readers/design.yaml"),
        ("matmul", "matmul_relu/design.yaml"),
        ("half", "half/design.yaml"),
        ("strict", "blur/design.yaml", "--set", "plan.strict=true", *SMALL),
    ]:
        found[name] = folder / name
        text = (EXAMPLES / file).read_text(encoding="utf-8")
        kept = ["--as-written"] if "kernel:" in text and "schedule:" not in text else []
        own = ["-o", str(found[name]), *kept, *settings]
        assert main(["plan", str(EXAMPLES / file), *own]) == 0
    (folder / "cube.c").write_text(CUBE)
    found["cube"] = folder / "cube"
    assert main(["plan", str(folder / "cube.c"), "-o", str(found["cube"])]) == 0
    return found


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """A function that opens a file, and fails where the page says anything or asks for anything."""
    pages = []

    def _opened(file: Path, fragment: str = "", **options: Any) -> Any:
        page = browser.new_page(**{"viewport": DESKTOP, **options})
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url))
        pages.append((page, said, file.as_uri()))
        page.goto(file.as_uri() + fragment)
        page.wait_for_selector("html[data-ready='1']", timeout=20_000)
        return page

    yield _opened
    for page, said, own in pages:
        assert [one for one in said if not one.startswith(own)] == []
        page.close()


def replayed(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate("document.documentElement.dataset.replay"))
    return found


def bad(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "#badges .bad", "all => all.map(e => e.textContent)"
    )
    return found


def until(page: Any, holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold; the page's policy allows no script that is a text."""
    for _ in range(200):
        if holds():
            return True
        page.wait_for_timeout(25)
    return False


def text(page: Any, selector: str) -> str:
    return re.sub(r"\s+", " ", page.text_content(selector)).strip()


@pytest.mark.parametrize(
    "name",
    ["blur", "iteration", "tiled", "two_consumers", "triangle", "fifo", "two_readers", "matmul",
     "half", "strict"],
)  # fmt: skip
def test_the_page_replays_the_run_and_finds_max_live(
    opened: Any, outs: dict[str, Path], name: str
) -> None:
    page = opened(outs[name] / "report.html")
    assert bad(page) == []
    found = replayed(page)
    plan = read_plan(outs[name])
    assert list(found) == list(plan.arrays)
    for array, facts in found.items():
        assert facts["reads"] > 0
        assert facts["most"] == most_alive(plan, array)


@pytest.mark.parametrize(
    "file",
    [one for one in sorted(EXAMPLES.glob("*/design.yaml")) if one.parent.name not in ("papers",)],
    ids=lambda file: file.parent.name,
)
def test_every_example_replays(opened: Any, tmp_path: Path, file: Path) -> None:
    assert main(["plan", str(file), "--as-written", "-o", str(tmp_path / "out")]) == 0
    if not (tmp_path / "out" / "report.html").exists():
        assert main(["view", str(tmp_path / "out")]) == 0
    page = opened(tmp_path / "out" / "report.html")
    assert bad(page) == []
    plan = read_plan(tmp_path / "out")
    for array, facts in replayed(page).items():
        most = most_alive(plan, array)
        if most is not None and not plan.slack:
            assert facts["most"] == most


def most_alive(plan: Plan, array: str) -> int | None:
    """Max-live as the plan states it; None where wires pass what it counts, and for a class."""
    bound = plan.arrays[array].hardware.bound
    return bound.cells if bound is not None and bound.kind == "max-live" else None


# Programs that can be planned, in whatever order their case has.
SEEDS = [seed for seed in range(40) if not expected(random_case(seed)).refused]


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_replay(opened: Any, tmp_path: Path, seed: int) -> None:
    case = random_case(seed)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    (tmp_path / "design.yaml").write_text(case.design())
    try:
        files = output_files(plan_design(load(tmp_path / "design.yaml")))
    except InputError:
        if case.level is None:
            raise
        pytest.skip("a step that no circuit could make")
    put(tmp_path / "out", files)
    assert main(["view", str(tmp_path / "out")]) == 0
    page = opened(tmp_path / "out" / "report.html")
    assert bad(page) == []
    plan = read_plan(tmp_path / "out")
    for array, facts in replayed(page).items():
        assert most_alive(plan, array) in (None, facts["most"])


def test_the_badge_says_what_was_replayed(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["blur"] / "report.html")
    first = page.text_content("#badges li")
    assert first == "blurx: replayed in this page, 11904 reads, each found its element"
    assert text(page, "#summary") == "4096 cells folded to 129 at N = 64, order sequential"
    assert text(page, "#now") == "step 128 of 8063: P at y=2, x=0"
    assert text(page, "#alive") == "129 alive in 129 cells"


def test_one_cell_less_turns_one_badge_red(
    opened: Any, outs: dict[str, Path], tmp_path: Path
) -> None:
    document = trace_of(load_subject(outs["blur"]))
    document["arrays"]["blurx"]["cell_table"] = runs_of(np.arange(64 * 64) % 128)
    (tmp_path / "report.html").write_text(page_of(document))
    assert bad(opened(tmp_path / "report.html")) == [
        "blurx: step 129, blurx[0][0] finds blurx[2][0]"
    ]


def test_a_tap_that_is_off_by_one_turns_the_chain_red(
    opened: Any, outs: dict[str, Path], tmp_path: Path
) -> None:
    document = trace_of(load_subject(outs["blur"]))
    document["arrays"]["blurx"]["parts"][0]["taps"][1][2] = 63
    (tmp_path / "report.html").write_text(page_of(document))
    (found,) = bad(opened(tmp_path / "report.html"))
    assert found.startswith("blurx (chain): step 129, blurx[1][0] finds blurx[1][1]")


def test_a_queue_out_of_turn_is_red(opened: Any, outs: dict[str, Path], tmp_path: Path) -> None:
    document = trace_of(load_subject(outs["fifo"]))
    (reads,) = (one["accesses"][0] for one in document["statements"] if one["name"] == "Get")
    assert reads["element"] == [[0, 1, 4096]]
    reads["element"] = [[0, 1, 7, 8, -1, 2, 9, 1, 4087]]
    (tmp_path / "report.html").write_text(page_of(document))
    found = bad(opened(tmp_path / "report.html"))
    assert "queue (fifo): step 1040, queue[7] finds queue[8]" in found


def test_a_word_that_two_cells_share_is_red(
    opened: Any, outs: dict[str, Path], tmp_path: Path
) -> None:
    document = trace_of(load_subject(outs["tiled"]))
    (part,) = document["arrays"]["blurx"]["parts"]
    assert part["kind"] == "banked"
    part["offset"] = [0, 0, document["arrays"]["blurx"]["cells"]]
    (tmp_path / "report.html").write_text(page_of(document))
    (found,) = bad(opened(tmp_path / "report.html"))
    assert found.startswith("blurx (banked): step ")


def test_a_register_that_takes_nothing_is_red(
    opened: Any, outs: dict[str, Path], tmp_path: Path
) -> None:
    document = trace_of(load_subject(outs["two_readers"]))
    part = document["arrays"]["t"]["parts"][2]
    assert (part["kind"], part["taps"]) == ("registers", [["B", 1, 0]])
    part["takes"] = [0, 0, 8192]
    (tmp_path / "report.html").write_text(page_of(document))
    (found,) = bad(opened(tmp_path / "report.html"))
    assert re.fullmatch(r"t_2 \(registers\): step \d+, t\[3\]\[3\] finds nothing", found)


def test_the_keys(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["blur"] / "report.html", "#array=blurx&step=5000&element=38,20")

    def step() -> int:
        return int(page.get_attribute("#life", "aria-valuenow"))

    assert step() == 5000
    for key, then in [
        ("ArrowRight", 5001), ("ArrowLeft", 5000), ("Shift+ArrowRight", 5064),
        ("Shift+ArrowLeft", 5000), ("Home", 0), ("End", 8063), ("p", 128),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert step() == then, key
    assert "blurx[38][20]" in text(page, "#story")
    page.keyboard.press("]")
    assert text(page, "#said").startswith("blurx[40][21], cell 1,")
    page.keyboard.press("[")
    assert text(page, "#said").startswith("blurx[38][20], cell 1,")
    page.keyboard.press("Escape")
    assert text(page, "#story").startswith("Choose an element")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    assert until(page, lambda: step() > 3)
    page.keyboard.press("Space")
    assert text(page, "#play") == "play"


def test_the_inspector_tells_the_life_of_an_element(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["blur"] / "report.html", "#array=blurx&step=5000&element=38,20")
    story = text(page, "#story")
    assert story.startswith("Cell 1 has 32 tenants: ")
    for sentence in [
        "blurx[38][20]: written at step 4776 by P at y=38, x=20;"
        " read for the last time at step 5033 by C at y=40, x=20: alive for 257 steps.",
        "The write of blurx[40][21] (P at y=40, x=21, step 5034) waits for that read:"
        " 1 step between.",
        "Its own write waited for C at y=38, x=19 to read blurx[36][19] (step 4775).",
    ]:
        assert sentence in story


def test_clicks_choose(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["blur"] / "report.html", "#array=blurx&step=4999")
    rows = page.locator("#operands button")
    assert rows.count() == 3
    assert "reads blurx[38][3] from cell 113, written 257 steps ago, for the last time" in text(
        page, "#operands"
    )
    rows.nth(1).click()
    assert text(page, "#said").startswith("blurx[39][3], cell ")
    page.locator("#grid").click(position={"x": 34 + 3, "y": 18 + 3})
    assert text(page, "#said").startswith("blurx[0][0], cell 0")
    page.locator("#parts canvas").first.click(position={"x": 45, "y": 8})
    assert text(page, "#said").startswith("blurx[40][3], cell ")
    page.locator("#grid").focus()
    page.keyboard.press("ArrowDown")
    assert text(page, "#said").startswith("blurx[41][3], cell ")
    assert until(page, lambda: page.evaluate("location.hash").endswith("element=41,3"))


def test_two_indices_of_three_are_chosen(opened: Any, outs: dict[str, Path]) -> None:
    """Sliders hold the rest; the name of an index brings it into the columns."""
    document = trace_of(load_subject(outs["cube"]))
    (name, array), *_ = document["arrays"].items()
    x, y, z = array["index"]
    page = opened(outs["cube"] / "report.html", f"#array={name}&element=1,2,3")
    row = page.locator("#sliders div")
    assert row.count() == 1
    assert re.sub(r"\s+", " ", row.text_content()) == f"{x}1; rows {y}, columns {z}"
    row.get_by_role("button").click()
    assert row.text_content() == f"{y}2; rows {z}, columns {x}"
    page.locator("#grid").click(position={"x": 34 + 3, "y": 18 + 3})
    assert text(page, "#said").startswith(f"{name}[0][2][0], cell ")
    page.locator("#sliders input").fill("4")
    page.locator("#grid").click(position={"x": 34 + 3, "y": 18 + 3})
    assert text(page, "#said").startswith(f"{name}[0][4][0], cell ")


def test_the_slider_sets_the_step(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["blur"] / "report.html")
    box = page.locator("#life").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 30)
    step = int(page.get_attribute("#life", "aria-valuenow"))
    assert abs(step - 4032) < 12
    assert page.get_attribute("#life", "aria-valuetext").startswith(f"step {step} of 8063")


@pytest.mark.parametrize("name", ["blur", "two_readers", "conflicts", "matmul"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_scrolls_sideways_on_a_phone(
    opened: Any, outs: dict[str, Path], name: str, scheme: str
) -> None:
    page = opened(outs[name] / "report.html", viewport=PHONE, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.needs("axe")
@pytest.mark.parametrize("name", ["blur", "conflicts"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    opened: Any, outs: dict[str, Path], name: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened(outs[name] / "report.html", color_scheme=scheme)
    # axe itself is a script from outside, which the page's policy rightly refuses as an element.
    found = [
        (one["id"], [node["target"] for node in one["nodes"]])
        for one in Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert found == []


def test_it_works_in_a_frame_without_a_site(browser: Any, outs: dict[str, Path]) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content("<iframe sandbox='allow-scripts' style='width:1000px;height:800px'></iframe>")
    page.evaluate(
        "html => document.querySelector('iframe').srcdoc = html",
        (outs["blur"] / "report.html").read_text(),
    )
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready='1']").wait_for(timeout=20_000)
    frame.locator("#forward").click()
    assert frame.locator("#now").text_content() == "step 129 of 8063: C at y=2, x=0"
    assert said == []
    page.close()


@pytest.mark.needs("nbclient")
def test_a_notebook_runs_and_shows_the_page(browser: Any) -> None:
    """The notebook among the examples, run by a kernel; its HTML stands in a page of its own."""
    import nbclient
    import nbformat

    folder = EXAMPLES / "notebook"
    notebook = nbformat.read(folder / "blur.ipynb", as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    table, why, difference, shown = (
        cell.outputs[0] for cell in notebook.cells if cell.cell_type == "code"
    )
    assert "<td>blurx</td><td>129</td><td>129</td><td>optimal</td>" in (table.data["text/html"])
    assert "12:33 blurx[y - 2][x] costs 64 of 129 cells" in why.text
    assert "- order: sequential to iteration" in difference.text
    page = browser.new_page()
    page.set_content(shown.data["text/html"])
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready='1']").wait_for(timeout=20_000)
    assert frame.locator("#summary").text_content() == (
        "4096 cells folded to 129 at N = 64, order iteration"
    )
    page.close()


def test_text_of_the_source_is_shown_and_never_run(opened: Any, tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    nasty = "</script><script>console.log(1)</script> <!-- <b>x</b> \u202e \x01 %DATA%"
    source.write_text(
        f"/* {nasty} */\nvoid k(const int in[8], int out[8])\n{{\n    int t[8];\n"
        "    for (int i = 0; i < 8; i++) {\n        t[i] = in[i];\n"
        "        out[i] = t[i];\n    }\n}\n"
    )
    assert main(["plan", str(source), "--as-written", "-o", str(tmp_path / "out")]) == 0
    page = opened(tmp_path / "out" / "report.html")
    assert nasty in page.locator("#source div").first.text_content()
    assert page.locator("#source b, #source script").count() == 0


def test_marks_differ_in_shape_without_colour(opened: Any, outs: dict[str, Path]) -> None:
    """In shades of grey the legend's marks are still told apart by which pixels they have."""
    page = opened(outs["blur"] / "report.html")
    marks = page.evaluate(
        """() => [...document.querySelectorAll('#legend span')].slice(3).map(e => {
          const c = e.querySelector('canvas'), g = c.getContext('2d');
          const d = g.getImageData(0, 0, c.width, c.height).data;
          const at = k => d[k] + d[k + 1] + d[k + 2];
          return Array.from(
            {length: c.width * c.height}, (_, k) => d[4 * k + 3] > 128 && at(4 * k) < 640);
        })"""
    )
    assert len(marks) == 4
    for k, one in enumerate(marks):
        for other in marks[:k]:
            assert sum(a != b for a, b in zip(one, other, strict=True)) >= 8


def test_a_conflict_set_has_a_grid_and_no_time(opened: Any, outs: dict[str, Path]) -> None:
    page = opened(outs["conflicts"] / "report.html")
    assert not page.is_visible("#time")
    page.locator("#grid").click(position={"x": 34 + 30, "y": 18 + 30})
    story = text(page, "#story")
    assert re.match(r"Cell \d+ has \d+ tenants?: ", story)
    assert "conflicts with every element at one of" in story


def test_pairs_in_conflict_stand_for_themselves(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(
        "hlsmem: 1\nname: k\narrays: {A: {type: int32, index: [i]}}\nconflicts:\n"
        '  A: {pairs: "{ A[0] -> A[3]; A[1] -> A[2]; A[2] -> A[5] }"}\n'
    )
    assert main(["plan", str(tmp_path / "design.yaml"), "-o", str(tmp_path / "out")]) == 0
    # Row by row in a box from element 0: 2 conflicts with 1 and 5, and not with 3.
    page = opened(tmp_path / "out" / "report.html", "#array=A&element=2")
    assert "A[2] conflicts with 2 elements (struck through)." in text(page, "#story")
    page = opened(tmp_path / "out" / "report.html", "#array=A&element=4")
    assert "A[4] conflicts with 0 elements" in text(page, "#story")


def test_the_explanation_stands_below(
    opened: Any, outs: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = outs["iteration"]
    as_planned = text(opened(out / "report.html"), "#explain")
    assert as_planned == "hlsmem view adds what reads cost"
    assert main(["view", str(out), "-o", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    assert main(["explain", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["arrays"]["blurx"]
    shown = text(opened(tmp_path / "page.html"), "#explain")
    assert told["first_write"][0] in shown
    for read in told["reads"]:
        assert read["text"] in shown
        if read["costs"]:
            assert f"{read['text']} costs {read['costs']} of {told['cells']} cells" in shown


def test_the_page_without_data_is_small(outs: dict[str, Path]) -> None:
    page = (outs["blur"] / "report.html").read_text()
    data = re.search(r'id="data">(.*?)</script>', page, flags=re.S)
    assert data is not None
    assert len(page) - len(data[1]) < 40_000
    assert "http" not in page.replace(data[1], "").replace("http-equiv", "")
