"""The lemmas, by what they are of.

Each module imports those alone that stand before it in this list: array_conflicts, mappings,
needed_cells, whole_holdings, process_firing, banks, chains, fifo_depths, parts, branch_fifos,
host_c, source_text, access_streams, memories, played.
"""
