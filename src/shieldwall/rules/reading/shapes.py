"""Rules of army books that are like no others, known by a digest of their words with the numbers left open.

Only the exact words count, so that another text under the same name is never played by one of these; the numbers
are read from the text. The same effects can be written in other words, too (`singular_rules.py`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from shieldwall.core.blocks import (
    BY_VALUE,
    Avenged,
    Blocks,
    CasterGroup,
    Conduit,
    Coordinates,
    Gets,
    Grows,
    HitDice,
    Impulsive,
    LongerReach,
    MayPass,
    Modifier,
    MoreAttacks,
    NewCopy,
    NewUnit,
    NoRetreat,
    Picks,
    PrecisionStrike,
    PutMarkers,
    Redeploys,
    Restores,
    Returns,
    RuleRef,
    Tokens,
    When,
)

_FOLDED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "″": '"', "–": "-", "—": "-"})
_INCH = 1000
_ATTACK = (When(attack="attack"),)
_AIMED = Modifier("hit", 1, who="unit", when=_ATTACK)
_ONE_MORE_BLOW = MoreAttacks(when=(When(attack="melee"),))
_PIERCING = Gets(RuleRef("AP", 1, True), who="unit", when=_ATTACK)

Numbers = list[int]


def _spotter(block: Modifier | Gets) -> Callable[[Numbers], Blocks]:
    """One marker on a roll, spent by friends that attack."""
    return lambda n: (
        Picks(
            (PutMarkers(1, (block,), True),),
            reach=n[0] * _INCH,
            sight=True,
            need=n[1],
            at="activation",
        ),
    )


def _tag(block: Modifier | Gets) -> Callable[[Numbers], Blocks]:
    """As many markers as the rule's value, once per game, spent by friends that attack."""
    return lambda n: (
        Picks(
            (PutMarkers(BY_VALUE, (block,), True),),
            reach=n[0] * _INCH,
            sight=True,
            at="activation",
            often="game",
        ),
    )


def _surprise(n: Numbers) -> Blocks:
    hits = HitDice(
        "deployed",
        n[0],
        BY_VALUE,
        hits=n[2],
        rules=(RuleRef("AP", n[3]),),
        reach=n[1] * _INCH,
        each=True,
        often="game",
    )
    return (Gets(RuleRef("Infiltrate")), hits)


def _retreating(n: Numbers) -> Blocks:
    reach = n[0] * _INCH
    return (HitDice("moved after melee", n[1], 0, True, wounds=1, reach=reach, often="round", who="unit"),)


_SHAPES: dict[str, Callable[[Numbers], Blocks]] = {
    "6cf2c62871f24a66": lambda n: (Returns(),),
    "719b51ee81563158": lambda n: (CasterGroup(),),
    "11e28bee41100934": lambda n: (Coordinates(n[0] * _INCH),),
    "f02eddc5fc3c3d1d": lambda n: (
        HitDice("crosses", n[0], BY_VALUE, hits=n[1], rules=(RuleRef("AP", n[2]),), often="game"),
    ),
    "87e4dfad3c9db2c7": lambda n: (MayPass(),),
    "b9cb6de672ff6845": lambda n: (LongerReach(n[0] * _INCH, n[2] * _INCH, n[1] * _INCH),),
    "d25d4dbbbc0badd9": lambda n: (LongerReach(n[0] * _INCH, n[1] * _INCH),),
    "cc4c2dfac8c13b97": lambda n: (Impulsive(n[0]),),
    "10f43ce6b6606558": lambda n: (NoRetreat(-n[2]),),
    "8195a4a46d8815af": lambda n: (NoRetreat(-n[1]),),
    "41f90c6edaa3292a": _spotter(_PIERCING),
    "b33e224050b86488": _tag(_PIERCING),
    "70b60581e8126b5a": _spotter(_AIMED),
    "3781ef37ecf9eb44": _tag(_AIMED),
    "8a77cf4e77609f32": lambda n: (Redeploys(2),),
    "3068546cf05ff2cf": lambda n: (Restores(n[0]),),
    "951a6a0cb25aaf4b": lambda n: (Grows((_ONE_MORE_BLOW,), "ignores a wound"),),
    "71044b77bbd39724": lambda n: (NewCopy(n[0] * _INCH),),
    "79bb3696b1427e6c": _retreating,
    "93160be54ae4cbde": lambda n: (NewUnit(n[0] * _INCH, "activated", "game"),),
    "35087c6b18115e13": lambda n: (Tokens(BY_VALUE, n[1] * _INCH, n[0]),),
    "9f4bf54b43625fb3": lambda n: (Conduit(n[0] * _INCH, n[1]),),
    "2bf5db43d705502a": lambda n: (NewUnit(n[0] * _INCH, "destroyed"),),
    "c633a1c6d669cfe4": _surprise,
    "e792175231e7abfe": lambda n: (PrecisionStrike(n[0], 1, (RuleRef("AP", n[1]), RuleRef("Deadly", n[2]))),),
    "8b06f30e16c724d5": lambda n: (Avenged((_AIMED,)),),
}


def shaped_rule(text: str) -> Blocks | None:
    """The blocks of a text that is known by its words; none for any other text."""
    words = re.findall(r"[a-z]+|[+-]?\d+\+?", text.translate(_FOLDED).lower())
    shape = " ".join(re.sub(r"\d+", "#", word) for word in words)
    build = _SHAPES.get(hashlib.sha256(shape.encode()).hexdigest()[:16])
    if build is None:
        return None
    return build([int(word.strip("+")) for word in words if any(mark.isdigit() for mark in word)])
