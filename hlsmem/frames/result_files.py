"""Files that a run leaves: results where the user wants them, and recorded words in OUT/sim.

A file of results carries no mark, as pictures and tables of numbers have no room for one: OUT/sim
has the digest of what was written under each name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from hlsmem.core.user_files import read_bytes, read_text
from hlsmem.emit import marked
from hlsmem.emit.output_folder import list_anew, rewrite_file, rewrite_files, unwritable
from hlsmem.frames.data_files import written
from hlsmem.frames.frame_run import FrameRun
from hlsmem.frames.kept_build import keep_build

DIGESTS = "sim/results.json"
_FORMAT = "hlsmem-results/1"


def refuse_others(out: Path, files: Mapping[str, Path], *, force: bool) -> None:
    """Raise InputError for files that are there, and are not as a run of `out` wrote them."""
    digests = _digests(out)
    marked.refuse_others(
        files.values(),
        force=force,
        is_made=lambda file: digests.get(file.name) == _digest(read_bytes(file)),
    )


def write_results(
    out: Path, found: FrameRun, files: Mapping[str, Path], *, force: bool
) -> list[str]:
    """Write what came out into `files`, and what was played into OUT/sim.

    Returns the names of files in OUT that the user had changed, and that are kept. Raises
    InputError where one cannot be written.
    """
    refuse_others(out, files, force=force)
    digests = _digests(out)
    for name, file in files.items():
        array, frames = found.results[name]
        content = written(file, frames, array)
        with unwritable(file):
            target = file.resolve()
            target.parent.mkdir(parents=True, exist_ok=True)
        rewrite_file(target, content)
        digests[file.name] = _digest(content)
    texts = {f"sim/{name}": text for name, text in found.recorded.items()}
    texts[DIGESTS] = json.dumps({"format": _FORMAT, "files": digests}, indent=1) + "\n"
    with unwritable(out / "sim"):
        (out / "sim").mkdir(exist_ok=True)
    kept = rewrite_files(out, texts)
    if found.waves is not None:
        name = f"sim/{found.design}.vcd"
        rewrite_file(out / name, found.waves)
        list_anew(out, [name])
    if found.build is not None:
        keep_build(out, *found.build)
    return kept


def outputs_among(out: Path, files: Mapping[str, Path]) -> dict[str, Path]:
    """Return the files of arrays that leave, by the plan of a folder."""
    from hlsmem.plan import read_plan

    accelerator = read_plan(out).accelerator
    ports = () if accelerator is None else accelerator.ports
    leaving = {one.array for one in ports if one.direction == "out"}
    return {name: file for name, file in files.items() if name in leaving}


def _digests(out: Path) -> dict[str, str]:
    try:
        document = json.loads(read_text(out / DIGESTS))
        if document["format"] != _FORMAT:
            return {}
        return {str(name): str(one) for name, one in document["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _digest(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()
