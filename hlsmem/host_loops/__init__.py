"""The shape of host C, as values without text: cells of elements, and the loops over them.

A `CellFrame` gives the cell of every element of an array; a `LoopShape` says how an innermost loop
walks over cells. `emit.c` prints them.
"""
