"""Notes about things in a scenario that are valid but probably not intended."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from shieldwall.armies.muster import is_played, unknown_rules
from shieldwall.armies.overlay import overlays
from shieldwall.armies.parse import describe_rule
from shieldwall.armies.rule_names import rule_spelled
from shieldwall.armies.rule_values import Printed, value_faults
from shieldwall.core.grammar import counted
from shieldwall.core.state import State, Unit
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.features.lasting_picks import open_picks
from shieldwall.rules.hooks import UnitContext, hooks_of
from shieldwall.rules.special.loose_armies import pick_name
from shieldwall.scenario.build import Built
from shieldwall.scenario.poses import base_of
from shieldwall.scenario.schema import Scenario
from shieldwall.table.ground import check_stand
from shieldwall.table.measure import is_on_table, units_overlap
from shieldwall.table.placing import check_placement
from shieldwall.table.zones import table_region

PRINTED_ONLY = frozenset({"wounds", "tokens_gained", "casts_with", "carries", "joins", "picks_before_game"})


def notes_on(scenario: Scenario, built: Built) -> list[str]:
    """Unknown rules, unknown terrain, units over an edge or overlapping."""
    state, edition = built.state, scenario.edition
    known = tuple(built.ruleset.specials.bindings)
    found = [
        f"{unknown.unit}: {edition} has no special rule {unknown.rule!r}{_tip(unknown.rule, edition, known)}"
        for unknown in unknown_rules(built.ruleset.specials, state.profiles, state.units, state.spells)
    ]
    found += [
        f"{effect.name}: {edition} has no special rule {rule.name!r}{_tip(rule.name, edition, known)}"
        for unit in state.units
        for effect in unit.effects
        for rule in effect.grants
        if not is_played(built.ruleset.specials, rule)
    ]
    found += value_faults(built.ruleset.specials, _printed(state))
    found += (
        _ungrantable_rules(built)
        + _single_model_spell_rules(built)
        + _impossible_joins(built)
        + _missing_picks(scenario, built)
    )
    presets = tuple(built.ruleset.policies.terrain_presets())
    found += [
        f"{name} is open ground: neither a book nor the scenario says what a {entry.kind!r} does"
        f"{did_you_mean(entry.kind, presets)}"
        for name, entry in scenario.terrain.items()
        if entry.kind not in presets and entry.types is None and entry.conditions is None
        if not entry.height and not entry.depth and entry.capacity is None
    ]
    found += [
        f"{name} does only what the scenario says: no book has a {entry.kind!r}{tip}"
        for name, entry in scenario.terrain.items()
        if entry.kind not in presets and entry.types is None and (entry.height or entry.depth)
        if (tip := did_you_mean(entry.kind, presets))
    ]
    found += [
        f"side {side} started with {counted(started, 'unit')} and has {here} here"
        for side, started in scenario.start_units.items()
        if (here := sum(entry.side == side for entry in scenario.units.values())) > started
    ]
    found += [
        f"{name}: {edition} has no Stunned models"
        for name, entry in scenario.units.items()
        if entry.stunned and "wound_check" not in built.ruleset.procedures
    ]
    last = built.ruleset.constants.rounds
    if scenario.round > last:
        found.append(f"round {scenario.round}: a game has {last} rounds")
    found += [
        f"{name} does not lie on the table"
        for name, marker in zip(scenario.objectives, state.markers, strict=False)
        if not (0 <= marker.x <= state.width and 0 <= marker.y <= state.depth)
    ]
    standing = [unit for unit in state.units if unit.place == "table" and unit.models]
    found += [
        f"{unit.name} is not fully on the table" for unit in standing if not is_on_table(state, unit.id)
    ]
    found += [
        f"{one.name} and {other.name} stand in the same place"
        for one, other in combinations(standing, 2)
        if units_overlap(state, one.id, other.id)
    ]
    return found + [note for unit in standing for note in _stuck(state, unit)]


def _printed(state: State) -> Iterator[Printed]:
    """The rules of all models and of effects on them, with their owners."""
    for unit in state.units:
        for kind in dict.fromkeys(model.profile for model in unit.models):
            yield unit.name, state.profiles[kind].rules, state.profiles[kind].weapons
        for effect in unit.effects:
            yield effect.name, effect.grants, ()


def _ungrantable_rules(built: Built) -> list[str]:
    """Rules of effects and spells that only work if printed on a model."""
    state, bindings = built.state, built.ruleset.specials.bindings
    lent = [(effect.name, rule) for unit in state.units for effect in unit.effects for rule in effect.grants]
    lent += [(spell.name, rule) for spell in state.spells for rule in spell.grants]
    return [
        f"{name} grants {rule.name}, which only counts if printed on a model"
        for name, rule in dict.fromkeys(lent)
        if rule.name in bindings and not PRINTED_ONLY.isdisjoint(hooks_of(bindings[rule.name].rule))
    ]


def _single_model_spell_rules(built: Built) -> list[str]:
    """Rules on a spell's hits that would single out a model; a spell's hits land on the unit."""
    on_spells = [
        (spell.name, rule)
        for spell in built.state.spells
        for rule in built.ruleset.specials.build(spell.rules if spell.hits else ())
    ]
    return [
        f"{name}: spells hit the whole unit, so {rule.name} singles out no model"
        for name, rule in on_spells
        if (aims := rule.aims(UnitContext(built.state, built.state.units[0]))) is not None
        and aims.picks_model
    ]


def _missing_picks(scenario: Scenario, built: Built) -> list[str]:
    """Choices before the game that were not made, although units stand on the table already."""
    if scenario.begin not in ("turn", "round"):
        return []
    return [
        f"{unit.name}: nothing is picked for its {rule.name}, which does nothing without "
        f"`picks: {{{pick_name(rule)}: {' or '.join(rule.picks_before_game(UnitContext(built.state, unit)))}}}`"
        for unit, _, rule in open_picks(built.ruleset, built.state)
    ]


def _impossible_joins(built: Built) -> list[str]:
    """Heroes that could not have joined the unit they are in."""
    state, rules, found = built.state, built.ruleset, []
    for unit in state.units:
        hero = next((model for model in unit.models if model.id == unit.attached), None)
        if hero is None:
            continue
        profile = state.profiles[hero.profile]
        host = replace(unit, models=tuple(model for model in unit.models if model is not hero), attached=-1)
        is_whole = len(host.models) == unit.start_models - 1
        if "joins" not in rules.hooks.of_profile(profile):
            found.append(f"{profile.name} has joined {unit.name} without a rule that allows it, such as Hero")
        elif not rules.policies.may_join(profile):
            found.append(f"{profile.name} is too big to join a unit, and is in {unit.name}")
        elif is_whole and not rules.policies.may_be_joined(rules, state, host):
            found.append(f"{profile.name} is in {unit.name}, which heroes may not join")
    return found


def _stuck(state: State, unit: Unit) -> list[str]:
    """Blocks on impassable ground, and loose models where no move may end or in the same place as another model of
    their unit."""
    if unit.block is not None:
        found = check_placement(state, unit, table_region(state.width, state.depth), spacing=0.0)
        return [reason.text for reason in found if reason.cite == "deploy.impassable"]
    crowded = [
        f"{unit.name}/{one + 1} and {unit.name}/{other + 1} stand in the same place"
        for one, other in combinations(range(len(unit.poses)), 2)
        if unit.poses[one] == unit.poses[other]
    ]
    return crowded + [
        reason.text
        for number, (pose, model) in enumerate(zip(unit.poses, unit.models, strict=True), 1)
        for reason in check_stand(
            state, pose, base_of(state, model), f"{unit.name}/{number}" if len(unit.models) > 1 else unit.name
        )
    ]


def _tip(rule: str, edition: str, known: tuple[str, ...]) -> str:
    """What the edition has instead of a rule of another book, or else a similar name."""
    instead = overlays()[edition].names.get(rule, "")
    if instead:
        return f"; it has {instead} instead"
    meant = rule_spelled(rule)
    is_spelling = meant is not None and meant.name in known and meant.name != rule
    return f"; did you mean {describe_rule(meant)}?" if is_spelling and meant else did_you_mean(rule, known)
