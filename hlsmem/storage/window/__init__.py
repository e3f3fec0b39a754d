"""RAMs whose cells are given in turn, to processes that run by themselves."""
