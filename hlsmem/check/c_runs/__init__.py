"""C programs that checks build and run: the original, instrumented, with inputs that are drawn."""
