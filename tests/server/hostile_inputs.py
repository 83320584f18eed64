"""Requests that once delayed everyone: small enough to be accepted, and expensive to answer."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Attack(NamedTuple):
    """One request, sent again and again."""

    method: str
    path: str
    body: bytes = b""


HEAD = "++ Horde [AOFS 150pts] ++\n\n"


def pasted(text: str) -> Attack:
    body = {"text": text, "edition": "skirmish-3.2", "name": "x"}
    return Attack("POST", "/api/armies/import", json.dumps(body).encode())


def a_book(units: int) -> bytes:
    """A book in the format of list builders, with many units that have nothing."""
    each: dict[str, Any] = {"cost": 10, "size": 1, "quality": 4, "defense": 4, "weapons": [], "rules": []}
    many = [each | {"id": f"u{n}", "name": f"Unit {n}", "upgrades": []} for n in range(units)]
    whole = {"uid": "b1", "name": "Book", "gameSystemSlug": "age-of-fantasy", "units": many}
    return json.dumps(whole | {"upgradePackages": [], "spells": [], "specialRules": []}).encode()


def a_game(edition: str) -> Attack:
    seats = [{"who": "me"}, {"who": "me"}]
    order = {"edition": edition, "seats": seats, "nonce": "ab" * 16, "table": {"kind": "generate"}}
    return Attack("POST", "/api/games", json.dumps(order).encode())


ATTACKS = {
    "a pasted list of many repeats": pasted(
        HEAD + "20x Band [100] Q4+ D5+ | 20pts | Tough(3)\nSpear (A1)\n\n" * 3600
    ),
    "a pasted list of many weapons": pasted(
        HEAD + ("Band [100] Q4+ D5+ | 20pts | Tough(3)\n" + "100x Spear (A1), " * 55 + "\n\n") * 190
    ),
    "a book of 30,000 units": Attack("POST", "/api/books", a_book(30_000)),
    "a log of empty lines": Attack("POST", "/api/files", b"\n" * 8_000_000),
    "a log of empty records": Attack("POST", "/api/files", b"{}\n" * 24_000),
    "numbers in base 60": pasted("format: shieldwall/list\nx: " + "1:" * 120_000 + "1\n"),
    "many numbers in base 60": pasted("format: shieldwall/list\nx: [" + "1:59:59," * 29_000 + "1]\n"),
    "a search of the rules": Attack(
        "GET", "/api/rules?limit=100&words=" + "+".join("abcdefghijklmnopqrstuvwxyz" * 3)
    ),
    "editions side by side": Attack(
        "GET", "/api/compare?words=" + "+".join("abcdefghijklmnopqrstuvwxyz" * 3)
    ),
    "a new game": a_game("regiments-3.5"),
    "a new game of loose units": a_game("aof-2"),
    "nested brackets": Attack("POST", "/api/armies/check", b"[" * 130_000 + b"]" * 130_000),
}
