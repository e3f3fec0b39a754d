"""Base of every room: errors, source locations, expressions, verdicts, limits."""
