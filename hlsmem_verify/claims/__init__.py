"""The lemmas, by what they are of.

Each module imports those alone that stand before it in this list: arrays, mappings, bounds,
holdings, firing, banks, chains, fifo_depths, parts, elastic, host, streams, memories, played.
"""
