"""The command hlsmem-verify."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from hlsmem_verify.algebra import Values
from hlsmem_verify.built import texts_of
from hlsmem_verify.judge import verify
from hlsmem_verify.lemmas import LEMMAS
from hlsmem_verify.outcomes import Refused
from hlsmem_verify.shape import P, joined, read


def _size(text: str, params: Values) -> Values:
    """The values of N=5 or M=5,N=6; raises Refused for anything else."""
    pairs = dict(one.partition("=")[::2] for one in text.split(","))
    if not set(pairs) <= set(params) or not all(
        re.fullmatch(r"-?\d{1,9}", v) for v in pairs.values()
    ):
        what = f"--at {text[:60]!a} gives no values of {', '.join(params)}"
        raise Refused(what, "write it like --at N=5,M=6")
    return {name: int(value) for name, value in pairs.items()}


def _tell(found: dict[str, Any], asked: argparse.Namespace) -> None:
    """Print the verdicts."""
    listed = [(joined(path), claim, how) for path, claim, how in found["leaves"]]
    left = {joined(path): why for path, why in found["open"].items()}
    if asked.json:
        print(json.dumps({**found, "leaves": listed, "open": left}, indent=1))
        return
    if asked.list:
        for path, claim, how in listed:
            print(f"{path}: {how if claim == P else claim}")
        used = {name for _, _, how in listed for name in how.removeprefix("proved by ").split(", ")}
        for lemma in LEMMAS:
            if lemma.name in used:
                print(f"lemma {lemma.name}: {lemma.says}")
    for line in found["false"]:
        print(f"FALSE  {line}")
    for path, why in left.items():
        print(f"OPEN   {path}: nothing proves it ({why})")
    claims = [path for path, claim, _ in found["leaves"] if claim == P]
    proved = sum(path not in found["open"] for path in claims)
    false, many = len(found["false"]), len(left)
    storage = "" if found["storage"] == "compared with rtl" else f"; storage {found['storage']}"
    print(f"{proved} of {len(claims)} claims proved, {false} false, {many} open{storage}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="hlsmem-verify",
        description="Proves an hlsmem plan from its own text, with islpy and nothing of hlsmem.",
    )
    parser.add_argument("plan", type=Path, help="a folder OUT, or a plan.json")
    parser.add_argument("--json", action="store_true", help="the verdicts as JSON")
    parser.add_argument("--list", action="store_true", help="each leaf, its class, what proved it")
    parser.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="N=5",
        help="claims for all parameters by a play",
    )
    asked = parser.parse_args(arguments)
    is_folder = asked.plan.is_dir()
    file = asked.plan / "plan.json" if is_folder else asked.plan
    try:
        document = read(file)
        sizes = [_size(one, document["params"]) for one in asked.at]
        found = verify(document, sizes, texts_of(asked.plan) if is_folder else None)
    except Refused as reason:
        print(f"hlsmem-verify: {file}: {reason}; {reason.remedy}", file=sys.stderr)
        return 2
    except MemoryError:
        remedy = "plan at smaller parameters, or give it more"
        print(f"hlsmem-verify: {file}: memory is not enough; {remedy}", file=sys.stderr)
        return 4
    try:
        _tell(found, asked)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; the verdict is in the exit status.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if found["false"] or found["open"] else 0
