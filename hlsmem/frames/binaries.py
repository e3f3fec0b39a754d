"""Arrays as numpy keeps them (NPY, NPZ), and as a C program does (raw)."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np

from hlsmem.core.errors import InputError, Problem
from hlsmem.frames.frame_array import FrameArray, extents_text, fitting, other_extents


def read_npy(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frames in an NPY: one, or several behind each other by one more dimension."""
    return _frames(file, _loaded(file, content), array)


def read_npz(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frames of the member with the array's name, or of the only one."""
    members = _loaded(file, content)
    names = [*getattr(members, "files", [])]
    name = array.name if array.name in names else names[0] if len(names) == 1 else None
    if name is None:
        what = f"{file}: it has the arrays {', '.join(names) or 'none'}"
        raise InputError(Problem(what, f"name one of them {array.name!r}"))
    try:
        return _frames(file, members[name], array)
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        raise _broken(file, error) from None


def write_npy(frames: np.ndarray, _array: FrameArray) -> bytes:
    """Return the frames as an NPY: one without the dimension of frames."""
    stream = io.BytesIO()
    np.save(stream, frames[0] if len(frames) == 1 else frames, allow_pickle=False)
    return stream.getvalue()


def write_npz(frames: np.ndarray, array: FrameArray) -> bytes:
    """Return an NPZ whose one member has the array's name."""
    stream = io.BytesIO()
    members: dict[str, Any] = {array.name: frames[0] if len(frames) == 1 else frames}
    np.savez(stream, **members)
    return stream.getvalue()


def read_raw(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frames in the bytes of C's arrays, the lowest byte first."""
    kind = array.kind.newbyteorder("<")
    size = array.elements * kind.itemsize
    if not content or len(content) % size:
        found = f"{len(content)} bytes, no multiple of {size}"
        raise other_extents(file, found, array)
    values = np.frombuffer(content, kind).reshape(-1, *array.extents)
    return fitting(file, values, array)


def write_raw(frames: np.ndarray, array: FrameArray) -> bytes:
    """Return the bytes of the frames as C's arrays have them, the lowest byte first."""
    return frames.astype(array.kind.newbyteorder("<")).tobytes()


def _loaded(file: str, content: bytes) -> Any:
    try:
        return np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise _broken(file, error) from None


def _frames(file: str, values: Any, array: FrameArray) -> np.ndarray:
    kinds = "iubf" if array.is_float else "iub"
    if not isinstance(values, np.ndarray) or values.dtype.kind not in kinds:
        kind = getattr(values, "dtype", type(values).__name__)
        what = f"{file}: it has {kind}, and {array.name!r} is {array.element}"
        numbers = "numbers" if array.is_float else "whole numbers"
        raise InputError(Problem(what, f"save it as {numbers} (.astype({str(array.kind)!r}))"))
    if values.shape == array.extents:
        values = values[np.newaxis]
    if values.shape[1:] != array.extents or not len(values):
        raise other_extents(file, f"the shape {extents_text(values.shape) or '()'}", array)
    return fitting(file, values, array)


def _broken(file: str, why: object) -> InputError:
    return InputError(Problem(f"{file}: {why}", "save it again, or name another file"))
