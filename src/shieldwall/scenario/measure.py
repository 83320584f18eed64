"""Measurements: what can be measured on a table without changing it, and the expected results.

A measurement is one verb with what it is about; every other key is a setting of that verb or an expected result:
`distance: [Pikes, Wolves]` with `is: 5`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State, Unit
from shieldwall.core.values import MILLI
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import Built, started
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.expect import name_differences, same, spelled
from shieldwall.scenario.failures import Failure, StopError
from shieldwall.scenario.measure_args import about_problems
from shieldwall.scenario.play import NamedDice, ScenarioPlayer
from shieldwall.scenario.poses import is_position
from shieldwall.scenario.questions import StepFaultError
from shieldwall.scenario.roster import Roster, UnknownNameError, index_of
from shieldwall.scenario.schema import ExpectedNames, Measurement, Scenario

Found = Mapping[str, Any]
Settings = Mapping[str, Any]
DEFAULT_TOLERANCE = 0.005
COMMON = ("tolerance", "note")


class MeasureContext(Struct, frozen=True):
    """The context of a measurement: the scenario, its rules, state and names; the game, once it is being played.

    `twins` are copies of the game in which measurements tried something, each with all dice of the scenario.
    """

    scenario: Scenario
    built: Built
    state: State
    game: ScenarioPlayer | None = None
    twins: list[ScenarioPlayer] = field(default_factory=list)

    def dice_left(self) -> dict[str, tuple[int, ...]]:
        """The dice that no copy of the game has rolled."""
        left = NamedDice(self.scenario.dice).leftovers()
        for twin in self.twins:
            there = twin.dice.leftovers()
            left = {what: min(there[what], faces, key=len) for what, faces in left.items() if what in there}
        return left

    @property
    def rules(self) -> Ruleset:
        return self.built.ruleset

    @property
    def roster(self) -> Roster:
        return self.built.roster

    def unit(self, name: object) -> Unit:
        """A unit by its name."""
        return self.state.units[self.roster.unit(name)]

    def standing(self, name: object) -> Unit:
        """A unit by its name that is on the table."""
        unit = self.unit(name)
        if unit.place != "table" or not unit.models:
            raise MeasureFaultError(f"{unit.name} is not on the table, so nothing can be measured about it")
        return unit

    def model(self, name: object) -> tuple[Unit, int]:
        """A unit and the place of one of its models in it."""
        unit_id, model = self.roster.model(name)
        unit = self.state.units[unit_id]
        return unit, index_of(unit, model)


class MeasureFaultError(Exception):
    """A measurement that cannot be taken; the message says why."""


class Verb(Struct, frozen=True):
    """One kind of measurement: how it is taken, which settings it has, which results it gives."""

    take: Callable[[MeasureContext, Any, Settings], Found]
    settings: tuple[str, ...]
    results: tuple[str, ...]


def context_at_start(scenario: Scenario, built: Built) -> MeasureContext:
    """The table of a scenario at the moment it begins."""
    return MeasureContext(scenario, built, started(scenario, built))


def context_now(player: ScenarioPlayer) -> MeasureContext:
    """The table of a scenario as it is in the middle of play."""
    return MeasureContext(player.scenario, player.built, player.state, player)


def measure_problems(entries: object, where: Path) -> list[FileProblem]:
    """Malformed measurements: no verb, two verbs, unknown keys."""
    listed = listed_entries(entries)
    if not all(isinstance(entry, dict) for entry in listed):
        return [FileProblem(where, f"expected a list of measurements, found {entries!r}")]
    problems: list[FileProblem] = []
    for number, entry in enumerate(listed):
        problems += [FileProblem((*where, number), text) for text in _entry_problems(entry)]
    return problems


def listed_entries(entries: Any) -> Sequence[Any]:
    """Measurements as a list; a single one may stand alone."""
    return entries if isinstance(entries, list | tuple) else (entries,)


def _entry_problems(entry: Measurement) -> Iterator[str]:
    known = tuple(_verbs())
    name = _verb_of(entry)
    if name is None:
        tips = "".join(did_you_mean(str(key), known) for key in entry)
        yield f"a measurement begins with a verb: {', '.join(known)}{tips}"
        return
    verb = _verbs()[name]
    allowed = (name, *verb.settings, *verb.results, *COMMON)
    for key in entry:
        if key not in allowed:
            yield f"unknown key {key!r} of {name}{did_you_mean(str(key), allowed)}"
    yield from about_problems(name, entry)


def _verb_of(entry: Measurement) -> str | None:
    """The first key that is a verb; some results have the same names as other verbs."""
    return next((key for key in entry if key in _verbs()), None)


def taken(context: MeasureContext, entry: Measurement) -> tuple[str, Found | str]:
    """The verb of a measurement and all its results, or why there are none."""
    name = _verb_of(entry)
    assert name is not None
    verb = _verbs()[name]
    settings = {key: entry[key] for key in verb.settings if key in entry}
    try:
        return name, verb.take(context, entry[name], settings)
    except StopError as stop:
        return name, f"{stop.failure.what}: {stop.failure.found}"
    except (MeasureFaultError, UnknownNameError, StepFaultError, ShieldwallError, ValueError) as error:
        return name, str(error)


def measured(context: MeasureContext, entry: Measurement, where: Path) -> list[Failure]:
    """Every result that differs from what was written."""
    name, found = taken(context, entry)
    verb = _verbs()[name]
    if isinstance(found, str):
        return [Failure(where, name, "a measurement", found)]
    if found.get("earlier") and "because" not in entry:
        text = f"a step before it is refused: {'; '.join(found['because'])}; expect that with `because`"
        return [Failure(where, f"{name} {spelled(entry[name])}", "the last step to be reached", text)]
    tolerance = float(entry.get("tolerance", DEFAULT_TOLERANCE))
    failures: list[Failure] = []
    for key in verb.results:
        if key in entry:
            what = f"{name} {spelled(entry[name])}" + ("" if key == "is" else f": {key}")
            failures += _differences(entry[key], found[key], what, (*where, key), tolerance)
    return failures


def _differences(wanted: Any, found: Any, what: str, where: Path, tolerance: float) -> Iterator[Failure]:
    if isinstance(found, Reasons):
        yield from _reason_differences(wanted, found, what, where)
    elif isinstance(found, OneOf):
        if str(wanted).casefold() not in found:
            yield Failure(where, what, spelled(wanted), found[0])
    elif isinstance(found, EachPool) and not isinstance(wanted, list):
        if not found or not all(same(wanted, one, tolerance) for one in found):
            yield Failure(where, what, spelled(wanted), spelled(tuple(found)))
    elif isinstance(found, frozenset | set):
        yield from _set_differences(wanted, sorted(found), what, where)
    elif isinstance(found, dict) and isinstance(wanted, dict):
        if found and not wanted:
            yield Failure(where, what, "nothing", spelled(found))
        for key, value in wanted.items():
            got = found.get(key)
            yield from _differences(value, got, f"{what} {key}", (*where, key), tolerance)
    elif not same(wanted, found, tolerance):
        yield Failure(where, what, spelled(wanted), spelled(found))


def _set_differences(wanted: Any, found: list[str], what: str, where: Path) -> Iterator[Failure]:
    if isinstance(wanted, dict):
        names = ExpectedNames(
            tuple(wanted.get("contain", ())),
            tuple(wanted.get("lack", ())),
            tuple(wanted["equal"]) if "equal" in wanted else None,
        )
    else:
        names = ExpectedNames(
            equal=tuple(str(name) for name in (wanted if isinstance(wanted, list) else [wanted]))
        )
    yield from name_differences(names, found, what, where)


class OneOf(tuple[str, ...]):
    """Several words for the same thing, the usual one first."""


class EachPool(tuple[int, ...]):
    """One number for each pool of a roll; a single number is expected of all of them."""


class Reasons(tuple[str, ...]):
    """Reasons in words with their rows; an expectation names parts of them."""


def _reason_differences(wanted: Any, found: Reasons, what: str, where: Path) -> Iterator[Failure]:
    parts = wanted if isinstance(wanted, list) else [wanted]
    if not parts and found:
        yield Failure(where, what, "no reasons", "; ".join(found))
    for part in parts:
        if not any(str(part).casefold() in reason.casefold() for reason in found):
            yield Failure(where, what, str(part), "; ".join(found) or "no reasons")


def point_of(context: MeasureContext, what: Any) -> tuple[float, float, float] | None:
    """The point that a position or the name of a marker stands for; None if it is neither."""
    if is_position(what):
        return float(what[0]), float(what[1]), float(what[3]) if len(what) > 3 else 0.0
    if isinstance(what, str) and what in context.roster.markers:
        marker = context.state.markers[context.roster.markers[what]]
        return marker.x / MILLI, marker.y / MILLI, marker.z / MILLI
    return None


def pair_of(about: Any, verb: str) -> tuple[Any, Any]:
    """The two ends of a measurement."""
    if not isinstance(about, list) or len(about) != 2:
        raise MeasureFaultError(f"{verb}: expected two things, found {about!r}")
    return about[0], about[1]


def _verbs() -> Mapping[str, Verb]:
    from shieldwall.scenario.measurements import VERBS

    return VERBS
