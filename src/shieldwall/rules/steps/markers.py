"""The mission of the game, and placing the objectives before it begins."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Spot
from shieldwall.core.forms import SHOWN_SPOTS, PointForm
from shieldwall.core.frames import Preparation
from shieldwall.core.grammar import inch_words
from shieldwall.core.pending import Choice, Decision, Numbers, Option, Pending, Refusal, Roll
from shieldwall.core.state import MILLI, Pose, State
from shieldwall.core.values import FACE_LABELS, Counts, Labels, Pool, highest
from shieldwall.rules.missions import CHOOSE, RANDOM, SIX, fixed_spots, mission_of, quarter
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_of
from shieldwall.rules.steps.rolloff import RollOff
from shieldwall.table.ground import ground_height
from shieldwall.table.zones import MarkerRules, check_marker, marker_candidates

FEW_SPOTS, MANY_SPOTS = 16, 64  # numbers of spots proposed for a marker
_THREE_TO_FIVE: Labels = ("3", "3", "4", "4", "5", "5")


class CountToPlace(TrunkStep):
    """D3+2 markers, or as many as the mission says; those with a fixed position are placed at once.

    A mission left to chance, or to a player, is settled first.
    """

    name = "setup.marker_count"

    def ask(self, game: Play) -> Pending | None:
        state, rules = game.state, game.rules
        if state.mission == CHOOSE:
            options = tuple(Option(mission.id, mission.name) for mission in SIX)
            options += (Option(RANDOM, "roll a die for it"),)
            seat = seat_of(state, max(0, state.first_side))
            cite = mission_cite(rules, "choose", "marker.count")
            return Choice("mission", seat, "Which mission do you play?", cite, options, RANDOM)
        if state.mission == RANDOM:
            cite = mission_cite(rules, "choose", "marker.count")
            return Roll("mission", 0, (Pool(1, FACE_LABELS),), cite)
        if mission_of(state).markers:
            return None
        return Roll("marker_count", 0, (Pool(1, _THREE_TO_FIVE),), rules.cite("marker.count"))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        self._settle(game, answer.option)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        if game.state.mission == RANDOM:
            self._settle(game, SIX[highest(counts[0]) - 1].id)
        else:
            game.note(markers_left=highest(counts[0]))

    def _settle(self, game: Play, mission: str) -> None:
        cite = mission_cite(game.rules, "choose", "marker.count")
        game.emit(ev.MissionChosen(mission=mission, cite=cite))
        game.stay()

    def go(self, game: Play) -> None:
        state = game.state
        mission = mission_of(state)
        spots = fixed_spots(state, mission, game.rules.policies.deploy_depth(game.rules, state))
        cite = mission_cite(game.rules, f"{mission.id}.markers", "marker.place")
        for number, (x, y) in enumerate(spots):
            z = ground_height(state, x, y)
            game.emit(ev.MarkerPlaced(marker=number, x=x, y=y, z=z, side=-1, cite=cite))
        game.note(markers_left=0 if spots else mission.markers)


class MarkerRollOff(RollOff):
    """Roll-off for the first marker, unless no markers are placed."""

    def needed(self, game: Play) -> bool:
        return game.top(Preparation).markers_left > 0


class WhoPlacesFirst(TrunkStep):
    """The winner of the roll-off names the side that places the first marker."""

    name = "setup.marker_first"

    def ask(self, game: Play) -> Pending | None:
        if not game.top(Preparation).markers_left:
            return None
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
    """The winner of the roll-off must place the first marker."""

    name = "setup.marker_first"

    def go(self, game: Play) -> None:
        game.note(placing=game.top(Preparation).winner)


class PlaceMarkers(TrunkStep):
    """The sides take turns, one marker each; markers with no room are left out."""

    name = "setup.marker_place"

    def ask(self, game: Play) -> Pending | None:
        frame: Preparation = game.stack[-1]
        if not frame.markers_left:
            return None
        question = MarkerSpot(game, frame.placing)
        return question if question.spots else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Spot)
        frame: Preparation = game.stack[-1]
        owned = mission_of(game.state).seizing == "destroy"
        game.emit(
            ev.MarkerPlaced(
                marker=len(game.state.markers),
                x=answer.x,
                y=answer.y,
                z=ground_height(game.state, answer.x, answer.y),
                side=frame.placing,
                owner=frame.placing if owned else -1,
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
        super().__init__("marker", seat, "Place a marker", game.rules.cite("marker.place"))
        self.rules = marker_rules(game.rules, game.state)
        self.game_rules = game.rules
        self.state = game.state
        # a marker that no unit can reach may be legal, but is not proposed if there are other spots
        self.spots = self._proposed(replace(self.rules, must_be_reached=True)) or self._proposed(self.rules)

    def form(self) -> PointForm:
        gap = inch_words(self.game_rules.constants.marker_gap_over)
        words = f"outside the deployment zones, over {gap} from other markers"
        return PointForm(tuple((int(x), int(y)) for x, y in self.spots[:SHOWN_SPOTS]), words)

    def dropped(self, spot: Pose) -> Spot:
        return Spot(spot.x, spot.y)

    def _proposed(self, rules: MarkerRules) -> tuple[tuple[int, int], ...]:
        # more candidates, because most quarters are taken in the end
        most = MANY_SPOTS if mission_of(self.state).placing == "quarters" else FEW_SPOTS
        spots = marker_candidates(self.state, rules, most)
        open_spots = tuple(spot for spot in spots if not self._quarter_taken(*spot))
        # if none is left, spots between these and at the edges of the table are tried, too
        finer = () if open_spots else marker_candidates(self.state, rules, MANY_SPOTS, 0.5, 0.0)
        return open_spots or tuple(spot for spot in finer if not self._quarter_taken(*spot))

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Spot):
            return (Refusal("a marker needs a spot: x and y", self.cite),)
        refusals = self.game_rules.refusals(check_marker(self.state, answer.x, answer.y, self.rules))
        if self._quarter_taken(answer.x, answer.y):
            cite = mission_cite(self.game_rules, f"{self.state.mission}.markers", "marker.place")
            refusals += (Refusal("this quarter of the table already has a marker; each gets one", cite),)
        return refusals

    def _quarter_taken(self, x: int, y: int) -> bool:
        if mission_of(self.state).placing != "quarters":
            return False
        here = quarter(self.state, x, y)
        return any(quarter(self.state, marker.x, marker.y) == here for marker in self.state.markers)

    def default(self) -> Spot:
        return self._spot(0)

    def sample(self, numbers: Numbers) -> Spot:
        return self._spot(numbers.below(len(self.spots)))

    def _spot(self, number: int) -> Spot:
        return Spot(*self.spots[number])


def marker_rules(rules: Ruleset, state: State) -> MarkerRules:
    """The edition's rules for a marker's spot."""
    constants = rules.constants
    return MarkerRules(
        zone_depth=rules.policies.deploy_depth(rules, state) / MILLI,
        axis=rules.policies.marker_axis(state),
        apart=constants.marker_gap_over / MILLI,
        keeps_off_blocking=rules.policies.keeps_markers_off_blocking(),
        must_be_reached=rules.policies.markers_must_be_reached(),
        step=0.0 if rules.policies.uses_blocks() else constants.climb_max / MILLI,
    )


def mission_cite(rules: Ruleset, key: str, otherwise: str) -> str:
    """The row of an edition about its missions; editions without any cite their own row about markers."""
    return rules.cites.get(f"mission.{key}") or rules.cites[otherwise]
