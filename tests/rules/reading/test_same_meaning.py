"""Sentences that say the same in other words, in another order or with their clauses turned round."""

from __future__ import annotations

import pytest

from shieldwall.core.blocks import Blocks
from shieldwall.rules.reading import read, read_spell

NAMES = ("Fearless", "Stealth", "Scout", "Tough", "Slow", "Furious", "Surge", "Hero", "Regeneration")
RULES: list[tuple[str, ...]] = [
    (
        "When charging, this model gets AP(+1).",
        "This model gains AP(+1) when it charges.",
        "This model has AP(+1) while charging.",
        "Models with this rule receive AP(+1) when charging.",
        "Whenever this model charges, it gets AP(+1).",
        "When this model charges, its weapons gain AP(+1).",
        "The bearer gets AP(+1) when charging.",
        "If this model charged this round, it gets AP(+1).",
        "Gets AP(+1) on the charge.",
        "This model's melee attacks have AP(+1) when charging.",
        "When making a charge, this model gets AP(+1).",
        "This model gets AP(+1) when using Charge actions.",
        "Each time this model charges, it gets AP(+1).",
        "On a charge, this model gets AP(+1).",
        "Charging models with this rule get AP(+1).",
        "This model gets +1 AP when charging.",
        "When this model uses a Charge action, it gets AP(+1) in melee.",
        "After charging, this model's attacks get AP(+1).",
    ),
    (
        "This model gets +1 to hit in melee.",
        "When fighting in melee, this model gets +1 to hit.",
        "In melee, this model gets +1 to hit rolls.",
        "This model gets +1 to its hit rolls when fighting in melee.",
        "When in melee, the bearer gets +1 to hit.",
        "This model's melee attacks get +1 to hit.",
        "This model's melee weapons get +1 to hit rolls.",
        "Add 1 to this model's hit rolls in melee.",
        "Add +1 to hit rolls in melee.",
        "Gets +1 to hit when attacking in melee.",
        "This model has +1 to hit rolls in melee.",
        "This model gets a +1 bonus to hit rolls in melee.",
        "Models with this rule gain +1 to hit when they fight in melee.",
        "When this model fights in melee, it gets +1 to hit rolls.",
        "This model adds 1 to its hit rolls in melee.",
        "When this model attacks in melee, it gets +1 to its rolls to hit.",
    ),
    (
        'When shooting at targets over 9" away, this model gets +1 to hit.',
        "When this model shoots at enemies that are more than 9 inches away, it gets +1 to hit rolls.",
        "This model gets +1 to hit when shooting at units over 9 inches away.",
        'When shooting from over 9" away, this model gets +1 to hit.',
        'This model gets +1 to hit when shooting enemies beyond 9".',
        'When this model shoots at a target over 9" away, it gains +1 to hit rolls.',
        'This model gets +1 to hit rolls with ranged weapons against enemies over 9" away.',
        'Against enemies over 9" away, this model gets +1 to hit when shooting.',
    ),
    (
        "Enemy units get -1 to hit when attacking a unit in which all models have this rule.",
        "Attackers suffer -1 to hit rolls against units where all models have this rule.",
    ),
    (
        "In melee, enemies get -1 to hit rolls against units where all models have this rule.",
        "When fighting units where all models have this rule, enemies get -1 to hit rolls.",
    ),
    (
        "Units where every model has this rule get +1 to Defense rolls.",
        "If all models in a unit have this rule, it gets +1 to defense rolls.",
        "Units consisting only of models with this rule get +1 to defense rolls.",
        "A unit whose models all have this rule gets +1 when blocking.",
        "Units where all models have this rule gain +1 to their defense rolls.",
    ),
    (
        "Units where all models have this rule ignore wounds on a 6+.",
        "Units where all models have this rule ignore each wound they take on a roll of 6+.",
    ),
    (
        "Units where all models have this rule ignore wounds on a 6+, and wounds from spells on a 2+.",
        "Units where all models have this rule ignore wounds on a 6+ (2+ against spells).",
        "Units where all models have this rule ignore wounds on a 6+, or on a 2+ if they are from a spell.",
    ),
    (
        'This model moves an extra 2" on Advance and 4" on Rush or Charge.',
        "This model moves 2 inches farther when advancing and 4 inches farther when rushing or charging.",
        'This model gets +2" movement on Advance and +4" on Rush/Charge.',
        'This model moves +2" on Advance actions, and +4" on Rush and Charge actions.',
        'Add 2" to this model\'s Advance moves and 4" to its Rush and Charge moves.',
        'This model gets +2" to its Advance moves and +4" to its Rush and Charge moves.',
        'When using Advance actions this model moves +2", and when using Rush/Charge actions it moves +4".',
    ),
    (
        'This model moves +3" when charging.',
        'This model moves +3" when using Charge actions.',
        'When charging, this model moves an additional 3".',
        'This model gets +3" to its charge moves.',
        'This model charges +3" farther.',
        'This model may charge 3" farther.',
        'This model adds 3" to its charge distance.',
        'When this model charges, it moves +3".',
        "This model's charges are 3\" longer.",
        'This model gets +3" when using Charge actions.',
    ),
    (
        'This model gets +6" range when shooting.',
        "This model's weapons get +6\" range.",
        "This model's ranged weapons have +6\" range.",
        "The range of this model's weapons is increased by 6\".",
        'This model shoots 6" farther.',
        'When shooting, this model gets +6" range.',
        "Add 6\" to the range of this model's weapons.",
        "This model's shooting range is increased by 6\".",
        "This model gets +6 inches range when it shoots.",
    ),
    (
        "When attacking, natural 6s to hit cause 1 additional hit.",
        "For each unmodified 6 to hit, this model deals 1 extra hit when attacking.",
        "For every unmodified roll of 6 to hit, this model deals one additional hit when attacking.",
        "When this model attacks, each unmodified 6 to hit counts as 2 hits.",
        "On unmodified 6s to hit, this model deals 1 extra hit when attacking.",
        "Whenever this model rolls an unmodified 6 to hit when attacking, it deals 1 extra hit.",
    ),
    (
        "Unmodified 6s to hit with this weapon deal 1 extra hit.",
        "Each unmodified roll of 6 to hit with this weapon deals 1 extra hit.",
        "This weapon deals 1 extra hit on unmodified rolls of 6 to hit.",
        "This weapon deals one additional hit for each natural 6 to hit.",
        "When this weapon rolls an unmodified 6 to hit, it deals 1 extra hit.",
        "For each natural 6 to hit, this weapon scores an extra hit.",
    ),
    (
        "This weapon deals 1 extra wound for each unmodified 1 to block.",
        "For each unmodified roll of 1 to block hits from this weapon, the target takes 1 extra wound.",
        "Targets that roll unmodified 1s to block hits from this weapon take 1 extra wound for each.",
        "Unmodified block rolls of 1 against this weapon cause 1 extra wound.",
        "Each unmodified 1 to block hits from this weapon deals one extra wound.",
        "When blocking hits from this weapon, unmodified results of 1 cause 1 extra wound.",
    ),
    (
        "Unmodified results of 6 to hit get AP(+2).",
        "Hits from unmodified 6s to hit get AP(+2).",
        "On natural 6s to hit, those hits gain AP(+2).",
        "Hits scored on unmodified 6s have AP(+2).",
    ),
    (
        "When attacking, each unmodified 6 to hit lets this model make 1 extra attack with that weapon, "
        "which brings no more.",
        "When this model attacks, for each natural 6 to hit it may roll one extra attack with that weapon. "
        "This doesn't apply to new attacks.",
    ),
    (
        "This model and its unit get Fearless.",
        "This model and its unit gain Fearless.",
        "This model and all models in its unit have Fearless.",
        "All models in this model's unit get Fearless.",
        "This model's unit has Fearless.",
        "This model and the unit it has joined get Fearless.",
        "The bearer and its unit receive the Fearless special rule.",
        "The unit this model is part of gets Fearless.",
        "While this model is in a unit, this model and its unit get Fearless.",
    ),
    (
        "This model's unit gets +1 to morale tests.",
        "This model and its unit add 1 to morale tests.",
        "This model and its unit get +1 when taking morale tests.",
    ),
    (
        "This model and up to three friendly units chosen before the game starts gain Scout.",
        "Before the game begins, pick up to 3 friendly units; they and this model get Scout.",
        "Before the start of the game, pick up to 3 friendly units. This model and those units get Scout.",
    ),
    (
        "Once per activation, before attacking, choose one friendly unit within 12 inches, which gets +1 to "
        "hit in melee the next time it fights.",
        'Before attacking, once per activation, pick one friendly unit within 12", which gains +1 to hit in '
        "melee once.",
    ),
    (
        "When this model is killed in melee, the attacker takes X hits.",
        "If this model dies in melee, the unit that killed it takes X hits.",
        "When this model is destroyed in melee, the enemy unit takes X hits.",
    ),
    (
        "Counts as having Defense 3+.",
        "This model counts as having Defense 3+.",
        "This model has Defense 3+.",
        "This model's Defense counts as 3+.",
        "This model's Defense is 3+.",
    ),
    (
        "Enemy units can't be set up within 12\" of this model's unit when using Ambush.",
        "Enemies using Ambush can't be deployed within 12\" of this unit.",
        "Enemy units that deploy via Ambush must be placed over 12\" away from this model's unit.",
        'Enemy Ambush units must be deployed more than 12" away from this unit.',
    ),
    (
        "This model may shoot after rushing.",
        "After using a Rush action, this model may shoot.",
        "This model can shoot when using Rush actions.",
        "When using Rush actions, this model may still shoot.",
    ),
    (
        "Strikes first when charged.",
        "When charged, this model strikes first.",
        "This model strikes first when charged.",
        "When this model is charged, it strikes first.",
        "When charged, this model attacks first.",
        "When enemies charge this model, it strikes first.",
    ),
    (
        "This model may ignore the Slow rule.",
        "This model ignores Slow.",
        "This model ignores the effects of Slow.",
    ),
    (
        "May move through friendly and enemy units.",
        "This model may move through friendly and enemy units.",
        "This model can move through other units.",
        "This model may move through all units.",
        "This model may move through units.",
    ),
    (
        "This model gets +1 to casting rolls.",
        "Add 1 to this model's casting rolls.",
        "This model gets +1 when casting spells.",
        "When casting spells, this model gets +1 to the roll.",
        "When casting, this model gets +1 to its casting rolls.",
    ),
    (
        "This model gets AP(+1) when shooting.",
        "This model's shooting attacks have AP(+1).",
        "When it shoots, this model has AP(+1).",
        "Each time this model shoots, its weapons get AP(+1).",
        "All ranged weapons carried by this model gain AP(+1).",
        "This model's ranged weapons gain AP(+1).",
        "While shooting, the bearer gets AP(+1).",
        "This model's shots get AP(+1).",
        "This model receives AP(+1) whenever it shoots.",
    ),
    (
        'This model gets AP(+1) when shooting at enemies over 12" away.',
        "When shooting at enemies more than 12 inches away, this model gets AP(+1).",
        'This model gets AP(+1) against targets over 12" away when shooting.',
        'If the target is over 12" away, this model gets AP(+1) when shooting.',
        'Shooting at enemies over 12" away, this model gets AP(+1).',
        'When this model shoots at enemies farther than 12" away, it gets AP(+1).',
    ),
    (
        'This model gets AP(+1) when shooting at enemies within 12".',
        "When shooting at enemies within 12 inches, this model gets AP(+1).",
        'When this model shoots at targets up to 12" away, its weapons get AP(+1).',
        'This model gets AP(+1) when shooting at targets within 12".',
    ),
    (
        "This model gets +1 to hit rolls against Heroes.",
        "Against enemy Heroes, this model gets +1 to hit rolls.",
        "This model gets +1 to hit against units with Hero.",
    ),
    (
        "This model gets +2 to hit rolls against shaken units.",
        "This model gets +2 to hit against enemies that are Shaken.",
        "If the target is Shaken, this model gets +2 to hit.",
        "Against Shaken enemies, this model has +2 to hit rolls.",
    ),
    (
        "This unit gets one marker at the end of each round. Models with this rule get +1 to hit rolls for "
        "each marker (max. +2).",
        "At the end of every round this unit gains a marker. For each marker, models with this rule get +1 "
        "to hit rolls, up to 2.",
    ),
    (
        "This model ignores difficult terrain when moving.",
        "This model ignores difficult terrain.",
        "Difficult terrain doesn't affect this model's movement.",
    ),
    (
        "This weapon ignores Regeneration.",
        "Wounds from this weapon ignore Regeneration.",
        "Wounds from this weapon can't be regenerated.",
        "Targets can't use Regeneration against this weapon.",
    ),
    (
        "Ignores Regeneration and unmodified 6s to hit get AP(+2).",
        "Ignores Regeneration. On unmodified 6s to hit, those hits get AP(+2).",
    ),
    (
        "This model gets Furious.",
        "This model has Furious.",
        "This model has the Furious special rule.",
        "Models with this rule have Furious.",
        "Counts as having Furious.",
        "This model counts as having the Furious rule.",
        "This model gains Furious.",
    ),
    (
        'This model moves +2".',
        'This model gets +2" movement.',
        'This model moves 2" farther.',
        'This model moves an extra 2".',
    ),
]
SPELLS: list[tuple[str, ...]] = [
    (
        "Choose one enemy unit within 12 inches, which suffers six hits with AP(1).",
        'Target enemy unit within 12" takes 6 hits with AP(1).',
        'Pick an enemy unit within 12". It takes 6 AP(1) hits.',
        'One enemy unit within 12" takes 6 hits with AP(1).',
        'Deal 6 hits with AP(1) to one enemy unit within 12".',
        'Pick one enemy unit within 12" and it takes 6 hits with AP(1).',
        'Pick one enemy unit within 12". That unit takes 6 hits with AP(1).',
        'An enemy unit within 12" takes 6 hits with AP(1).',
        'Pick one enemy unit within 12" and deal 6 hits with AP(1) to it.',
    ),
    (
        'Pick up to 2 enemy units within 9". Each takes 4 hits.',
        'Up to two enemy units within 9" take 4 hits each.',
    ),
    (
        'Pick one friendly unit within 12". Until the end of the round, it gets +1 to defense rolls.',
        'Until the end of the round, one friendly unit within 12" gets +1 to defense rolls.',
    ),
    (
        'Choose an enemy unit within 18", it takes one hit with Blast(3).',
        'Pick one enemy unit within 18", which suffers a single hit with Blast(3).',
        "One enemy unit within 18 inches suffers 1 hit with Blast(3).",
    ),
    (
        'Pick one enemy model within 24". It takes 2 hits with AP(4).',
        'One enemy model within 24" takes 2 hits with AP(4).',
        'Choose one enemy model within 24" and deal 2 hits with AP(4) to it.',
    ),
    (
        'Pick up to 3 friendly units within 12". The next time they fight in melee, they get AP(+1).',
        'Choose up to three friendly units within 12"; they get AP(+1) in melee once.',
    ),
    (
        'Pick one friendly unit within 12", which may immediately move by up to 6".',
        'Pick one friendly unit within 12", which may move up to 6".',
        'Pick one friendly unit within 12". It may immediately move up to 6".',
    ),
    (
        'Pick one enemy unit within 12". It takes 3 wounds.',
        'Pick one enemy unit within 12", which suffers three wounds.',
    ),
    (
        'Pick one friendly model within 6" with Tough, and remove 3 wounds from it.',
        'Pick one friendly model with Tough within 6", and remove up to 3 wounds from it.',
        'Pick one friendly model with Tough within 6", which regains 3 wounds.',
    ),
]


@pytest.mark.parametrize("texts", RULES, ids=lambda texts: texts[0])
def test_rules_in_other_words_mean_the_same(texts: tuple[str, ...]) -> None:
    meanings = {text: read("Example", text, NAMES) for text in texts}
    assert [text for text, found in meanings.items() if not found.is_whole] == []
    first: Blocks = meanings[texts[0]].blocks
    assert [text for text, found in meanings.items() if found.blocks != first] == []


@pytest.mark.parametrize("texts", SPELLS, ids=lambda texts: texts[0])
def test_spells_in_other_words_mean_the_same(texts: tuple[str, ...]) -> None:
    meanings = {text: read_spell("Example", text, NAMES) for text in texts}
    assert [text for text, found in meanings.items() if not found.is_whole] == []
    first: Blocks = meanings[texts[0]].blocks
    assert [text for text, found in meanings.items() if found.blocks != first] == []


def test_another_friend_is_not_the_bearers_own_unit() -> None:
    text = 'Before it attacks, choose another friendly unit within 8", and it gains Furious once.'
    (block,) = read("Example", text, NAMES).blocks
    assert getattr(block, "others", None) is True


def test_armour_piercing_that_is_lost_is_not_guessed() -> None:
    assert not read("Example", "This model loses AP(+1) when shooting.", NAMES).is_whole
