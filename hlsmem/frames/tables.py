"""Arrays in text: a CSV has the last dimension in a line, frame behind frame."""

from __future__ import annotations

import numpy as np

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.source_location import SourceLocation
from hlsmem.frames.frame_array import FrameArray, other_extents

_MOST = 12


def read_csv(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frames in a CSV of whole numbers, decimal or hexadecimal (0x1f), or of floats.

    Raises InputError that names line and column of what is no element.
    """
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(Problem(f"{file}: {error}", "save it as text in UTF-8")) from None
    rows = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    width = array.extents[-1]
    if len(array.extents) == 1 and all("," not in line for _, line in rows):
        width = 1
    problems = Problems()
    words = [_words(file, number, line, width, array, problems) for number, line in rows]
    problems.raise_if_any()
    frames, rest = divmod(len(words) * width, array.elements)
    if rest or not frames:
        raise other_extents(file, f"{len(words)} lines of {width} words", array)
    return np.array(words, array.kind).reshape(frames, *array.extents)


def write_csv(frames: np.ndarray, array: FrameArray) -> bytes:
    """Return the frames as a CSV, behind each other."""
    rows = frames.reshape(-1, array.extents[-1])
    return "".join(",".join(map(str, row)) + "\n" for row in rows.tolist()).encode()


def _words(
    file: str, number: int, line: str, width: int, array: FrameArray, problems: Problems
) -> list[float]:
    """The words of a line; what is wrong with it goes to `problems`, but for many."""
    found, column = list[float](), 1
    fields = line.split(",")
    for field in fields:
        text = field.strip()
        value = _number(text, array)
        if (value is None or not array.holds(value)) and len(problems) < _MOST:
            begin = column + len(field) - len(field.lstrip())
            place = SourceLocation(
                file=file, line=number, column=begin, length=max(1, len(text)), text=line
            )
            what = f"{text!r} is no {array.type_text}"
            problems.add(what, f"write what {array.name!r} can hold", place)
        found.append(0 if value is None else value)
        column += len(field) + 1
    if len(fields) != width and len(problems) < _MOST:
        place = SourceLocation(file=file, line=number, column=1)
        what = f"a line of {len(fields)} words, and {array.name!r} has {width}"
        problems.add(what, "write a line for each row", place)
    return found


def _number(text: str, array: FrameArray) -> float | None:
    """The number that a word is; None where it is none."""
    try:
        if array.is_float:
            return float(text)
        return int(text, 0) if text[:2].lower() == "0x" else int(text)
    except ValueError:
        return None
