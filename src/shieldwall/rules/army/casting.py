"""Spells that do what army rules do: a pick of units or models, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.core.blocks import Heal, Picks, Rally
from shieldwall.core.state import Spell, State, Unit
from shieldwall.rules.army.conditions import has_losses, has_rule, is_fatigued, is_shaken
from shieldwall.rules.army.fighting import PicksUnits

SPELL_PROCEDURE = "rule.spell"


def pick_of(spell: Spell) -> Picks | None:
    """What a spell does in the words of army rules; None for one that says it with hits and rules of its own."""
    blocks = spell.grants[0].blocks if len(spell.grants) == 1 else None
    return blocks[0] if blocks and isinstance(blocks[0], Picks) else None


def is_meant(state: State, pick: Picks, unit: Unit) -> bool:
    """Whether a pick may choose a unit, by its rules, its state and its wounds."""
    return not why_not_meant(state, pick, unit)


def why_not_meant(state: State, pick: Picks, unit: Unit) -> str:
    """What a unit lacks for being picked; nothing for one that may be."""
    if pick.with_rule and not any(has_rule(state, unit, model, pick.with_rule) for model in unit.models):
        return f"its target needs {pick.with_rule}"
    if pick.without_rule and any(has_rule(state, unit, model, pick.without_rule) for model in unit.models):
        return f"its target must not have {pick.without_rule}"
    wanted = pick.state or ("shaken" if all(isinstance(block, Rally) for block in pick.then) else "")
    if wanted and STATES[wanted.removeprefix("not ")](unit) == wanted.startswith("not "):
        return (
            f"its target must {'not ' if wanted.startswith('not ') else ''}be {wanted.removeprefix('not ')}"
        )
    heals = any(isinstance(block, Heal) for block in pick.then)
    return "no model there is wounded" if heals and not any(model.wounds for model in unit.models) else ""


STATES: dict[str, Callable[[Unit], bool]] = {
    "shaken": is_shaken,
    "fatigued": is_fatigued,
    "wounded": has_losses,
    "activated": lambda unit: unit.activated,
}


def spell_as_rule(state: State, name: str) -> PicksUnits:
    """A spell of this game as the rule that it works like."""
    spell = next(spell for spell in state.spells if spell.name == name)
    pick = pick_of(spell)
    assert pick is not None, "only such spells are used like rules"
    return PicksUnits(name, 0, "", 0, pick)
