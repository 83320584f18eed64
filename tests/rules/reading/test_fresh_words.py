"""Rules and spells as authors of other games and home-made books phrase them: what means the same is read the same, and
every word counts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from shieldwall.rules.reading import Reading, read, read_spell
from shieldwall.rules.reading.rewording import TURNS
from tests.rules.reading.alterations import unnoticed

NAMES = ("Fearless", "Furious", "Tough", "AP", "Ambush", "Fast")
RULES: dict[str, tuple[str, ...]] = {
    "This model gets AP(+1) when charging.": (
        "This model has AP(+1) while charging.",
        "This model's melee weapons get AP(+1) when it charges.",
        "After a charge, this model's attacks have AP(+1).",
        "If this model charges, then it has AP(+1).",
        "In a turn in which it charges, this model has AP(+1).",
        "This model's attacks have AP(+1) if it charged.",
        "A charging model with this rule has AP(+1).",
        "When this model makes a Charge action, its attacks gain AP(+1).",
        "This model gets AP(+1) on the turn it charges.",
        "Gains AP(+1) whenever it charges.",
        "During a charge, this model gets AP(+1).",
        "Whenever this model charges, it receives AP(+1).",
        "Models with this special rule have AP(+1) when charging.",
    ),
    "This model gets +1 to hit when shooting.": (
        "Its ranged attacks hit on one better.",
        "When it shoots, add 1 to the result of its hit rolls.",
        "When shooting, this model adds 1 to its rolls to hit.",
        "This model has a +1 bonus to hit rolls when it fires.",
        "This model's shooting attacks get +1 to hit.",
        "+1 to hit when shooting.",
        "Add one to its to-hit rolls when shooting.",
        "This model receives a bonus of +1 on hit rolls when shooting.",
        "This model increases its hit rolls by 1 when shooting.",
    ),
    "Units whose models all have this rule get +1 to morale tests.": (
        "If all models in a unit have this rule, the unit gets +1 to morale tests.",
        "A unit made up solely of models with this rule gets +1 to morale tests.",
        "When a unit whose models all have this rule takes a morale test, it gets +1 to the roll.",
        "Units where every model has this rule add 1 to their morale tests.",
        "Units entirely made up of models with this rule get +1 on morale tests.",
        "When taking morale tests, units whose models all have this rule get +1.",
    ),
    "Units most of whose models have this rule gain +1 to defense rolls.": (
        "If most models in a unit have this rule, the unit gets +1 to Defense rolls.",
        "If the majority of a unit's models have this rule, it gets +1 to block rolls.",
        "Units where more than half of the models have this rule get +1 to block.",
    ),
    "Enemies get -1 to hit when shooting this unit.": (
        "This unit is at -1 to be hit by shooting.",
        "Shooting attacks targeting this unit get -1 to hit.",
        "When enemies fire at this unit, they have -1 to hit.",
        "Anyone shooting at this unit gets -1 to hit.",
        "Enemy units get -1 to hit against this unit when shooting.",
        "When shot at, enemies get -1 to hit this unit.",
        "Shots at this unit get -1 to hit.",
        "Enemies that shoot at this unit have a -1 penalty to hit.",
        "When enemies shoot at this unit they suffer -1 to hit.",
        "When this unit is shot at, the attacker has -1 to hit.",
        "Enemy shooting against this unit is at -1 to hit.",
        "Enemy units shooting at this unit must subtract 1 from their hit rolls.",
        "Ranged attacks against this unit suffer a -1 penalty to hit rolls.",
        "Enemy units suffer -1 to their hit rolls when they shoot at this unit.",
    ),
    "Enemies get -1 to hit in melee when attacking this unit.": (
        "Enemies suffer -1 to hit when attacking this unit in melee.",
        "Melee attacks against this unit are at -1 to hit.",
        "When attacked in melee, enemies get -1 to hit this unit.",
        "Enemies striking this unit in melee get -1 to hit.",
    ),
    'This model moves +2" on an Advance and +4" on a Rush or Charge.': (
        'Adds 2" to Advance moves and 4" to Rush and Charge moves.',
        'This model moves 2" more on Advance, and 4" more on Rush/Charge.',
        'This model gets +2" on Advance and +4" on Rush and Charge actions.',
        "Add 2 inches to its Advance moves and 4 inches to its Rush and Charge moves.",
        'This model may move an additional 2" when advancing and 4" when rushing or charging.',
    ),
    'This model moves +3" when using Charge actions.': (
        "This model adds 3 inches when it charges.",
        'When this model charges it moves an additional 3".',
        'This model charges 3" farther.',
        'Its charge distance is increased by 3".',
        "This model gets +3 inches to its charge distance.",
        "Increase this model's charge range by 3\".",
        'Add 3" to the distance this model may charge.',
    ),
    'This model gets +6" range when shooting.': (
        "This model's ranged weapons have +6\" range.",
        "The range of this model's weapons is increased by 6\".",
        'Adds 6" to the range of its weapons.',
        'Its weapons have 6" more range.',
        'Increase the range of its ranged weapons by 6".',
        'This model may shoot 6" further.',
    ),
    "For natural 6s to hit, this weapon scores 1 extra hit.": (
        "Each natural 6 to hit deals two hits instead of one with this weapon.",
        "When this weapon rolls an unmodified 6 to hit, it deals one extra hit.",
        "For every unmodified hit roll of 6 this weapon scores one extra hit.",
        "If you roll a natural 6 to hit with this weapon, it causes 1 extra hit.",
        "This weapon deals 1 additional hit for each natural 6 rolled to hit.",
        "Every time this weapon rolls a natural 6 to hit, add one hit.",
        "Unmodified rolls of 6 to hit with this weapon deal 1 extra hit.",
    ),
    "On natural 6s to hit, those hits get AP(+2).": (
        "Hits scored with an unmodified 6 have AP(+2).",
        "When rolling a natural 6 to hit, that hit gets AP(+2).",
        "For each natural 6 to hit, that hit has AP(+2).",
        "Each unmodified roll of 6 to hit gains AP(+2).",
        "If an unmodified 6 is rolled to hit, that hit gets AP(+2).",
    ),
    "On natural 1s to block, this weapon deals 1 extra wound.": (
        "For each natural 1 rolled to block against this weapon, the target takes 1 extra wound.",
        "If the target rolls a natural 1 to block, it takes one extra wound from this weapon.",
        "Each unmodified block roll of 1 against this weapon causes 1 additional wound.",
        "When enemies roll unmodified 1s to block hits from this weapon, they take 1 extra wound.",
    ),
    "This weapon ignores cover.": (
        "Attacks with this weapon ignore cover.",
        "Targets don't get cover against this weapon.",
        "Cover has no effect against this weapon.",
        "Enemies get no benefit from cover against this weapon.",
    ),
    "This unit ignores wounds on a 5+.": (
        "Each time this unit takes a wound, roll a die. On a 5 or more, the wound is ignored.",
        "When this unit takes a wound, it is ignored on a 5+.",
        "Roll one die for each wound this unit takes: on a 5+ it is ignored.",
        "For every wound suffered by this unit, roll a die; on a 5+ that wound is ignored.",
        "Whenever this unit would suffer a wound, roll a D6: on a 5+, ignore that wound.",
        "This unit may ignore each wound it takes on a roll of 5 or higher.",
        "Wounds on this unit are ignored on a 5+.",
    ),
    "This model and its unit get Fearless.": (
        "This model and the unit it is with get Fearless.",
        "The unit this model joins gains Fearless.",
        "All models in the same unit as this model have Fearless.",
        "This model's unit counts as having Fearless.",
        "As long as this model is in a unit, all models in that unit have Fearless.",
        "Models in its unit have Fearless.",
        "The bearer's unit has Fearless.",
        "This model grants Fearless to its unit.",
        "Gives Fearless to its unit.",
    ),
    'Friendly units within 6" get +1 to morale tests.': (
        'Units of your army within 6" of this model get +1 to morale tests.',
        "Each friendly unit within 6 inches of the bearer adds 1 to its morale tests.",
        'Friendly units get +1 to morale tests while within 6" of this model.',
        'Any friendly unit that is within 6" of this model gets +1 to morale tests.',
        'When taking morale tests, friendly units within 6" get +1.',
        'As long as they are within 6" of this model, friendly units get +1 to morale tests.',
    ),
    'Once each activation, before it attacks, choose a friendly unit within 11", and it gains Furious once.': (
        'Once each activation, before it attacks, one friendly unit within 11" gets Furious the next '
        "time the effect would apply.",
        'When this model is activated, before attacking, it may choose a friendly unit within 11", and '
        "it gets Furious once.",
        'Once an activation, before it attacks, you may give one friendly unit within 11" Furious once.',
        'Before attacking, once per activation, you may select a friendly unit within 11". That unit '
        "gains Furious once.",
        'Once each activation, before it attacks, select one friendly unit within 11", which gains '
        "Furious once.",
        'Once each activation, before it attacks, target one friendly unit within 11": it gets Furious once.',
    ),
    'Once each activation, before it attacks, choose an enemy unit within 17", and it has -1 to hit '
    "until the round ends.": (
        'Once each activation, before it attacks, select an enemy unit within 17". Until the end of the '
        "round it suffers -1 to hit.",
        'Once each activation, before it attacks, pick an enemy unit within 17". It has -1 to hit this round.',
        'Once each activation, before it attacks, one enemy unit within 17" gets -1 to hit until the '
        "end of the round.",
        "Once each activation, before it attacks, choose one enemy unit within 17 inches; it gets -1 on "
        "hit rolls until the round ends.",
        'Once each activation, before it attacks, nominate one enemy unit within 17", it gets -1 to hit '
        "for the rest of the round.",
    ),
    'Once each activation, before it attacks, choose an enemy unit within 11", and the next '
    "friendly unit attacking it gets +1 to hit.": (
        'Once each activation, before it attacks, mark an enemy unit within 11". The next friendly unit '
        "to attack it gets +1 to hit.",
        'Once each activation, before it attacks, pick an enemy unit within 11"; the next time a '
        "friendly unit attacks it, that unit gets +1 to hit.",
    ),
    'Once each activation, before it attacks, pick one enemy unit within 11" and roll one die. On a '
    "4+ it takes 3 hits with AP(1).": (
        'Once each activation, before it attacks, choose an enemy unit within 11" and roll a die: on a '
        "4 or more, that unit suffers 3 hits with AP(1).",
        'Once each activation, before it attacks, pick one enemy unit within 11". Roll a die, and on a '
        "4+ it takes 3 AP(1) hits.",
    ),
    "Once per game, when this unit attacks, you may use this rule to get AP(+1).": (
        "One use only: when this unit attacks it gets AP(+1).",
        "Once in the game, when this unit attacks, it may get AP(+1).",
        "A single time per game, when this unit attacks, it may get AP(+1).",
        "Once per game, this unit may have AP(+1) when it attacks.",
        "Once per game when this unit attacks it can have AP(+1).",
        "When this unit attacks, once per game, it may get AP(+1).",
        "One time per game this unit may get AP(+1) when attacking.",
        "Once per game, this unit may gain AP(+1) for one attack.",
        "Once a battle, when this unit attacks, it may gain AP(+1).",
    ),
    'At the start of its activation, choose one effect: this unit either gains Furious or moves +2" '
    "until the end of its activation.": (
        'When this unit is activated, pick one: it either gets Furious or moves +2" until the end of '
        "its activation.",
        'When activated, choose one: this unit gets Furious or moves +2" until the end of its activation.',
    ),
    "When this unit is shaken at the start of a round, roll one die. On a 4+ it recovers.": (
        "If this unit is Shaken at the beginning of a round, roll a die; on a 4+ it is no longer Shaken.",
        "At the beginning of each round, if this unit is Shaken, it recovers on a 4 or more.",
        "When a round begins, if this unit is shaken, roll one die. On a 4+ it recovers.",
    ),
    'Once per round, this unit may move up to 3" after shooting.': (
        "Once per round, this unit may move by up to 3 inches after it has shot.",
        'Once per round, after shooting, this unit may make a move of up to 3".',
        'After shooting, this unit may move up to 3", once per round.',
    ),
    "Strikes first when charged.": (
        "This model strikes first when it is charged.",
        "When charged, this model strikes before the charging unit.",
        "When this model is charged, it strikes first.",
        "If charged, this model attacks first.",
        "This model may strike first when an enemy charges it.",
    ),
    "When this model is killed in melee, the attacker takes 3 hits.": (
        "When this model is killed in melee, it deals 3 hits to its attacker.",
        "If this model is destroyed in melee, the enemy unit takes 3 hits.",
        "If this model dies in melee, the unit that killed it suffers 3 hits.",
        "When this model is slain in close combat, its attacker takes 3 hits.",
        "Upon being killed in melee, this model deals 3 hits to the attacker.",
    ),
    "Hits on a unit where all its models have this rule get AP(-1).": (
        "Attacks against units where all models have this rule have AP(-1).",
        "Hits against a unit in which all models have this rule count as having AP(-1).",
        "When a unit whose models all have this rule takes hits, those hits have AP(-1).",
    ),
    "When attacking shaken units, this model gets +1 to hit.": (
        "When attacking shaken enemies, this model gets +1 to hit.",
        "When it attacks a Shaken unit, this model gets +1 to hit.",
    ),
    "When attacking units with Tough(3) or higher, this model gets AP(+2).": (
        "When attacking units with Tough(3) or better, this model gets AP(+2).",
        "This model's attacks gain AP(+2) against enemies that have Tough(3) or higher.",
    ),
    "This model ignores difficult terrain.": (
        "This model may move through difficult terrain without being slowed.",
        "Ignores the effects of difficult terrain when moving.",
        "This model is not affected by difficult terrain.",
        "This model treats difficult terrain as open ground.",
    ),
    "This unit gets +1 to hit while fatigued.": (
        "While it is fatigued, this unit has +1 to hit.",
        "This unit gets +1 to hit as long as it is fatigued.",
        "If this unit is fatigued, it gets +1 to hit.",
    ),
    'Enemies may not use Ambush within 11" of this unit.': (
        'Enemies using Ambush must be set up more than 11" away from this unit.',
        "Enemy units can't arrive from Ambush within 11\" of this unit.",
        'Enemies deploying via Ambush must stay more than 11" away from this unit.',
    ),
    "When it strikes, roll 3 dice. For each 5+, the enemy suffers one hit with AP(1).": (
        "When this model attacks in melee, roll 3 dice; each 5+ deals one hit with AP(1).",
        "When this model fights, it rolls 3 extra dice. The target takes one hit with AP(1) for each 5+.",
        "In melee, this model rolls 3 dice. Each result of 5+ is a hit with AP(1).",
    ),
    "This model gets +1 to hit against shaken units.": (
        "This model has +1 to hit rolls when its target is shaken.",
        "Against Shaken enemies this model gains +1 to hit.",
        "If the target is shaken, this model gets +1 to hit.",
    ),
    "This model gets AP(+2) against units with Tough(3) or higher.": (
        "Against targets with Tough(3)+, this model has AP(+2).",
        "Versus enemies with Tough(3) or more, this model gets AP(+2).",
        "If the target has Tough(3) or higher, this model gets AP(+2).",
    ),
    "This model gets +1 to hit in melee.": (
        "When fighting in melee, add +1 to this model's hit rolls.",
        "This model gains +1 to its rolls to hit in melee.",
        "Melee attacks of this model get +1 to hit.",
        "During melee this model has +1 to hit.",
    ),
    "This unit gets +1 to morale tests.": (
        "Add 1 to this unit's morale tests.",
        "This unit adds +1 to its morale test results.",
        "Morale tests of this unit get +1.",
        "This unit gets a +1 bonus when it takes a morale test.",
        "This unit has +1 on its morale tests.",
    ),
    'This model moves +2" when using Advance actions.': (
        "This model's Advance is 2\" longer.",
        'When advancing, this model may move 2" more.',
        "When it uses an Advance action, this model moves 2 additional inches.",
        'This model advances 2" farther.',
    ),
    "This unit ignores wounds on a 4+.": (
        "On a 4+, this unit ignores a wound.",
        "Each wound this unit suffers is ignored on a 4+.",
        "When this unit suffers wounds, roll a die for each: on a 4+ ignore it.",
        "Wounds suffered by this unit are ignored on a roll of 4 or more.",
    ),
    'Friendly units within 6" get Fearless.': (
        'Friendly units have Fearless while they are within 6".',
        'All friends within 6" of this model have Fearless.',
        "Friendly units that are within 6 inches of this model gain Fearless.",
        'Gives Fearless to friendly units within 6".',
    ),
    'Once each activation, before it attacks, choose a friendly unit within 9", and it gains Furious once.': (
        "Once each activation, before it attacks, this model may choose one friendly unit within "
        '9" to gain Furious once.',
        'Once each activation, before it attacks, it may grant Furious once to one friendly unit within 9".',
        'Once each activation, before it attacks, choose a friendly unit in 9", which then gains Furious once.',
    ),
    "On natural 6s to hit, this weapon scores 1 extra hit.": (
        "Natural 6s to hit with this weapon count double.",
        "Whenever a natural 6 is rolled to hit with this weapon, it causes an additional hit.",
    ),
    "This weapon ignores Regeneration.": (
        "Wounds from this weapon can't be ignored with Regeneration.",
        "Enemies can't use Regeneration against wounds from this weapon.",
        "Regeneration may not be used against this weapon.",
    ),
    "This unit gets +1 to defense rolls when shot.": (
        "When shot at, this unit gets +1 to Defense rolls.",
        "Against shooting, this unit gets +1 to block.",
        "This unit gets +1 to its Defense rolls against shooting attacks.",
    ),
    "This model gets AP(+1) when shooting.": (
        "When it fires, this model has AP(+1).",
        "This model's shots have AP(+1).",
        "All ranged weapons of this model gain AP(+1).",
        "AP(+1) when shooting.",
        "This model's ranged weapons have an additional AP(+1).",
    ),
    "This unit gets +1 to defense rolls.": (
        "This unit gets +1 to block.",
        "Add 1 to this unit's Defense rolls.",
        "This unit's Defense rolls get +1.",
        "This unit has a +1 bonus to its block rolls.",
        "When blocking, this unit gets +1.",
    ),
    "Enemies get -1 to hit when attacking this unit.": (
        "All attacks on this unit get -1 to hit.",
        "Enemies attacking this unit suffer a -1 penalty to hit.",
        "Any enemy attacking this unit gets -1 to hit.",
    ),
    "This model gets +2 to hit against units with Tough(6) or higher.": (
        "Against units with Tough(6) or above, this model gets +2 to hit.",
        "This model gets +2 to hit when the target has Tough(6) or more.",
        "This model has +2 to hit rolls against enemies with Tough(6) or greater.",
        "When its target has Tough(6) or higher, this model gets +2 to hit.",
    ),
    'This model gets +1 to hit when shooting enemies over 9" away.': (
        'When shooting at enemies more than 9" away, this model gets +1 to hit.',
        "This model gets +1 to hit when shooting at targets further than 9 inches away.",
        'If the target is over 9" away, this model gets +1 to hit when shooting.',
        'When shooting at a target at more than 9", add 1 to hit rolls.',
    ),
    'Once each activation, before it attacks, choose up to two enemy units within 15", and '
    "they get -1 to hit until the round ends.": (
        'Once each activation, before it attacks, up to two enemy units within 15" get -1 to hit '
        "until the round ends.",
        'Once each activation, before it attacks, choose up to 2 enemy units within 15", each of '
        "which gets -1 to hit until the round ends.",
        'Once each activation, before it attacks, you may choose up to two enemy units within 15". '
        "Both get -1 to hit until the round ends.",
    ),
    "This unit may shoot after rushing.": (
        "This unit can shoot even if it rushed.",
        "This unit may still shoot after using a Rush action.",
        "After a Rush, this unit may shoot.",
    ),
    "This model gets Furious and Fearless.": (
        "This model has both Furious and Fearless.",
        "This model counts as having Furious and Fearless.",
        "Furious and Fearless.",
    ),
    'This unit moves +2" on all moves.': (
        'This unit moves +2".',
        "Add 2\" to all of this unit's moves.",
        'All moves of this unit are 2" longer.',
        "This unit moves 2 inches farther.",
    ),
    "This unit strikes first when charged.": ("This unit always strikes first when charged.",),
    "If this model is killed in melee, the attacker takes X hits.": (
        "When this model is killed in melee the attacker takes X hits.",
        "When this model dies in melee, its killer takes X hits.",
    ),
}
SPELLS: dict[str, tuple[str, ...]] = {
    'Choose an enemy unit within 11", and it suffers 4 hits with AP(1).': (
        'An enemy unit within 11" takes 4 hits with AP(1).',
        'Choose an enemy unit within 11" and deal 4 hits with AP(1) to it.',
        'Pick an enemy within 11"; it takes 4 hits at AP(1).',
        'Deals 4 hits with AP(1) to an enemy unit within 11".',
        'One enemy unit within 11" suffers 4 AP(1) hits.',
        'Target an enemy unit within 11". It takes 4 hits with AP(1).',
        "Select one enemy unit within 11 inches, which suffers four hits with AP(1).",
        'The caster deals 4 hits with AP(1) to one enemy unit within 11".',
        'Inflict 4 hits with AP(1) on one enemy unit within 11".',
    ),
    'Choose up to two friendly units within 11", and they gain Furious once.': (
        'Up to two friendly units within 11" gain Furious once.',
        'Select up to 2 friendly units within 11". They gain Furious once.',
        'Up to two friendly units within 11" get Furious the next time the effect would apply.',
    ),
    'Choose an enemy unit within 17", and it has -1 to defense rolls until the round ends.': (
        'One enemy unit within 17" suffers -1 to Defense rolls until this round ends.',
        'Choose an enemy unit within 17". Until the end of the round, it has -1 to block.',
        'Target enemy unit within 17" gets -1 to Defense rolls for the round.',
    ),
    'Pick one friendly model within 6", and remove D3 wounds from it.': (
        'Pick one friendly model within 6". It heals D3 wounds.',
        'One friendly model within 6" heals D3 wounds.',
        'Choose a friendly model within 6", which regains D3 wounds.',
    ),
    'Choose an enemy unit within 17", and it must take a morale test. If it fails, it becomes shaken.': (
        'One enemy unit within 17" must take a morale test; if it fails, it is Shaken.',
        'Pick one enemy unit within 17". It must pass a morale test or become Shaken.',
    ),
    'Choose a friendly unit within 11", and it gains +1 to hit once.': (
        'A friendly unit within 11" gets +1 to hit once.',
        'The next time it attacks, a friendly unit within 11" gets +1 to hit.',
        'Choose a friendly unit within 11". It has +1 to hit once.',
        'Give one friendly unit within 11" +1 to hit once.',
    ),
    'Choose an enemy unit within 15", and it suffers 2 hits with AP(3) and Deadly(2).': (
        'One enemy unit within 15" takes 2 hits with AP(3), Deadly(2).',
        'An enemy unit within 15" immediately takes 2 hits with AP(3) and Deadly(2).',
    ),
    'Choose up to 2 friendly units within 15", and they get +1 to defense rolls until the round ends.': (
        'Up to two friendly units within 15" get +1 to Defense rolls until the round ends.',
        'Until the end of the round, up to two friendly units within 15" get +1 to Defense rolls.',
        'Two friendly units within 15" get +1 to block rolls until the round ends.',
    ),
    'Choose a friendly unit within 15", and you may move it up to 6".': (
        'You may move one friendly unit within 15" up to 6".',
        'One friendly unit within 15" may immediately move up to 6".',
        'Choose a friendly unit within 15", which may move 6".',
    ),
}


def understood(text: str) -> Reading:
    return read("Example", text, NAMES)


def understood_spell(text: str) -> Reading:
    return read_spell("Example", text, NAMES)


CASES = [
    *((understood, usual, texts) for usual, texts in RULES.items()),
    *((understood_spell, usual, texts) for usual, texts in SPELLS.items()),
]
Understand = Callable[[str], Reading]


@pytest.mark.parametrize(("understand", "usual", "texts"), CASES)
def test_fresh_words_mean_the_same(understand: Understand, usual: str, texts: tuple[str, ...]) -> None:
    same = understand(usual)
    assert same.missed == ()
    found = {text: understand(text) for text in texts}
    assert {text: reading.missed for text, reading in found.items() if reading.missed} == {}
    assert {text: reading.blocks for text, reading in found.items()} == dict.fromkeys(texts, same.blocks)


@pytest.mark.parametrize(("understand", "usual", "texts"), CASES)
def test_a_strange_word_or_another_number_is_noticed(
    understand: Understand, usual: str, texts: tuple[str, ...]
) -> None:
    assert [other for text in texts for other in unnoticed(text, understand)] == []


@pytest.mark.parametrize("turn", TURNS)
def test_what_a_turn_of_phrase_catches_is_in_its_meaning(turn: str) -> None:
    slots = re.findall(r"\{(?:signed|bonus|num|inch|sinch|need|face|some)\}", turn)
    assert set(re.findall(r"\{(\d)[nu+-]?\}", TURNS[turn])) == {
        str(number + 1) for number in range(len(slots))
    }
