"""Spells of army books as the game can play them, read from their printed effect.

The machine-readable parameters that come with a spell lag behind its printed numbers (a spell that says six hits may
carry a three), so the print is what counts. What does not fit the few forms below stays text.
"""

from __future__ import annotations

import re

from shieldwall.armies.book import BookSpell
from shieldwall.armies.forge.report import Report
from shieldwall.armies.forge.wire import Raw, name_of, text_of, whole
from shieldwall.armies.spells import SpellSpec

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PICK = re.compile(
    r"^Pick (?:up to )?(?P<number>one|two|three|four|five|six) (?P<whom>friendly|enemy) (?:unit|model)s? "
    r"within (?P<range>\d+)\",? which (?P<effect>.+?)\.?$",
    re.IGNORECASE,
)
_HITS = re.compile(r"^takes? (?P<hits>\d+) hits?(?: with (?P<rules>.+?))?(?: each)?$", re.IGNORECASE)
_ROLL = re.compile(
    r"^gets? (?P<sign>[+-]\d+) to (?P<roll>morale test|defense|hit)(?: rolls?)?"
    r"(?P<how> when shooting| in melee)?(?P<once> once.*)?$",
    re.IGNORECASE,
)
_RULE = re.compile(r"^gets? (?P<rule>[A-Z][A-Za-z' -]*(?:\(\d+\))?)(?P<once> once \(.*\)?)?$")
_LENT = {"morale test": "To Morale", "defense": "To Block", "hit": "To Hit"}


def spell_of(raw: Raw, report: Report) -> BookSpell:
    """A spell of a book; the report says where play differs from the print."""
    name = name_of(raw.get("name"), "Spell")
    cost = max(1, min(6, whole(raw.get("threshold"), 1)))
    text = text_of(raw.get("effect"))
    spec = _spec(name, cost, text)
    if spec is None:
        report.add("kept as text", f"spell {name}: its effect is kept as text, not enforced")
    elif " once" in text:
        report.add("changed", f"spell {name}: lasts until the round ends, where the book says once")
    return BookSpell(name, cost, text, spec)


def _spec(name: str, cost: int, text: str) -> SpellSpec | None:
    pick = _PICK.match(" ".join(text.split()))
    if pick is None:
        return None
    told = _effect(pick["effect"])
    if told is None:
        return None
    return SpellSpec(
        name=name,
        cost=cost,
        range=float(pick["range"]),
        whom="friend" if pick["whom"].lower() == "friendly" else "enemy",
        targets=_NUMBERS[pick["number"].lower()],
        hits=int(told[0]),
        rules=told[1],
        grants=told[2],
    )


def _effect(text: str) -> tuple[int, str, str] | None:
    """Hits, the rules they have and the rules that are lent; None where the text says something else."""
    if found := _HITS.match(text):
        return min(int(found["hits"]), 99), (found["rules"] or "").replace(" and ", ", "), ""
    if found := _ROLL.match(text):
        how = (found["how"] or "").strip().lower()
        roll = _LENT[found["roll"].lower()]
        if roll == "To Hit" and how:
            roll = "To Shoot" if how == "when shooting" else "To Strike"
        return 0, "", f"{roll}({found['sign']})"
    if found := _RULE.match(text):
        return 0, "", found["rule"].strip()
    return None
