"""The circuits of each kind of storage, and what is proved of them."""
