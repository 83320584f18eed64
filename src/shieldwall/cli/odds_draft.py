"""Short lines as a scenario file, as a starting point for more complex situations."""

from __future__ import annotations

from typing import Any

import yaml

from shieldwall.armies.muster import ModelSpec, UnitSpec
from shieldwall.core.state import MILLI, Unit
from shieldwall.odds.duel import TURNED, Duel
from shieldwall.rules.hooks import SpecialRule, UnitContext

WHERE = (24.0, 12.0)  # inches: the front of the attacker
CHARGED_FROM = 4.0
SHOT_FROM = 12.0
STEP = 1.0  # how far an attacker moves if it counts as having moved
WIDE = 16.0  # the height of the ground that gives cover
HINT = "# Its odds: shieldwall odds FILE. Terrain, spells and other steps: docs/scenarios.md\n"


def drafts(meetings: list[Duel]) -> str:
    """The scenarios of some duels, as the text of one file."""
    found = [draft(one, f"{one.first.words} against {one.second.words}") for one in meetings]
    data = found[0] if len(found) == 1 else found
    return HINT + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def draft(meeting: Duel, title: str) -> dict[str, Any]:
    """The scenario of a duel."""
    terms, blocks = meeting.terms, meeting.rules.policies.uses_blocks()
    place, (x, y) = "front" if blocks else "at", WHERE
    apart = CHARGED_FROM if meeting.charging else terms.range or _usual_range(meeting)
    moves = terms.moved and not meeting.charging
    first = {**_unit(meeting.first.spec("Attacker")), "side": "A", place: [x, y - STEP if moves else y]}
    second = {**_unit(meeting.second.spec("Target")), "side": "B", place: [x, y + apart]}
    second["facing"] = TURNED[terms.arc] // 100 if meeting.charging else 180
    for written, unit in ((first, meeting.state.units[0]), (second, meeting.state.units[1])):
        written.update({"picks": dict(unit.picks)} if unit.picks else {})
    scene = {"scenario": title, "edition": meeting.rules.id, "units": {"Attacker": first, "Target": second}}
    if meeting.charging:
        return scene | {"play": _charge(meeting, blocks)}
    if terms.cover:
        scene["terrain"] = {"Cover": _cover(y + apart / 2)}
    act: dict[str, Any] = {"activate": "Attacker", "action": "advance" if moves else "hold"}
    if moves:
        act |= {"march": [f"forward {STEP:g}"]} if blocks else {"shift": [0, STEP]}
    # by default a weapon that may single out a model shoots at the hero
    act |= {} if meeting.second.hero is not None and _picks_models(meeting) else {"shoot": "Target"}
    return scene | {"play": [act]}


def _charge(meeting: Duel, blocks: bool) -> list[dict[str, str]]:
    """The steps of a charge; a unit that may strike first declines if there is no striking back."""
    steps = [{"activate": "Attacker", "charge": "Target"}]
    if meeting.terms.strike_back:
        return steps
    if meeting.terms.arc == "front" and _rules_of_weapons(meeting, meeting.state.units[1], "strikes_early"):
        steps.append({"counter_now": "no" if blocks else "later"})
    return [*steps, {"strike_back": "no"}]


def _picks_models(meeting: Duel) -> bool:
    """Whether a weapon of the attacker may single out a model."""
    unit = meeting.state.units[0]
    ctx = UnitContext(meeting.state, unit)
    aims = (rule.aims(ctx) for rule in _rules_of_weapons(meeting, unit, "aims"))
    return any(one is not None and one.picks_model for one in aims)


def _rules_of_weapons(meeting: Duel, unit: Unit, hook: str) -> list[SpecialRule]:
    """The rules of a unit's weapons that have a hook."""
    profiles = {meeting.state.profiles[model.profile] for model in unit.models}
    weapons = (weapon for profile in profiles for weapon in profile.weapons)
    return [rule for weapon in weapons for rule in meeting.rules.hooks.of_weapon(weapon).get(hook, ())]


def _cover(near: float) -> dict[str, Any]:
    """Ground that gives cover, under the whole target and everything behind it."""
    left, right, far = WHERE[0] - WIDE, WHERE[0] + WIDE, near + WIDE
    corners = [[left, near], [right, near], [right, far], [left, far]]
    return {"kind": "brush", "types": ["cover"], "conditions": ["see-into"], "outline": corners}


def _usual_range(meeting: Duel) -> float:
    unit = meeting.state.units[0]
    profiles = {meeting.state.profiles[model.profile] for model in unit.models}
    reaches = [weapon.reach / MILLI for profile in profiles for weapon in profile.weapons]
    return min(SHOT_FROM, max(reaches, default=SHOT_FROM))


def _unit(spec: UnitSpec) -> dict[str, Any]:
    data: dict[str, Any] = {"models": spec.models, "stats": spec.stats}
    data |= {name: value for name in ("equipment", "rules") if (value := getattr(spec, name))}
    data |= {"command": list(spec.command)} if spec.command else {}
    data |= {"special": [_models(one) for one in spec.special]} if spec.special else {}
    data |= {"hero": _models(spec.hero)} if spec.hero is not None else {}
    return data


def _models(spec: ModelSpec) -> dict[str, Any]:
    data: dict[str, Any] = {"name": spec.name}
    data |= {"count": spec.count} if spec.count > 1 else {}
    return data | {name: value for name in ("stats", "equipment", "rules") if (value := getattr(spec, name))}
