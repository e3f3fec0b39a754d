"""Functions in normal form: inlined, or static functions of the datapath."""
