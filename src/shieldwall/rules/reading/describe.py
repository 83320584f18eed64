"""Blocks in plain words, for people who want to know how a text was understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import structs

from shieldwall.core.blocks import (
    BY_VALUE,
    EVERY,
    Aura,
    Block,
    Blocks,
    Boost,
    DefenseIs,
    ExtraWounds,
    Gets,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    Known,
    Lend,
    Modifier,
    MoreAttacks,
    NoRetreat,
    PassesTests,
    Picks,
    QualityIs,
    Range,
    RollsAgain,
    RuleRef,
    StrikeOrder,
    TakeHits,
    Untiring,
    When,
)

_WHO = {
    "weapon": "this weapon",
    "model": "this model",
    "unit": "the whole unit",
    "most": "a unit where most models have it",
    "all": "a unit where all models have it",
}
_ATTACKS = {
    "": "",
    "attack": "when attacking",
    "shoot": "when shooting",
    "melee": "in melee",
    "spell": "against spells",
    "not spell": "against anything but spells",
}
_ATTACKS_ON_IT = {**_ATTACKS, "attack": "when attacked", "shoot": "when shot at"}
_ROLLS = {"hit": "to hit", "block": "to block", "morale": "to morale tests", "casting": "to casting rolls"}


def describe_blocks(blocks: Blocks) -> list[str]:
    """One line for each block, those inside others indented below them."""
    return [line for block in blocks for line in describe_block(block)]


def describe_block(block: Block, indent: str = "") -> list[str]:
    """A block in plain words, with those inside it."""
    lines = [indent + _words(block) + _conditions(getattr(block, "when", ()), _is_attacked(block))]
    for name in ("blocks", "then", "failed"):
        for inner in getattr(block, name, ()):
            lines += describe_block(inner, indent + "  ")
    for number, effect in enumerate(getattr(block, "effects", ()), 1):
        for inner in effect:
            lines += [f"{indent}  effect {number}:{line}" for line in describe_block(inner, " ")]
    return lines


def _words(block: Block) -> str:
    who = _WHO.get(getattr(block, "who", ""), "")
    match block:
        case Modifier(roll, amount, of):
            rolled = "enemies" if of == "enemy" else who
            against = f" against {who}" if of == "enemy" else ""
            return f"{rolled}: {_number(amount, True)} {_ROLLS[roll]}{against}"
        case Gets(rule):
            return f"{who}: has {_rule(rule)}"
        case Inches(amount, actions, of):
            moved = f"enemies that charge {who}" if of == "enemy" else who
            return f'{moved}: {amount / 1000:+g}" on {", ".join(actions)}'
        case Range(amount, of):
            shooter = f"enemies that shoot at {who}" if of == "enemy" else who
            return f'{shooter}: {amount / 1000:+g}" range{" of spells" if block.spells else ""}'
        case IgnoresWounds(on, spells):
            return f"{who}: ignores wounds on {_number(on)}+" + (
                f", those of spells on {spells}+" if spells else ""
            )
        case Ignores(what):
            return f"{who}: {'has no' if block.lost else 'ignores'} {what}"
        case Aura():
            return _aura(block)
        case Boost(rule):
            return f"{who}: if it has {rule}, that rule becomes:"
        case Picks():
            return _picks(block)
        case Lend(_, until, against):
            whom = "friendly units have against each of them" if against else "each of them has"
            return f"{whom}, {'the next time it applies' if until == 'once' else 'until: ' + (until or 'always')}:"
        case TakeHits():
            return _taken(block)
        case Known(name):
            return f"the rulebook's own rule {name}"
    told = _TOLD.get(type(block))
    return told(block, who) if told is not None else _fields(block, who)


def _rolls_again(block: RollsAgain, who: str) -> str:
    what = {"hit": "hits", "block": "blocks", "morale": "morale tests"}[block.roll]
    if block.succeeded:
        return f"enemies: roll {what} of {block.face} or more again against {who}"
    low = "" if block.face == 6 else f" of natural {'1' if block.face == 1 else f'1 to {block.face}'}"
    return f"{who}: rolls failed {what}{low} again"


def _more_attacks(block: MoreAttacks, who: str) -> str:
    if block.doubled:
        return f"{who}: has twice as many attacks"
    what = "attack" if block.attacks == 1 else "attacks"
    return f"{who}: {_number(block.attacks, True)} {what}" + (" with each weapon" if block.each else "")


def _no_retreat(block: NoRetreat, who: str) -> str:
    if block.face:
        return _fields(block, who)
    return f"{who}: passes failed morale tests and takes {_count(block.wounds, block.die, 'wound')}"


_TOLD: dict[type[Any], Callable[[Any, str], str]] = {
    RollsAgain: _rolls_again,
    MoreAttacks: _more_attacks,
    NoRetreat: _no_retreat,
    ExtraWounds: lambda block, who: ("hits on " if block.of == "enemy" else "") + _fields(block, who),
    QualityIs: lambda block, who: f"{who}: attacks with Quality {_number(block.quality)}+",
    DefenseIs: lambda block, who: f"{who}: counts as having Defense {_number(block.defense)}+",
    StrikeOrder: lambda block, who: f"{who}: strikes {'first' if block.first else 'last'}",
    PassesTests: lambda block, who: f"{who}: passes morale tests",
    Untiring: lambda block, who: f"{who}: is never fatigued by fighting",
}


def _count(many: int, die: int, what: str) -> str:
    number = f"D{die}" + (f"+{_number(many)}" if many else "") if die else _number(many)
    return f"{number} {what}" + ("" if number == "1" else "s")


def _taken(block: TakeHits) -> str:
    is_wound = bool(block.wounds or block.wound_die)
    many, die = (block.wounds, block.wound_die) if is_wound else (block.hits, block.die)
    count = _count(many, die, "wound" if is_wound else "hit")
    rules = f" with {', '.join(map(_rule, block.rules))}" if block.rules else ""
    most = f", {block.most} at most" if block.most else ""
    return f"each takes {count}{rules}" + (" for each of its models" if block.per_model else "") + most


def _aura(block: Aura) -> str:
    if not block.reach:
        picked = block.to == "picked"
        friends = f"up to {block.count} friends picked before the game" if picked else "its unit"
        return f"this model lends to {'' if block.others else 'itself and '}{friends}:"
    whom = "enemies" if block.on == "enemy" else "other friends" if block.others else "friends"
    own = "" if block.others or block.on == "enemy" else "itself and "
    named = f" with {block.with_rule}" if block.with_rule else ""
    starting = " that start their activation" if block.starting else ""
    return f'this model lends to {own}{whom}{named}{starting} within {block.reach / 1000:g}":'


def _picks(block: Picks) -> str:
    often = f"once per {block.often}, " if block.often else ""
    when = f"{block.at}, " if block.at else ""
    need = _number(block.need)
    die = f", on a roll of {need}+" if block.need else ""
    dice = f"{block.dice} dice" if block.dice else "one die for each of its models"
    die = f", once for each {need}+ on {dice}" if block.dice != 1 else die
    if block.on == "self":
        return f"{often}{when}{'may be used for' if block.optional else 'for'} its own unit{die}:"
    rule = f" with {block.with_rule}" if block.with_rule else ""
    sight = " in line of sight" if block.sight else ""
    what = f"{block.what}s" if block.count != 1 else block.what
    side = ("other friendly" if block.others else "friendly") if block.on == "friend" else "enemy"
    side = f"{block.state} {side}" if block.state else side
    far = f' within {block.reach / 1000:g}"' if block.reach else ""
    many = f"pick up to {block.count}" if block.count != EVERY else "all"
    return f"{often}{when}{many} {side} {what}{rule}{far}{sight}{die}:"


def _fields(block: Block, who: str) -> str:
    """A block by its name and its numbers, where it has no sentence of its own."""
    title = re.sub(r"(?<!^)(?=[A-Z])", " ", type(block).__name__).lower()
    told = []
    for field in structs.fields(block):
        value = getattr(block, field.name)
        if field.name in ("who", "when", "blocks", "then", "failed", "effects") or value in (
            "",
            (),
            0,
            False,
            "own",
        ):
            continue
        told.append(f"{field.name.replace('_', ' ')} {_value(field.name, value)}")
    return f"{f'{who}: ' if who else ''}{title}" + (f" ({', '.join(told)})" if told else "")


def _value(name: str, value: object) -> str:
    if name in ("reach", "instead_of") and isinstance(value, int):
        return f'{value / 1000:g}"'
    if isinstance(value, RuleRef):
        return _rule(value)
    if isinstance(value, tuple):
        return ", ".join(_value("", item) for item in value)
    return "yes" if value is True else _number(value) if isinstance(value, int) else str(value)


def _is_attacked(block: Block) -> bool:
    """Whether the conditions of a block are about attacks on its bearer, not about the bearer's own."""
    if isinstance(block, Modifier | RollsAgain) and block.roll in ("hit", "block"):
        return (block.roll == "block") == (block.of == "own")
    if isinstance(block, StrikeOrder):
        return block.first
    if isinstance(block, ExtraWounds):
        return block.of == "enemy"
    return isinstance(block, HitsTaken | IgnoresWounds | DefenseIs)


def _conditions(whens: tuple[When, ...], attacked: bool) -> str:
    return ", " + ", or ".join(_condition(when, attacked) for when in whens) if whens else ""


def _condition(when: When, attacked: bool) -> str:
    attacks = _ATTACKS_ON_IT if attacked else _ATTACKS
    parts = [("when charged" if attacked else "on a charge") if when.charging else attacks[when.attack]]
    parts += ["striking back at chargers"] if when.charged else []
    parts += _apart(when)
    parts += ["after a Hold"] if when.held else []
    parts += ["having moved"] if when.moved else []
    parts += ["not having moved this round"] if when.still else []
    parts += [f'near terrain ({when.by_terrain / 1000:g}")'] if when.by_terrain else []
    parts += [f'within {when.by_marker / 1000:g}" of a marker'] if when.by_marker else []
    if when.by_friend:
        rule = f" with {when.friend_rule}" if when.friend_rule else ""
        parts += [f'within {when.by_friend / 1000:g}" of another friendly unit{rule}']
    parts += [f'within {when.by_enemy / 1000:g}" of an enemy'] if when.by_enemy else []
    parts += ["in the round of its arrival"] if when.arrived else []
    parts += [f"if it has {when.own_rule}"] if when.own_rule else []
    parts += [f'with no other friendly unit within {when.alone / 1000:g}"'] if when.alone else []
    parts += _strength(when)
    for name in ("fatigued", "shaken", "wounded"):
        state = getattr(when, name)
        parts += [f"while {'' if state else 'not '}{name}"] if state is not None else []
        theirs = getattr(when, f"target_{name}")
        parts += [f"against {'' if theirs else 'un'}{name} units"] if theirs is not None else []
    low, high = when.target_wounds
    parts += [f"against Tough({low}){f' to Tough({high})' if high else ' or more'}"] if low else []
    low, high = when.target_defense
    parts += [f"against Defense {low}+ to {high}+"] if low else []
    one = "a model with " if when.target_count == "any" else ""
    parts += [f"against units with {one}{when.target_rule}"] if when.target_rule else []
    parts += [f"against units without {when.target_without}"] if when.target_without else []
    parts += [_band("against units of {} models", when.target_models)] if any(when.target_models) else []
    if when.target_half is not None:
        parts += [f"against units {'' if when.target_half else 'not '}at half strength"]
    if when.target_activated is not None:
        parts += [f"against units {'' if when.target_activated else 'not yet '}activated this round"]
    parts += [f"unless {_condition(other, attacked)}" for other in when.unless]
    return " ".join(part for part in parts if part) or "always"


def _strength(when: When) -> list[str]:
    """What a condition says of the size of the bearer's unit, the round and cover."""
    parts = [_band("with {} models", when.models)] if any(when.models) else []
    parts += [f"{'at' if when.half else 'above'} half strength"] if when.half is not None else []
    parts += [_band("in round {}", when.rounds)] if any(when.rounds) else []
    parts += ["in cover"] if when.in_cover else []
    if when.outnumbers is not None:
        parts += ["against fewer models" if when.outnumbers else "against more models"]
    return parts


def _band(words: str, band: tuple[int, int]) -> str:
    low, high = band
    return words.format(f"{low} or more" if not high else str(low) if low == high else f"{low} to {high}")


def _apart(when: When) -> list[str]:
    """From how far away an attack is made."""
    parts = []
    if when.over:
        exact = when.over % 1000 != 999
        parts += [
            f'from over {when.over / 1000:g}" away'
            if exact
            else f'from {(when.over + 1) / 1000:g}" away or more'
        ]
    if when.within:
        exact = when.within % 1000 != 999
        parts += [
            f'from within {when.within / 1000:g}"'
            if exact
            else f'from less than {(when.within + 1) / 1000:g}"'
        ]
    return parts


def _rule(rule: RuleRef) -> str:
    if not rule.value:
        return rule.name
    return f"{rule.name}({'+' if rule.plus else ''}{_number(rule.value)})"


def _number(number: int, signed: bool = False) -> str:
    if abs(number) == BY_VALUE:
        return ("-" if number < 0 else "+" if signed else "") + "X"
    return f"{number:+d}" if signed else str(number)
