"""Names of the files of generated Verilog: they differ without case, as some systems tell no case
apart."""

from __future__ import annotations

from collections.abc import Iterable

from hlsmem.read.design_names import free_name


def file_names(modules: Iterable[str]) -> dict[str, str]:
    """The name of the file of each module, without a suffix: its own, with a number behind it
    where that of one before differs in case alone.

    >>> file_names(["k_t_buffer", "k_T_buffer"])
    {'k_t_buffer': 'k_t_buffer', 'k_T_buffer': 'k_T_buffer_2'}
    """
    taken: set[str] = set()
    return {module: free_name(module, taken) for module in modules}
