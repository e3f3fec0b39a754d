"""Storage of the arrays in hardware."""
