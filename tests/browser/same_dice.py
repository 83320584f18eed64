"""The server as `shieldwall play` starts it, but every game throws the same dice, so that tests see the same battle."""

import sys

from shieldwall.server import dice_key

SECRET = bytes(range(dice_key.SECRET_BYTES))
NONCE = "0" * 32

if __name__ == "__main__":
    dice_key.new_secret = lambda: SECRET
    dice_key.new_nonce = lambda: NONCE
    from shieldwall.cli.main import main

    sys.exit(main())
