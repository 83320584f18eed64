"""Sentences whose parts stand in an unusual order mean what they mean in the usual one, or are reported."""

from __future__ import annotations

from itertools import permutations
from typing import Literal

import pytest

from shieldwall.rules.reading import read, read_spell

NAMES = ("Stealth", "Fearless", "Furious", "Rending", "Strider", "Regeneration", "Flying")

SAME = [
    (
        "When shot at, this model and its unit get +1 to block.",
        [
            "Add +1 to blocks, if they are shot at, for the bearer and its whole unit.",
            "For the bearer and any unit it leads: +1 to block rolls when shot at.",
        ],
    ),
    (
        "When charging, on natural 6s to hit, this weapon deals 1 extra hit.",
        [
            "Natural sixes to hit bring one more hit on a charge.",
            "On the charge each natural 6 to hit is worth 2 hits rather than one with this weapon.",
        ],
    ),
    (
        'Once per activation, before attacking, pick 1 enemy unit within 9", which gets -1 to hit'
        " until the end of the round.",
        [
            'Prior to attacking, once in an activation, one enemy unit within 9" may be chosen; it has -1 to hit'
            " until this round is over.",
            'An enemy unit within 9" is picked, once per activation and before attacking. It hits at -1'
            " until the end of the round.",
        ],
    ),
    (
        'Enemies within 9" get -1 to morale tests.',
        [
            'Foes who are 9" or closer to this model take morale tests at -1.',
            'All enemies no more than 9" away: -1 on morale tests.',
        ],
    ),
    (
        'Friendly units within 9" get Strider.',
        ['Strider is granted to friends that are up to 9" away from this model.'],
    ),
    (
        'This unit gets +2" on Rush actions.',
        ['On its Rush moves this unit covers 2" more.'],
    ),
    (
        'This weapon gets +6" range.',
        ['The range of this weapon is extended by 6".', 'Its shooting range is 6" longer.'],
    ),
    (
        "Hits on this unit get AP(-1) when charged.",
        [
            "Enemy weapons lose 1 point of AP if this unit gets charged.",
            "When charged, this unit treats the attacker's AP as 1 lower.",
        ],
    ),
]

NOT_GUESSED = [
    "This model +1 to hit.",  # no verb
    "This unit's hits get AP(-1).",  # its own
    "When this model shoots, attacks against it have AP(-1).",
    "No enemy within 9\" may get Stealth and Fearless.",
    "Natural 6s to hit, when not charging, one more hit.",
    "Enemies of the enemies within 9\" get +1 to morale tests.",
    "Pick one friendly unit within 9\", and get Stealth once.",  # who?
    "AP(+1) when charging and +1 to hit in melee for this model.",  # which goes for which?
    "When charging, this model gets +1 to hit, and it always gets AP(+1).",
    "The target gets +1 to hit.",
    "Roll one die per wound, this model gets +1 to hit.",
    "Spells: this model gets +1 to hit.",
    "When used, this model gets +1 to hit.",
    "This model gets +1 to hit, never below 0.",
    "The enemy gets AP(+1) for this model.",
    "This model gets +1 to hit, which can't bring more attacks.",
    "Failed morale tests, this model gets AP(+1).",
    "Give neither Stealth nor Fearless to one friendly unit within 9\".",
]  # fmt: skip


@pytest.mark.parametrize(("usual", "others"), SAME)
def test_parts_in_another_order_mean_the_same(usual: str, others: list[str]) -> None:
    on: Literal["", "weapon"] = "weapon" if "this weapon" in usual.lower() else ""
    meant = read("Example", usual, NAMES, on=on)
    assert meant.is_whole
    for text in others:
        found = read("Example", text, NAMES, on=on)
        assert found.missed == (), text
        assert found.blocks == meant.blocks, text


@pytest.mark.parametrize("text", NOT_GUESSED)
def test_what_parts_do_not_tell_clearly_is_reported(text: str) -> None:
    assert read("Example", text, NAMES).missed


def test_every_order_that_is_read_means_the_same() -> None:
    """The parts of a plain rule in all orders: some are no English, but none may mean something else."""
    parts = ("when charging", "this model gets AP(+1)", "against units with Tough(3) or higher")
    meant = read("Example", f"{parts[0]}, {parts[2]}, {parts[1]}.").blocks
    found = [read("Example", f"{', '.join(order)}.") for order in permutations(parts)]
    assert {reading.blocks for reading in found if reading.is_whole} == {meant}


def test_a_spell_may_give_something_to_whom_it_names_last() -> None:
    usual = read_spell(
        "Example", 'Pick one friendly unit within 12", which gets Flying the next time it moves.', NAMES
    )
    other = read_spell("Example", 'Give Flying to one friendly unit within 12" for its next move.', NAMES)
    assert other.is_whole
    assert other.blocks == usual.blocks
