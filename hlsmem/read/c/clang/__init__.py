"""Reading C++ through libclang: a typed tree of C, and its text with the places of the user."""
