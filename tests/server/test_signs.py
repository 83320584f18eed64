"""The symbols the page shows: the faction of a stored army, and the kind of a unit."""

from __future__ import annotations

import pytest

from shieldwall.armies.factions import FACTIONS, ready_list, ready_lists
from shieldwall.core.codec import encode
from shieldwall.core.state import Base, Profile, RuleRef
from shieldwall.editions import ruleset
from shieldwall.server.armoury import StoredList, faction_of
from shieldwall.server.words import glyph_of

REGIMENTS = "regiments-3.5"


@pytest.mark.parametrize("faction", FACTIONS)
def test_a_stored_army_tells_its_faction(faction: str) -> None:
    ready = next(one for one in ready_lists(REGIMENTS) if one.faction == faction)
    assert faction_of(encode(StoredList(ready_list(REGIMENTS, ready.id)))) == faction


@pytest.mark.parametrize(
    ("kind", "rule", "sign"),
    [
        ("infantry", "", "foot"),
        ("infantry", "Flying", "flyer"),
        ("infantry", "Hero", "hero"),
        ("cavalry", "", "horse"),
        ("swarm", "", "beast"),
        ("chariot", "", "chariot"),
        ("artillery", "", "artillery"),
        ("monster", "", "monster"),
        ("monster", "Flying", "flyer"),
        ("giant", "", "titan"),
    ],
)
def test_a_sign_tells_the_kind_and_heroes_and_flyers_first(kind: str, rule: str, sign: str) -> None:
    rules = (RuleRef(rule),) if rule else ()
    profile = Profile("Somebody", 4, 4, Base("round", 25, 25), 1000, kind=kind, rules=rules)
    assert glyph_of(ruleset(REGIMENTS), profile) == sign
