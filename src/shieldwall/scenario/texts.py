"""Measurements that need no table: profiles, dice and numbers of an edition, read from a text."""

from __future__ import annotations

from typing import Any

from shieldwall.armies.parse import describe_rule, parse_equipment, parse_stats, parse_title
from shieldwall.core.values import MILLI
from shieldwall.dice.expression import parse as parse_dice
from shieldwall.rulebook.catalogue import PREFIX_BY_EDITION
from shieldwall.scenario.check import nearest
from shieldwall.scenario.measure import Found, Ground, MeasureFaultError, Settings


def profile(ground: Ground, about: Any, settings: Settings) -> Found:
    """A weapon or equipment line, read."""
    found = parse_equipment(str(about))
    first = found.weapons[0] if found.weapons else None
    return {
        "weapons": len(found.weapons),
        "items": len(found.gear),
        "name": first.name if first else found.gear[0].name,
        "range": first.reach / MILLI if first and first.reach else "none",
        "attacks": first.attacks if first else 0,
        "rules": tuple(describe_rule(rule) for rule in first.rules) if first else (),
        "type": "none" if first is None else ("ranged" if first.reach else "melee"),
    }


def title(ground: Ground, about: Any, settings: Settings) -> Found:
    """A unit's name and size, read."""
    found = parse_title(str(about))
    return {"name": found.name, "size": found.size}


def stats(ground: Ground, about: Any, settings: Settings) -> Found:
    """Quality and Defense, read."""
    found = parse_stats(str(about))
    return {"quality": found.quality, "defense": found.defense}


def dice(ground: Ground, about: Any, settings: Settings) -> Found:
    """The value of a dice expression for natural faces."""
    faces = settings.get("faces", ())
    return {"is": parse_dice(str(about)).value((faces,) if isinstance(faces, int) else tuple(faces))}


def constant(ground: Ground, about: Any, settings: Settings) -> Found:
    """A number of the edition by its name; lengths in inches."""
    value = getattr(ground.rules.constants, str(about), None)
    if value is None:
        known = type(ground.rules.constants).__struct_fields__
        prefix = PREFIX_BY_EDITION[ground.rules.id]
        tip = nearest(str(about), known) or f"; there are {', '.join(known)}"
        raise MeasureFaultError(f"constant: {prefix} has no number {about!r}{tip}")
    lengths = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MILLI
    return {"is": value / MILLI if lengths else value}
