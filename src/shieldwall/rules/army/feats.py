"""Effects laid on a unit for a while, and what it may use once a game: in an attack, for a move, against wounds."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.core import events as ev
from shieldwall.core.pending import Option
from shieldwall.core.state import Effect, RuleRef, State, Unit
from shieldwall.rules.army.fighting import BlockRule, UsesFeat
from shieldwall.rules.army.once import note_spent
from shieldwall.rules.army.picking import NO, YES, RuleChoice
from shieldwall.rules.army.used_up import ONCE
from shieldwall.rules.ruleset import Play, Ruleset


def lay(game: Play, unit: int, rule: BlockRule, blocks: b.Blocks, until: str) -> None:
    """Lay the blocks of a rule on a unit for a while."""
    given = (RuleRef(rule.name, rule.value, False, blocks),)
    source = game.state.units[unit].models[0].id
    game.emit(ev.EffectBegan(unit=unit, effect=Effect(rule.name, source, until, given)))
    if until == ONCE:
        note_spent(game, [(unit, rule.name)])


def has_effect(unit: Unit, name: str) -> bool:
    """Whether an effect of this name lies on a unit."""
    return any(effect.name == name for effect in unit.effects)


def words_of(blocks: b.Blocks) -> str:
    """A few words for an effect, for people who choose it."""
    return ", ".join(_words(block) for block in blocks)


def _words(block: b.Block) -> str:
    match block:
        case b.Modifier(amount=amount, roll=roll):
            return f"{amount:+d} to {roll} rolls"
        case b.Gets(rule=rule):
            sign = "+" if rule.plus else ""
            return f"{rule.name}({sign}{rule.value})" if rule.value else rule.name
        case b.Range(amount=amount):
            return f'{amount / 1000:+g}" range'
        case b.Inches(amount=amount, actions=actions):
            return f'{amount / 1000:+g}" on {" and ".join(actions)}'
        case _:
            return type(block).__name__


def is_used(state: State, unit: Unit, rule: BlockRule) -> bool:
    """Whether a unit has used something as often as it may: once a game, or once in this round."""
    once = rule.block.often == "game"
    return any(use.key == rule.name and (once or use.round == state.round) for use in unit.uses)


AGAINST_WOUNDS = "takes wounds"


def feat_against_wounds(rules: Ruleset, state: State, unit: Unit) -> UsesFeat | None:
    """What a unit may use against wounds that are about to land, if it has not done so."""
    for rule in rules.hooks.of_unit(unit, state.profiles).get("uses_feat", ()) if unit.models else ():
        if not isinstance(rule, UsesFeat) or rule.block.at != AGAINST_WOUNDS:
            continue
        if not is_used(state, unit, rule) and not has_effect(unit, rule.name):
            return rule
    return None


def feat_question(unit: Unit, rule: UsesFeat) -> RuleChoice:
    """Whether something is used that may be used only now and then."""
    words = words_of(rule.block.blocks)
    both = (Option(YES, f"use it now: {words}"), Option(NO, "not now"))
    default = NO if rule.block.at == "moves" else YES
    return RuleChoice("rule_use", unit, rule.name, f"{unit.name}: use it?", both, default)


def use_feat(game: Play, unit: Unit, rule: UsesFeat, option: str) -> None:
    """Lay a feat on the unit if its player said so."""
    if option == YES:
        game.emit(ev.WeaponUsed(unit=unit.id, model=-1, key=rule.name))
        lay(game, unit.id, rule, rule.block.blocks, "activation" if rule.block.at == "moves" else ONCE)
