"""What every room stands on: errors, source locations, expressions, verdicts, limits."""
