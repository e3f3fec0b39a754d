"""Constructs of C++: as C they compute what a compiler of C++ makes of the user's own text."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.core.data_files import resource_folder
from hlsmem.read.c.clang import reader
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.c.clang.source_parsing import parsed
from hlsmem.read.design_folder import Folder

TEXT = Path(__file__).with_name("constructs.cpp")
NAMES = re.findall(
    r"^void (\w+)\(const int in\[N\], int out\[N\]\)", TEXT.read_text(), re.MULTILINE
)
_FLAGS = ("-O0", "-w", "-fwrapv", "-ffp-contract=off", "-fsanitize=undefined")
_MAIN = """
#include <stdio.h>
%(heads)s
static void (*const tops[])(const int *, int *) = {%(names)s};
int main(void)
{
    unsigned state = 12345;
    for (unsigned t = 0; t < sizeof tops / sizeof *tops; t++)
        for (int round = 0; round < 6; round++) {
            int in[32], out[32] = {0};
            for (int i = 0; i < 32; i++) {
                state = state * 1664525u + 1013904223u;
                in[i] = (int)state >> (round * 5);
            }
            tops[t](in, out);
            printf("%%u:", t);
            for (int i = 0; i < 32; i++)
                printf(" %%d", out[i]);
            printf("\\n");
        }
}
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """What the functions give: those of the user by g++, and as C by gcc."""
    folder = tmp_path_factory.mktemp("constructs")
    headers = resource_folder("hls") / "include"
    text = TEXT.read_text()
    heads = "\n".join(f"void {name}(const int *, int *);" for name in NAMES)
    main = _MAIN % {"heads": heads, "names": ", ".join(NAMES)}
    (folder / "user.cpp").write_text(text + main)
    (folder / "main.c").write_text(main)
    parts = []
    source = parsed(Folder(TEXT.parent), TEXT.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "parsed", lambda *_, **__: source)  # by clang once for all functions
        for name in NAMES:
            reading = read_file(Folder(TEXT.parent), TEXT.name, name)
            includes = "".join(f"#include <{one}>\n" for one in reading.parsed.headers)
            (folder / f"{name}.c").write_text(includes + reading.parsed.text)
            parts.append(f"{name}.c")
    user = ["g++", "-std=gnu++17", *_FLAGS, "-I", str(headers), "user.cpp", "-o", "user"]
    own = ["gcc", "-std=gnu99", *_FLAGS, "main.c", *parts, "-o", "own", "-lm"]
    found = []
    for command, program in ((user, "./user"), (own, "./own")):
        subprocess.run(command, cwd=folder, check=True)
        ran = subprocess.run([program], cwd=folder, check=True, capture_output=True, text=True)
        assert not ran.stderr
        found.append(ran.stdout.splitlines())
    return found[0], found[1]


@pytest.mark.parametrize("name", NAMES)
def test_c_computes_what_cxx_computes(name: str, printed: tuple[list[str], list[str]]) -> None:
    own = f"{NAMES.index(name)}:"
    user, made = ([line for line in one if line.startswith(own)] for one in printed)
    assert user == made
    assert len(set(user)) > 1
