"""Every mission works in every edition; the effect of seizing and the winner depend only on the mission."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.invariants import Judge
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Spot
from shieldwall.core.engine import GameRun, Progress
from shieldwall.core.pending import Pending
from shieldwall.core.state import Marker, Piece, Pose, State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.missions import MISSIONS, SIX, UnknownMissionError, check_mission
from shieldwall.rules.steps.markers import MarkerSpot
from shieldwall.table import terrain

MARKERS = {"seize-ground": 4, "relic-hunt": 3, "sabotage": 2, "breakthrough": 2, "king-of-the-hill": 1}


class Facts:
    """Collects every event of a game."""

    def __init__(self) -> None:
        self.events: list[ev.AnyEvent] = []

    def began(self, progress: Progress) -> None:
        self.events += progress.events

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        self.events += progress.events


def test_the_six_missions_in_the_order_of_the_die() -> None:
    """A16-MISSION-02"""
    names = ["Duel", "Seize Ground", "Relic Hunt", "Sabotage", "Breakthrough", "King of the Hill"]
    assert [mission.name for mission in SIX] == names


def test_a_mission_is_named_in_any_spelling_and_nothing_else_is_accepted() -> None:
    assert check_mission("Relic Hunt") == check_mission("relic_hunt") == "relic-hunt"
    assert check_mission("") == check_mission("standard") == ""
    with pytest.raises(UnknownMissionError, match="did you mean 'sabotage'"):
        check_mission("sabotag")


@pytest.mark.parametrize("mission", sorted(MARKERS))
@pytest.mark.parametrize("edition", [name for name in EDITIONS if name != "skirmish-3.2"])
def test_a_mission_is_played_to_its_end_in_any_edition(edition: str, mission: str) -> None:
    """Its markers lie on the table, and the winner is the one that the mission names."""
    rules = ruleset(edition)
    state = demo_setup(edition, 3, mission=mission)
    judge, facts = Judge(rules), Facts()
    result = play_game(
        rules, state, [RandomBot(), RandomBot()], SeededDice.from_seed(3), seed=3, watchers=[judge, facts]
    )
    assert not judge.problems
    assert len(result.state.markers) == MARKERS[mission]
    ended = next(event for event in facts.events if isinstance(event, ev.GameEnded))
    best = max(ended.markers)
    leaders = [side for side, count in enumerate(ended.markers) if count == best]
    assert result.winner == (leaders[0] if len(leaders) == 1 else -1)
    carried = [event for event in facts.events if isinstance(event, ev.MarkerTaken)]
    destroyed = [event for event in facts.events if isinstance(event, ev.MarkerGone)]
    assert not carried or MISSIONS[mission].seizing == "carry"
    assert not destroyed or MISSIONS[mission].seizing == "destroy"


def test_a_carried_marker_is_wherever_its_bearer_goes() -> None:
    """A16-MISSION-07, A16-MISSION-08: and stays where the bearer was lost."""
    state = replace(demo_setup("aof-1.6", 1), markers=(Marker(0, 1000, 1000),))
    unit = state.units[0]
    here, there = (tuple(Pose(x + n, 9000) for n in range(len(unit.models))) for x in (5000, 8000))
    for event, spot in (
        (ev.UnitPlaced(unit=0, poses=here, how="deploy"), (1000, 1000)),
        (ev.MarkerTaken(marker=0, unit=0), (5000, 9000)),
        (ev.Moved(unit=0, poses=there, used=3000, how="advance"), (8000, 9000)),
        (ev.MarkerDropped(marker=0, x=8001, y=9000), (8001, 9000)),
        (ev.Moved(unit=0, poses=here, used=3000, how="advance"), (8001, 9000)),
    ):
        state = event.apply(state)
        assert (state.markers[0].x, state.markers[0].y) == spot


def test_a_random_mission_is_settled_before_the_first_marker() -> None:
    """A16-MISSION-02"""
    rules, facts = ruleset("aof-1.6"), Facts()
    state = demo_setup("aof-1.6", 1, mission="random")
    result = play_game(
        rules, state, [RandomBot(), RandomBot()], SeededDice.from_seed(1), seed=1, watchers=[facts]
    )
    kinds = [type(event) for event in facts.events]
    assert kinds.index(ev.MissionChosen) < kinds.index(ev.MarkerPlaced)
    assert result.state.mission in MISSIONS


@pytest.mark.parametrize("edition", ["regiments-3.4", "aof-2", "aof-1.6"])
def test_no_marker_is_proposed_where_no_unit_can_go_even_if_legal(edition: str) -> None:
    rules, state = ruleset(edition), demo_setup(edition, 3)
    w, d = state.width, state.depth
    whole = ((0, 0), (w, 0), (w, d), (0, d))
    west = ((0, 0), (w // 2, 0), (w // 2, d), (0, d))
    shut = Piece(id=0, name="Lake", kind="lake", outline=west, types=(terrain.IMPASSABLE,))
    half = MarkerSpot(GameRun(rules, replace(state, pieces=(shut,))), 0)
    assert half.check(Spot(w // 4, d // 2)) == (), "the book says nothing against it"
    assert half.spots
    assert all(x >= w // 2 for x, _ in half.spots)
    everywhere = MarkerSpot(GameRun(rules, replace(state, pieces=(replace(shut, outline=whole),))), 0)
    assert everywhere.spots, "better there than nowhere"


def test_the_ground_round_a_marker_is_no_other_piece_of_the_table() -> None:
    """A16-MYST-11: tables number their pieces from 1, scenario files from 0."""
    state = demo_setup("aof-1.6", 700)
    state = replace(state, markers=(Marker(0, 36_000, 24_000),))
    found = ev.SecretFound(unit=0, result=3, marker=0).apply(state)
    assert found.markers[0].zone not in {piece.id for piece in state.pieces}
    assert found.pieces[:-1] == state.pieces
    gone = ev.MarkerGone(marker=0, side=0).apply(found)
    assert gone.pieces[:-1] == state.pieces
