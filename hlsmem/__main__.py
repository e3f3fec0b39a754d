"""`python -m hlsmem` is the `hlsmem` command."""

from hlsmem.cli.main import run

run()
