"""Attacks with army rules parsed from their texts, exact and played, for comparison."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

import yaml
from played_scenes import Scene

Place = Literal["weapon", "model", "target"]
Where = Literal["charge", "shoot"]

LOOSE, RANKS = "aof-2", "regiments-3.5"
MISSING = {
    "aof-1.6": ("another rule in melee", "another rule at range", "an enemy's rule ignored")
}  # rules that an edition does not have


class Trait(NamedTuple):
    """A text, who has it, in which attacks it matters, and rules that other models or weapons have besides."""

    text: str
    on: Place
    where: tuple[Where, ...] = ("charge", "shoot")
    value: int = 0
    more: str = ""  # rules of the attacker's weapon
    theirs: str = ""  # rules of the target
    others: Mapping[str, str] = MappingProxyType({})  # texts of rules that this one names


FOE = 'Once each activation, before it attacks, pick a foe within 18".'
FRIEND = 'Once each activation, before it attacks, pick a friend within 12".'
ALL = "Units where all their models have this rule"
TRAITS: dict[str, Trait] = {
    "to hit": Trait("This model gets +1 to hit.", "model"),
    "to hit in melee only": Trait("In melee this model gets +1 to hit.", "model", ("charge",)),
    "a forced attack": Trait(
        "When activated, this model must attack the closest target it can, with +1 to hit.", "model"
    ),
    "to be hit": Trait(f"Attacks on {ALL.lower()} get -1 to hit.", "target"),
    "to block": Trait(f"{ALL} gain +1 to block.", "target"),
    "to morale": Trait(f"{ALL} gain +1 to morale.", "target"),
    "AP on a charge": Trait("When charging, this model gains AP(+1).", "model", ("charge",)),
    "AP from afar": Trait('This model has AP(+2) when shooting foes beyond 9".', "model", ("shoot",)),
    "AP against armour": Trait("This weapon has AP(+1) against foes with Defense 4+ or better.", "weapon"),
    "Blast against thin armour": Trait(
        "This weapon gains Blast(+2) against units where most of their models have Defense 4+ to 6+.",
        "weapon",
    ),
    "Deadly against the tough": Trait(
        "This weapon has Deadly(+2) against non-Hero models with Tough(3) and above.",
        "weapon",
        theirs="Tough(3)",
    ),
    "less AP taken": Trait(
        "Hits on a unit where all its models have this rule get AP(-1).", "target", more="AP(2)"
    ),
    "no AP below none": Trait(
        "Hits on a unit where all its models have this rule get AP(-3).", "target", more="AP(1)"
    ),
    "better Defense": Trait("Counts as having Defense X+.", "target", value=3),
    "penalties ignored": Trait(
        "This weapon ignores penalties to hit.", "weapon", ("shoot",), theirs="Stealth"
    ),
    "Regeneration ignored": Trait("This weapon ignores Regeneration.", "weapon", theirs="Regeneration"),
    "6s pierce": Trait("This weapon's hits from natural 6s to hit get AP(+2).", "weapon"),
    "6s deal more hits": Trait(
        "When attacking, this model scores 1 additional hit on natural 6s to hit.", "model"
    ),
    "6s deal more hits, with Blast": Trait(
        "When attacking, this model scores 1 additional hit on natural 6s to hit.", "model", more="Blast(2)"
    ),
    "6s deal more hits, with Deadly": Trait(
        "When attacking, this model scores 1 additional hit on natural 6s to hit.",
        "model",
        more="Deadly(2)",
        theirs="Tough(3)",
    ),
    "5s deal more hits, boosted": Trait(
        "If this model has Luck, it scores 1 additional hit on natural 5-6 to hit from Luck.",
        "model",
        others={"Luck": "When attacking, this model scores 1 additional hit on natural 6s to hit."},
    ),
    "6s bring attacks": Trait(
        "For each natural 6 to hit when attacking, it rolls +1 attack with that weapon. Extra attacks bring no more.",
        "model",
    ),
    "as good as in cover": Trait(f"{ALL} count as being in cover.", "target", ("shoot",)),
    "hits of a charge": Trait("When charging, this model deals 1 hit with AP(1).", "model", ("charge",)),
    "hits of a charge by a die": Trait("When charging, this model deals D3 hits.", "model", ("charge",)),
    "a die for each wound taken": Trait(
        "Each time it loses a wound in melee, roll a die, on 4+ the attacker takes a hit with AP(1).",
        "target",
        ("charge",),
    ),
    "1s to block bring attacks": Trait(
        "For each natural 1 to block its hits, this model makes 1 extra attack. Extra attacks bring no more.",
        "model",
    ),
    "1s to block bring attacks and wounds": Trait(
        "For each natural 1 to block its hits, this model makes 1 extra attack. Extra attacks bring no more.",
        "model",
        more="Cruel",
        others={"Cruel": "This weapon deals 1 extra wound for natural 1-2 to block."},
    ),
    "1s to block bring wounds": Trait("This weapon deals 1 extra wound for natural 1s to block.", "weapon"),
    "1s and 2s to block bring wounds": Trait(
        "This weapon deals 2 extra wounds for natural 1-2 to block.", "weapon", theirs="Tough(3)"
    ),
    "unblocked 6s bring wounds": Trait(
        "On natural 6s to hit which are not blocked, this weapon causes 1 extra wound.", "weapon"
    ),
    "blocks again": Trait("When attacking, foes must reroll natural 6s to block.", "weapon"),
    "blocks of 5 again": Trait("When attacking, foes must reroll natural 5-6 to block.", "weapon"),
    "more attacks": Trait("This model gets +1 attack.", "model"),
    "more attacks with this weapon": Trait(
        "This weapon gets +1 attack when charging.", "weapon", ("charge",)
    ),
    "twice the attacks": Trait("When charging, this model has twice as many attacks.", "model", ("charge",)),
    "Quality to hit": Trait("This model hits on 3+.", "model"),
    "better Defense in melee": Trait(f"{ALL} count as having Defense 3+ in melee.", "target", ("charge",)),
    "striking last": Trait("Strikes last when charging.", "model", ("charge",)),
    "sure nerve": Trait(f"{ALL} always pass morale tests.", "target"),
    "6s do two things": Trait(
        "Natural 6s to hit deal 1 extra hit and ignore Regeneration.", "weapon", theirs="Regeneration"
    ),
    "an enemy's rule ignored": Trait("This weapon ignores Stealth.", "weapon", ("shoot",), theirs="Stealth"),
    "a rule lost nearby": Trait('Enemies within 18" lose Regeneration.', "model", theirs="Regeneration"),
    "a rule lost for a round": Trait(
        f"{FOE} It loses Regeneration until the end of the round.", "model", theirs="Regeneration"
    ),
    "nerve for D3 wounds": Trait(
        f"When {ALL.lower()} fail a morale test, it suffers D3 wounds and the test counts as passed instead.",
        "target",
    ),
    "misses again": Trait("This model re-rolls failed hits.", "model"),
    "misses again, with Blast": Trait("This model re-rolls failed hits.", "model", more="Blast(2)"),
    "1s to hit again, on a charge": Trait(
        "When charging, this model re-rolls 1s to hit.", "model", ("charge",)
    ),
    "hits on it again": Trait(f"Enemies must re-roll successful hits against {ALL.lower()}.", "target"),
    "6s on it again": Trait(f"Enemies must re-roll 6s to hit against {ALL.lower()}.", "target", more="Surge"),
    "failed blocks again": Trait(f"{ALL} re-roll failed blocks.", "target", more="AP(1)"),
    "1s to block again": Trait(f"{ALL} re-roll block rolls of 1.", "target"),
    "nerve again": Trait(f"{ALL} re-roll failed morale tests.", "target"),
    "wounds ignored": Trait(f"{ALL} ignore wounds on a 5+.", "target"),
    "wounds ignored, Deadly": Trait(
        f"{ALL} ignore wounds on a 4+.", "target", more="Deadly(2)", theirs="Tough(3)"
    ),
    "backfires": Trait("Gets AP(+2), but its unit takes 1 wound for each natural 1 to hit.", "weapon"),
    "strikes first": Trait("Strikes first when charged.", "target", ("charge",)),
    "dice in melee, hits": Trait(
        "When it strikes, roll 2 dice. For each 5+ the enemy suffers 1 hit with AP(1).", "model", ("charge",)
    ),
    "dice in melee, wounds": Trait(
        "When it strikes, roll 2 dice. For each 6+ the enemy suffers 1 wound.", "model", ("charge",)
    ),
    "Impact with AP": Trait("Counts as having Impact(2) with hits that have AP(1).", "model", ("charge",)),
    "hits for wounds taken": Trait(
        "Each time it suffers a wound in melee, the enemy takes 1 hit.", "target", ("charge",)
    ),
    "hits when killed": Trait("When it is killed in melee, the enemy takes 2 hits.", "target", ("charge",)),
    "a die for the fight": Trait(
        "When attacking, roll a die: on 1-3 it has AP(+1), on 4-6 it has +1 to hit.", "model"
    ),
    "a feat": Trait("Once a game, when this unit attacks, you may use this rule to gain AP(+1).", "model"),
    "a feat against wounds": Trait(
        "Once a game, against wounds on a unit where all its models have this rule, you may throw one die for each and"
        " ignore those of a 4+.",
        "target",
    ),
    "an aura": Trait("This model and its unit gain +1 to hit when attacking.", "model"),
    "one of two effects": Trait(
        "When this unit is activated, choose one effect: until the end of its activation models with this rule in it"
        " either gain AP(+1) when attacking, or gain +1 to hit when attacking.",
        "model",
    ),
    "nerve": Trait(
        "When a unit most of whose models have this rule fails a morale test, it passes instead. Then roll one die for"
        " each wound it has left, and it takes one wound for each 1-2.",
        "target",
    ),
    "a mark": Trait(f"{FOE} Friendly units get AP(+1) against it the next time.", "model"),
    "a mark in melee only": Trait(
        f"{FOE} Friendly units get +1 to hit in melee against it the next time.", "model", ("charge",)
    ),
    "a debuff on blocks": Trait(f"{FOE} It gets -1 to block the next time.", "model"),
    "a debuff on blows": Trait(f"{FOE} It gets -1 to hit in melee the next time.", "model", ("charge",)),
    "a debuff on nerve": Trait(f"{FOE} It gets -2 to morale the next time.", "model"),
    "a buff": Trait(f"{FRIEND} It gets +1 to hit the next time.", "model"),
    "a buff with another rule": Trait(
        f"{FRIEND} It gets Eager the next time.", "model", others={"Eager": "This model gets AP(+2)."}
    ),
    "hits on a picked foe": Trait(f"{FOE} It takes 2 hits with AP(1).", "model"),
    "hits on a picked foe, by a die": Trait(
        'Once each activation, before it attacks, roll one die. On a 4+, one enemy within 18" and in line of sight'
        " takes 1 hit with AP(1).",
        "model",
    ),
    "another rule in melee": Trait("This model gets Rending in melee.", "model", ("charge",)),
    "another rule at range": Trait("This model gets Rending when shooting.", "model", ("shoot",)),
}


def traits(editions: tuple[str, ...] = (LOOSE, RANKS)) -> list[tuple[str, Trait, Where, str]]:
    """Every trait in every attack where it matters, in editions for loose units and for regiments."""
    return [
        (name, trait, where, edition)
        for name, trait in TRAITS.items()
        for where in trait.where
        for edition in editions
        if name not in MISSING.get(edition, ())
    ]


def told(name: str, trait: Trait, where: Where, edition: str, models: int, mute: bool = False) -> Scene:
    """The scene of a trait; `mute` leaves out the rule."""
    rule = f"Trait({trait.value})" if trait.value else "Trait"
    names = [] if mute else [*trait.others, rule]
    on_weapon = names if trait.on == "weapon" else []
    kit = ", ".join(["A2", *filter(None, [trait.more]), *on_weapon])
    weapon = f"Axe ({kit})" if where == "charge" else f'Bow (24", {kit})'
    spot = "front" if edition.startswith("regiments") else "at"
    ours = names if trait.on == "model" else []
    theirs = [*filter(None, [trait.theirs]), *(names if trait.on == "target" else [])]
    scene = {
        "scenario": f"{name}, {where}",
        "edition": edition,
        "army_rules": {} if mute else {"Trait": trait.text, **trait.others},
        "units": {
            "Axes": {
                "side": "A",
                "stats": "Q4+ D4+",
                "models": models,
                "equipment": weapon,
                "rules": ", ".join(ours),
                spot: [24, 10],
            },
            "Wolves": {
                "side": "B",
                "stats": "Q4+ D4+",
                "models": models,
                "equipment": "Claws (A1)",
                "rules": ", ".join(theirs),
                spot: [24, 16] if where == "charge" else [24, 26],
                "facing": 180,
            },
        },
    }
    return Scene(f"{name}, {where}, {edition}", yaml.safe_dump(scene))
