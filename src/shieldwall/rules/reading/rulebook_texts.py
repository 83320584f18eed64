"""Rulebook texts that army books repeat, known by a digest of their words: the rulebook's own class plays them.

Only the exact text counts: another text under the same name is read like any other.
"""

from __future__ import annotations

import hashlib
import re

from shieldwall.core.blocks import Game, Known

_RUN = 'Once per round, units where all their models have this rule may move up to 3" after'
COMMON_RULES = {
    "Hit & Run": f"{_RUN} shooting or melee.",
    "Hit & Run Fighter": f"{_RUN} melee.",
    "Hit & Run Shooter": f"{_RUN} shooting.",
}
"""In our words, rules that many books of version 3 explain alike and some only name."""

_FOLDED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "″": '"', "–": "-", "—": "-"})
_DIGESTS: dict[str, tuple[str, Game]] = {
    "94f9131458958746": ("AP", ""),
    "172eab3b6600b692": ("Ambush", ""),
    "595fcda21f6bc0da": ("Artillery", "aof"),
    "497e9adaa607dca3": ("Bane", ""),
    "1dddee989c2d0c70": ("Blast", "aofs"),
    "29c6da2bd8733e1d": ("Blast", "aof"),
    "a20a49482ece8fca": ("Caster", ""),
    "9afec647bb19c239": ("Counter", ""),
    "b04d1f4910d19013": ("Deadly", ""),
    "8a26b45cf6434b0d": ("Fear", "aofs"),
    "ec84b89f4c5fd66c": ("Fear", "aof"),
    "3f506503301b5dbd": ("Fearless", ""),
    "67052986cdc144cd": ("Flying", "aof"),
    "d72d54c09195eca4": ("Flying", "aofs"),
    "d47844457299c212": ("Furious", ""),
    "a34fd9122f8cc7f3": ("Hero", "aofs"),
    "ed82d4f6e2e45fd8": ("Hero", "aof"),
    "b0a13f6f73dacdd6": ("Impact", ""),
    "3180a9cfcfeb8d6e": ("Indirect", ""),
    "83be5088412c9504": ("Regeneration", ""),
    "471a0aa288e459ea": ("Relentless", ""),
    "fdd03bdf41fffef6": ("Rending", ""),
    "888991d92af99288": ("Scout", ""),
    "9e12268a586a71bb": ("Slow", ""),
    "b7bb7a956e95caff": ("Stealth", ""),
    "94d447ad9672a4eb": ("Strider", "aof"),
    "f7708fbafa014b0a": ("Strider", "aofs"),
    "bc0b2056f0c71550": ("Thrust", ""),
    "4e1df40e58b74201": ("Tough", "aof"),
    "935350d47089c864": ("Tough", "aofs"),
    "cc192d09b08757c3": ("Unstoppable", ""),
}


def rulebook_rule(text: str) -> Known | None:
    """The rule of the rulebook that a text repeats; none for any other text."""
    words = re.findall(r"[a-z0-9+-]+", text.translate(_FOLDED).lower())
    found = _DIGESTS.get(hashlib.sha256(" ".join(words).encode()).hexdigest()[:16])
    return Known(*found) if found is not None else None
