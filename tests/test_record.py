"""The record of generated output: what every design in examples/ makes, as hashes by meaning.

It says which change of the program changes which output, so that none changes unseen: record/ has a
file a design. `HLSMEM_REFRESH=1 pytest tests/test_record.py` rewrites them, names what changed and
fails once; the commit that brings a new record says why. Output may differ with the version of isl
and of HiGHS: libraries.txt names those that the record was made with, and it is not held against
others.

A plan is its hypothesis, its claims and the rest, by the classes of its leaves; Verilog and C are
tokens without comments, a picture its numbers. Prose is not recorded: three reports stand as text.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from hlsmem.core.verilog_library import SUFFIX
from hlsmem.emit.report import report
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.version import TOOL, VERSION
from hlsmem_verify import SHAPE, leaves
from tests.conftest import EXAMPLES
from tests.needs import LIBRARIES, installed_libraries
from tests.plans import files_of, planning_of, whole_files

RECORD = LIBRARIES.parent
DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))
# Of these `make test-all` alone looks at the record: each takes about a second or more.
DEAR = ("camera", "durbin", "edges", "heat2d", "jacobi1d", "jacobi_tiles", "matmul_relu", "mixed")
DEAR += ("msa3", "pipeline", "sobel", "tiled", "transpose", "two_readers", "unsharp", "window5")
REPORTED = ("blur/design.yaml", "camera/design.yaml", "matmul_relu/design.yaml")
REFRESH = bool(os.environ.get("HLSMEM_REFRESH"))

PROSE = ("README.md", "report.md", "notes.json")
COPIED = "verify.py"
CLASSES = {"hypothesis": "hypothesis", "proved": "claims"}  # of leaves; the others are the rest
_TEXT = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
_COMMENT = re.compile(rf"({_TEXT})|//[^\n]*|/\*.*?\*/", re.DOTALL)
# A directive ends with its line; signs in a row are one token or several, as they stand.
_TOKEN = re.compile(rf"^[ \t]*[#`](?:\\\n|[^\n])*|{_TEXT}|\w+|[-+*/%&|^~<>=!]+|\S", re.MULTILINE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

Hashes = dict[str, str]


def hash_of(parts: Iterable[str]) -> str:
    """The first 16 digits of SHA-256."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def without_version(text: str) -> str:
    """A text or name of a file with constants where hlsmem writes its version."""
    for own, constant in (
        (TOOL, "hlsmem VERSION"),
        (SUFFIX, "_vVERSION"),
        (SUFFIX.upper(), "_VVERSION"),
        (f":{VERSION}", ":VERSION"),
    ):
        text = text.replace(own, constant)
    return text


def tokens(text: str) -> Iterator[str]:
    """The tokens of C or Verilog, without comments; a directive of either is one."""
    for token in _TOKEN.findall(_COMMENT.sub(lambda found: found[1] or " ", text)):
        yield token if token[0] in "\"'" else " ".join(token.split())


def plan_hashes(text: str) -> Hashes:
    """A hash of the leaves of each class, with their paths."""
    document = json.loads(text)
    found: dict[str, list[str]] = {}
    for path, claim in leaves(document, SHAPE):
        value = document
        for key in path:
            value = value[key]
        found.setdefault(CLASSES.get(claim, "rest"), []).append(json.dumps([path, value]))
    return {f"plan.json {name}": hash_of(parts) for name, parts in sorted(found.items())}


def hashes_of(files: Mapping[str, str]) -> Hashes:
    """The hashes of the files of OUT; hlsmem's version changes none."""
    found: Hashes = {}
    for name, text in sorted((without_version(one), files[one]) for one in files):
        text = without_version(text)
        match Path(name).suffix:
            case _ if name == COPIED or Path(name).name in PROSE:
                pass
            case _ if name == "plan.json":
                found |= plan_hashes(text)
            case ".c" | ".cpp" | ".h" | ".v" | ".sv":
                found[name] = hash_of(tokens(text))
            case ".svg":
                found[name] = hash_of(_NUMBER.findall(text))
            case _:
                found[name] = hash_of([text])
    return found


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """A line for every output that is new, gone or another."""
    return [
        f"{name}: {'new' if name not in old else 'gone' if name not in new else 'changed'}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


def is_dear(design: str) -> bool:
    return not REFRESH and any(one in design for one in DEAR)


def recorded(design: str) -> Path:
    return (RECORD / design).with_suffix(".json")


@pytest.mark.needs("recorded libraries")
@pytest.mark.parametrize(
    "design",
    [pytest.param(one, marks=pytest.mark.long if is_dear(one) else ()) for one in DESIGNS],
)
def test_output_is_the_recorded(design: str) -> None:
    file = recorded(design)
    old: Hashes = json.loads(file.read_text()) if file.exists() else {}
    new = hashes_of(files_of(EXAMPLES / design, kept=()))
    changed = changes(old, new)
    if changed and REFRESH:
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(new, indent=1) + "\n")
    assert not changed, "\n".join([f"{design}: output differs from the record", *changed])


@pytest.mark.needs("recorded libraries")
@pytest.mark.few("blur")
@pytest.mark.parametrize("design", REPORTED)
def test_a_report_is_the_text_that_stands_here(design: str) -> None:
    file = recorded(design).with_suffix(".md")
    old = file.read_text() if file.exists() else ""
    files = files_of(EXAMPLES / design, kept=())
    new = without_version(report(planning_of(EXAMPLES / design, kept=()).plan, pictures=files))
    difference = "\n".join(
        difflib.unified_diff(old.splitlines(), new.splitlines(), "recorded", "made", lineterm="")
    )
    if difference and REFRESH:
        file.write_text(new)
    assert not difference, difference


def test_the_record_holds_the_examples_and_nothing_else() -> None:
    """A design that is gone leaves the record as it is refreshed."""
    wanted = {recorded(design) for design in DESIGNS}
    spare = {*RECORD.glob("*/*.json")} - wanted
    if REFRESH:
        for file in spare:
            file.unlink()
        text = "".join(f"{name}=={version}\n" for name, version in installed_libraries().items())
        LIBRARIES.write_text(text)
    assert spare == set()


def test_what_is_changed_is_seen() -> None:
    files = {"plan.json": files_of(EXAMPLES / "blur/design.yaml", kept=())["plan.json"]}
    files |= {"rtl/a.v": "assign a = 8'd3; // b", "host/a.c": '#define A (x)\nchar *s = "//b";\n'}
    files |= {"p.svg": '<g x="1.5" class="a"/>', "files.f": "a.v", "README.md": "a"}
    old = hashes_of(files)

    def seen(name: str, before: str, after: str) -> list[str]:
        assert before in files[name]
        return changes(old, hashes_of({**files, name: files[name].replace(before, after, 1)}))

    for name, before, after in (
        ("rtl/a.v", "// b", "/* another\n comment */"),
        ("rtl/a.v", "a = 8", "a\n  =  8"),
        ("host/a.c", "char *", "char\n*"),
        ("p.svg", 'class="a"', 'class="b"'),
        ("README.md", "a", "b"),
    ):
        assert seen(name, before, after) == []
    for name, before, after in (
        ("rtl/a.v", "8'd3", "8'd4"),
        ("host/a.c", '"//b"', '"//c"'),
        ("host/a.c", "A (x)", "A(x)"),
        ("host/a.c", "(x)\n", "(x) "),
        ("p.svg", "1.5", "1.25"),
        ("files.f", "a.v", "b.v"),
    ):
        assert seen(name, before, after) == [f"{name}: changed"]
    for before, after, part in (
        ('"N": 64', '"N": 65', "hypothesis"),
        ('"words": 129', '"words": 128', "claims"),
        (f'"tool": "{TOOL}"', '"tool": "another"', "rest"),
    ):
        assert seen("plan.json", before, after) == [f"plan.json {part}: changed"]
    del files["rtl/a.v"]
    files["rtl/b.v"] = ""
    assert changes(old, hashes_of(files)) == ["rtl/a.v: gone", "rtl/b.v: new"]


def test_the_version_of_hlsmem_changes_no_hash() -> None:
    assert without_version(f'"tool": "{TOOL}"') == '"tool": "hlsmem VERSION"'
    assert without_version(f"rtl/hlsmem_ram{SUFFIX}.v") == "rtl/hlsmem_ram_vVERSION.v"
    assert without_version(VERSION) != "VERSION"  # 0.1.0 may well be another thing's


@pytest.mark.usefixtures("in_copies")
@pytest.mark.parametrize("name", ["two_consumers/design.yaml"])
def test_work_in_copies_of_the_process_makes_no_difference(name: str) -> None:
    """The other tests plan in their process, users in copies of it."""
    assert whole_files(plan_design(load(EXAMPLES / name))) == files_of(EXAMPLES / name, kept=())
