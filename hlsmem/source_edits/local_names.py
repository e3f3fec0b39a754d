"""Variables of a body that stand for a sum of others, such as `int yy = y + i - 2;`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.linear_text import form_of, replaced
from hlsmem.source_edits.text_structure import Loop, Node, Plain, children_of
from hlsmem.source_edits.user_arrays import Use, UserFile

_DECLARED = r"(?:const\s+)?(?:int|long)(?:\s+const)?\s+(\w+)\s*=\s*([^,;=]+);"
_CHANGES = ("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--")


def locals_at(file: UserFile, at: int) -> Mapping[str, tuple[Node, QuasiPolynomial]]:
    """The declaration and the form of each variable of a loop's body that has one value in front
    of a byte, in the variables of loops and what is declared outside of them."""
    found = dict[str, tuple[Node, QuasiPolynomial]]()
    around = file.around(at)
    first = next((k for k, one in enumerate(around) if isinstance(one, Loop)), len(around))
    for block in around[first:]:
        for node in children_of(block):
            if not isinstance(node, Plain) or node.start >= at:
                continue
            match = re.fullmatch(_DECLARED, file.text[node.start : node.stop].strip())
            form = None if match is None else form_of(match[2])
            if match is None or form is None or _changes(file, match[1], block):
                continue
            known = {name: own for name, (_, own) in found.items()}
            found[match[1]] = node, replaced(form, known)
    return found


def _changes(file: UserFile, name: str, block: Node) -> bool:
    """True if a block changes a variable that it declares, or gives it to a function."""
    own = [one.text for one in file.tokens if block.start <= one.start < block.stop]
    writes = 0
    for before, text, behind in zip(["", *own], own, [*own[1:], ""], strict=False):
        if text == name:
            is_argument = before in ("(", ",") and behind in (")", ",")
            is_changed = before in ("++", "--", "&") or behind in _CHANGES
            writes += is_changed or is_argument
    return writes != 1


def unused_locals(file: UserFile, uses: Sequence[Use]) -> Iterator[Edit]:
    """Edits that take the declarations out that accesses alone read which are exchanged."""
    found = {name: node for use in uses for name, (node, _) in locals_at(file, use.start).items()}
    for name, node in found.items():
        places = [one.start for one in file.tokens if one.text == name and one.kind == "word"]
        inside = [any(use.start <= at < use.stop for use in uses) for at in places]
        if inside.count(False) == 1 and any(node.start <= at < node.stop for at in places):
            start = file.text.rfind("\n", 0, node.start) + 1
            end = file.text.find("\n", node.stop)
            alone = (
                not file.text[start : node.start].strip() and not file.text[node.stop : end].strip()
            )
            yield Edit(start, end + 1, "") if alone else Edit(node.start, node.stop, "")
