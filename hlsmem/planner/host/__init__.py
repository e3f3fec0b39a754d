"""The order, the cells and the versions of the host C."""
