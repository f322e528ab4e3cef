"""`python -m quincunx`: the same as the command `quincunx`."""

import sys

from quincunx.cli import main

if __name__ == "__main__":
    sys.exit(main())
