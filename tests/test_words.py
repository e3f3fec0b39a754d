"""Words that the field calls otherwise: no name, docstring, message or generated file has them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Whole names that no class, function, module, field or parameter of hlsmem has.
NAMES = {
    "Quantity": "QuasiPolynomial", "parse_quantity": "parse_quasi_polynomial",
    "Look": "PredicateRead", "looks": "predicate_reads", "looking": "predicate_reading",
    "HandedOn": "PropagatedWindow", "is_uncertain": "may_hold_several_values",
    "has_own_order": "has_host_schedule", "with_own_times": "with_host_times",
    "newly_asked": "new_queries", "Share": "PartitionRequest", "Built": "BuiltStorage",
    "Chosen": "StorageChoice", "Players": "StreamModels", "Walker": "AddressGenerator",
    "Turn": "WriteArbiter", "Place": "SourceLocation", "Way": "BranchPath",
    "ways_of": "branch_paths_of", "promise_of": "expected_resources",
    "Subject": "DesignUnderCheck", "way_out": "fallback", "Skip": "Squash",
    "Moment": "ProgramPoint", "Frame": "CellFrame",
    "NotHeld": "NotAllocated", "Play": "Simulation",
}  # fmt: skip

# Parts of names, and words of docstrings and comments, with the rooms that are meant.
WORDS = {
    "residence": ("live interval", ""),
    "occupation": ("occupancy", ""),
    "walker": ("address generator", ""),
    "shortfall": ("over budget", ""),
    "handed_on": ("propagated", ""),
    "quantity": ("quasi-polynomial", "core"),
    "moment": ("program point", "lifetime timing emit"),
    "play": ("simulation", "cycle_model storage"),
    "played": ("simulated", "cycle_model storage planner/hardware"),
    "promise": ("expected", "synthesis"),
}

# Names of formats, and of what has the word in its other meaning, by file.
ALLOWED = {
    "hlsmem_verify/program.py": {"looks", "looking"},  # kinds of accesses in plan.json
    "hlsmem_verify/built.py": {"Place"},  # of a token in a text of Verilog
    "hlsmem_verify/play.py": {"Moment", "Play"},  # the program is played access by access
    "hlsmem/storage/predicted_run.py": {"played"},  # a reason that reports have
    "hlsmem/plan/notes.py": {"way_out"},
}

FILES = [
    *sorted((ROOT / "hlsmem").rglob("*.py")),
    *sorted((ROOT / "hlsmem_verify").rglob("*.py")),
]
GENERATED = [*(ROOT / "templates").rglob("*.j2"), *(ROOT / "rtl").rglob("*.v")]


def plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word}s"


@cache
def pattern(word: str, gap: str) -> re.Pattern[str]:
    """The word and its plural where no letter is beside it; parts of it are joined by `gap`."""
    spelled = "|".join(re.escape(one).replace("_", gap) for one in (word, plural(word)))
    return re.compile(rf"(?<![A-Za-z])(?:{spelled})(?![A-Za-z])", re.IGNORECASE)


def names_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that a module gives: of classes, functions, parameters and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr if isinstance(node, ast.Attribute) else node.id


def texts_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Docstrings and messages: texts of more than one word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def old_words(file: str, text: str) -> Iterator[str]:
    """Where a module has a word that is no longer ours, and what it is called now."""
    allowed = ALLOWED.get(file, set())
    rooms = {word: _rooms(where) for word, (_, where) in WORDS.items()}
    mine = [
        one
        for one in WORDS
        if file.startswith(rooms[one]) and one not in allowed and pattern(one, "[ _]").search(text)
    ]
    if not mine and not NAMES.keys() & set(re.findall(r"\w+", text)):
        return
    tree = ast.parse(text)
    for line, name in names_of(tree):
        if name in NAMES and name not in allowed:
            yield f"{file}:{line}: {name}: say {NAMES[name]}"
        for word in mine:
            if pattern(word, "_").search(name.replace("_", " ") if "_" not in word else name):
                yield f"{file}:{line}: {name}: say {WORDS[word][0]}"
    comments = [(at, one.partition("#")[2]) for at, one in enumerate(text.splitlines(), 1)]
    for line, said in (*texts_of(tree), *comments):
        for word in mine:
            if pattern(word, "[ _]").search(re.sub(r"`[^`]*`", "", said)):
                yield f"{file}:{line}: {word}: say {WORDS[word][0]}"


def _rooms(where: str) -> tuple[str, ...]:
    own = tuple(f"hlsmem/{room}/" for room in where.split())
    return own or ("hlsmem/",)


def test_no_module_has_an_old_word() -> None:
    found = (old_words(file.relative_to(ROOT).as_posix(), file.read_text()) for file in FILES)
    assert [one for own in found for one in own] == []


def test_no_generated_file_has_an_old_word() -> None:
    found = [
        (file.name, one)
        for file in GENERATED
        for one, (_, where) in WORDS.items()
        if not where and pattern(one, "[ _]").search(file.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Look: ...", "PredicateRead"),
        ("def f(compile_walkers): ...", "address generator"),
        ('"""How long residences last."""', "live interval"),
        ("x = 1  # what is handed on", "propagated"),
        ('raise ValueError("the shortfall of it")', "over budget"),
        ("self.is_uncertain = 1", "may_hold_several_values"),
    ],
)
def test_a_planted_word_is_seen(text: str, said: str) -> None:
    (one,) = {found.rpartition("say ")[2] for found in old_words("hlsmem/core/x.py", text)}
    assert one == said
    assert not list(old_words("hlsmem/core/x.py", "generators = live_intervals(handing)"))
