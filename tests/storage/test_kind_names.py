"""Who names a kind of storage: rooms ask the kind, and whoever names one is on a list."""

from __future__ import annotations

import ast

import hlsmem_verify.kinds
from hlsmem.storage.kinds import KINDS
from tests.pages import ROOT

# `ram` is an objective of host C as well, `registers` a style of devices: these say nothing.
NAMES = {kind.name for kind in KINDS} - {"ram", "registers"}
CLASSES = {kind.__name__ for kind in KINDS}
# A kind is at home here: what it is, what the verifier holds of it, and what the plan says of it.
HOME = ("hlsmem/storage/", "hlsmem_verify/", "hlsmem/check/plans/")
# Elsewhere these name kinds as texts or classes, or use a word of theirs for something else. The
# list only shrinks: a property of the kind in `storage/kind.py` stands in for a name.
OTHERS = {
    "hlsmem/check/rtl/simulated_device.py",
    "hlsmem/planner/remarks/stream_depths.py",
    "hlsmem/read/design_schema.py",
    "hlsmem/source_edits/stream_depths.py",
    "hlsmem/studies/networks/channel_classes.py",
    "hlsmem/studies/networks/table.py",
    "hlsmem/viewing/run_trace.py",
}


def kinds_named(text: str) -> set[str]:
    """The kinds that a text names, as strings or as classes imported from their rooms."""
    found: set[str] = set()
    if not any(one in text for one in NAMES | CLASSES):
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} & NAMES
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hlsmem.storage."):
            found |= {alias.name for alias in node.names} & CLASSES
    return found


def test_kinds_are_named_at_home_and_by_who_is_listed() -> None:
    files = [*(ROOT / "hlsmem").rglob("*.py"), *(ROOT / "hlsmem_verify").rglob("*.py")]
    naming = {
        path
        for file in files
        if not (path := file.relative_to(ROOT).as_posix()).startswith(HOME)
        and kinds_named(file.read_text(encoding="utf-8"))
    }
    assert naming == OTHERS


def test_the_verifier_knows_every_kind() -> None:
    assert {kind.name for kind in KINDS} == {*hlsmem_verify.kinds.KINDS}
    for kind in KINDS:
        assert kind.has_mapping <= hlsmem_verify.kinds.KINDS[kind.name].has_mapping, kind


def test_a_kind_that_is_named_is_found() -> None:
    assert kinds_named('if memory.kind == "fifo": pass') == {"fifo"}
    assert kinds_named("from hlsmem.storage.reuse_chain.kind import Chain") == {"Chain"}
    assert not kinds_named('"a fifo of words"')
