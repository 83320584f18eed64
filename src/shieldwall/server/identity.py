"""Who a player is: a random token in a cookie, of which the server keeps only the hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

COOKIE = "shieldwall"
TOKEN_BYTES = 32
TOKEN_LENGTHS = range(40, 50)


class Player(NamedTuple):
    """The player making a request. `fresh` is a new token to hand out if they came without one."""

    id: str
    token_hash: str
    fresh: str = ""


def hashed(secret: str) -> str:
    """The stored form of a token or an invitation."""
    return hashlib.sha256(secret.encode()).hexdigest()


def player_with(token: str | None) -> Player:
    """The player with a cookie; a visitor without one gets a new token."""
    fresh = ""
    if not token or len(token) not in TOKEN_LENGTHS or not token.isascii():
        token = fresh = secrets.token_urlsafe(TOKEN_BYTES)
    token_hash = hashed(token)
    return Player(hashlib.sha256(f"player {token_hash}".encode()).hexdigest()[:32], token_hash, fresh)


def new_id() -> str:
    """A random id."""
    return secrets.token_hex(12)


def new_invite() -> str:
    """A code for a friend's link."""
    return secrets.token_urlsafe(18)
