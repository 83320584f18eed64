"""Ambush in Age of Fantasy 1.6: a roll to arrive, and another after which the opponent may move the arrivals."""

from __future__ import annotations

import math

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Arrival
from shieldwall.core.pending import Choice, Numbers, Option, Pending, Refusal, Roll
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.core.values import PASS, Counts, Target, pool_of_tests
from shieldwall.editions.aof_1_6.staged_deployment import AMBUSH
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_to_ask
from shieldwall.rules.steps.arrival import ArrivalOrder, PlaceArrival, waiting
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.table.zones import table_region

COMES_ON, DRIFTS_ON = 4, 5
SHIFT = 12 * MILLI
COMPASS = 12  # directions in which a shift is tried
STRIDES = (12, 9, 6, 3)


class PickToRoll(TrunkStep):
    """The side whose turn it is chooses a waiting unit to roll for; each unit has one chance per round."""

    name = "arrive.pick"

    def ask(self, game: Play) -> Pending | None:
        frame: Arrival = game.stack[-1]
        mine = chances(game.state, frame, frame.placing)
        if not mine:
            return None
        options = tuple(Option(unit_key(unit.id), unit.name, unit.id) for unit in mine)
        seat = seat_to_ask(game.state, frame.placing, mine)
        return Choice(
            "arrive", seat, "Which unit tries to arrive?", game.rules.cite("reserve.arrive"), options
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Arrival = game.stack[-1]
        unit = int(answer.option[1:])
        game.note(unit=unit, tried=(*frame.tried, unit))

    def go(self, game: Play) -> None:
        frame: Arrival = game.stack[-1]
        sides = range(len(game.state.sides))
        if any(chances(game.state, frame, side) for side in sides):
            game.note(placing=(frame.placing + 1) % len(game.state.sides))
            game.stay()
        else:
            game.finish()


class RollArrival(TrunkStep):
    """The unit arrives on 4 or more; in the last round it arrives without a roll."""

    name = "arrive.roll"

    def ask(self, game: Play) -> Pending | None:
        if is_last_round(game):
            return None
        unit = game.state.units[game.top(Arrival).unit]
        pool = pool_of_tests(1, Target(COMES_ON), unit.name)
        return Roll("arrival", unit.seat, (pool,), game.rules.cite("reserve.arrive"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if not counts[0].get(PASS, 0):
            next_side(game)


class ArriveOrWait(TrunkStep):
    """A unit that may arrive may still wait, but not in the last round."""

    name = "arrive.wait"

    def ask(self, game: Play) -> Pending | None:
        if is_last_round(game):
            return None
        unit = game.state.units[game.top(Arrival).unit]
        options = (Option("come", "place it now"), Option("wait", "stay in reserve"))
        prompt = f"{unit.name} could arrive: place it?"
        return Choice("arrive_now", unit.seat, prompt, game.rules.cite("reserve.arrive"), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "wait":
            next_side(game)


class PlaceInAmbush(PlaceArrival):
    """Place the unit away from enemies; if there is no room, it keeps waiting."""

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Arrival = game.stack[-1]
        cite = game.rules.cite("reserve.arrive_place")
        game.emit(ev.UnitPlaced(unit=frame.unit, poses=answer.poses, how="arrival", cite=cite))
        game.rules.after_placed(game, frame.unit, arrived=True)

    def go(self, game: Play) -> None:
        next_side(game)


class RollDrift(TrunkStep):
    """On 5 or more, the opponent may move the unit that just arrived."""

    name = "arrive.drift"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Arrival).unit]
        pool = pool_of_tests(1, Target(DRIFTS_ON), unit.name)
        return Roll("drift", unit.seat, (pool,), game.rules.cite("reserve.drift"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if not counts[0].get(PASS, 0):
            next_side(game)


class ShiftArrival(TrunkStep):
    """The opponent moves the unit up to 12 inches, or leaves it where it is."""

    name = "arrive.shift"

    def ask(self, game: Play) -> Pending | None:
        return Shifting(game.rules, game.state, game.state.units[game.top(Arrival).unit])

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        unit = game.state.units[game.top(Arrival).unit]
        used = max(
            round(math.dist((old.x, old.y), (new.x, new.y)))
            for old, new in zip(unit.poses, answer.poses, strict=True)
        )
        if answer.poses != unit.poses:
            cite = game.rules.cite("reserve.drift")
            game.emit(ev.Moved(unit=unit.id, poses=answer.poses, used=used, how="drift", cite=cite))
        next_side(game)


class Shifting(LoosePlacing):
    """Where the opponent moves a unit that came out of ambush: every model up to 12 inches, to a valid spot."""

    __slots__ = ()

    def __init__(self, rules: Ruleset, state: State, unit: Unit) -> None:
        ground = Ground(table_region(state.width, state.depth))
        super().__init__(rules, state, unit, ground, "arrive_shift", f"Move {unit.name} up to 12 inches?")
        other = (unit.side + 1) % len(state.sides)
        self.seat = seat_to_ask(state, other, [one for one in state.units if one.side == other])
        self.cite = rules.cite("reserve.drift")

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if isinstance(answer, Placed) and answer.poses == self.unit.poses:
            return ()
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != len(self.unit.models):
            return refusals
        farthest = max(
            math.dist((old.x, old.y), (new.x, new.y))
            for old, new in zip(self.unit.poses, answer.poses, strict=True)
        )
        if farthest > SHIFT + 1:
            text = (
                f"a model of {self.unit.name} would be moved {farthest / MILLI:.2f} inches; the maximum is 12"
            )
            refusals += (Refusal(text, self.cite),)
        return refusals

    def default(self) -> Placed:
        """As far as possible from every marker."""
        markers = [(marker.x, marker.y) for marker in self.state.markers if not marker.gone]
        ways = self._ways()

        def lonely(placed: Placed) -> float:
            x, y = placed.poses[0].x, placed.poses[0].y
            return min((math.dist((x, y), marker) for marker in markers), default=0.0)

        return max(ways, key=lonely)

    def sample(self, numbers: Numbers) -> Placed:
        ways = self._ways()
        return ways[numbers.below(len(ways))]

    def forced(self) -> Placed | None:
        ways = self._ways()
        return ways[0] if len(ways) == 1 else None

    def _ways(self) -> list[Placed]:
        """Staying, and shifts of the whole unit by some inches in some directions."""
        found = [Placed(self.unit.poses)]
        for stride in STRIDES:
            for turn in range(COMPASS):
                angle = 2 * math.pi * turn / COMPASS
                x, y = round(stride * MILLI * math.sin(angle)), round(stride * MILLI * math.cos(angle))
                moved = Placed(tuple(Pose(p.x + x, p.y + y, p.heading, 0) for p in self.unit.poses))
                if not self.check(moved):
                    found.append(moved)
            if len(found) > COMPASS:
                break
        return found


ARRIVALS_BY_DICE: tuple[TrunkStep, ...] = (
    ArrivalOrder("arrive.order", AMBUSH, "reserve.arrive_order"),
    PickToRoll(),
    RollArrival(),
    ArriveOrWait(),
    PlaceInAmbush(),
    RollDrift(),
    ShiftArrival(),
)


def chances(state: State, frame: Arrival, side: int) -> list[Unit]:
    """Units of a side that wait in ambush and have not been rolled for in this round."""
    return [unit for unit in waiting(state, side) if unit.id not in frame.tried]


def is_last_round(game: Play) -> bool:
    """Whether units that still wait arrive now."""
    return game.state.round >= game.rules.constants.rounds


def next_side(game: Play) -> None:
    """The other side's turn to bring in a unit."""
    frame: Arrival = game.stack[-1]
    game.note(unit=-1, placing=(frame.placing + 1) % len(game.state.sides))
    game.jump("arrive.pick")
