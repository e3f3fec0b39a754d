"""What holds the arrays in hardware."""
