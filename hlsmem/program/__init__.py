"""The program that is planned: statements, arrays, accesses, options."""
