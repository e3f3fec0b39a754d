"""`python -m hlsmem_verify`, and OUT/verify.py."""

import sys

from hlsmem_verify.proof_command import main

if __name__ == "__main__":
    sys.exit(main())
