"""Verbs and their options: a file in `hlsmem/verbs`, or an entry point `hlsmem.verbs`, has one; our
own entry points are those of `hlsmem/studies`.

The command line, its help, what shells complete, and the functions of `hlsmem` are made from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.registry import Registry
from hlsmem.read.as_written import AS_WRITTEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hlsmem.program.options import Design


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a command: `flags`, or none for an argument by its place.

    `keyword` is what functions of the verb call it: `run` where it is `of_run`, `print` where it is
    `of_print`. `arguments` are those of argparse; `help` and `choices` may be functions, called
    where they are shown. `value` makes the keyword's value of the text, and raises InputError. With
    a `setting` it is the value of that key of design.yaml. Of options that share an `instead` one
    may be given.
    """

    flags: tuple[str, ...]
    keyword: str
    of_run: bool = False
    of_print: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    value: Callable[[Any], Any] | None = None
    setting: str = ""
    instead: str = ""

    def problem_of(self, value: Any) -> Problem | None:
        """Why a function of the verb may not be called with the value; None where it may."""
        choices = self.arguments.get("choices")
        listed = tuple(choices()) if callable(choices) else choices
        if listed is not None and value not in listed:
            return Problem(f"{self.keyword} is {value!r}", f"use one of: {', '.join(listed)}")
        number = self.arguments.get("type")
        if isinstance(number, WholeNumber) and not number.has(value):
            return Problem(f"{self.keyword} is {value!r}, no {number.no}", f"use {number.use}")
        return None


def asked(*flags: str, keyword: str = "", also_printed: bool = False, **arguments: Any) -> Option:
    """An option of what is asked, a keyword of `run`."""
    return _option(flags, keyword, arguments, of_run=True, of_print=also_printed)


def shown(*flags: str, keyword: str = "", instead: str = "", **arguments: Any) -> Option:
    """An option of what the command does with the answer, a keyword of `print`."""
    return _option(flags, keyword, arguments, of_print=True, instead=instead)


def _option(
    flags: tuple[str, ...], keyword: str, arguments: dict[str, Any], **others: Any
) -> Option:
    value = arguments.pop("value", None)
    others["instead"] = others.get("instead") or arguments.pop("instead", "")
    if flags[0].startswith("-"):
        name = keyword or flags[-1].lstrip("-").replace("-", "_")
        return Option(flags=flags, keyword=name, arguments=arguments, value=value, **others)
    return Option(flags=(), keyword=flags[0], arguments=arguments, value=value, **others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """Something that hlsmem does: `run` gives a value and prints nothing, `print` is the command's
    end, which writes, prints, and returns the exit code.

    Verbs are listed in their `order`, those of a `group` below its name. `before` is called with
    the options of `print` ahead of the work, to refuse what `print` would refuse. Where a design is
    asked about, `design` loads it from a `hlsmem.cli.request.Request`. `reads` are options that may
    name a plan, `late` is an argument, or a list of them, that may come after options. With
    `names_files` errors of `run` name files as the user sees them. `is_limited` says whether isl
    has a limit on its work.
    """

    name: str
    summary: str
    order: int
    group: str = ""
    options: tuple[Option, ...]
    run: Callable[..., Any]
    print: Callable[..., int]
    before: Callable[..., None] | None = None
    design: Callable[[Any], Any] | None = None
    reads: tuple[str, ...] = ()
    late: str = ""
    names_files: bool = False
    is_limited: bool = True

    @property
    def function(self) -> Callable[..., Any]:
        """The verb in Python: `run`, which raises InputError where the command line would refuse
        the value of an option."""
        from functools import wraps
        from inspect import signature

        shape = signature(self.run)

        @wraps(self.run)
        def called(*values: Any, **keywords: Any) -> Any:
            given = shape.bind(*values, **keywords).arguments
            problems = [
                problem
                for one in self.options
                if one.of_run and one.keyword in given
                if given[one.keyword] != shape.parameters[one.keyword].default
                if (problem := one.problem_of(given[one.keyword])) is not None
            ]
            if problems:
                raise InputError(*problems)
            return self.run(*values, **keywords)

        return called


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer:
    """Answer to a question: the result `found` about a design; as text, what the command prints."""

    design: Design
    found: Any
    text: Callable[[Answer], str]

    def __repr__(self) -> str:
        return f"<Answer about {self.design.input.name}: {type(self.found).__name__}>"

    def __str__(self) -> str:
        return self.text(self)


VERBS: Registry[Verb] = Registry(
    kind="verb",
    package="hlsmem.verbs",
    constant="VERB",
    group="hlsmem.verbs",
    rank=lambda verb: (verb.group, verb.order, verb.name),
    beside=Path(__file__).with_name("studies") / "entry_points.txt",
)

OUT = asked(
    "out", also_printed=True, type=Path, metavar="OUT", help="a folder written by `hlsmem plan`"
)
JSON = shown("--json", keyword="as_json", action="store_true", help="print JSON")
FORCE = shown("--force", action="store_true", help="write over a file that hlsmem did not make")
TRUST = shown(
    "--trust",
    action="store_true",
    help="run the programs of this design as you, without a sandbox (also HLSMEM_TRUST=1)",
)

_DESIGN = "a design.yaml, a C file, or an hls_config.cfg"


def of_a_design(what: str = _DESIGN, *, is_printed: bool = False) -> tuple[Option, ...]:
    """The options that name a design; `Verb.design` makes one of them.

    Where it `is_printed`, `print` and `before` have the keyword `request` for it.
    """
    return (
        Option(
            flags=(),
            keyword="design",
            of_print=is_printed,
            arguments={"type": Path, "metavar": "DESIGN", "help": what},
        ),
        Option(
            flags=("--param",),
            keyword="param",
            arguments={
                "action": "append",
                "default": [],
                "metavar": "N=64",
                "help": "value of a parameter",
            },
        ),
        Option(
            flags=("--set",),
            keyword="set",
            arguments={
                "action": "append",
                "default": [],
                "metavar": "KEY=VALUE",
                "help": "override a key, e.g. arrays.in.storage=stream",
            },
        ),
        Option(
            flags=("--as-written",),
            keyword="as_written",
            arguments={
                "action": "store_const",
                "const": AS_WRITTEN,
                "default": (),
                "help": f"keep what the C says: {', '.join(AS_WRITTEN)}",
            },
        ),
        Option(
            flags=("--include",),
            keyword="include",
            arguments={
                "type": Path,
                "action": "append",
                "default": [],
                "metavar": "DIR",
                "help": "a folder of files that the C includes, not below the design",
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A number from `least` to `most`; else it is `no` such thing, and another is of `use`."""

    least: int
    most: int | None
    no: str
    use: str

    def has(self, value: object) -> bool:
        """True for an integer within the range."""
        if not isinstance(value, int) or value < self.least:
            return False
        return self.most is None or value <= self.most

    def __call__(self, text: str) -> int:
        if not text.isdecimal() or not self.has(int(text)):
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"{text!r} is no {self.no}; use {self.use}")
        return int(text)


def document_text(document: Any) -> str:
    """A value as JSON, as commands print it."""
    import json

    return json.dumps(document, indent=1, ensure_ascii=False)


def parameters_text(values: Mapping[str, int]) -> str:
    """Values of parameters in words, such as `N=4, M=5`."""
    return ", ".join(f"{name}={value}" for name, value in values.items())
