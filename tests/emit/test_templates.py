"""Compiled templates are kept as Python keeps modules, and never stand for another text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from hlsmem.emit.templates import Compiled, compile_all


@pytest.fixture(autouse=True)
def writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def rendered(folder: Path, options: str = "a") -> tuple[str, int]:
    """What the template prints, and how many templates had to be compiled for it."""
    cache = Compiled(folder, options)
    environment = Environment(loader=FileSystemLoader(folder), bytecode_cache=cache)
    compiled: list[Any] = []
    compile_ = environment.compile

    def counting(*args: Any, **kwargs: Any) -> Any:
        compiled.append(args)
        return compile_(*args, **kwargs)

    environment.compile = counting  # type: ignore[method-assign]
    return environment.get_template("t.j2").render(n=3), len(compiled)


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").glob("*"))


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ n + 1 }}")
    assert rendered(tmp_path) == ("4", 1)
    assert rendered(tmp_path) == ("4", 0)
    assert rendered(tmp_path, "other options") == ("4", 1)


def test_another_text_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ n + 1 }}")
    rendered(tmp_path)
    (tmp_path / "t.j2").write_text("{{ n + 2 }}")
    assert rendered(tmp_path) == ("5", 1)
    assert len(kept(tmp_path)) == 1


def test_what_is_broken_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ n + 1 }}")
    rendered(tmp_path)
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    for text in (b"", b"junk", whole[:40], whole[:-9]):
        file.write_bytes(text)
        assert rendered(tmp_path) == ("4", 1)


def test_nothing_is_written_where_python_writes_no_byte_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "t.j2").write_text("{{ n + 1 }}")
    assert rendered(tmp_path) == ("4", 1)
    assert kept(tmp_path) == []


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{{ n + 1 }}")
    (tmp_path / "__pycache__").write_text("no folder")
    assert rendered(tmp_path) == ("4", 1)


def test_all_are_compiled_and_kept_also_where_plans_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make setup` does so: where Python may not write, each plan would compile them again."""
    made = tmp_path / "only-of-this-test"
    made.mkdir()
    for name in "ab":
        (made / f"{name}.v.j2").write_text(f"{name} {{{{ {name} }}}}\n")
    monkeypatch.setattr("hlsmem.emit.templates.resource_folder", lambda _: tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    compile_all()
    assert sys.dont_write_bytecode
    assert len(list((made / "__pycache__").iterdir())) == 2
