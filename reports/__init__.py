"""Tables of this folder, rebuilt by `make reports`."""
