"""Short lines as a scenario file, as a starting point for more complex situations."""

from __future__ import annotations

from typing import Any

import yaml

from shieldwall.armies.muster import ModelSpec, UnitSpec
from shieldwall.core.state import MILLI
from shieldwall.odds.duel import TURNED, Duel

WHERE = (24.0, 12.0)  # inches: the front of the attacker
CHARGED_FROM = 4.0
SHOT_FROM = 12.0
HINT = "# Its odds: shieldwall odds FILE. Terrain, spells and other steps: docs/scenarios.md\n"


def drafts(meetings: list[Duel]) -> str:
    """The scenarios of some duels, as the text of one file."""
    found = [draft(one, f"{one.first.words} against {one.second.words}") for one in meetings]
    data = found[0] if len(found) == 1 else found
    return HINT + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def draft(meeting: Duel, title: str) -> dict[str, Any]:
    """The scenario of a duel."""
    terms = meeting.terms
    apart = CHARGED_FROM if meeting.charging else terms.range or _usual_range(meeting)
    place = "front" if meeting.rules.policies.uses_blocks() else "at"
    first = {**_unit(meeting.first.spec("Attacker")), "side": "A", place: list(WHERE)}
    second = {**_unit(meeting.second.spec("Target")), "side": "B", place: [WHERE[0], WHERE[1] + apart]}
    second["facing"] = TURNED[terms.arc] // 100
    act: dict[str, Any] = {"activate": "Attacker"}
    if meeting.charging:
        act["charge"] = "Target"
    else:
        act |= {"action": "hold", "shoot": "Target"}
    return {
        "scenario": title,
        "edition": meeting.rules.id,
        "units": {"Attacker": first, "Target": second},
        "play": [act],
    }


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
