"""Pictures as arrays: PNG by Pillow; PGM and PPM (netpbm's formats) by themselves.

A grey picture is an array of rows and columns, a coloured one has three channels behind these, or
one word 0xRRGGBB for each of its pixels.
"""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from hlsmem.core.errors import InputError, MissingToolError, Problem
from hlsmem.frames.frame_array import FrameArray, extents_text, fitting, other_extents

_INSTALL = "pip install hlsmem[pictures]"
_BIT_DEPTH = 24
"""The place of a PNG's bits a channel: a byte of its first chunk."""
_CHANNELS = 3
_BYTE, _WORD = 255, 65535
_COLOUR = 0xFFFFFF


def read_png(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frame in a PNG; raises InputError where it is none of the array's."""
    image = _opened(file, content)
    given = image.size[::-1]
    shape = (*given, _CHANNELS) if image.mode == "RGB" else given
    if image.mode in ("LA", "RGBA", "PA", "La", "RGBa") or "transparency" in image.info:
        raise _no_picture(file, "has an alpha channel", "save it without one")
    if image.mode not in ("1", "L", "I", "I;16", "I;16B", "RGB"):
        raise _no_picture(file, f"has pixels of mode {image.mode}", "save it as grey or RGB")
    if image.mode == "RGB" and content[_BIT_DEPTH] > 8:  # of which Pillow keeps the upper eight
        raise _no_picture(file, "has 16 bits a colour", "save it with 8, or as PPM")
    _check_extents(file, shape, array)
    try:
        pixels = np.asarray(image.convert("L") if image.mode == "1" else image)
    except (OSError, SyntaxError, ValueError) as error:
        raise _broken(file, error) from None
    return _as_frame(file, pixels.astype(np.int64), array)


def write_png(frames: np.ndarray, array: FrameArray) -> bytes:
    """Return a PNG of the first frame."""
    stream = io.BytesIO()
    _pillow().fromarray(_as_pixels(frames, array)).save(stream, format="PNG")
    return stream.getvalue()


def read_netpbm(file: str, content: bytes, array: FrameArray) -> np.ndarray:
    """Return the frame in a PGM or PPM, plain or raw."""
    kind, numbers, begin = content[:2], list[int](), 2
    field = re.compile(rb"(?:\s|#[^\n]*\n)*(\d{1,9})")
    for _ in range(3):
        found = field.match(content, begin)
        if kind not in (b"P2", b"P3", b"P5", b"P6") or found is None:
            raise _broken(file, "it does not begin as a PGM or PPM")
        numbers.append(int(found[1]))
        begin = found.end()
    width, height, most = numbers
    shape = (height, width, _CHANNELS) if kind in (b"P3", b"P6") else (height, width)
    _check_extents(file, shape, array)
    words: Any
    if kind in (b"P2", b"P3"):
        words = re.sub(rb"#[^\n]*", b"", content[begin:]).split()
    else:
        words = np.frombuffer(content[begin + 1 :], ">u2" if most > _BYTE else "u1")
    size = int(np.prod(shape))
    try:
        values = np.array(words[:size], np.int64)
    except (ValueError, OverflowError):
        raise _broken(file, "a pixel is no number") from None
    if len(values) < size or not 0 < most <= _WORD or (size and values.max() > most):
        raise _broken(file, f"it has no {size} values from 0 to {most}")
    return _as_frame(file, values.reshape(shape), array)


def write_netpbm(frames: np.ndarray, array: FrameArray) -> bytes:
    """Return a raw PGM of the first frame, or a raw PPM where it is coloured."""
    pixels = _as_pixels(frames, array)
    most = _BYTE if pixels.dtype == np.uint8 else _WORD
    height, width = pixels.shape[:2]
    head = f"P{5 if pixels.ndim == 2 else 6}\n{width} {height}\n{most}\n"
    return head.encode() + pixels.astype(">u2" if most > _BYTE else "u1").tobytes()


def not_a_picture(array: FrameArray) -> str:
    """Return why an array cannot be written as a picture; "" where it can."""
    if array.is_float:
        return f"{array.name!r} is {array.type_text}, and pixels are whole numbers"
    if array.least < 0:
        return f"{array.name!r} is {array.type_text}, and pixels are never negative"
    if array.greatest > _WORD and not _is_packed(array):
        return f"{array.name!r} is {array.type_text}, and a pixel has 16 bits at most"
    if len(array.extents) == 2 or (len(array.extents) == 3 and array.extents[2] == _CHANNELS):
        return ""
    return f"{array.name!r} is {extents_text(array.extents)}, and a picture has rows and columns"


def _is_packed(array: FrameArray) -> bool:
    """True where a word of the array is a pixel 0xRRGGBB."""
    return len(array.extents) == 2 and array.least == 0 and array.greatest >= _COLOUR


def _check_extents(file: str, shape: tuple[int, ...], array: FrameArray) -> None:
    """Refuse a picture of other extents, before all of it is read."""
    if shape == array.extents:
        return
    if shape[2:] and shape[:2] == array.extents and _is_packed(array):
        return
    colours = "colours" if shape[2:] else "grey"
    raise other_extents(file, f"{shape[0]} rows of {shape[1]} pixels in {colours}", array)


def _as_frame(file: str, pixels: np.ndarray, array: FrameArray) -> np.ndarray:
    if pixels.shape != array.extents:
        pixels = pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
    return fitting(file, pixels[np.newaxis], array)


def _as_pixels(frames: np.ndarray, array: FrameArray) -> np.ndarray:
    frame: np.ndarray = frames[0].astype(np.int64)
    if _is_packed(array):
        return np.stack([frame >> 16 & 255, frame >> 8 & 255, frame & 255], 2).astype(np.uint8)
    return frame.astype(np.uint8 if array.greatest <= _BYTE else np.uint16)


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        what = "PNG is read and written by Pillow, which is not installed"
        remedy = f"{_INSTALL}, or take PGM, PPM, CSV or NPY"
        raise MissingToolError(Problem(what, remedy), install=(_INSTALL,)) from None
    return Image


def _opened(file: str, content: bytes) -> Any:
    module = _pillow()
    try:
        return module.open(io.BytesIO(content), formats=("PNG",))
    except (OSError, SyntaxError, ValueError, module.DecompressionBombError) as error:
        raise _broken(file, error) from None


def _no_picture(file: str, what: str, remedy: str) -> InputError:
    return InputError(Problem(f"{file}: it {what}", remedy))


def _broken(file: str, why: object) -> InputError:
    return InputError(Problem(f"{file}: {why}", "save it again, or name another file"))
