"""Things in a scenario that can be set up but are hardly meant; they are told as notes and fail nothing."""

from __future__ import annotations

from shieldwall.armies.muster import unknown_rules
from shieldwall.scenario.build import Built
from shieldwall.scenario.check import nearest
from shieldwall.scenario.schema import Scenario
from shieldwall.table.measure import is_on_table


def notes_on(scenario: Scenario, built: Built) -> list[str]:
    """What a reader may want to know: rules nobody plays, units that stick out over the edge of the table."""
    state, edition = built.state, scenario.edition
    known = tuple(built.ruleset.specials.bindings)
    found = [
        f"{unknown.unit}: {edition} plays no special rule {unknown.rule!r}{nearest(unknown.rule, known)}"
        for unknown in unknown_rules(built.ruleset.specials, state.profiles, state.units, state.spells)
    ]
    standing = [unit for unit in state.units if unit.place == "table" and unit.models]
    found += [
        f"{unit.name} does not stand on the table" for unit in standing if not is_on_table(state, unit.id)
    ]
    return found
