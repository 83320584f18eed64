"""The server of the load test: `python -m bench.server_process DATABASE PROCESSES [threads]`.

Every game made there gets the secret of the recordings, and with it their dice. Processes that the server
starts import this module as well, so the recorded answers fit a game whichever process makes it. With `threads`
its workers are threads, which start sooner.
"""

import sys

from bench.server_dice import SECRET
from shieldwall.server import dice_key

dice_key.new_secret = lambda: SECRET

if __name__ == "__main__":
    from shieldwall.server.budgets import unlimited
    from shieldwall.server.serving import Serving, serve

    database, processes, *threads = sys.argv[1:]
    order = Serving("127.0.0.1", 0, database, browser=False, limits=unlimited(), processes=int(processes))
    serve(order._replace(threads=threads == ["threads"]))
