"""Configurations and scripts of the vendor's tool."""

from __future__ import annotations

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.hls_projects import HlsProject, Setting, flags_of, project_of

CONFIG = """\
part=xcvu9p
syn.top=outside

[hls]
# syn.top=comment
syn.file = src/fir.cpp
syn.file=fir.h
syn.file=src/fir.cpp
syn.top=fir
syn.cflags=-I inc -DN=4
syn.file_cflags=src/fir.cpp,-DM=2
tb.file=tb.cpp

[other]
syn.file=other.cpp
"""
SCRIPT = """\
# set_top comment {
open_project -reset proj
set name fir
if {$x} {
    set_top $name
}
add_files "src/$name.cpp helper.cpp" -cflags "-I inc.cpp -std=c++14"; add_files -tb tb.cpp
add_files \\
    ${name}.h
"""


def values(settings: tuple[Setting, ...]) -> list[str]:
    return [one.value for one in settings]


def test_a_configuration_has_the_settings_of_its_section() -> None:
    found = project_of(CONFIG, "a/hls_config.cfg")
    assert found.top is not None
    assert (found.top.value, str(found.top.source_location)) == ("fir", "a/hls_config.cfg:9:9")
    assert values(found.files) == ["src/fir.cpp", "fir.h", "src/fir.cpp"]
    assert values(found.kernels) == ["src/fir.cpp"]
    assert [flag for flag, _ in flags_of(found.flags)] == ["-Iinc", "-DN=4"]
    assert values(found.file_flags) == ["src/fir.cpp,-DM=2"]
    assert found.names("fir.cpp")
    assert not found.names("other.cpp")
    assert not found.names("tb.cpp")


def test_a_script_has_its_top_and_its_files() -> None:
    found = project_of(SCRIPT, "run.tcl")
    assert found.top is not None
    assert (found.top.value, str(found.top.source_location)) == ("fir", "run.tcl:5:13")
    assert values(found.files) == ["src/fir.cpp", "helper.cpp", "fir.h"]
    assert found.names("k/helper.cpp")


@pytest.mark.parametrize("text", ["set_top $unknown", "set_top [lindex $argv 0]", "puts set_top"])
def test_a_top_that_only_a_run_knows_is_none(text: str) -> None:
    assert project_of(text, "run.tcl").top is None


@pytest.mark.parametrize(
    ("text", "file", "place"),
    [
        ("[hls]\nsyn.top=f\nsyn.top=g\n", "a.cfg", "a.cfg:3:9"),
        ("set_top f\nset_top g\n", "run.tcl", "run.tcl:2:9"),
    ],
)
def test_two_tops_are_refused(text: str, file: str, place: str) -> None:
    project = project_of(text, file)
    message = f"{place}: a second top: 'g'; keep one, or name it with kernel.function"
    with pytest.raises(InputError) as caught:
        _ = project.top
    assert str(caught.value) == message
    assert project_of(text.replace("g\n", "f\n"), file).top == project.tops[0]


def test_an_open_quote_is_refused() -> None:
    project = project_of("[hls]\nsyn.cflags=-DT='a b\n", "a.cfg")
    message = "a.cfg:2:12: a quote is open; close it, or write a backslash in front of it"
    with pytest.raises(InputError, match=message):
        list(flags_of(project.flags))


def test_what_is_no_project_names_nothing() -> None:
    assert project_of("", "a.cfg") == HlsProject(file="a.cfg", text="")
    assert project_of("[options]\nx = 1\n", "setup.cfg").tops == ()
