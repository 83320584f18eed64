"""Blocks in plain words, for people who want to know how a text was understood."""

from __future__ import annotations

import re

from msgspec import structs

from shieldwall.core.blocks import (
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
    InCover,
    Known,
    Lend,
    Modifier,
    Picks,
    Range,
    RollsAgain,
    RuleRef,
    StrikeOrder,
    TakeHits,
    When,
)
from shieldwall.rules.reading.telling import OFTEN, TOLD, UNTIL, WHEN, number, rule_in_words, some

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


def describe_blocks(blocks: Blocks, indent: str = "") -> list[str]:
    """One line for each block, those inside others indented below them; equal ones that count something are one."""
    lines: list[str] = []
    rest = list(blocks)
    while rest:
        alike = _counting(rest)
        rest = rest[len(alike) :]
        if len(alike) > 1:
            lines.append(indent + _counted(alike))
        else:
            lines += describe_block(alike[0], indent)
    return lines


def describe_block(block: Block, indent: str = "") -> list[str]:
    """A block in plain words, with those inside it."""
    lines = [indent + _words(block) + _conditions(getattr(block, "when", ()), _is_attacked(block))]
    for name in ("blocks", "then", "failed"):
        lines += describe_blocks(getattr(block, name, ()), indent + "  ")
    faces = getattr(block, "faces", ())
    for at, effect in enumerate(getattr(block, "effects", ())):
        title = _faces(faces[at]) if faces else f"effect {at + 1}"
        lines += [f"{indent}  {title}:{line}" for line in describe_blocks(effect, " ")]
    return lines


def _faces(faces: tuple[int, int]) -> str:
    low, high = faces
    return f"on {low}" if low == high else f"on {low}-{high}"


def _counting(blocks: list[Block]) -> list[Block]:
    """The first block with those behind it that are the same for the second, the third and so on of something."""
    found = blocks[:1]
    for block in blocks[1:]:
        if _step(found[0], len(found) + 1) != block:
            break
        found.append(block)
    return found


def _step(block: Block, many: int) -> Block | None:
    """A block that counts something, for so many of it."""
    whens: tuple[When, ...] = getattr(block, "when", ())
    if len(whens) != 1:
        return None
    when = whens[0]
    if when.lost == 1:
        higher = structs.replace(when, lost=many)
    elif when.by_friend or when.by_enemy:
        higher = structs.replace(when, near=many)
    elif when.models[0] and not when.models[1]:
        higher = structs.replace(when, models=(when.models[0] * many, 0))
    else:
        return None
    return structs.replace(block, when=(higher,))


def _counted(blocks: list[Block]) -> str:
    """Equal blocks that count something, as one."""
    when: When = blocks[0].when[0]  # type: ignore[union-attr]
    plain = structs.replace(when, lost=0, by_friend=0, by_enemy=0, friend_rule="", models=(0, 0))
    rest = _conditions((plain,), _is_attacked(blocks[0])) if plain != When() else ""
    far = f' within {(when.by_friend or when.by_enemy) / 1000:g}"'
    rule = f" with {when.friend_rule}" if when.friend_rule else ""
    if when.lost:
        what = "wound it has taken"
    elif when.by_friend:
        what = f"other friendly unit{rule}{far}"
    elif when.by_enemy:
        what = f"enemy{far}"
    else:
        what = "model it has" if when.models[0] == 1 else f"{when.models[0]} models it has"
    return f"{_words(blocks[0])}{rest} for each {what}, up to {len(blocks)}"


def _words(block: Block) -> str:
    who = _WHO.get(getattr(block, "who", ""), "")
    match block:
        case Modifier(roll, amount, of):
            rolled = "enemies" if of == "enemy" else who
            against = f" against {who}" if of == "enemy" else ""
            return f"{rolled}: {number(amount, True)} {_ROLLS[roll]}{against}"
        case Gets(rule):
            return f"{who}: has {rule_in_words(rule)}"
        case Inches(amount, actions, of):
            moved = f"enemies that charge {who}" if of == "enemy" else who
            return f'{moved}: {amount / 1000:+g}" on {", ".join(actions)}'
        case Range(amount, of):
            shooter = f"enemies that shoot at {who}" if of == "enemy" else who
            return f'{shooter}: {amount / 1000:+g}" range{" of spells" if block.spells else ""}'
        case IgnoresWounds(on, spells):
            return f"{who}: ignores wounds on {number(on)}+" + (
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
            return f"{whom}, {UNTIL[until]}:"
        case TakeHits():
            return _taken(block)
        case Known(name):
            return f"the rulebook's own rule {name}"
    told = TOLD.get(type(block))
    return told(block, who) if told is not None else _fields(block, who)


def _taken(block: TakeHits) -> str:
    is_wound = bool(block.wounds or block.wound_die)
    many, die = (block.wounds, block.wound_die) if is_wound else (block.hits, block.die)
    count = some(many, die, "wound" if is_wound else "hit")
    rules = f" with {', '.join(map(rule_in_words, block.rules))}" if block.rules else ""
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
    often = f"{OFTEN[block.often]}, " if block.often else ""
    when = f"{WHEN[block.at]}, " if block.at else ""
    need = number(block.need)
    die = f", on a roll of {need}+" if block.need else ""
    dice = f"{block.dice} dice" if block.dice else "one die for each of its models"
    die = f", once for each {need}+ on {dice}" if block.dice != 1 else die
    if block.on == "self":
        return f"{often}{when}{'may be used for' if block.optional else 'for'} its own unit{die}:"
    rule = f" with {block.with_rule}" if block.with_rule else ""
    sight = " in line of sight" if block.sight else ""
    what = f"{block.what}s" if block.count != 1 else block.what
    side = ("other friendly" if block.others else "friendly") if block.on == "friend" else "enemy"
    side = f"{block.state} {side}" if block.state and not block.state.startswith("not ") else side
    rule += f" without {block.without_rule}" if block.without_rule else ""
    rule += f" that is {block.state}" if block.state.startswith("not ") else ""
    far = f' within {block.reach / 1000:g}"' if block.reach else ""
    many = "pick 1" if block.count == 1 else f"pick up to {block.count}" if block.count != EVERY else "all"
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
        return rule_in_words(value)
    if isinstance(value, tuple):
        return ", ".join(_value("", item) for item in value)
    return "yes" if value is True else number(value) if isinstance(value, int) else str(value)


def _is_attacked(block: Block) -> bool:
    """Whether the conditions of a block are about attacks on its bearer, not about the bearer's own."""
    if isinstance(block, Modifier | RollsAgain) and block.roll in ("hit", "block"):
        return (block.roll == "block") == (block.of == "own")
    if isinstance(block, StrikeOrder):
        return block.first
    if isinstance(block, ExtraWounds):
        return block.of == "enemy"
    return isinstance(block, HitsTaken | IgnoresWounds | DefenseIs | InCover)


def _conditions(whens: tuple[When, ...], attacked: bool) -> str:
    return ", " + ", or ".join(_condition(when, attacked) for when in whens) if whens else ""


def _condition(when: When, attacked: bool) -> str:
    attacks = _ATTACKS_ON_IT if attacked else _ATTACKS
    parts = [("when charged" if attacked else "on a charge") if when.charging else attacks[when.attack]]
    parts += [("from those it charged" if attacked else "striking back at chargers")] if when.charged else []
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
    parts += [f"unless {_condition(other, attacked).removeprefix('when ')}" for other in when.unless]
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
