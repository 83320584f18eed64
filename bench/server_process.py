"""The server of the load test: `python -m bench.server_process DATABASE PROCESSES`.

Every game that is made there gets the secret of the recordings, and with it their dice. Processes that the server
starts import this module as well, so that the recorded answers fit a game whichever of them makes it.
"""

import sys

from bench.server_dice import SECRET
from shieldwall.server import dice_key

dice_key.new_secret = lambda: SECRET

if __name__ == "__main__":
    from shieldwall.server.budgets import lifted
    from shieldwall.server.serving import Serving, serve

    database, processes = sys.argv[1:]
    serve(Serving("127.0.0.1", 0, database, browser=False, limits=lifted(), processes=int(processes)))
