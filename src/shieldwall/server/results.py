"""The result page of a game: who won and why, the history of each marker, luck, and what happened to each unit."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

from shieldwall.core import events as ev
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.archive import PlayedCommand, play_again, steps_of
from shieldwall.server.pages import GameResult, LuckStep, LuckView, MarkerStory, Replay, ReplayMark, UnitFate
from shieldwall.server.present import has_joined, score_of, table_view, units_near
from shieldwall.server.storage import CommandRow, GameRow, SeatRow
from shieldwall.server.words import broken_word
from shieldwall.story import Names
from shieldwall.story.dice import POOR_LABELS, is_test
from shieldwall.story.names import joined

BAND = 1.2816  # standard deviations that cover 8 of 10 games


@lru_cache(maxsize=8)
def _played(game: GameRow, rows: tuple[CommandRow, ...]) -> list[PlayedCommand]:
    """Replays a game; its result and its replay share this."""
    return play_again(game, rows)


def result_of(game: GameRow, rows: list[CommandRow]) -> GameResult:
    """How a game ended, or where it stands now."""
    played = _played(game, tuple(rows))
    rules = ruleset(game.edition)
    state = played[-1].carried.state
    luck, track = _luck(played, len(state.sides))
    return GameResult(
        game=game.id,
        name=game.name,
        title=rules.title,
        winner=game.winner,
        resigned=game.resigned,
        words=_verdict(game, state),
        rounds=state.round,
        out_of_time=game.out_of_time,
        score=score_of(state),
        markers=marker_stories(rules, played, state),
        luck=luck,
        luck_track=track,
        fates=_fates(rules, played, state),
        first_round=max(1, played[0].before.round),
    )


def _verdict(game: GameRow, state: State) -> str:
    names = Names(state)
    held = [score.markers for score in score_of(state)]
    count = " to ".join(str(number) for number in sorted(held, reverse=True))
    if game.resigned is not None:
        winner = names.side(1 - game.resigned)
        return f"{names.side(game.resigned)} gave up in round {state.round}; {winner} won."
    if game.out_of_time is not None:
        winner = names.side(1 - game.out_of_time)
        return f"{names.side(game.out_of_time)} ran out of time in round {state.round}; {winner} won."
    if game.winner is None:
        return f"The battle is not over: round {state.round}, markers {count}."
    if game.winner < 0:
        return f"A draw: markers {count} after {state.round} rounds."
    return f"{names.side(game.winner)} won, {count} in markers after {state.round} rounds."


def marker_stories(rules: Ruleset, played: list[PlayedCommand], state: State) -> tuple[MarkerStory, ...]:
    """How each marker changed hands, and who stood there when it was last counted."""
    by_round: dict[int, list[int]] = {marker.id: [] for marker in state.markers}
    cites: dict[int, str] = {}
    for one in played:
        for event in one.carried.events:
            if isinstance(event, ev.MarkerFlipped):
                cites[event.marker] = event.cite
            elif _is_counted_at(event):
                for marker in one.carried.state.markers:
                    by_round.setdefault(marker.id, []).append(marker.holder)
    names = Names(state)
    stories = []
    for marker in state.markers:
        near = units_near(rules, state, marker)
        if marker.holder >= 0:
            near = tuple(unit for unit in near if state.units[unit].side == marker.holder)
        who = joined([names.unit(unit) for unit in near])
        if marker.holder >= 0:
            words = f"held by {who}" if near else "taken earlier, nobody near at the end"
        elif len({state.units[unit].side for unit in near}) > 1:
            words = f"contested by {who}"
        else:  # markers are counted when a round ends, which a battle that was given up may not reach
            words = f"not yet taken by {who}" if near else "nobody took it"
        history = tuple(by_round.get(marker.id, ()))
        cite = cites.get(marker.id, rules.cites.get("marker.seize", ""))
        stories.append(MarkerStory(marker.id, marker.x, marker.y, marker.holder, history, words, cite))
    return tuple(stories)


def _is_counted_at(event: ev.AnyEvent) -> bool:
    """Whether the markers of a round have been counted; dice may be rolled between the end of a round and the count."""
    return isinstance(event, ev.GameEnded) or (isinstance(event, ev.RoundBegan) and event.round > 1)


class _Tally:
    """Tests of one side: the number of dice, successes, and expected successes."""

    def __init__(self) -> None:
        self.rolls = self.dice = self.won = 0
        self.expected = self.spread = 0.0

    def add(self, pool: ev.ThrownPool) -> None:
        """Count the dice of a pool that succeed or fail; each face has its own chance."""
        if not is_test(pool) or not pool.faces:
            return
        chance = sum(label not in POOR_LABELS for label in pool.labels) / 6
        self.rolls += 1
        self.dice += len(pool.faces)
        self.won += sum(pool.labels[face - 1] not in POOR_LABELS for face in pool.faces)
        self.expected += len(pool.faces) * chance
        self.spread += len(pool.faces) * chance * (1 - chance)

    def view(self, side: int) -> LuckView:
        """The side's luck in numbers and words."""
        deviation = math.sqrt(self.spread)
        sigma = (self.won - self.expected) / deviation if deviation else 0.0
        low, high = self.expected - BAND * deviation, self.expected + BAND * deviation
        told = f"{self.won} successes in {self.dice} dice, {self.expected:.1f} expected"
        words = f"{told}: {_mood(sigma)}" if self.dice else "Rolled no dice that could succeed"
        numbers = (round(self.expected, 2), round(low, 2), round(high, 2), round(sigma, 2))
        return LuckView(side, self.rolls, self.dice, self.won, *numbers, words)


def _luck(played: list[PlayedCommand], sides: int) -> tuple[tuple[LuckView, ...], tuple[LuckStep, ...]]:
    """Successes against expectation, in total and after each activation."""
    tallies = [_Tally() for _ in range(sides)]
    track = []
    for one in played:
        for event in one.carried.events:
            if isinstance(event, ev.Rolled):
                for pool in event.rolls:
                    tallies[one.before.seats[event.seat].side].add(pool)
            elif isinstance(event, ev.ActivationEnded):
                sums = tuple(round(tally.won - tally.expected, 3) for tally in tallies)
                track.append(LuckStep(one.row.seq, one.carried.state.round, sums))
    return tuple(tally.view(side) for side, tally in enumerate(tallies)), tuple(track)


def _mood(sigma: float) -> str:
    if abs(sigma) <= 0.5:
        return "about average"
    strength = "a little " if abs(sigma) <= BAND else "very " if abs(sigma) > 2 else ""
    return f"{strength}{'lucky' if sigma > 0 else 'unlucky'}"


def _fates(rules: Ruleset, played: list[PlayedCommand], state: State) -> tuple[UnitFate, ...]:
    """What happened to each unit, and what it achieved."""
    dealt: Counter[int] = Counter()
    taken: Counter[int] = Counter()
    ends: dict[int, str] = {}
    attacker = -1
    for one in played:
        for event in one.carried.events:
            if isinstance(event, ev.Hit):
                attacker = event.unit
            elif isinstance(event, ev.Blocked) and event.wounds:
                taken[event.unit] += event.wounds
                dealt[attacker] += event.wounds
            elif isinstance(event, ev.Destroyed):
                ends[event.unit] = "routed" if event.cause == "routed" else "destroyed"
            elif isinstance(event, ev.ActivationEnded):
                attacker = -1
    views = []
    for unit in state.units:
        if (
            has_joined(unit) or unit.later is not None
        ):  # its model is counted with the unit it joined, or never came
            continue
        left = len(unit.models) if unit.place != "gone" else 0
        fate = ends.get(unit.id) or ("lost" if not left else "")
        words = fate or (
            broken_word(rules).lower()
            if unit.broken
            else "whole"
            if left == unit.start_models
            else f"{left} left"
        )
        views.append(
            UnitFate(
                unit.id, unit.side, unit.name, left, unit.start_models, dealt[unit.id], taken[unit.id], words
            )
        )
    return tuple(views)


def replay_of(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> Replay:
    """A complete game for the replay viewer."""
    played = _played(game, tuple(rows))
    steps = steps_of(game, seats, played)
    table = table_view(ruleset(game.edition), played[-1].carried.state, seats)
    return Replay(game.id, game.name, table, steps, _marks(played))


def _marks(played: list[PlayedCommand]) -> tuple[ReplayMark, ...]:
    """One mark per activation: who acted, and what each side lost."""
    marks: list[ReplayMark] = []
    start = (0, -1)
    lost: Counter[int] = Counter()
    for one in played:
        for event in one.carried.events:
            if isinstance(event, ev.Activated):
                start, lost = (one.row.seq, event.unit), Counter()
            elif isinstance(event, ev.Removed):
                lost[one.before.units[event.unit].side] += len(event.models)
            elif isinstance(event, ev.ActivationEnded) and start[1] >= 0:
                state = one.carried.state
                unit = state.units[start[1]]
                losses = tuple(lost[side] for side in range(len(state.sides)))
                marks.append(ReplayMark(start[0], state.round, unit.side, unit.id, unit.name, losses))
    return tuple(marks)
