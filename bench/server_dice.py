"""What all games of the load test throw their dice with."""

import hashlib

SECRET = hashlib.sha256(b"dice of the load test").digest()
NONCES = ("ab" * 16, "cd" * 16)
