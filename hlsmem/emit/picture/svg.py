"""A small printer of SVG: the same input gives the same bytes.

Lengths are in pixels, to a hundredth. Texts are escaped here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hlsmem.core.lazy_dataclass import dataclass

# Colours that people with any colour vision tell apart (Okabe and Ito, 2008), on white.
INK, GREY, PALE = "#222222", "#6b6b6b", "#e4e4e4"
BLUE, LIGHT_BLUE = "#0072b2", "#cfe3f1"
ORANGE, RED = "#f0b040", "#c4440a"

FONT = "font-family='DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'"


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole file. `title` is what a screen reader says."""
    size = f"width='{number(width)}' height='{number(height)}'"
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' {size}"
        f" viewBox='0 0 {number(width)} {number(height)}' role='img' {FONT}>"
    )
    lines = [head, f"<title>{escaped(title)}</title>", rectangle(0, 0, width, height, "#ffffff")]
    return "\n".join([*lines, *parts, "</svg>"]) + "\n"


def number(value: float) -> str:
    """A length to a hundredth of a pixel, without zeros that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def escaped(text: str) -> str:
    """Text as it stands in an element or attribute; what XML cannot hold is shown as ?."""
    safe = "".join(c if c.isprintable() else "?" for c in text)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;")):
        safe = safe.replace(sign, entity)
    return safe


def text(
    x: float,
    y: float,
    content: str,
    *,
    size: float = 11,
    colour: str = INK,
    anchor: str = "start",
    bold: bool = False,
    turned: bool = False,
    halo: bool = False,
) -> str:
    """One line of text; `anchor` is start, middle or end.

    `turned` text reads upwards; one with a `halo` can be read on top of anything.
    """
    place = f"x='{number(x)}' y='{number(y)}'"
    if turned:
        place += f" transform='rotate(-90 {number(x)} {number(y)})'"
    style = f"font-size='{number(size)}' fill='{colour}' text-anchor='{anchor}'"
    style += " font-weight='bold'" if bold else ""
    drawn = f"<text {place} {style}>{escaped(content)}</text>"
    if not halo:
        return drawn
    # Not all viewers know paint-order: the outline is a text of its own below the other.
    outline = "stroke='#ffffff' stroke-width='3' aria-hidden='true'"
    return f"<text {place} {style} {outline}>{escaped(content)}</text>\n{drawn}"


def width_of(content: str, size: float = 11) -> float:
    """About how wide a text is."""
    return 0.53 * size * len(content)


def rectangle(
    x: float, y: float, width: float, height: float, fill: str, stroke: str = "none"
) -> str:
    place = f"x='{number(x)}' y='{number(y)}' width='{number(width)}' height='{number(height)}'"
    return f"<rect {place} fill='{fill}' stroke='{stroke}'/>"


def line(
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str,
    *,
    width: float = 1,
    dashes: str = "",
) -> str:
    (a, b), (c, d) = start, end
    place = f"x1='{number(a)}' y1='{number(b)}' x2='{number(c)}' y2='{number(d)}'"
    dashed = f" stroke-dasharray='{dashes}'" if dashes else ""
    return f"<line {place} stroke='{colour}' stroke-width='{number(width)}'{dashed}/>"


def circle(
    x: float, y: float, radius: float, fill: str, *, stroke: str = "#ffffff", width: float = 1
) -> str:
    place = f"cx='{number(x)}' cy='{number(y)}' r='{number(radius)}'"
    return f"<circle {place} fill='{fill}' stroke='{stroke}' stroke-width='{number(width)}'/>"


def path(
    data: str, *, fill: str = "none", stroke: str = "none", width: float = 1, opacity: float = 1
) -> str:
    style = f"fill='{fill}' stroke='{stroke}' stroke-width='{number(width)}'"
    style += f" fill-opacity='{number(opacity)}'" if opacity < 1 else ""
    return f"<path d='{data}' {style}/>"


def polygon(corners: Sequence[tuple[float, float]]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def clipped(name: str, x: float, y: float, width: float, height: float, parts: str) -> str:
    """Parts of which only what is inside a rectangle is seen; `name` is unique in the file."""
    return (
        f"<clipPath id='{name}'>{rectangle(x, y, width, height, 'none')}</clipPath>"
        f"<g clip-path='url(#{name})'>\n{parts}\n</g>"
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels: `low` is at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    @property
    def unit(self) -> float:
        """Pixels from one whole number to the next."""
        return abs(self.end - self.start) / (self.high - self.low)


def round_numbers(low: float, high: float, most: int) -> list[int]:
    """About `most` round whole numbers at even distances in a range, 0 among them if inside."""
    step = round_step((high - low) / most)
    first = -int(-low // step)
    return [k * step for k in range(first, int(high // step) + 1)]


def round_step(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, .. that is not less."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if size * factor >= least:
                return size * factor
        size *= 10
