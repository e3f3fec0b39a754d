"""Claims of branch FIFOs: they hold as many beats as the paths to their statement differ."""

from __future__ import annotations

from hlsmem_verify.branches import BranchPath, balance_faults
from hlsmem_verify.claims.parts import prove_division
from hlsmem_verify.facts import Facts
from hlsmem_verify.isl_values import at_values
from hlsmem_verify.outcomes import False_
from hlsmem_verify.program import READS


def prove_branches(facts: Facts) -> None:
    """Lemma *branch*: the depth is the difference of the paths, in the fewest bits."""
    for name in facts.document["arrays"]:
        facts.need(f"arrays.{name}.holdings.hardware.parts", prove_division, name)
    branch_paths = branch_paths_of(facts)
    assert branch_paths is not None
    for fault in balance_faults(branch_paths, facts.document["elastic"]):
        raise False_(fault)


def has_chains_alone(facts: Facts) -> bool:
    """True if paths have a length: behind a FIFO or a RAM a run decides what waits."""
    return facts.program.rules is not None and branch_paths_of(facts) is not None


def branch_paths_of(facts: Facts) -> list[BranchPath] | None:
    """All ways from statement to statement; None where some are no chains, as FIFOs and RAMs have
    room of their own."""
    found: list[BranchPath] = []
    waiting = {one["stream"] for one in facts.document["elastic"]}
    for name, array in facts.document["arrays"].items():
        for part in facts.held(name):
            writers = _writers(facts, name, part["takes"])
            if part["taps"] is None or len(writers) != 1 or facts.program.live("live_in", name):
                return None
            (writer,), memory = writers, part["memory"]
            bits = -(-array["element"]["bits"] // 8) * 8
            source, cycles, into = writer, _latency(facts, writer), f"s_{memory}_{writer}"
            if into in waiting:
                source = f"({memory})"
                found.append(BranchPath(writer, source, into, cycles, bits, into_part=True))
                cycles = 0
            cycles += facts.kind(part) != "wire"
            readers = [str(stream).removeprefix(f"m_{name}_") for stream, _ in part["operands"]]
            found += [
                BranchPath(source, one, f"m_{memory}_{one}", cycles, bits * readers.count(one))
                for one in dict.fromkeys(readers)
            ]
    return found


def _writers(facts: Facts, name: str, takes: str | None) -> list[str]:
    """The statements that write elements of a part."""
    taken = None if takes is None else facts.program.set(takes, "takes").reset_tuple_id()
    found = []
    for statement, one in facts.program.statements.items():
        for access in one["accesses"]:
            if access["array"] == name and "write" in access["kind"]:
                written = access["relation"].range()
                written = written if taken is None else written.intersect(taken)
                if not at_values(written, facts.values).is_empty():
                    found.append(statement)
                    break
    return found


def _latency(facts: Facts, statement: str) -> int:
    """The cycles of a datapath; none where nothing that is planned is read."""
    one = facts.program.statements[statement]
    reads = any(
        a["kind"] in READS and a["array"] in facts.document["arrays"] for a in one["accesses"]
    )
    return int(one.get("latency", 1)) if reads else 0
