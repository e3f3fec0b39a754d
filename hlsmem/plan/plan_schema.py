"""The JSON Schema of plan.json, made from the shape that `hlsmem_verify` reads it by."""

from __future__ import annotations

from typing import Any

import hlsmem_verify


def plan_schema() -> dict[str, Any]:
    """The shape as JSON Schema 2020-12; every leaf has its class as `x-claim`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": hlsmem_verify.FORMAT,
        "description": "x-claim: hypothesis (the program), proved, measured (needs a run or a"
        " tool) or informative",
        **_schema(hlsmem_verify.SHAPE),
    }


def _schema(shape: Any) -> dict[str, Any]:
    match shape:
        case hlsmem_verify.Keys():
            found: dict[str, Any] = {
                "type": ["object", "null"] if shape.none else "object",
                "properties": {
                    key: _schema(inner) | {"description": shape.each[key]}
                    for key, inner in shape.keys.items()
                },
                "required": [key for key in shape.keys if key not in shape.maybe],
                "additionalProperties": False,
            }
        case hlsmem_verify.Named():
            found = {
                "type": "object",
                "propertyNames": {"pattern": _pattern(shape.kind)},
                "additionalProperties": _schema(shape.values),
            }
        case hlsmem_verify.Many():
            found = {
                "type": ["array", "null"] if shape.none else "array",
                "items": _schema(shape.items),
            }
        case hlsmem_verify.Row():
            size = len(shape.entries)
            found = {
                "type": "array",
                "prefixItems": [_schema(one) for one in shape.entries],
                "items": False,
                "minItems": size,
                "maxItems": size,
            }
        case hlsmem_verify.Either():
            found = {"anyOf": [_schema(one) for one in shape.choices]}
        case _:
            found = _leaf_schema(shape)
    return found


def _leaf_schema(leaf: hlsmem_verify.Leaf) -> dict[str, Any]:
    kind = {"truth": "boolean", "null": "null"}.get(leaf.kind, "string")
    found: dict[str, Any] = {"type": "integer" if leaf.kind in hlsmem_verify.LEAST else kind}
    if hlsmem_verify.LEAST.get(leaf.kind) is not None:
        found["minimum"] = hlsmem_verify.LEAST[leaf.kind]
    if leaf.words:
        found["enum"] = [*leaf.words, None] if leaf.none else list(leaf.words)
    elif leaf.kind in hlsmem_verify.PATTERNS:
        found["pattern"] = _pattern(leaf.kind)
    if leaf.none:
        found["type"] = [found["type"], "null"]
    return found | {"x-claim": leaf.claim}


def _pattern(kind: str) -> str:
    return f"^{hlsmem_verify.PATTERNS[kind]}$".replace("\\ud800-\\udfff", "")
