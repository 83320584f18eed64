"""The server as `shieldwall play` starts it, but every game throws the same dice, so that tests see the same battle."""

import os
import sys

from shieldwall.server import clocks, dice_key

SECRET = bytes(range(dice_key.SECRET_BYTES))
NONCE = "0" * 32

if __name__ == "__main__":
    dice_key.new_secret = lambda: SECRET
    dice_key.new_nonce = lambda: NONCE
    if minute := os.environ.get("MINUTE_MS"):  # clocks that run out while a test looks on
        clocks.MINUTE, clocks.SECOND = int(minute), int(minute) // 60
    from shieldwall.cli.main import main

    sys.exit(main())
