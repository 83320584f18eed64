"""Weapons, items and rules of Army Forge, in current and older layouts, as things of our books."""

from __future__ import annotations

import re

from shieldwall.armies.book import Bases, Carried, Item, Thing
from shieldwall.armies.forge.wire import Raw, name_of, part, parts, whole
from shieldwall.armies.rule_names import printed_name, rule_spelled, valued
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

_ATTACKS = re.compile(r"^\s*A\s*(?=\d)", re.IGNORECASE)
_BASE = re.compile(
    r"^\s*(\d{1,3}(?:\.\d)?)\s*(?:mm)?\s*(?:[x×]\s*(\d{1,3}(?:\.\d)?)\s*(?:mm)?)?\s*$", re.IGNORECASE
)
_PRINTED = re.compile(
    r"\((?:(?P<range>\d{1,3})\"\s*,\s*)?A(?P<attacks>\d{1,3})(?:\s*,\s*(?P<rules>.*))?\)\s*$"
)
_COMMAS = re.compile(r",(?![^()]*\))")  # those outside brackets
NOTHING = ("-", "–", "—")
COUNT_MAX = 400
RANGE_MAX = 120
ATTACKS_MAX = 100


def rule_of(raw: object) -> RuleRef | None:
    """A special rule: text, or a mapping with a rating as number, as text, or only inside the label.

    A rating that is not a number, such as the name of another unit, stays part of the name.
    """
    if isinstance(raw, str):
        return rule_spelled(name_of(raw))
    name = name_of(part(raw, "name")) or name_of(part(raw, "key")).replace("-", " ").title()
    label = name_of(part(raw, "label"))
    if not name:
        return rule_spelled(label)
    rating = part(raw, "rating")
    if rating in (None, ""):
        told = rule_spelled(label)
        return told if told is not None and told.name == printed_name(name) else rule_spelled(name)
    value = whole(rating)
    if value or rating in (0, "0"):
        return valued(name, value, "+" if part(raw, "modify") is True or "(+" in label else "")
    return RuleRef(f"{name}({name_of(rating)})")


def rules_of(raw: object) -> tuple[RuleRef, ...]:
    """All rules of a list, or of a text such as `Fast, Tough(3)`."""
    if isinstance(raw, str):
        raw = [line.strip() for line in _COMMAS.split(raw)]
    if not isinstance(raw, list):
        return ()
    return tuple(rule for entry in raw if (rule := rule_of(entry)) is not None and rule.name not in NOTHING)


def as_printed(raw: Raw) -> Raw:
    """A piece of gear with the numbers of its label, such as `Hammer (A2, AP(1))`, if it has no attacks of its own."""
    printed = _PRINTED.search(name_of(raw.get("label"))) if raw.get("attacks") in (None, "") else None
    if printed is None:
        return raw
    told = {
        "range": printed["range"],
        "attacks": printed["attacks"],
        "specialRules": printed["rules"] or "",
    }
    return {**told, **{key: value for key, value in raw.items() if value not in (None, "", [])}}


def weapon_of(raw: Raw) -> Weapon:
    """A weapon; a range of 0, null or none at all makes it a melee weapon."""
    raw = as_printed(raw)
    told = raw.get("attacks")
    told = _ATTACKS.sub("", told) if isinstance(told, str) else told
    attacks = whole(told, 1) * max(1, whole(raw.get("attacksMultiplier"), 1))
    rules = rules_of(raw.get("specialRules"))
    name = name_of(raw.get("name")) or name_of(raw.get("label")).partition("(")[0].strip() or "Weapon"
    reach = max(0, min(RANGE_MAX, whole(raw.get("range"))))
    return Weapon(name, max(1, min(ATTACKS_MAX, attacks)), reach * MILLI, rules)


def item_of(raw: Raw) -> Item:
    """An item with the rules and weapons it brings, including weapons inside its items.

    If a unit has several, its weapons are counted for all of them: five mounts with five bites have one each.
    """
    copies = count_of(raw)
    things = [thing for entry in parts(raw, "content") for thing in _contents(entry, copies, 0)]
    return Item(
        name=name_of(raw.get("name")) or name_of(raw.get("label")).partition("(")[0].strip() or "Item",
        rules=tuple(thing for thing in things if isinstance(thing, RuleRef))
        or rules_of(raw.get("specialRules")),
        weapons=tuple(thing for thing in things if isinstance(thing, Weapon)),
        bases=bases_of(raw.get("bases")),
    )


def _contents(raw: Raw, copies: int, depth: int) -> list[Thing]:
    if is_weapon(raw):
        count = count_of(raw)
        return [weapon_of(raw)] * (count // copies if count % copies == 0 else count)
    inner = parts(raw, "content")
    if inner and depth < 5:
        return [thing for entry in inner for thing in _contents(entry, copies, depth + 1)]
    rule = rule_of(raw)
    return [rule] if rule is not None else []


def thing_of(raw: Raw) -> Thing | None:
    """A gain or a piece of a loadout, recognised by its type if it has one, else by its contents."""
    if is_weapon(raw):
        return weapon_of(raw)
    kind = name_of(raw.get("type"))
    is_rule = kind in ("ArmyBookRule", "ArmyBookDefense") or "rating" in raw
    if kind == "ArmyBookItem" or (not is_rule and ("content" in raw or "specialRules" in raw)):
        return item_of(raw)
    return rule_of(raw)


def is_weapon(raw: Raw) -> bool:
    """Whether something is a weapon: it says so, or it has attacks."""
    kind = name_of(raw.get("type"))
    if kind.startswith("ArmyBook") or parts(raw, "content"):
        return kind == "ArmyBookWeapon"
    return whole(as_printed(raw).get("attacks")) > 0


def is_readable(raw: object) -> bool:
    """Whether a piece of gear or a rule has any content: a text, or a mapping with a name or attacks."""
    if isinstance(raw, str):
        return bool(name_of(raw))
    return any(name_of(part(raw, key)) for key in ("name", "key", "label", "attacks"))


def count_of(raw: Raw) -> int:
    """How many of a thing there are; `"02"` is two, a missing number is one."""
    return max(1, min(COUNT_MAX, whole(raw.get("count"), 1)))


def is_absent(raw: Raw) -> bool:
    """Whether a list says that none of a thing is left."""
    return whole(raw.get("count"), 1) == 0


def gain_of(raw: object) -> Carried | None:
    """Something an option brings to each model it is for."""
    if isinstance(raw, str):
        rule = rule_of(raw)
        return Carried(rule) if rule is not None else None
    if not isinstance(raw, dict):
        return None
    thing = thing_of(raw)
    return Carried(thing, count_of(raw)) if thing is not None else None


def bases_of(raw: object) -> Bases:
    """Bases in millimetres; `none` and texts that are not a size count as missing."""
    return Bases(_base(part(raw, "round")), _base(part(raw, "square")))


def _base(raw: object) -> str:
    match = _BASE.match(name_of(raw))
    if match is None or float(match[1]) < 5 or (match[2] and float(match[2]) < 5):
        return ""
    return f"{match[1]}x{match[2]}" if match[2] else match[1]
