"""Trees of C files for checks: a reading of its own, which shares none with `hlsmem.read`.

A file is parsed by libclang, and what it has is written down as it stands there: names of types,
structs, macros' texts, statements. Only the classes of nodes and their printer are the reader's.
From such a tree the instrumented C is made.
"""
