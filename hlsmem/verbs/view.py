"""`hlsmem view`: the run of a plan, cell by cell, on a page."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.cli.folder import print_kept
from hlsmem.verb import FORCE, OUT, Verb, asked, shown

if TYPE_CHECKING:
    from hlsmem.api import View


def view(
    out: str | Path, *, array: str | None = None, steps: tuple[int, int] | None = None
) -> View:
    """The page report.html of a folder OUT; a notebook shows it.

    It shows one `array` or all, and the run from the first to the second of `steps` or all of it.
    Raises InputError where OUT has no plan, or no such array or steps, LimitError where there is
    too much to show.

    >>> import tempfile
    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[9], int out[9]) { int t[9]; for (int i = 0; i < 9; i++) {"
    >>> kernel += " t[i] = in[i]; if (i >= 2) out[i] = t[i - 2] + t[i]; } }"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan(load(text=kernel, name="k.c")).write(f"{folder}/out")
    ...     view(f"{folder}/out").html[:15]
    '<!doctype html>'
    """
    from hlsmem.api import View
    from hlsmem.questions.run_page import view_page

    return View(html=view_page(Path(out), array=array, steps=steps))


def _target(out: Path, file: Path | None) -> tuple[Path, bool]:
    """Path of the page, and whether it is in OUT, as itself."""
    own = out / "report.html"
    target = own if file is None else file
    return target, os.path.realpath(target) == os.path.realpath(own)


def _before(*, out: Path, file: Path | None, force: bool, **_: object) -> None:
    from hlsmem.emit import marked

    target, own = _target(out, file)
    if not own:
        marked.refuse_others([target], force=force)


def _print(page: View, *, out: Path, file: Path | None, force: bool, opened: bool) -> int:
    """Write the page on which the run of OUT is seen, cell by cell."""
    from hlsmem.emit.output_folder import rewrite_files

    target, own = _target(out, file)
    if own:
        print_kept(out, rewrite_files(out, {target.name: page.html}))
    else:
        page.write(target, force=force)
    print(f"written to {target}", file=sys.stderr)
    if opened:
        import webbrowser

        from hlsmem.core.memory_limit import limited

        with limited(None):
            webbrowser.open(target.resolve().as_uri())
    return 0


def _steps(text: str) -> tuple[int, int]:
    from argparse import ArgumentTypeError

    low, dots, high = text.partition("..")
    if not dots or not low.isdecimal() or not high.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no range of steps; write it like 100..199")
    return int(low), int(high)


VERB = Verb(
    name="view",
    summary="the run of a plan, cell by cell, on a page",
    order=130,
    options=(
        OUT,
        shown(
            "-o",
            "--output",
            keyword="file",
            type=Path,
            metavar="FILE",
            help="default: OUT/report.html",
        ),
        FORCE,
        asked("--array", metavar="X", help="this array alone, default: all"),
        asked("--steps", type=_steps, metavar="A..B", help="these steps of the run alone"),
        shown("--open", keyword="opened", action="store_true", help="open the page in a browser"),
    ),
    run=view,
    print=_print,
    before=_before,
    reads=("out",),
)
