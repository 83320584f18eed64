"""Repairs gear that books of 2021 and 2022 hold in pieces: their tool cut `Horse - Hooves (A1, AP(1)), Fast` at every
comma.

The label still has all of it, so the gear is read from there.
"""

from __future__ import annotations

import re
from typing import Any

from shieldwall.armies.book import Item, Thing
from shieldwall.armies.forge.text_read import rule_or_item, weapon_of_text
from shieldwall.armies.forge.wire import Raw, name_of, part
from shieldwall.armies.parse import describe_rule, split_list
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import MILLI

_MOUNT = re.compile(r"^(?P<name>[^(),]+?)\s+[-–—]\s+(?P<rest>.+)$")
_NO_COMMA = re.compile(r"(\([^()]*\))\s+(?=[A-Z])")
_DEFENSE = re.compile(r"^Defense \+(\d)$")
_PIECE = re.compile(r"^[\d+]")  # no rule begins with a number
KEPT = ("id", "count", "label")


def repair_cut_gear(raw: Any) -> Any:
    """The plain data of a book, with gear that was cut to pieces put back together."""
    if isinstance(raw, list):
        return [repair_cut_gear(one) for one in raw]
    if not isinstance(raw, dict):
        return raw
    if _is_cut(raw):
        return _whole(raw) or raw
    return {key: repair_cut_gear(value) for key, value in raw.items()}


def _is_cut(raw: Raw) -> bool:
    """Whether a piece of gear names a mount together with its gear, or has a rule that is only part of one."""
    label = name_of(raw.get("label"))
    if not label or "options" in raw or "gains" in raw:
        return False
    inside = [raw.get("specialRules"), raw.get("content")]
    names = [_rule_name(rule) for rules in inside if isinstance(rules, list) for rule in rules]
    if "specialRules" not in raw and "content" not in raw:
        return raw.get("type") == "ArmyBookRule" and _is_piece(_rule_name(raw)) and not _is_piece(label)
    return any(map(_is_piece, names)) or (_MOUNT.match(label) is not None and "attacks" in raw)


def _rule_name(raw: object) -> str:
    return name_of(raw) if isinstance(raw, str) else name_of(part(raw, "name"))


def _is_piece(name: str) -> bool:
    return name.count("(") != name.count(")") or _PIECE.match(name) is not None


def _whole(raw: Raw) -> Raw | None:
    """The gear as its label prints it; None if the label does not help."""
    label = _NO_COMMA.sub(r"\1, ", name_of(raw.get("label")))
    label += ")" * (label.count("(") - label.count(")"))
    mount = _MOUNT.match(label)
    try:
        printed = split_list(mount["rest"] if mount else label, label)
    except MalformedError:
        return None
    things = [_thing(_DEFENSE.sub(r"Defense(+\1)", one)) for one in printed]
    kept = {key: raw[key] for key in KEPT if key in raw}
    if mount is None and len(things) == 1:
        return {**kept, **_as_raw(things[0])}
    name = mount["name"] if mount else " and ".join(_name(thing) for thing in things)
    content = [_as_raw(thing) for thing in things]
    return {**kept, "type": "ArmyBookItem", "name": name, "content": content}


def _thing(printed: str) -> Thing:
    return weapon_of_text(printed) or rule_or_item(printed)


def _name(thing: Thing) -> str:
    return describe_rule(thing) if isinstance(thing, RuleRef) else thing.name


def _as_raw(thing: Thing) -> dict[str, object]:
    match thing:
        case RuleRef():
            return {"type": "ArmyBookRule", "name": thing.name, "label": describe_rule(thing)}
        case Weapon(name, attacks, reach, rules):
            told = [describe_rule(rule) for rule in rules]
            reach = reach // MILLI
            return {
                "type": "ArmyBookWeapon", "name": name, "attacks": attacks, "range": reach, "specialRules": told
            }  # fmt: skip
        case Item(name, rules, weapons):
            content = [_as_raw(rule) for rule in rules] + [_as_raw(weapon) for weapon in weapons]
            return {"type": "ArmyBookItem", "name": name, "content": content}
