"""Which plain pointers may reach one object: C11 6.5p7, and the flags that iteration it off."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.kernel import read_kernel
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.design_folder import Folder
from tests.read.c.kernels import region

CHARACTERS = ("char", "signed char", "unsigned char")
SIGNED = ("short", "int", "long")
OTHERS = ("float", "double", "_Bool")
TYPES = (*CHARACTERS, *SIGNED, *(f"unsigned {one}" for one in SIGNED), *OTHERS)


def may_alias(one: str, other: str) -> bool:
    """By the paragraph: one type, signed or not, or a character type."""
    if one in CHARACTERS or other in CHARACTERS:
        return True
    return one.removeprefix("unsigned ") == other.removeprefix("unsigned ")


def message(folder: Path, one: str, other: str, *cflags: str) -> str:
    text = region("for (int i = 0; i < n; i++) A[i] = B[i] > 0;", f"{one} *A, {other} *B, int n")
    (folder / "k.c").write_text(text, encoding="utf-8")
    try:
        read_kernel(
            KernelRequest(
                folder=Folder(folder), file="k.c", function=None, parameters=("n",), cflags=cflags
            )
        )
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("one", TYPES)
def test_types_say_which_pointers_may_alias(one: str, tmp_path: Path) -> None:
    for other in TYPES:
        found = message(tmp_path, one, other)
        assert found.startswith("k.c:5:29: aliasing: 'A' and 'B' may point") is may_alias(
            one, other
        )
        assert may_alias(one, other) or not found


@pytest.mark.parametrize(("one", "other"), [("float", "int"), ("short", "double")])
def test_a_flag_takes_the_types_word_away(one: str, other: str, tmp_path: Path) -> None:
    assert not message(tmp_path, one, other)
    assert "-fno-strict-aliasing" in message(tmp_path, one, other, "-fno-strict-aliasing")


def test_characters_are_named(tmp_path: Path) -> None:
    assert "a character type may reach any object" in message(tmp_path, "float", "unsigned char")
