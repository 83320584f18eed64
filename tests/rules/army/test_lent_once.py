"""Rules that are lent once: what is known to be used up is played, anything else is refused."""

from __future__ import annotations

import pytest

from shieldwall.armies.army_rules import standings_of
from shieldwall.editions import ruleset
from shieldwall.rules.reading import read

LENT = {
    "Patient": "Once per round, this model may pass its turn while the opponent has more units left to activate.",
    "Watchful": 'Enemies may not use Ambush within 12" of this unit.',
    "Drummer": 'When this unit ends its activation, another friendly unit within 12" that has not been activated '
    "yet may be activated immediately, which may not do the same.",
    "Thorns": "Each time it suffers a wound in melee, the enemy takes 1 hit.",
}


@pytest.mark.parametrize(
    ("name", "lasting", "is_played"),
    [
        ("Patient", "once", False),
        ("Patient", "until the end of the round", True),
        ("Watchful", "once", False),
        ("Drummer", "once", True),
        ("Thorns", "once", True),
    ],
)
def test_what_is_never_used_up_cannot_be_had_once(name: str, lasting: str, is_played: bool) -> None:
    gift = f'Once each activation, before it attacks, pick one friendly unit within 12", which gets {name} {lasting}.'
    texts = {**LENT, "Gift": gift}
    readings = {title: read(title, text, texts) for title, text in texts.items()}
    assert all(reading.is_whole for reading in readings.values())
    found = standings_of(readings, ruleset("aof-2"))
    assert found[name].is_played
    assert found["Gift"].is_played == is_played
