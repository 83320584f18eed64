"""Situations that no game can be in: contradictory entries, and units that stand nowhere or inside each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from shieldwall.core.state import Pose, State, Unit
from shieldwall.core.values import MILLI
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.army.upkeep import shared_aura
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.special.loose_armies import pick_name
from shieldwall.scenario.build import Built
from shieldwall.scenario.check import FileProblem
from shieldwall.scenario.schema import Scenario, UnitEntry
from shieldwall.table.measure import how_deep_inside
from shieldwall.table.terrain import CONDITIONS

RESERVES = ("ambush", "scout", "vanguard")
TOO_DEEP = 0.25  # inches; less is a slip, and only noted


def contradictions(scenario: Scenario, built: Built) -> Iterator[FileProblem]:
    """Every contradiction in a scenario that could be built."""
    yield from _terrain_problems(scenario)
    yield from _word_problems(scenario)
    for name, entry in scenario.units.items():
        unit = built.state.units[built.roster.units[name]]
        yield from _history_problems(scenario, built, name, entry, unit)
    yield from _places(built.state)


def _terrain_problems(scenario: Scenario) -> Iterator[FileProblem]:
    for name, entry in scenario.terrain.items():
        if entry.outline and entry.size is not None:
            yield FileProblem(("terrain", name), "give an `outline`, or `at` and `size`, not both")
        for condition in entry.conditions or ():
            if condition not in CONDITIONS:
                text = f"there is no condition {condition!r}{did_you_mean(condition, CONDITIONS)}"
                yield FileProblem(
                    ("terrain", name, "conditions"), f"{text}; there are {', '.join(CONDITIONS)}"
                )


def _word_problems(scenario: Scenario) -> Iterator[FileProblem]:
    """Spells that the file does not have, and kinds of reserve that no book has."""
    for name, entry in scenario.units.items():
        own = (*entry.spells, *(entry.hero.spells if entry.hero else ()))
        for spell in dict.fromkeys(own):
            if spell not in scenario.spells:
                text = f"there is no spell {spell!r}{did_you_mean(spell, tuple(scenario.spells))}"
                yield FileProblem(("units", name, "spells"), text)
        if entry.reserve and entry.reserve not in RESERVES:
            tip = did_you_mean(entry.reserve, RESERVES)
            text = f"expected one of {', '.join(RESERVES)}, found {entry.reserve!r}{tip}"
            yield FileProblem(("units", name, "reserve"), text)


def _history_problems(
    scenario: Scenario, built: Built, name: str, entry: UnitEntry, unit: Unit
) -> Iterator[FileProblem]:
    if entry.arrived > scenario.round:
        text = f"it arrived in round {entry.arrived}, but this is round {scenario.round}"
        yield FileProblem(("units", name, "arrived"), text)
    rules, state = built.ruleset, built.state
    profiles = [state.profiles[number] for number in dict.fromkeys(model.profile for model in unit.models)]
    if entry.tokens and not any("tokens_gained" in rules.hooks.of_profile(profile) for profile in profiles):
        yield FileProblem(("units", name, "tokens"), f"{name} has no model that has spell tokens")
    most, cap = max((model.tokens for model in unit.models), default=0), rules.constants.token_cap
    if most > cap:
        yield FileProblem(("units", name, "tokens"), f"a model has at most {cap} spell tokens, found {most}")
    asked = {
        pick_name(rule): rule.picks_before_game(UnitContext(state, unit))
        for profile in profiles
        for rule in rules.hooks.of_profile(profile).get("picks_before_game", ())
    }
    known = tuple(name.lower() for name in rules.specials.bindings)
    for what, value in entry.picks.items():
        if what in asked and value not in asked[what]:
            text = f"{what} is one of {', '.join(asked[what])}, found {value!r}"
            yield FileProblem(("units", name, "picks"), text)
        elif what not in known and shared_aura(rules, state, unit, what) is None:
            tip = did_you_mean(what, known)
            yield FileProblem(("units", name, "picks"), f"nothing is picked for {what!r} of {name}{tip}")


def _places(state: State) -> Iterator[FileProblem]:
    standing = [unit for unit in state.units if unit.place == "table" and unit.models]
    for unit in standing:
        poses = (unit.block,) if unit.block is not None else unit.poses
        if not any(_is_on(state, pose) for pose in poses):
            size = f"{state.width / MILLI:g} by {state.depth / MILLI:g} inches"
            yield FileProblem(("units", unit.name), f"it stands off the table, which is {size}")
    for one, other in combinations(standing, 2):
        if how_deep_inside(state, one.id, other.id) > TOO_DEEP:
            yield FileProblem(("units", other.name), f"it stands in the same place as {one.name}")


def _is_on(state: State, pose: Pose) -> bool:
    return 0 <= pose.x <= state.width and 0 <= pose.y <= state.depth
