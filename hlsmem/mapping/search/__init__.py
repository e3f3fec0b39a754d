"""The exact search for the admissible lattice of least determinant.

A lattice is admissible for a symmetric set of differences if it meets the set in 0 only;
its determinant is the number of cells of the mapping whose kernel it is. These modules work
on integer points in numpy and are loaded by the methods that need them.
"""
