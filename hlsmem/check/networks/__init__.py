"""Process networks as checks run them."""
