"""Writing a design.yaml with further settings, its comments and its layout kept."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.program.options import Design
from hlsmem.read.suffixes import DESIGNS


def target_of(design: Path, out: Path | None) -> Path:
    """The file that a changed design goes to: `out`, else the design.yaml, or one beside a source.

    Raises InputError where that would not find the kernel, or is no design.
    """
    if out is None:
        return design if design.suffix in DESIGNS else design.with_suffix(".yaml")
    if out.resolve().parent != design.resolve().parent:
        what = f"--out {out}: a design finds its kernel from its own folder"
        raise InputError(Problem(what, f"name a file in {str(design.parent)!r}"))
    if out.suffix not in DESIGNS:
        what = f"--out {out}: a design is a YAML file"
        raise InputError(Problem(what, "give it the ending .yaml"))
    return out


def written(design: Design, settings: Sequence[str]) -> str:
    """The text of the design's file with its overrides and further settings, KEY=VALUE."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = next(source.text for source in design.sources if source.name == design.file)
    content = yaml.load(text)
    for setting in [*design.overrides, *settings]:
        key, _, value = setting.partition("=")
        _put(content, key.split("."), yaml.load(value))
    stream = StringIO()
    yaml.dump(content, stream)
    return stream.getvalue()


def _put(content: Any, steps: Sequence[str], value: Any) -> None:
    first, *rest = steps
    if isinstance(content, list):
        _put_into(content, int(first), rest, value)
    else:
        _put_into(content, first, rest, value)


def _put_into(content: Any, key: str | int, rest: Sequence[str], value: Any) -> None:
    if not rest:
        content[key] = value
        return
    if isinstance(content, dict) and content.get(key) is None:
        content[key] = {}
    _put(content[key], rest, value)
