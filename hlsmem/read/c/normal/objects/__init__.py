"""Arrays, structs, pointers and sums in normal form."""
