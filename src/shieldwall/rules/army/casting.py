"""Spells that do what army rules do: a pick of units or models, and what becomes of them."""

from __future__ import annotations

from shieldwall.core.blocks import Heal, Picks, Rally
from shieldwall.core.state import Spell, State, Unit
from shieldwall.rules.army.conditions import has_rule, is_fatigued, is_shaken
from shieldwall.rules.army.fighting import PicksUnits

SPELL_PROCEDURE = "rule.spell"


def pick_of(spell: Spell) -> Picks | None:
    """What a spell does in the words of army rules; None for one that says it with hits and rules of its own."""
    blocks = spell.grants[0].blocks if len(spell.grants) == 1 else None
    return blocks[0] if blocks and isinstance(blocks[0], Picks) else None


def is_meant(state: State, pick: Picks, unit: Unit) -> bool:
    """Whether a pick may choose a unit: it needs the named rule and state, and wounds if the pick heals."""
    if pick.with_rule and not any(has_rule(state, unit, model, pick.with_rule) for model in unit.models):
        return False
    wants_shaken = pick.state == "shaken" or all(isinstance(block, Rally) for block in pick.then)
    if (wants_shaken and not is_shaken(unit)) or (pick.state == "fatigued" and not is_fatigued(unit)):
        return False
    heals = any(isinstance(block, Heal) for block in pick.then)
    return not heals or any(model.wounds for model in unit.models)


def spell_as_rule(state: State, name: str) -> PicksUnits:
    """A spell of this game as the rule that it works like."""
    spell = next(spell for spell in state.spells if spell.name == name)
    pick = pick_of(spell)
    assert pick is not None, "only such spells are used like rules"
    return PicksUnits(name, 0, "", 0, pick)
