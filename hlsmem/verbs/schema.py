"""`hlsmem schema`: the JSON Schema of design.yaml, or of plan.json."""

from __future__ import annotations

from typing import Any

from hlsmem.verb import Verb, asked


def schema(of: str = "design") -> dict[str, Any]:
    """The JSON Schema of design.yaml, or of plan.json where `of` is "plan".

    >>> schema("plan")["type"]
    'object'
    """
    if of == "plan":
        from hlsmem.plan.plan_schema import plan_schema

        return dict(plan_schema())
    from hlsmem.read.design import json_schema

    return dict(json_schema())


def _print(found: dict[str, Any]) -> int:
    import json

    print(json.dumps(found, indent=1))
    return 0


VERB = Verb(
    name="schema",
    summary="the JSON Schema of design.yaml, or of plan.json",
    order=160,
    options=(asked("of", nargs="?", choices=("design", "plan"), default="design"),),
    run=schema,
    print=_print,
    is_limited=False,
)
