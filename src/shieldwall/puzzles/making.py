"""Puzzles out of games of bots: positions late in the game in which one idea is clearly better than all others."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shieldwall.analysis.chance import chance_before
from shieldwall.analysis.moments import ACTION, ACTIVATE, Moment, chosen_unit
from shieldwall.analysis.reasons import reason_for
from shieldwall.analysis.what_if import activation
from shieldwall.armies import ready_lists
from shieldwall.bots import play_game, policy
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.policy import Policy
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import Progress, pending_of, submit_checked
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lab.games import setup_of
from shieldwall.puzzles.comparing import Contest, Settled, settle
from shieldwall.puzzles.ideas import IdeaKey, PuzzleIdea, idea_in, idea_words, ideas_of, key_of
from shieldwall.puzzles.puzzle import FORMAT, PlayoutBudget, Puzzle, PuzzleKind, RatedIdea
from shieldwall.puzzles.words import explanation_of, hint_for, task_for, title_of
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset

MARGIN = 0.08  # what the solution has to be ahead by, at least
MOST_BATTLES = 150  # with each idea
FEWEST_IDEAS, MOST_IDEAS = 3, 8
MOST_WAITING = 7  # units that have yet to act
CLOSE = 0.43  # how far from even the last round of a game may begin
AGAIN = 12  # times the last round of such a game is played with other dice
OPEN_SPREAD, OPEN_GAP = 0.3, 0.02  # in armies, by quick playouts: best idea to worst, best to second
SHOWN_OTHERS = 4
BOTS = (("solo", "solo"), ("tactician", "tactician"), ("solo", "tactician"), ("tactician", "solo"))


class Find(NamedTuple):
    """A position that makes a puzzle, with its ideas in order."""

    moment: Moment
    settled: Settled
    source: str
    way: int

    @property
    def seed(self) -> str:
        """The seed of its battles."""
        return f"{self.source}, {self.way}, {self.moment.number % 100}"


class LateMoments:
    """A watcher that keeps the decisions of the last round: battles played on from there are short.

    `opening` is the first of them, `moments` those before which few units have yet to act.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.opening: Moment | None = None
        self.moments: list[Moment] = []

    def began(self, progress: Progress) -> None:
        """Nothing was decided yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Keep what is asked now, if it is late enough."""
        waits, state = progress.pending, progress.state
        if not isinstance(waits, Decision) or state.round < self.rules.constants.rounds:
            return
        is_spell = isinstance(waits, BidTokens) and not waits.helps
        was_chosen = isinstance(pending, Decision) and pending.kind == ACTIVATE
        if waits.kind == ACTIVATE or is_spell or (waits.kind == ACTION and not was_chosen):
            moment = Moment(len(self.moments), 0, state, waits, (), ())
            self.opening = self.opening or (moment if not is_spell else None)
            if is_spell or waiting_units(state) <= MOST_WAITING:
                self.moments.append(moment)


def waiting_units(state: State) -> int:
    """How many units have yet to act in this round."""
    return sum(bool(unit.models) and not unit.activated for unit in state.units)


def games(
    seeds: range, editions: Sequence[str] = tuple(EDITIONS)
) -> Iterator[tuple[Ruleset, str, list[list[Moment]]]]:
    """Late decisions of the games of some seeds: editions, bots and ready-made lists take turns."""
    for seed in seeds:
        edition = editions[seed % len(editions)]
        rules = ruleset(edition)
        lists = ready_lists(rules.like)
        sizes = sorted({ready.points for ready in lists})
        names = [ready.id for ready in lists if ready.points == sizes[seed // len(editions) % len(sizes)]]
        first = seed // 3 % len(names)
        second = (first + 1 + seed // 7 % (len(names) - 1)) % len(names)
        bots = BOTS[seed // len(editions) % len(BOTS)]
        watcher = LateMoments(rules)
        setup = setup_of(edition, (names[first], names[second]), seed)
        seats = [policy(name, seed) for name in bots]
        play_game(rules, setup, seats, SeededDice.from_seed(seed), seed=seed, watchers=[watcher])
        source = f"{names[first]} against {names[second]}, {bots[0]} against {bots[1]}, seed {seed}"
        yield rules, source, _late(rules, watcher, seed)


def _late(rules: Ruleset, watcher: LateMoments, seed: int) -> list[list[Moment]]:
    """The late decisions of a game whose last round begins undecided, and of that round played with other dice."""
    opening, found = watcher.opening, [watcher.moments]
    if opening is None or _is_decided(rules, opening):
        return []
    for number in range(AGAIN):
        again = LateMoments(rules)
        dice = SeededDice.from_seed(f"{seed} again {number}")
        seats = [policy(name, number) for name in ("tactician", "tactician")]
        play_game(rules, opening.state, seats, dice, seed=f"{seed} {number}", watchers=[again])
        found.append(again.moments)
    return found


def _is_decided(rules: Ruleset, moment: Moment) -> bool:
    """Whether one side has as good as won: then nothing hangs on the choice."""
    chance = chance_before(rules, moment.state, moment.decision, 64).chance
    return abs(chance - 0.5) > CLOSE


def finds(
    rules: Ruleset, source: str, ways: Sequence[Sequence[Moment]], margin: float = MARGIN
) -> Iterator[Find]:
    """Positions of one game that make puzzles: of each way its last round went at most one, the latest."""
    known: set[IdeaKey] = set()
    for way, moments in enumerate(ways):
        for moment in reversed(moments):
            settled = _settled(rules, moment, f"{source}, {way}, {moment.number}", margin)
            if settled is not None and settled.order[0].idea.key not in known:
                known.add(settled.order[0].idea.key)
                yield Find(moment._replace(number=100 * way + moment.number), settled, source, way)
                break


def _settled(rules: Ruleset, moment: Moment, seed: str, margin: float) -> Settled | None:
    if _is_decided(rules, moment):
        return None
    ideas = ideas_of(rules, moment)[:MOST_IDEAS]
    if not isinstance(moment.decision, BidTokens) and not _is_open(ideas):
        return None
    return settle(Contest(rules, moment, seed), ideas, margin, MOST_BATTLES)


def _is_open(ideas: Sequence[PuzzleIdea]) -> bool:
    """Whether quick playouts say that the choice matters and is not a matter of taste."""
    if len(ideas) < FEWEST_IDEAS:
        return False
    worths = [idea.worth for idea in ideas]
    return worths[0] - worths[-1] > OPEN_SPREAD and worths[0] - worths[1] > OPEN_GAP


def made(rules: Ruleset, find: Find, id: str) -> Puzzle:
    """The puzzle of a find, with everything that is said about it."""
    moment, (order, lead) = find.moment, find.settled
    best, second = order[0], order[1]
    kind = _kind(rules, moment, best.idea, second.idea)
    state, side = moment.state, moment.side
    why = reason_for(state, side, second.ends[: len(best.ends)], best.ends[: len(second.ends)])
    rated = [
        RatedIdea(tried.idea.key, idea_words(state, tried.idea.key), round(tried.chance, 3))
        for tried in order
    ]
    compared = min(len(best.ends), len(second.ends))
    return Puzzle(
        format=FORMAT,
        id=id,
        kind=kind,
        grade=_grade(rules, moment, best.idea.key),
        edition=state.ruleset,
        side=side,
        title=title_of(kind),
        task=task_for(rules, moment, kind),
        hint=hint_for(state, kind, best.idea.key),
        explanation=explanation_of(state, rated, why),
        why=why,
        solution=rated[0],
        others=tuple(rated[1 : 1 + SHOWN_OTHERS]),
        budget=PlayoutBudget(compared, round(lead.mean, 3), round(lead.low, 3), find.seed),
        source=find.source,
        position=state,
    )


def _kind(rules: Ruleset, moment: Moment, best: PuzzleIdea, second: PuzzleIdea) -> PuzzleKind:
    if best.key.does == "bid":
        return "spell"
    if second.key.unit != best.key.unit and _is_done_later(rules, moment, best, second):
        return "order"
    plain: dict[str, PuzzleKind] = {"charge": "charge", "shoot": "target"}
    return plain.get(best.key.does, "marker")


def _is_done_later(rules: Ruleset, moment: Moment, best: PuzzleIdea, second: PuzzleIdea) -> bool:
    """Whether the best idea follows by itself if the second one comes first, so that only the order differs."""
    tries, followed = 6, 0
    for number in range(tries):
        first = second.starter(TacticianBot())
        state, _ = activation(rules, moment, first, second.key.unit, f"order {number}")
        followed += best.key == _next_idea(rules, moment, state, best.key.unit, number)
    return followed * 2 > tries


def _next_idea(rules: Ruleset, moment: Moment, state: State, unit: int, number: int) -> IdeaKey | None:
    """What the tactician does with a unit in its side's next activation; None where it acts with another."""
    other: Policy = TacticianBot()
    for _ in range(400):
        waits = pending_of(rules, state)
        if waits is None:
            return None
        if (
            isinstance(waits, Decision)
            and state.seats[waits.seat].side == moment.side
            and waits.kind == ACTIVATE
        ):
            units = [option.unit for option in getattr(waits, "options", ())]
            if unit not in units:
                return None
            after, events = activation(
                rules, Moment(0, 0, state, waits, (), ()), TacticianBot(), unit, f"order {number}"
            )
            return idea_in(rules, unit, events, after)
        state = _one_step(rules, state, waits, other, number)
    return None


def _one_step(rules: Ruleset, state: State, waits: Pending, other: Policy, number: int) -> State:
    if isinstance(waits, Roll):
        dice = SeededDice.from_seed(f"order {number}")
        return submit_checked(rules, state, waits, Faces(dice.faces(waits, state.rolls_made))).state
    return submit_checked(
        rules, state, waits, other.decide(state, waits, numbers_for("order", waits.seat))
    ).state


def _grade(rules: Ruleset, moment: Moment, solution: IdeaKey) -> int:
    """How hard it is: 1 where a simple bot finds the solution, 2 where a better one does, 3 where none does."""
    for grade, bots in ((1, ("solo", "follower")), (2, ("tactician", "greedy"))):
        if any(_found_by(rules, moment, name) == solution for name in bots):
            return grade
    return 3


def _found_by(rules: Ruleset, moment: Moment, name: str) -> IdeaKey | None:
    bot: Policy = PlayoutBot() if name == "follower" else policy(name, 0)
    answer = bot.decide(moment.state, moment.decision, numbers_for("puzzle", moment.decision.seat))
    if isinstance(moment.decision, BidTokens):
        return IdeaKey(-1, "bid", tokens=getattr(answer, "tokens", 0))
    unit = chosen_unit(moment.decision, answer)
    again: Policy = PlayoutBot() if name == "follower" else policy(name, 0)
    return key_of(rules, moment, again, unit)


PUZZLES_OF_A_GAME = 4


def find_puzzles(seeds: range) -> Iterator[tuple[float, list[Puzzle]]]:
    """The puzzles of the games of some seeds, game by game, with the share of games that lie behind."""
    for done, (rules, source, ways) in enumerate(games(seeds), start=1):
        found = [
            made(rules, find, f"g{seeds.start + done - 1}-{find.moment.number}")
            for find in itertools.islice(finds(rules, source, ways), PUZZLES_OF_A_GAME)
        ]
        yield done / len(seeds), found
