"""Banks: accesses of a cycle, bank lattices, colourings, reuse chains, their cost."""
