"""Proves an hlsmem plan from its own text, with islpy and nothing of hlsmem.

    hlsmem-verify OUT|plan.json [--json] [--list] [--at N=5]..

The program in plan.json is the hypothesis. From it follow the conflicts, from these that no two
conflicting elements share a cell, the bounds, what parts and memories hold, and the streams:
`lemmas` lists what each lemma says and proves, `claims` has the functions. Of a folder OUT, the
Verilog in rtl/ and the header in host/ are held against what plan.json says of storage. Every leaf
of the file has a class: hypothesis, proved, measured (it takes a run or a tool) or informative. A
proved leaf that is false fails, and so does one that nothing here proves. `--at` plays the program
at other parameters, access by access, and holds the claims for all parameters against that: a
second way, which has isl list points and no more. Each module imports those alone that stand
before it in this list: outcomes, kinds, plan_keys, shape, algebra, isl_values, program, naming,
lives, orders, separation, witness, counting, play, facts, succession, built, header, branches,
claims, lemmas, judge, proof_command.

Exit codes: 0 all is proved, 1 something is false or not proved, 2 not a plan, 4 a limit.
"""

from hlsmem_verify.built import texts_of
from hlsmem_verify.judge import Proof, proof_of, verify
from hlsmem_verify.lemmas import LEMMAS
from hlsmem_verify.outcomes import False_, Refused, Unknown
from hlsmem_verify.proof_command import main
from hlsmem_verify.shape import (
    FORMAT,
    LEAST,
    OBJECTS,
    PATTERNS,
    SHAPE,
    Either,
    H,
    KeyPath,
    Keys,
    Leaf,
    M,
    Many,
    Named,
    P,
    Row,
    S,
    document_of,
    joined,
    leaves,
    misfits,
    parsed,
    read,
    table_of,
)

__all__ = [
    "FORMAT",
    "LEAST",
    "LEMMAS",
    "OBJECTS",
    "PATTERNS",
    "SHAPE",
    "Either",
    "False_",
    "H",
    "KeyPath",
    "Keys",
    "Leaf",
    "M",
    "Many",
    "Named",
    "P",
    "Proof",
    "Refused",
    "Row",
    "S",
    "Unknown",
    "document_of",
    "joined",
    "leaves",
    "main",
    "misfits",
    "parsed",
    "proof_of",
    "read",
    "table_of",
    "texts_of",
    "verify",
]
