"""Files of the user's data: what the suffix says that they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.user_files import read_bytes
from hlsmem.frames import binaries, pictures, tables
from hlsmem.frames.frame_array import FrameArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFormat:
    """A format: how frames of an array are read from bytes and written to them.

    `misfit` says why an array cannot be written, "" where it can.
    """

    read: Callable[[str, bytes, FrameArray], np.ndarray]
    write: Callable[[np.ndarray, FrameArray], bytes]
    misfit: Callable[[FrameArray], str] = lambda _: ""
    is_picture: bool = False


_NETPBM = DataFormat(
    read=pictures.read_netpbm,
    write=pictures.write_netpbm,
    misfit=pictures.not_a_picture,
    is_picture=True,
)
_RAW = DataFormat(read=binaries.read_raw, write=binaries.write_raw)
FORMATS = {
    ".png": DataFormat(
        read=pictures.read_png,
        write=pictures.write_png,
        misfit=pictures.not_a_picture,
        is_picture=True,
    ),
    ".pgm": _NETPBM,
    ".ppm": _NETPBM,
    ".csv": DataFormat(read=tables.read_csv, write=tables.write_csv),
    ".npy": DataFormat(read=binaries.read_npy, write=binaries.write_npy),
    ".npz": DataFormat(read=binaries.read_npz, write=binaries.write_npz),
    ".raw": _RAW,
    ".bin": _RAW,
}


def format_of(file: Path) -> DataFormat:
    """Return the format of a file by its suffix; raises InputError where it has none."""
    found = FORMATS.get(file.suffix.lower())
    if found is None:
        what = f"{file}: data has no format {file.suffix or 'without a suffix'}"
        raise InputError(Problem(what, f"use one of {', '.join(FORMATS)}"))
    return found


def frames_in(file: Path, array: FrameArray) -> np.ndarray:
    """Return the frames of an array in a file, shape (frames, *extents).

    Raises InputError with what is wrong with it.
    """
    form = format_of(file)
    try:
        content = read_bytes(file)
    except OSError as error:
        what = f"{file}: cannot be read: {error.strerror}"
        raise InputError(Problem(what, "check the name")) from None
    return form.read(str(file), content, array)


def written(file: Path, frames: np.ndarray, array: FrameArray) -> bytes:
    """Return the content of a file with the frames of an array."""
    return format_of(file).write(frames, array)


def unwritable(file: Path, frames: int, array: FrameArray) -> str:
    """Return why a file cannot have so many different frames of an array; "" where it can."""
    form = format_of(file)
    why = form.misfit(array)
    if not why and form.is_picture and frames > 1:
        why = f"the run has {frames} frames, and a picture holds one"
    return why
