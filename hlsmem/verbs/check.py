"""`hlsmem check`: a plan is proved again from the files in OUT."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.cli.folder import begin, drawn, print_kept
from hlsmem.core.verdict import BEATS, CHECKS
from hlsmem.verb import OUT, TRUST, Verb, WholeNumber, asked, document_text, shown

if TYPE_CHECKING:
    from hlsmem.check import Checks

_WAVES = (".fst", ".vcd")


def check(
    out: str | Path,
    *,
    only: Sequence[str] = (),
    waves: bool = False,
    orders: int = 20,
    beats: int | None = BEATS,
    foreign: bool = False,
) -> Checks:
    """The verdicts on a folder OUT; the folder stays as it is. `only` names the checks.

    With `waves` the simulation writes its signals over time into OUT/sim; `orders` of a class are
    drawn at random; `replay` and `rtl` stop after so many `beats`, None: at the end. A folder of
    another version is judged only if it may be `foreign`. A check without its tool is skipped.
    Raises InputError where OUT has no plan, its design cannot be read, or there is no check of a
    name; LimitError where the only check asked for is too large.

    >>> import tempfile
    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan(load(text=kernel, name="k.c")).write(f"{folder}/out")
    ...     all(one.fine for one in check(f"{folder}/out", only=["replay"]).verdicts)
    True
    """
    from hlsmem.questions.planned_checks import run_checks

    return run_checks(
        Path(out), tuple(only), waves=waves, orders=orders, beats=beats, foreign=foreign
    )


def _before(*, out: Path, trust: bool, **_: object) -> None:
    begin(out, trust=trust)


def _print(checks: Checks, *, out: Path, waves: bool, as_json: bool, **_: object) -> int:
    """Print the verdicts, write checks.json, report.md and the page."""
    from hlsmem.cli.command import print_error
    from hlsmem.core.errors import InputError
    from hlsmem.core.wording import visible
    from hlsmem.emit.output_folder import list_anew, rewrite_files
    from hlsmem.emit.verdicts import checks_section
    from hlsmem.verbs.synth import text_of_synthesis

    document = document_text(
        {
            "checks": [verdict.document() for verdict in checks.verdicts],
            "warnings": list(checks.warnings),
            "isolated": checks.isolated,
        }
    )
    texts, undrawn = dict[str, str](), None
    try:
        texts = drawn(out, checks.subject, checks.verdicts, text_of_synthesis(out))
    except Exception as error:  # the verdicts are worth having all the same
        undrawn = error
    text = texts.get("report.md") or checks_section(checks.verdicts)
    print(document if as_json else visible(text).rstrip("\n"), flush=True)
    for warning in checks.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    try:
        if waves:
            list_anew(out, [f"sim/{one.name}" for one in out.glob("sim/*") if one.suffix in _WAVES])
        written = {"checks.json": document + "\n"} | texts | _recorded(out, checks)
        print_kept(out, rewrite_files(out, written))  # what passed before how it is shown
    except InputError as error:  # the verdicts are out, and say what they say
        print_error(error)
    if undrawn is not None:
        raise undrawn
    return checks.exit_code


def _recorded(out: Path, checks: Checks) -> dict[str, str]:
    """The frames that an accelerator was checked with, for the bench in OUT/sim; those of a run of
    `hlsmem run` stay."""
    names = {f"sim/{name}": text for one in checks.verdicts for name, text in one.recorded.items()}
    return {} if any((out / name).exists() for name in names) else names


def _beats(text: str) -> int | None:
    """A number of beats; None for all of them."""
    from argparse import ArgumentTypeError

    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number of beats; use 1 or more, or all")
    return int(text)


VERB = Verb(
    name="check",
    summary="prove a plan again from the files in OUT",
    order=20,
    options=(
        OUT,
        asked(
            "--only",
            action="append",
            default=[],
            metavar="CHECK",
            help=lambda: f"{', '.join(CHECKS.names())}; may be given several times",
        ),
        asked(
            "--waves",
            also_printed=True,
            action="store_true",
            help="keep the simulated signals in OUT/sim",
        ),
        asked(
            "--orders",
            type=WholeNumber(0, 100_000, "number of orders", "0 to 100000"),
            default=20,
            metavar="N",
            help="random orders of a class that are replayed, default 20",
        ),
        asked(
            "--beats",
            type=_beats,
            default=BEATS,
            metavar="N|all",
            help="replay and rtl stop after N beats of the longest stream, and play smaller whole"
            f" frames besides; default {BEATS}",
        ),
        shown("--json", keyword="as_json", action="store_true", help="print the verdicts as JSON"),
        asked("--foreign", action="store_true", help="judge a folder that another version wrote"),
        TRUST,
    ),
    run=check,
    print=_print,
    before=_before,
    reads=("out",),
)
