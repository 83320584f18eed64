"""`python -m shieldwall` is the same as `shieldwall`."""

import sys

from shieldwall.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
