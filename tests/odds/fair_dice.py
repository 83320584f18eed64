"""Many games played with fair dice through the engine, to compare with exact odds.

Every game rolls its own faces. Games in the same state that roll the same counts of labels continue as one, because
rules see nothing else of a roll: the engine is called once for all of them. Nothing of the package under test is
used. Some of the games are watched, and `directly` plays those again one by one with their own faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from slow_odds import Chooser, Fate, fate

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import Progress, begin, submit_checked
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset

Throws = NDArray[np.int8]  # a row of faces for each game
Games = NDArray[np.int64]  # numbers of games


class Watched(NamedTuple):
    """One of the games: every face it rolled, roll by roll, and how it ended."""

    throws: list[tuple[int, ...]]
    end: Fate


class Played(NamedTuple):
    """How often each outcome occurred, and the watched games."""

    ends: Counter[Fate]
    watched: list[Watched]


def played(
    rules: Ruleset, state: State, times: int, seed: int, watching: int = 0, choose: Chooser | None = None
) -> Played:
    """So many games from a state; choices are made by `choose` or by default. The first few may be watched."""
    dice = np.random.default_rng(seed)
    ends: Counter[Fate] = Counter()
    throws: list[list[tuple[int, ...]]] = [[] for _ in range(watching)]
    watched: list[Watched] = []
    moments = Moments()
    moments.add(begin(rules, state), np.arange(times))
    while moments.waiting:
        moments, now = Moments(), moments
        for moment, games in now.all():
            if moment.pending is None:
                end = fate(moment.state)
                ends[end] += len(games)
                watched += [Watched(throws[game], end) for game in games[games < watching]]
                continue
            for answer, some, faces in _answers(moment, games, dice, choose):
                for row in np.flatnonzero(some < watching) if faces is not None else ():
                    throws[some[row]].append(tuple(faces[row].tolist()))
                moments.add(submit_checked(rules, moment.state, moment.pending, answer), some)
    return Played(ends, watched)


class Moments:
    """Games that have answered as often as each other, by the state they stand in."""

    def __init__(self) -> None:
        self.waiting: dict[State, tuple[Progress, list[Games]]] = {}

    def add(self, progress: Progress, games: Games) -> None:
        """Add games to those in the same state, however they got there."""
        key = replace(progress.state, rolls_made=0)
        self.waiting.setdefault(key, (progress, []))[1].append(games)

    def all(self) -> Iterator[tuple[Progress, Games]]:
        """Every moment with its games."""
        for progress, games in self.waiting.values():
            yield progress, np.concatenate(games)


def _answers(
    moment: Progress, games: Games, dice: np.random.Generator, choose: Chooser | None
) -> Iterator[tuple[AnyAnswer, Games, Throws | None]]:
    """The answers given at a moment, each with the games that give it and the faces they throw."""
    pending = moment.pending
    if isinstance(pending, Roll):
        faces = dice.integers(1, 7, size=(len(games), pending.dice), dtype=np.int8)
        for rows in alike(pending, faces):
            yield Faces(tuple(faces[rows[0]].tolist())), games[rows], faces[rows]
    else:
        assert pending is not None
        yield chosen(moment.state, pending, choose), games, None


def directly(rules: Ruleset, state: State, game: Watched, choose: Chooser | None = None) -> Fate:
    """How a watched game ends when it is played alone, with every face it rolled."""
    throws = iter(game.throws)
    moment = begin(rules, state)
    while (pending := moment.pending) is not None:
        answer = Faces(next(throws)) if isinstance(pending, Roll) else chosen(moment.state, pending, choose)
        moment = submit_checked(rules, moment.state, pending, answer)
    assert next(throws, None) is None, "the game is over before all its dice were thrown"
    return fate(moment.state)


def chosen(state: State, pending: Pending, choose: Chooser | None) -> AnyAnswer:
    """The answer to a question."""
    assert isinstance(pending, Decision)
    wanted = choose(state, pending) if choose is not None else None
    return pending.default() if wanted is None else wanted


def alike(roll: Roll, faces: Throws) -> list[Games]:
    """Group the rows of a roll that rules cannot tell apart: by the count of each label in each pool."""
    read = np.zeros(len(faces), dtype=np.int64)
    at = 0
    for pool in roll.pools:
        names = list(dict.fromkeys(pool.labels))
        weights = [(pool.dice + 1) ** number for number in range(len(names))]
        each = np.array([0, *(weights[names.index(label)] for label in pool.labels)], dtype=np.int64)
        sums = each[faces[:, at : at + pool.dice]].sum(axis=1)
        _, known = np.unique(sums, return_inverse=True)
        _, read = np.unique(read * (known.max() + 1) + known, return_inverse=True)
        at += pool.dice
    order = np.argsort(read, kind="stable")
    return np.split(order, np.cumsum(np.bincount(read))[:-1])
