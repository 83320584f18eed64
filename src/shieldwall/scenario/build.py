"""Builds the state that a scenario describes, and reports every problem with its place."""

from __future__ import annotations

from collections import Counter
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import standings_of
from shieldwall.armies.muster import Mustering, UnitSpec, mustering_for
from shieldwall.armies.spells import read_spells
from shieldwall.core.blocks import ArmyRule, ArmyText
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.events import EffectBegan, MarkerTaken, SecretFound
from shieldwall.core.frames import Preparation
from shieldwall.core.state import Marker, Piece, Pose, Seat, Side, Spell, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.editions.demands import forces
from shieldwall.rulebook import editions
from shieldwall.rulebook.house_rules import HouseRuleError, settle
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.rules.army import meanings_of
from shieldwall.rules.army.binding import Meanings
from shieldwall.rules.army.near import with_auras
from shieldwall.rules.army.restoring import with_rosters
from shieldwall.rules.army.upkeep import marker_rules, shared_aura
from shieldwall.rules.missions import check_mission
from shieldwall.rules.reading import read
from shieldwall.rules.ruleset import Ruleset, fresh_units
from shieldwall.rules.start import at_start, before_deployment, before_round, before_terrain, resume
from shieldwall.scenario.check import FileProblem, Path
from shieldwall.scenario.later_units import LATER, readings_with_units, with_later_units
from shieldwall.scenario.poses import (
    base_of,
    block_by_front,
    is_position,
    poses_for,
    read_pose,
)
from shieldwall.scenario.prior_state import PriorState, faults_inside
from shieldwall.scenario.roster import Roster, UnknownNameError, roster_of, side_number
from shieldwall.scenario.schema import SIDES, Objective, Scenario, Setting, UnitEntry
from shieldwall.scenario.words import slot_number
from shieldwall.table.formations import FULL_TURN
from shieldwall.table.ground import check_stand, ground_height
from shieldwall.table.terrain import OPEN, piece
from shieldwall.table.zones import edges_for

MOST_MODELS = 100


class Built(Struct, frozen=True):
    """A scenario ready to be played: its ruleset, its state, its names."""

    ruleset: Ruleset
    state: State
    roster: Roster


def started(scenario: Scenario, built: Built) -> State:
    """The state at the moment the scenario begins: a turn, a round, or some moment before the first round."""
    match scenario.begin:
        case "set-up":
            return at_start(built.state)
        case "terrain":
            return before_terrain(built.state)
        case "deployment":
            return before_deployment(built.ruleset, built.state)
        case "round":
            return before_round(built.state, scenario.round)
        case "turn":
            return resume(built.state, scenario.round, side_number(scenario.turn))


class ScenarioError(Exception):
    """A scenario that cannot be set up; `problems` holds every fault."""

    def __init__(self, problems: list[FileProblem]) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.text for problem in problems))


@cache
def ruleset_of(edition: str) -> Ruleset:
    """The ruleset of an edition; built once for all scenarios."""
    from shieldwall.editions import ruleset

    return ruleset(edition)


@cache
def _settled(edition: str, given: tuple[tuple[str, Setting], ...]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(settle(edition, dict(given)).items()))


def build(scenario: Scenario) -> Built:
    """The state a scenario describes, not yet begun."""
    if scenario.edition not in editions():
        tip = did_you_mean(scenario.edition, editions())
        raise ScenarioError([FileProblem(("edition",), f"unknown edition {scenario.edition!r}{tip}")])
    try:
        rules = ruleset_of(scenario.edition)
    except ShieldwallError as error:
        raise ScenarioError([FileProblem(("edition",), str(error))]) from error
    builder = _Builder(scenario, rules)
    state = builder.state()
    roster = builder.roster
    if builder.problems or state is None or roster is None:
        raise ScenarioError(builder.problems)
    return Built(builder.ruleset, state, roster)


class _Builder:
    """Builds a state and collects problems."""

    def __init__(self, scenario: Scenario, ruleset: Ruleset) -> None:
        self.scenario = scenario
        self.ruleset = ruleset
        self.blocks = ruleset.policies.uses_blocks()
        self.problems: list[FileProblem] = []
        self.roster: Roster | None = None
        self.pieces = self._pieces()

    def state(self) -> State | None:
        """The state, or None with problems noted."""
        scenario = self.scenario
        mustering = mustering_for(self.ruleset)
        rules = self._army_rules()
        mustering.meanings = meanings_of(rules)
        made = [self._unit(mustering, name, entry) for name, entry in scenario.units.items()]
        units = tuple(unit for unit in made if unit is not None)
        if not self.problems:
            units = with_later_units(scenario, mustering, units, self._say)
        options = self._options()
        spells = self._spells(mustering.meanings)
        if scenario.table is not None and min(scenario.table) < 1:
            found = " by ".join(f"{length:g}" for length in scenario.table)
            self._say(("table",), f"a table must be at least one inch each way, found {found}")
        if self.problems:
            return None
        width, depth = scenario.table or tuple(length / MILLI for length in self.ruleset.constants.table)
        starter = side_number(scenario.starter or scenario.turn)
        state = State(
            ruleset=scenario.edition,
            options=options,
            width=round(width * MILLI),
            depth=round(depth * MILLI),
            profiles=tuple(mustering.profiles),
            seats=self._seats(),
            sides=self._sides(),
            units=units,
            pieces=self.pieces,
            spells=spells,
            army_rules=tuple(ArmyText(rule.name, rule.text, side) for rule in rules for side in (0, 1)),
            axis=scenario.axis,
            mission=self._mission(),
            starter=starter,
            first_side=side_number(scenario.first or scenario.starter or scenario.turn),
            stack=(Preparation(procedure="game"),),
        )
        return self._finished(state)

    def _finished(self, state: State) -> State | None:
        """Add what needs all profiles and pieces: placed units, markers, names."""
        markers = {name: number for number, name in enumerate(self.scenario.objectives)}
        pieces = {name: number for number, name in enumerate(self.scenario.terrain)}
        self.roster = roster_of(state, markers, pieces)
        units = tuple(self._placed(state, unit) for unit in state.units)
        found = tuple(self._marker(state, number, name) for name, number in markers.items())
        placed = replace(state, units=units, markers=found)
        for number, why in faults_inside(self.ruleset, placed):
            self._say(("units", self.roster.unit_name(number), "inside"), why)
        for marker in found:
            if marker.secret and not marker.gone:
                placed = SecretFound(unit=-1, result=marker.secret, marker=marker.id).apply(placed)
            if marker.carrier >= 0:
                placed = MarkerTaken(marker=marker.id, unit=marker.carrier).apply(placed)
        placed = with_auras(self.ruleset, self._with_marks(self._with_auras(placed)))
        if self.scenario.begin in ("turn", "round"):
            placed = with_rosters(self.ruleset, placed)
        return self._under_way(placed) if not self.problems else None

    def _with_marks(self, state: State) -> State:
        """Give units the markers of army rules that they collected earlier."""
        assert self.roster is not None
        for name, entry in self.scenario.units.items():
            unit = state.units[self.roster.units[name]]
            growing = marker_rules(self.ruleset, state, unit) if entry.marks else {}
            for rule, count in entry.marks.items():
                if rule not in growing or count < 1:
                    tip = did_you_mean(rule, tuple(growing))
                    text = (
                        f"{name} can have no markers of {rule!r}{tip}"
                        if count > 0
                        else f"{count} is not a number"
                    )
                    self._say(("units", name, "marks", rule), text)
                    continue
                state = EffectBegan(unit=unit.id, effect=growing[rule](count)).apply(state)
        return state

    def _with_auras(self, state: State) -> State:
        """Give friends the auras for which they were picked before the game."""
        assert self.roster is not None
        for name, entry in self.scenario.units.items():
            unit = state.units[self.roster.units[name]]
            for rule, friends in entry.picks.items():
                effect = shared_aura(self.ruleset, state, unit, rule)
                for friend in friends.split(",") if effect is not None else ():
                    number = self.roster.units.get(friend.strip(), -1)
                    if number < 0:
                        self._say(("units", name, "picks"), f"there is no unit {friend.strip()!r}")
                    elif effect is not None:
                        state = EffectBegan(unit=number, effect=effect).apply(state)
        return state

    def _under_way(self, state: State) -> State:
        """In the middle of a round: count the turns taken, and mark sides that have no fresh unit left."""
        if self.scenario.begin != "turn":
            return state
        taken = sum(unit.activated for unit in state.units)
        sides = tuple(
            side if fresh_units(state, number) else replace(side, dry_at=max(1, taken))
            for number, side in enumerate(state.sides)
        )
        return replace(state, turns_taken=taken, sides=sides)

    # the ground

    def _pieces(self) -> tuple[Piece, ...]:
        found: list[Piece] = []
        for number, (name, entry) in enumerate(self.scenario.terrain.items()):
            try:
                made = piece(
                    number,
                    entry.kind,
                    entry.outline or None,
                    at=entry.at,
                    size=entry.size,
                    angle=entry.angle,
                    name=name,
                    water=entry.water,
                    types=(OPEN,) if entry.types == () else entry.types,  # an empty list: agreed to be open
                    conditions=entry.conditions,
                    height=entry.height,
                    depth=entry.depth,
                    capacity=entry.capacity,
                    ports=None if entry.ports is None else {str(k): v for k, v in entry.ports.items()},
                    presets=self.ruleset.policies.terrain_presets(),
                )
                found.append(replace(made, secret=entry.secret))
            except MalformedError as error:
                self._note(("terrain", name), error)
        return tuple(found)

    def _marker(self, state: State, number: int, name: str) -> Marker:
        """A marker; without a height it lies on the ground there."""
        entry = self.scenario.objectives[name]
        objective = entry if isinstance(entry, Objective) else Objective(at=entry)
        if len(objective.at) not in (2, 3):
            self._say(("objectives", name), "a marker lies at [x, y] or [x, y, z]")
            return Marker(number, 0, 0)
        x, y, *height = (round(length * MILLI) for length in objective.at)
        carrier = (
            self._unit_id(objective.carrier, ("objectives", name, "carrier")) if objective.carrier else -1
        )
        bearer = self.scenario.units.get(objective.carrier)
        holder = objective.holder or (bearer.side if bearer is not None else None)
        if bearer is not None and bearer.side != holder:
            self._say(
                ("objectives", name, "holder"),
                f"{objective.carrier} of side {bearer.side} carries {name}, so {holder} cannot hold it",
            )
        return Marker(
            number,
            x,
            y,
            height[0] if height else ground_height(state, x, y),
            side_number(holder) if holder in SIDES else -1,
            side_number(objective.owner) if objective.owner else -1,
            carrier,
            objective.gone,
            objective.secret,
        )

    def _sides(self) -> tuple[Side, ...]:
        usual = edges_for(self.scenario.axis)
        settled = self.scenario.begin in ("turn", "round")
        return tuple(
            Side(
                edge=self.scenario.edges.get(name, usual[number] if settled else ""),
                start_units=self.scenario.start_units.get(
                    name,
                    sum(unit.side == name and unit.place != LATER for unit in self.scenario.units.values()),
                ),
            )
            for number, name in enumerate(SIDES)
        )

    def _seats(self) -> tuple[Seat, ...]:
        """One seat for each side, then one for each side's second player, and so on."""
        players = max((unit.player for unit in self.scenario.units.values()), default=1)
        return tuple(
            Seat(side=number, name=name if player == 1 else f"{name}{player}")
            for player in range(1, players + 1)
            for number, name in enumerate(SIDES)
        )

    def _mission(self) -> str:
        try:
            return check_mission(self.scenario.mission)
        except ShieldwallError as error:
            self._say(("mission",), str(error))
            return ""

    def _options(self) -> tuple[tuple[str, str], ...]:
        try:
            return _settled(self.scenario.edition, tuple(sorted(self.scenario.house_rules.items())))
        except HouseRuleError as error:
            for problem in error.problems:
                self._say(("house_rules", problem.partition(":")[0]), problem)
            return ()

    def _army_rules(self) -> tuple[ArmyRule, ...]:
        """Rules that the scenario gives as text; a text that cannot be read is a problem."""
        texts = self.scenario.army_rules
        readings = {name: read(name, text, texts) for name, text in texts.items()}
        readings = readings_with_units(self.scenario, readings)
        standings = standings_of(readings, self.ruleset)
        for name, standing in standings.items():
            missed = readings[name].missed
            if missed or not standing.is_played:
                why = missed[0].text if missed else standing.text
                how = standing.how if missed else f"{standing.how} in {self.ruleset.title}"
                self._say(("army_rules", name), f"{name} is {how}: {why}")
        return tuple(ArmyRule(name, standing.text, standing.blocks) for name, standing in standings.items())

    def _spells(self, meanings: Meanings) -> tuple[Spell, ...]:
        specs = [replace(spec, name=name) for name, spec in self.scenario.spells.items()]
        try:
            return read_spells(specs, meanings, high_defense=self.ruleset.specials.high_defense)
        except MalformedError as error:
            self._note(("spells",), error)
            return ()

    # units

    def _unit(self, mustering: Mustering, name: str, entry: UnitEntry) -> Unit | None:
        spec = UnitSpec(
            name=name,
            stats=entry.stats,
            models=max(1, entry.models),
            equipment=entry.equipment,
            rules=entry.rules,
            base=entry.base,
            kind=entry.kind,
            height=entry.height,
            cost=entry.cost,
            command=entry.command,
            special=entry.special,
            hero=entry.hero and replace(entry.hero, spells=entry.hero.spells or entry.spells),
            slot=slot_number(entry.slot),
            part=entry.part,
            spells=entry.spells,
        )
        why = _why_not_so_many(entry)
        if why:
            self._say(("units", name, "models"), why)
            return None
        for role, count in Counter(entry.command).items():
            if count > 1:
                row = forces(self.scenario.edition).command
                self._say(
                    ("units", name, "command"), f"{role} is named {count} times; one is allowed ({row})"
                )
        before = len(mustering.problems)
        side = side_number(entry.side)
        unit = mustering.add(spec, side, side + (max(1, entry.player) - 1) * len(SIDES))
        for problem in mustering.problems[before:]:
            self._say(("units", name), problem.removeprefix(f"{name}: "))
        if unit is None:
            return None
        if not entry.models:
            unit = replace(unit, models=unit.models[-1:])
        meanings, specials = mustering.meanings, self.ruleset.specials
        past = PriorState(self.scenario, name, unit, mustering.profiles, specials, meanings, self._say)
        return past.unit_at_start(self.blocks, keeps_wounds="wound_check" in self.ruleset.procedures)

    # where they stand

    def _placed(self, state: State, unit: Unit) -> Unit:
        if unit.later is not None:
            return unit
        entry = self.scenario.units[unit.name]
        where: Path = ("units", unit.name, "at")
        if entry.inside:
            if entry.inside in self.scenario.terrain:
                piece_id = list(self.scenario.terrain).index(entry.inside)
                return replace(unit, place="garrison", inside=piece_id)
            carrier = self._unit_id(entry.inside, (*where[:2], "inside"), tuple(self.scenario.terrain))
            return replace(unit, place="inside", inside=carrier)
        aside = entry.place is None and bool(entry.reserve) and not entry.arrived
        off_table = aside or entry.place not in (
            None,
            "table",
        )  # given in a case, it overrides the unit's `at`
        if off_table or (entry.at is None and entry.front is None):
            under_way = self.scenario.begin in ("turn", "round")
            if entry.place in (None, "table") and not entry.reserve and under_way:
                self._say(where[:2], "it has no position: give `at`, `front`, or a `place` off the table")
            return replace(unit, place=entry.place or ("reserve" if entry.reserve else "waiting"))
        if entry.at is not None and entry.front is not None:
            self._say(where, "give the centre of a unit (`at`) or its front (`front`), not both")
        if self.blocks:
            return replace(unit, place="table", block=self._block(state, unit, entry))
        poses = self._poses(state, unit, entry)
        self._report_floating(state, unit, poses)
        return replace(unit, place="table", poses=poses)

    def _report_floating(self, state: State, unit: Unit, poses: tuple[Pose, ...]) -> None:
        for pose, model in zip(poses, unit.models, strict=False):
            if any(
                reason.cite == "climb.support" for reason in check_stand(state, pose, base_of(state, model))
            ):
                at = f"[{pose.x / MILLI:g}, {pose.y / MILLI:g}]"
                height = f"{pose.z / MILLI:g} inches above the table"
                text = (
                    f"nothing at {at} supports a model {height}: half of its base must be on ground that high"
                )
                self._say(("units", unit.name, "at"), text)

    def _block(self, state: State, unit: Unit, entry: UnitEntry) -> Pose:
        heading = round(entry.facing * CENTI) % FULL_TURN
        if entry.front is not None:
            return block_by_front(state, unit, self._position(unit.name, entry.front, "front"), heading)
        return read_pose(state, self._position(unit.name, entry.at), heading)

    def _position(self, name: str, at: object, key: str = "at") -> tuple[float, ...]:
        if is_position(at):
            return tuple(at)  # type: ignore[arg-type]
        self._say(("units", name, key), "a position is [x, y], [x, y, heading] or [x, y, heading, z]")
        return (0.0, 0.0)

    def _poses(self, state: State, unit: Unit, entry: UnitEntry) -> tuple[Pose, ...]:
        """One pose per model: as listed, or side by side in a row about the one position given."""
        at = entry.at if entry.at is not None else entry.front
        assert at is not None
        heading = round(entry.facing * CENTI) % FULL_TURN
        if is_position(at):
            return poses_for(state, unit, at, heading)
        places = [self._position(unit.name, place) for place in at]
        if len(places) != len(unit.models):
            self._say(("units", unit.name, "at"), f"{len(at)} positions for {len(unit.models)} models")
            return ()
        return poses_for(state, unit, places, heading)

    # problems

    def _unit_id(self, name: str, where: Path, others: tuple[str, ...] = ()) -> int:
        """The number of a unit; `others` are further names that may have been meant."""
        assert self.roster is not None
        try:
            return self.roster.unit(name)
        except UnknownNameError as error:
            self._say(
                where, str(error) if "did you mean" in str(error) else f"{error}{did_you_mean(name, others)}"
            )
            return -1

    def _say(self, where: Path, text: str) -> None:
        self.problems.append(FileProblem(where, text))

    def _note(self, where: Path, error: MalformedError) -> None:
        self.problems += [FileProblem(where, f"{error.what}: {problem}") for problem in error.problems]


def _why_not_so_many(entry: UnitEntry) -> str:
    """What is wrong with the number of models of a unit, if anything."""
    if max((entry.models, *(model.count for model in entry.special))) > MOST_MODELS or entry.models < 0:
        return f"a unit has 1 to {MOST_MODELS} models, or 0 where only a hero who joined it is left"
    if entry.models:
        return ""
    if entry.hero is None:
        return "a unit of 0 models needs a `hero` who is left; a destroyed unit has `place: gone`"
    if entry.started < 2:
        return "give with `started` how many models it started the game with, including the hero"
    return ""
