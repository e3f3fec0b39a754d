"""Text in the place of a call: it has the place of the user's text, whichever call it came by."""

from __future__ import annotations

from hlsmem.read.c.source_map import CalledFrom
from hlsmem.read.c.tree import SourceRange


def test_the_place_is_that_of_the_text() -> None:
    """Conditions are known by it from one reading to the next, in which calls are replaced anew."""
    at = SourceRange("k.c", 3, 9)
    assert str(CalledFrom(at, "first")) == str(CalledFrom(at, "second")) == "k.c:3:9"
