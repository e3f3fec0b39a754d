"""The manual is true: its blocks run, what it lists was made, its links lead somewhere.

A block of C is a file named like its function. A block of YAML names its file in a comment, or the
design of an example that it changes. Commands of a block of `sh` run in their order in the folder
of these files; of those that take tools, or run all checks, the options alone are looked at.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hlsmem.cli.main import main
from hlsmem.cli.parser import options_of
from hlsmem.verb import VERBS, Option, Verb
from hlsmem_verify import main as verify
from tests.pages import DOCS, README, ROOT, anchors, blocks, links, show

# The most words of a page. Pages that are made from a table, plan.md and lemmas.md, have none.
LIMITS = {
    900: [README, ROOT / "CONTRIBUTING.md"],
    400: DOCS.glob("decisions/*.md"),
    1500: [one for one in DOCS.glob("*.md") if one.name not in ("plan.md", "lemmas.md")],
}
PAGES = [README, *sorted(DOCS.glob("*.md"))]
LINKING = sorted(
    page
    for folder in (".", "docs", "docs/*", "examples", "examples/*", "reports", "rtl")
    for page in ROOT.glob(f"{folder}/*.md")
)


@pytest.mark.parametrize(
    ("page", "most"),
    [(page, most) for most, pages in LIMITS.items() for page in sorted(pages)],
    ids=lambda one: str(one.relative_to(ROOT)) if isinstance(one, Path) else None,
)
def test_pages_are_short(page: Path, most: int) -> None:
    assert len(page.read_text(encoding="utf-8").split()) <= most


@pytest.mark.parametrize("page", sorted(DOCS.glob("decisions/*.md")), ids=lambda page: page.stem)
def test_a_decision_has_its_four_parts(page: Path) -> None:
    parts = ["Context", "Decision", "Cost", "What would change our mind"]
    assert re.findall(r"^\*\*([^*]+)\.\*\*", page.read_text(encoding="utf-8"), re.M) == parts


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.few("README.md", "c.md", "designs.md")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(blocks(page))], ids=lambda page: page.name
)
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", "examples", ignore=shutil.ignore_patterns("build"))
    shutil.copytree(ROOT / "tests/seeds", "tests/seeds")
    names: dict[str, object] = {}
    for language, text in blocks(page):
        match language:
            case "c":
                name = re.search(r"(\w+)\(.*\n?.*\)\s*{", text)
                assert name is not None
                Path(f"{name[1]}.c").write_text(text)
            case "yaml":
                _write_design(text)
            case "python":
                exec(compile(text, page.name, "exec"), names)
            case "sh":
                for line in text.splitlines():
                    _run(shlex.split(line, comments=True))
            case _:
                assert language == "", language


def _write_design(text: str) -> None:
    """Write a block of YAML to the file of its comment; keys `of` an example are planned in it."""
    head = re.match(r"# ([\w/]+\.yaml)( of an example)?\n", text)
    assert head is not None, text
    file = Path(head[1])
    yaml = YAML()
    if head[2] is None:
        file.write_text(text)
        return
    design = yaml.load(file)
    _merge(design, yaml.load(text))
    with file.open("w") as stream:
        yaml.dump(design, stream)
    assert main(["plan", str(file), "-o", "build/changed"]) == 0
    shutil.copy(ROOT / file, file)


def _merge(into: Any, keys: Any) -> None:
    for key, value in keys.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _run(words: list[str]) -> None:
    """Run a command of a page, or hold that what it names is there."""
    match words:
        case []:
            return
        case ["make", target]:
            assert f"\n{target}:" in (ROOT / "Makefile").read_text()
        case ["make", "-C", folder, *_]:
            assert (Path(folder) / "Makefile").exists()
        case [_, "-m", "pip", "install", extra] | ["pip", "install", extra]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
            name = re.fullmatch(r"(?:hlsmem|\.)(?:\[(\w+)\])?", extra)
            assert name is not None
            assert name[1] is None or name[1] in project["optional-dependencies"]
        case ["hlsmem", "check", _] | ["hlsmem", "doctor" | "run" | "synth", *_]:
            options_of(words[1:])
        case ["hlsmem", *arguments]:
            assert main(arguments) == 0, words
        case ["hlsmem-verify", *arguments]:
            assert verify(arguments) == 0, words
        case ["python", file, *arguments]:
            subprocess.run([sys.executable, file, *arguments], check=True, capture_output=True)
        case _:
            raise AssertionError(f"nothing runs {words}")


def test_the_page_of_verbs_is_made_from_their_options() -> None:
    verbs = list(VERBS.own.values())
    often = Counter(_line(option) for verb in verbs for option in verb.options)
    shared = [line for line, times in often.items() if times >= 3]
    parts = ["Options of several verbs:\n", *shared]
    for verb in verbs:
        usage = " ".join([f"hlsmem {verb.name}", *map(_named, _arguments(verb))])
        parts.append(f"\n## {verb.name}\n\n`{usage}`: {verb.summary}.\n")
        lines = {_line(option): option for option in verb.options}
        parts += [line for line in lines if line not in shared]
        also = [f"`{one.flags[-1]}`" for line, one in lines.items() if line in shared and one.flags]
        parts += [f"\nAlso {', '.join(also)}."] if also else []
    show(DOCS / "verbs.md", "verbs", re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip("\n"))


def _arguments(verb: Verb) -> list[Option]:
    return [option for option in verb.options if not option.flags]


def _named(option: Option) -> str:
    """An argument, or the value of an option, as help has it."""
    found = option.arguments
    choices = found.get("choices") or ()
    name = found.get("metavar") or "|".join(choices() if callable(choices) else choices)
    return f"[{name}]" if found.get("nargs") == "?" else name or option.keyword.upper()


def _line(option: Option) -> str:
    """The line of an option or argument: its name and its help."""
    said = option.arguments.get("help", "")
    said = (said() if callable(said) else said).replace("%%", "%").replace("<", "&lt;")
    takes = option.arguments.get("action") in (None, "append")
    words = [", ".join(option.flags), *([_named(option)] if takes else [])]
    name = " ".join(filter(None, words))
    return f"- `{name}`: {said}" if said else f"- `{name}`"
