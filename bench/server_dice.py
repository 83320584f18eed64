"""The dice of all games of the load test."""

import hashlib

SECRET = hashlib.sha256(b"dice of the load test").digest()
NONCES = ("ab" * 16, "cd" * 16)
