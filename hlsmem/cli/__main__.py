"""`python -m hlsmem.cli` is the `hlsmem` command."""

from hlsmem.cli.main import run

run()
