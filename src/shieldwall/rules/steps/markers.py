"""Placing the objectives before the game."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Spot
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Choice, Decision, Numbers, Option, Pending, Refusal, Roll
from shieldwall.core.state import MILLI, State
from shieldwall.core.values import Counts, Labels, Pool, highest
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_of
from shieldwall.table.zones import MarkerRules, check_marker, marker_candidates

_THREE_TO_FIVE: Labels = ("3", "3", "4", "4", "5", "5")


class CountToPlace(TrunkStep):
    """D3+2 markers."""

    name = "setup.marker_count"

    def ask(self, game: Play) -> Pending | None:
        return Roll("marker_count", 0, (Pool(1, _THREE_TO_FIVE),), game.rules.cite("marker.count"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(markers_left=highest(counts[0]))


class WhoPlacesFirst(TrunkStep):
    """The winner of the roll-off names the side that places the first marker."""

    name = "setup.marker_first"

    def ask(self, game: Play) -> Pending | None:
        winner = game.top(Preparation).winner
        sides = sorted(range(len(game.state.sides)), key=lambda side: side != winner)
        options = tuple(Option(f"s{side}", f"side {side + 1} places first") for side in sides)
        cite = game.rules.cite("marker.first")
        return Choice(
            "marker_first", seat_of(game.state, winner), "Who places the first marker?", cite, options
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(placing=int(answer.option[1:]))


class WinnerPlacesFirst(TrunkStep):
    """The winner of the roll-off places the first marker and has no choice about it."""

    name = "setup.marker_first"

    def go(self, game: Play) -> None:
        game.note(placing=game.top(Preparation).winner)


class PlaceMarkers(TrunkStep):
    """The sides take turns, one marker each; markers that fit nowhere are left out."""

    name = "setup.marker_place"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Preparation)
        if not frame.markers_left:
            return None
        question = MarkerSpot(game, frame.placing)
        return question if question.spots else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Spot)
        frame = game.top(Preparation)
        game.emit(
            ev.MarkerPlaced(
                marker=len(game.state.markers),
                x=answer.x,
                y=answer.y,
                side=frame.placing,
                cite=game.rules.cite("marker.place"),
            )
        )
        placing = (frame.placing + 1) % len(game.state.sides)
        game.note(markers_left=frame.markers_left - 1, placing=placing)
        game.stay()


class MarkerSpot(Decision):
    """A spot for one marker."""

    __slots__ = ("game_rules", "rules", "spots", "state")

    def __init__(self, game: Play, side: int) -> None:
        seat = seat_of(game.state, side)
        super().__init__("marker", seat, "Place an objective marker", game.rules.cite("marker.place"))
        self.rules = marker_rules(game.rules, game.state)
        self.game_rules = game.rules
        self.state = game.state
        self.spots = marker_candidates(game.state, self.rules)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Spot):
            return (Refusal("a marker needs a spot: x and y", self.cite),)
        return self.game_rules.refusals(check_marker(self.state, answer.x, answer.y, self.rules))

    def default(self) -> Spot:
        return self._spot(0)

    def sample(self, numbers: Numbers) -> Spot:
        return self._spot(numbers.below(len(self.spots)))

    def _spot(self, number: int) -> Spot:
        return Spot(*self.spots[number])


def marker_rules(rules: Ruleset, state: State) -> MarkerRules:
    """The edition's demands on a marker's spot."""
    constants = rules.constants
    return MarkerRules(
        zone_depth=rules.policies.deploy_depth(rules, state) / MILLI,
        axis=rules.policies.marker_axis(state),
        apart=constants.marker_gap_over / MILLI,
        keeps_off_blocking=rules.policies.keeps_markers_off_blocking(),
        must_be_reached=rules.policies.markers_must_be_reached(),
    )
