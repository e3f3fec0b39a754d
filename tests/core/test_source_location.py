from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.source_location import SourceLocation, Span, place_in
from tests.families import by_default

TEXT = "int a;\n\tint bb;\r\nint c;"


def test_place_counts_lines_and_columns_from_one() -> None:
    assert str(place_in("a.c", TEXT, 0)) == "a.c:1:1"
    assert str(place_in("a.c", TEXT, TEXT.index("bb"))) == "a.c:2:6"
    assert str(place_in("a.c", TEXT, len(TEXT) - 1)) == "a.c:3:6"


def test_place_keeps_its_line_without_the_line_end() -> None:
    assert place_in("a.c", TEXT, TEXT.index("bb")).text == "\tint bb;"


def test_carets_stand_under_the_stretch_even_behind_a_tab() -> None:
    place = place_in("a.c", TEXT, TEXT.index("bb"), 2)
    assert place.carets() == "     int bb;\n         ^^"


@given(start=st.integers(0, 600), width=st.integers(1, 300))
@settings(max_examples=by_default(25, 100), deadline=None)
def test_of_a_long_line_the_part_around_the_stretch_is_shown(start: int, width: int) -> None:
    text = "".join(f"{number:3}" for number in range(100, 300))
    start = min(start, len(text) - 1)
    width = min(width, len(text) - start)
    line, carets = (
        SourceLocation(file="a", line=1, column=start + 1, length=width, text=text)
        .carets()
        .split("\n")
    )
    assert len(line) <= 4 + 160 + 6
    marked = line[carets.index("^") : carets.rindex("^") + 1]
    assert text[start : start + width].startswith(marked)
    assert len(marked) >= min(width, 100)
    assert line.strip().strip(".") in text


def test_an_empty_line_is_not_shown() -> None:
    assert SourceLocation(file="a", line=1, column=1, text="").carets() == ""


def test_carets_stay_within_the_line() -> None:
    assert (
        SourceLocation(file="a", line=1, column=3, length=99, text="abc").carets()
        == "    abc\n      ^"
    )
    assert SourceLocation(file="a", line=1, column=9, text="abc").carets() == "    abc\n       ^"


def test_carets_without_text_are_empty() -> None:
    assert SourceLocation(file="a", line=1, column=1).carets() == ""


def test_line_zero_stands_for_an_argument() -> None:
    assert str(SourceLocation(file="--set a=b", line=0, column=3)) == "--set a=b"


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="ab\n", min_size=1), st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text) - 1))
    place = place_in("f", text, offset)
    before = sum(len(line) + 1 for line in text.split("\n")[: place.line - 1])
    assert before + place.column - 1 == offset


def span(**changes: object) -> Span:
    fields = {"file": "d", "source": 'x: "ab cd"\n', "start": 3, "end": 10}
    return Span(**(fields | changes))  # type: ignore[arg-type]


def test_span_without_offset_is_the_whole_stretch() -> None:
    assert span().place().carets() == '    x: "ab cd"\n       ^^^^^^^'


def test_span_points_at_characters_of_its_text() -> None:
    place = span(offsets=(4, 5, 6, 7, 8)).place(3, 2)
    assert (str(place), place.carets()) == ("d:1:8", '    x: "ab cd"\n           ^^')


def test_span_clamps_what_lies_behind_its_end() -> None:
    assert str(span(offsets=(4, 5, 6, 7, 8)).place(99, 5)) == "d:1:9"


def test_span_without_offsets_gives_the_whole_stretch_for_any_character() -> None:
    assert span().place(3) == span().place()


def test_span_over_lines_ends_with_the_first_line() -> None:
    place = Span(file="d", source="a: [1,\n 2]", start=3, end=10).place()
    assert place.carets() == "    a: [1,\n       ^^^"


def test_span_of_an_argument_has_no_line() -> None:
    place = span(file="--set x", numbered=False).place()
    assert (str(place), place.column) == ("--set x", 4)
