"""The user's source as it comes back: its patch applied, and both texts run."""
