"""Positions through macros and includes, symbolic macros, and what may be included."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.preprocess import Token, preprocess
from hlsmem.read.design_folder import Folder


def token(tokens: tuple[Token, ...], text: str, number: int = 0) -> tuple[str, int, int]:
    """File, line and column of the `number`-th token with this text."""
    found = [one for one in tokens if one.text == text][number]
    return found.file, found.source_line, found.source_column


def refusal(folder: Path, text: str, **more: tuple[str, ...]) -> str:
    (folder / "k.c").write_text(text)
    with pytest.raises(InputError) as caught:
        preprocess(Folder(folder), "k.c", **more)
    return str(caught.value)


def test_columns_survive_comments_tabs_and_joined_lines(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("/* a\n b */ int\tx; /* c */ int y \\\n  = 3;\r\n")
    tokens = preprocess(Folder(tmp_path), "k.c").tokens
    assert token(tokens, "x") == ("k.c", 2, 11)
    assert token(tokens, "y") == ("k.c", 2, 26)
    assert token(tokens, "3") == ("k.c", 3, 5)


def test_an_expansion_stands_at_its_use_and_arguments_where_they_are(tmp_path: Path) -> None:
    text = "#define ADD(a, b) ((a) + (b) + K)\n#define K 4\nint x =  ADD(y,  ADD(z, K));\n"
    (tmp_path / "k.c").write_text(text)
    result = preprocess(Folder(tmp_path), "k.c")
    assert " ".join(result.text.split()) == "int x = ((y) + (((z) + (4) + 4)) + 4);"
    assert token(result.tokens, "y") == ("k.c", 3, 14)
    assert token(result.tokens, "z") == ("k.c", 3, 22)
    assert token(result.tokens, "+") == ("k.c", 3, 10)


def test_a_parameter_that_decides_a_condition_is_refused(tmp_path: Path) -> None:
    text = "#define N 64\n#define M (N / 2)\n#if M > 3\nint a[M];\n#elif N\n#endif\n"
    (tmp_path / "k.c").write_text(text)
    with pytest.raises(InputError) as refusal:
        preprocess(Folder(tmp_path), "k.c", symbolic=("N",))
    assert str(refusal.value) == (
        "k.c:3:1: the parameter 'N' decides which text is compiled; "
        "decide with if in the code, or leave 'N' out of params"
    )


def test_macros_of_parameters_stay_names_and_are_known_to_be_defined(tmp_path: Path) -> None:
    text = "#define N 64\n#define M (N / 2)\n#if 64 > 32 && defined N\nint a[M];\n#endif\n"
    (tmp_path / "k.c").write_text(text)
    result = preprocess(Folder(tmp_path), "k.c", symbolic=("N", "n"))
    assert result.text.strip() == "int a[(N / 2)];"
    assert result.macros == ("N",)


def test_flags_define_and_search(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "t.h").write_text("#pragma once\ntypedef float T;\n")
    text = '#include "t.h"\n#include <t.h>\n#include <math.h>\nT x = W + F(1);\n'
    (tmp_path / "k.c").write_text(text)
    flags = ("-Iinclude", "-O3", "-DF(x)=x", "-D", "W=2")
    result = preprocess(Folder(tmp_path), "k.c", cflags=flags)
    assert " ".join(result.text.split()) == "typedef float T; T x = 2 + 1;"
    assert [file.name for file in result.files] == ["k.c", "include/t.h"]
    assert result.headers == ("math.h",)
    assert token(result.tokens, "float") == ("include/t.h", 2, 9)


def test_includes_are_looked_up_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.c").write_text('#include "a.h"\n')
    (tmp_path / "src" / "a.h").write_text('#include "../b.h"\n')
    (tmp_path / "b.h").write_text("int b;\n")
    result = preprocess(Folder(tmp_path), "src/k.c")
    assert [file.name for file in result.files] == ["src/k.c", "src/a.h", "b.h"]


def test_an_include_may_not_leave_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "x.h").write_text("int x;\n")
    assert refusal(inner, '\n  #include "../x.h"\n') == (
        "k.c:2:12: '../x.h' lies outside the folder of the design; "
        "copy it below that folder, or include it by its name and say `--include DIR`"
    )
    (inner / "link.h").symlink_to(tmp_path / "x.h")
    assert refusal(inner, '#include "link.h"\n').startswith("k.c:1:10: 'link.h' lies outside")


def test_missing_files_are_named_at_their_include(tmp_path: Path) -> None:
    assert refusal(tmp_path, 'int x;\n#include "gone.h"\n') == (
        "k.c:2:10: 'gone.h' is neither beside 'k.c' nor in a -I folder; "
        "correct the name, add -I to kernel.cflags, or say `--include DIR`"
    )


def test_a_missing_or_foreign_kernel_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        preprocess(Folder(tmp_path), "gone.c")
    assert str(caught.value) == "C file 'gone.c' does not exist; correct kernel.file"
    with pytest.raises(InputError) as caught:
        preprocess(Folder(tmp_path), "../gone.c")
    assert str(caught.value) == (
        "'../gone.c' lies outside the folder of the design; move it below that folder"
    )
    (tmp_path / "latin.c").write_bytes(b"int x; /* \xe9 */\n")
    with pytest.raises(InputError) as caught:
        preprocess(Folder(tmp_path), "latin.c")
    assert str(caught.value) == "C file 'latin.c' is not UTF-8 text; save it as UTF-8"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#error no luck", "k.c:1:1: #error no luck; meet its condition"),
        ("#define", "k.c:1:1: #define without an argument; complete it"),
        ("int x;\n#include", "k.c:2:1: #include without an argument; complete it"),
        ("#include <x", 'k.c:1:10: malformed #include; write #include "file.h"'),
        ("#if 1\nint x;", "k.c:1:1: unterminated #if 1; end it with #endif"),
        ("#endif", "k.c:1:2: misplaced #endif; correct the directive or macro"),
        (
            "#define F(a) a\nint x = F(1, 2);",
            "k.c:2:9: macro F requires 1 arguments but was passed 2; "
            "correct the directive or macro",
        ),
    ],
)
def test_directives_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(tmp_path, text) == message


def test_a_text_is_no_expansion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a table of constants that is long, macros add what they stand for."""
    monkeypatch.setattr("hlsmem.read.c.preprocess.EXPANSION_LIMIT", 100)
    table = ", ".join(map(str, range(300)))
    (tmp_path / "k.c").write_text(f"#define ONE 1 + 0\nint t[] = {{{table}, ONE}};\n")
    assert len(preprocess(Folder(tmp_path), "k.c").tokens) == 300 * 2 + 11


def test_macros_and_includes_that_explode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlsmem.read.c.preprocess.EXPANSION_LIMIT", 10_000)
    doubled = "".join(f"#define A{k} A{k + 1} A{k + 1}\n" for k in range(40))
    assert refusal(tmp_path, f"{doubled}#define A40 x\nint y;\n  A0\n") == (
        "k.c:43:3: the macros expand to more than 10,000 tokens; simplify them"
    )
    assert refusal(tmp_path, '#include "k.c"\n') == (
        "k.c:1:10: 'k.c' is included 64 levels deep; give it an include guard"
    )
