"""Files of data: what is written is read again, and what does not fit is refused with its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hlsmem.core.errors import InputError, MissingToolError
from hlsmem.frames import pictures
from hlsmem.frames.data_files import FORMATS, format_of, frames_in, unwritable, written
from hlsmem.frames.frame_array import FrameArray


def array(extents: tuple[int, ...], kind: str = "uint8", **other: int) -> FrameArray:
    limits = np.iinfo(kind)
    given = {"least": int(limits.min), "greatest": int(limits.max), **other}
    return FrameArray(name="a", extents=extents, element=kind, kind=np.dtype(kind), **given)


def drawn(one: FrameArray, frames: int = 1) -> np.ndarray:
    draw = np.random.default_rng(7)
    shape = (frames, *one.extents)
    return draw.integers(one.least, one.greatest, shape, dtype=one.kind, endpoint=True)


def kept(file: Path, frames: np.ndarray, one: FrameArray) -> np.ndarray:
    file.write_bytes(written(file, frames, one))
    return frames_in(file, one)


PLAIN = [".csv", ".npy", ".npz", ".raw", ".bin"]


@pytest.mark.parametrize("suffix", PLAIN)
@pytest.mark.parametrize("kind", ["uint8", "int16", "uint64"])
def test_what_is_written_is_read_again(suffix: str, kind: str, tmp_path: Path) -> None:
    for extents in [(7,), (3, 5), (2, 3, 4)]:
        for number in (1, 3):
            one = array(extents, kind)
            frames = drawn(one, number)
            assert (kept(tmp_path / f"a{suffix}", frames, one) == frames).all()


PICTURES = {
    "grey": array((3, 5)),
    "grey of 16 bits": array((3, 5), "uint16"),
    "three channels": array((3, 5, 3)),
    "packed": array((3, 5), "uint32", greatest=0xFFFFFF),
}


@pytest.mark.parametrize("what", PICTURES)
@pytest.mark.parametrize(
    "suffix", [".pgm", ".ppm", pytest.param(".png", marks=pytest.mark.needs("pillow"))]
)
def test_a_picture_is_read_again(suffix: str, what: str, tmp_path: Path) -> None:
    one = PICTURES[what]
    frames = drawn(one)
    assert (kept(tmp_path / f"a{suffix}", frames, one) == frames).all()


def test_netpbm_is_written_as_its_page_says(tmp_path: Path) -> None:
    one = array((2, 2), "uint16")
    frames = np.array([[[1, 2], [3, 515]]], np.uint16)
    assert written(Path("a.pgm"), frames, one) == b"P5\n2 2\n65535\n\0\1\0\2\0\3\2\3"
    (tmp_path / "plain.pgm").write_text("P2 # grey\n# two lines\n2 2\n700\n1 2\n3 515\n")
    assert (frames_in(tmp_path / "plain.pgm", one) == frames).all()


def test_hexadecimal_and_a_column_are_read_in_a_table(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("0x1f\n\n 2\n3\n")
    assert frames_in(file, array((3,))).tolist() == [[31, 2, 3]]


REFUSED = {
    "other extents": (
        "a.pgm",
        b"P5\n3 2\n255\n" + bytes(6),
        "a.pgm: it has 2 rows of 3 pixels in grey, and 'a' is [2][2]; bring it to these extents,"
        " or plan for its own (--param)",
    ),
    "colours": (
        "a.ppm",
        b"P6\n2 2\n255\n" + bytes(12),
        "a.ppm: it has 2 rows of 2 pixels in colours, and 'a' is [2][2]; bring it to these extents,"
        " or plan for its own (--param)",
    ),
    "a pixel that is missing": (
        "a.pgm",
        b"P5\n2 2\n255\n" + bytes(3),
        "a.pgm: it has no 4 values from 0 to 255; save it again, or name another file",
    ),
    "no picture": (
        "a.pgm",
        b"GIF",
        "a.pgm: it does not begin as a PGM or PPM; save it again, or name another file",
    ),
    "bright pixels": (
        "a.pgm",
        b"P5\n2 2\n999\n\0\1\0\1\3\1\0\1",
        "a.pgm: a[1][0] is 769, no uint8 (0 to 255); scale it, or cut it off; 1 of its words are"
        " outside",
    ),
    "words of a table": (
        "a.csv",
        b"1,2\n 3,x\n300,-1\n",
        "a.csv:2:4: 'x' is no uint8 (0 to 255); write what 'a' can hold\n"
        "a.csv:3:1: '300' is no uint8 (0 to 255); write what 'a' can hold\n"
        "a.csv:3:5: '-1' is no uint8 (0 to 255); write what 'a' can hold",
    ),
    "lines of a table": (
        "a.csv",
        b"1,2\n3,4\n5,6\n",
        "a.csv: it has 3 lines of 2 words, and 'a' is [2][2]; bring it to these extents, or plan"
        " for its own (--param)",
    ),
    "a short line": (
        "a.csv",
        b"1,2\n3\n",
        "a.csv:2:1: a line of 1 words, and 'a' has 2; write a line for each row",
    ),
    "some bytes": (
        "a.raw",
        b"12345",
        "a.raw: it has 5 bytes, no multiple of 4, and 'a' is [2][2]; bring it to these extents, or"
        " plan for its own (--param)",
    ),
    "no numpy": (
        "a.npz",
        b"PK",
        "a.npz: ",
    ),
    "another suffix": (
        "a.gif",
        b"",
        f"a.gif: data has no format .gif; use one of {', '.join(FORMATS)}",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, content, words = REFUSED[what]
    Path(name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        frames_in(Path(name), array((2, 2)))
    told = str(caught.value)
    assert told.startswith(words) if words.endswith(": ") else told == words


def test_arrays_of_numpy_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for values, words in [
        (np.zeros((2, 2)), "a.npy: it has float64, and 'a' is uint8; save it as whole numbers"),
        (np.zeros((4, 2, 3), int), "a.npy: it has the shape [4][2][3], and 'a' is [2][2]"),
        (np.full((3, 2, 2), -1), "a.npy: a[0][0] of frame 0 is -1, no uint8 (0 to 255)"),
    ]:
        np.save("a.npy", values)
        with pytest.raises(InputError) as caught:
            frames_in(Path("a.npy"), array((2, 2)))
        assert str(caught.value).startswith(words)


def test_what_is_no_picture_is_not_written_as_one() -> None:
    file = Path("a.png")
    assert unwritable(file, 1, array((2, 2))) == ""
    assert "never negative" in unwritable(file, 1, array((2, 2), "int16"))
    assert "rows and columns" in unwritable(file, 1, array((4,)))
    assert "16 bits at most" in unwritable(file, 1, array((2, 2, 3), "uint32"))
    assert "a picture holds one" in unwritable(file, 2, array((2, 2)))
    assert unwritable(Path("a.npy"), 2, array((4,), "int16")) == ""
    assert format_of(Path("a.PNG")).is_picture


@pytest.mark.needs("pillow")
def test_pngs_with_alpha_palette_or_more_bits_are_refused(tmp_path: Path) -> None:
    from PIL import Image

    grey = Image.fromarray(np.zeros((2, 2), np.uint8))
    for mode, words in [
        ("LA", "has an alpha channel"),
        ("RGBA", "has an alpha channel"),
        ("P", "mode P"),
    ]:
        file = tmp_path / f"{mode}.png"
        grey.convert(mode).save(file)
        with pytest.raises(InputError) as caught:
            frames_in(file, array((2, 2)))
        assert words in str(caught.value)
    file = tmp_path / "broken.png"
    file.write_bytes(b"\x89PNG and no more")
    with pytest.raises(InputError, match="save it again"):
        frames_in(file, array((2, 2)))


def test_without_pillow_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    (tmp_path / "a.png").touch()
    with pytest.raises(MissingToolError) as caught:
        frames_in(tmp_path / "a.png", array((2, 2)))
    assert str(caught.value) == (
        "PNG is read and written by Pillow, which is not installed; pip install hlsmem[pictures],"
        " or take PGM, PPM, CSV or NPY"
    )
    assert pictures.not_a_picture(array((2, 2))) == ""


@pytest.mark.parametrize("suffix", PLAIN)
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_floats_are_read_again(suffix: str, kind: str, tmp_path: Path) -> None:
    one = FrameArray(
        name="a", extents=(3, 5), element="float", least=0, greatest=0, kind=np.dtype(kind)
    )
    frames = np.random.default_rng(7).normal(0, 1e6, (2, 3, 5)).astype(kind)
    assert (kept(tmp_path / f"a{suffix}", frames, one) == frames).all()


def test_what_is_no_float_is_refused(tmp_path: Path) -> None:
    one = FrameArray(
        name="a", extents=(2,), element="float", least=0, greatest=0, kind=np.dtype("float32")
    )
    file = tmp_path / "a.csv"
    file.write_text("1.5,1e39\n")
    with pytest.raises(InputError, match="'1e39' is no float"):
        frames_in(file, one)
    np.save(tmp_path / "a.npy", np.array([1.0, np.nan]))
    with pytest.raises(InputError, match=r"a\[1\] is nan, no float"):
        frames_in(tmp_path / "a.npy", one)
    assert "pixels are whole numbers" in unwritable(tmp_path / "a.pgm", 1, one)
