"""Orders of execution, listed and replayed."""
