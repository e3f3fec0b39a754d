"""`hlsmem run`: the user's frames through the generated accelerator and the original C."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.cli.folder import begin, print_kept
from hlsmem.verb import FORCE, JSON, OUT, TRUST, Verb, WholeNumber, asked, document_text

if TYPE_CHECKING:
    from hlsmem.frames.frame_run import FrameRun

_NONE: Mapping[str, Path] = {}


def run(
    out: str | Path,
    files: Mapping[str, str | Path] = _NONE,
    *,
    frames: int | None = None,
    stall: int = 0,
    waves: bool = False,
) -> FrameRun:
    """What the accelerator in a folder OUT makes of frames, word by word beside the original C.

    `files` of arrays are PNG, PGM, PPM, CSV, NPY, NPZ or raw; of those that leave they are looked
    at, and not written. Without a file of an array that comes in all are drawn at random. So many
    `frames` go back to back, those of the files over and over; all ports wait in `stall` per cent
    of the cycles. With `waves` the result has the signals over time. Raises InputError where a file
    is not the array's, or OUT has no accelerator; ToolError without a simulator or C compiler.

    >>> run("build/sobel", {"in": "photo.png"}).wrong  # doctest: +SKIP
    0
    """
    from hlsmem.frames.frame_run import run_frames

    paths = {name: Path(file) for name, file in files.items()}
    return run_frames(Path(out), paths, frames=frames, stall=stall, waves=waves)


def _before(*, out: Path, files: Mapping[str, Path], force: bool, trust: bool, **_: object) -> None:
    from hlsmem.frames.result_files import outputs_among, refuse_others

    begin(out, trust=trust)
    refuse_others(out, outputs_among(out, files), force=force)


def _print(
    found: FrameRun,
    *,
    out: Path,
    files: Mapping[str, Path],
    force: bool,
    as_json: bool,
    **_: object,
) -> int:
    """Print what was compared, and write what came out."""
    from hlsmem.frames.result_files import write_results

    leaving = {name: file for name, file in files.items() if name in found.results}
    print(document_text(_document(found)) if as_json else _text(found), flush=True)
    print_kept(out, write_results(out, found, leaving, force=force))
    for file in leaving.values():
        print(f"written to {file}", file=sys.stderr)
    return 0 if found.passed else 1


def _text(found: FrameRun) -> str:
    from hlsmem.core.wording import counted

    frames, words = counted(found.frames, "frame"), counted(found.compared, "word")
    lines = [f"{found.design}: {frames}, {words} compared, {found.wrong} wrong"]
    if found.period is not None:
        lines.append(f"{found.period} cycles from frame to frame")
    if found.cycles is not None:
        lines.append(f"{found.cycles} cycles in all, by {found.simulator}")
    lines += [*map(str, found.differences), *found.faults]
    return "\n".join(lines)


def _document(found: FrameRun) -> dict[str, object]:
    return {
        "design": found.design,
        "simulator": found.simulator,
        "frames": found.frames,
        "compared": found.compared,
        "wrong": found.wrong,
        "cycles_a_frame": found.period,
        "cycles": found.cycles,
        "differences": [
            {
                "array": one.array,
                "frame": one.frame,
                "subscript": list(one.subscript),
                "found": one.found,
                "expected": one.expected,
                "cycle": one.cycle,
            }
            for one in found.differences
        ],
        "faults": list(found.faults),
    }


def _files(texts: Sequence[str]) -> dict[str, Path]:
    """The files in texts ARRAY=FILE. Raises InputError with all that are none."""
    from hlsmem.core.errors import InputError, Problem

    files, problems = dict[str, Path](), []
    for text in texts:
        name, equals, file = text.partition("=")
        if not equals or not name.strip() or not file:
            problems.append(Problem(f"{text}: not ARRAY=FILE", "write it like in=photo.png"))
        elif name.strip() in files:
            problems.append(Problem(f"{text}: {name.strip()!r} has a file already", "name one"))
        else:
            files[name.strip()] = Path(file)
    if problems:
        raise InputError(*problems)
    return files


VERB = Verb(
    name="run",
    summary="your own frames through the accelerator in OUT, beside the original C",
    order=25,
    options=(
        OUT,
        asked(
            "files",
            also_printed=True,
            nargs="*",
            metavar="ARRAY=FILE",
            help="a .png, .pgm, .csv, .npy or .raw for each array; default: random",
            value=_files,
        ),
        asked(
            "--frames",
            type=WholeNumber(1, 10_000, "number of frames", "1 to 10000"),
            metavar="N",
            help="frames back to back; default: those of the files, or 4",
        ),
        asked(
            "--stall",
            type=WholeNumber(0, 99, "per cent", "0 to 99"),
            default=0,
            metavar="PERCENT",
            help="per cent of the cycles in which a port waits, default 0",
        ),
        asked("--waves", action="store_true", help="keep the simulated signals in OUT/sim"),
        JSON,
        FORCE,
        TRUST,
    ),
    run=run,
    print=_print,
    before=_before,
    reads=("out",),
    late="files",
)
