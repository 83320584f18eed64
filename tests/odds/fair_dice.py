"""Many games played with fair dice through the engine, for comparison with exact odds.

Every game throws faces of its own. Games that stand at the same moment and throw the same counts of labels go on as
one, since rules see nothing else of a throw: the engine is asked once for all of them. Nothing of the package under
test is used. Some of the games are watched, and `directly` plays those again one by one with their own faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
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
    """One of the games: every face it threw, roll by roll, and how it ended."""

    throws: list[tuple[int, ...]]
    end: Fate


class Played(NamedTuple):
    """How often each end came up, and the games that were watched."""

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
    waiting: list[tuple[Progress, Games]] = [(begin(rules, state), np.arange(times))]
    while waiting:
        moment, games = waiting.pop()
        pending = moment.pending
        if pending is None:
            end = fate(moment.state)
            ends[end] += len(games)
            watched += [Watched(throws[game], end) for game in games[games < watching]]
        elif isinstance(pending, Decision):
            answer = chosen(moment.state, pending, choose)
            waiting.append((submit_checked(rules, moment.state, pending, answer), games))
        else:
            faces = dice.integers(1, 7, size=(len(games), pending.dice), dtype=np.int8)
            for row in np.flatnonzero(games < watching):
                throws[games[row]].append(tuple(faces[row].tolist()))
            for some, shown in alike(pending, faces):
                after = submit_checked(rules, moment.state, pending, Faces(shown))
                waiting.append((after, games[some]))
    return Played(ends, watched)


def directly(rules: Ruleset, state: State, game: Watched, choose: Chooser | None = None) -> Fate:
    """How a watched game ends when it is played alone, with every face it threw."""
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


def alike(roll: Roll, faces: Throws) -> Iterator[tuple[Games, tuple[int, ...]]]:
    """Rows of a throw that rules read alike, with the faces of one of them."""
    _, first, group = np.unique(_as_read(roll, faces), axis=0, return_index=True, return_inverse=True)
    group = group.ravel()
    order = np.argsort(group, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(group))[:-1])
    for some, row in zip(rows, first, strict=True):
        yield some, tuple(faces[row].tolist())


def _as_read(roll: Roll, faces: Throws) -> NDArray[np.int64]:
    """How often each label came up in each pool, a row for each game."""
    counts, at = [], 0
    for pool in roll.pools:
        names = list(dict.fromkeys(pool.labels))
        numbers = np.array([-1, *(names.index(label) for label in pool.labels)], dtype=np.int8)
        labels = numbers[faces[:, at : at + pool.dice]]
        counts += [(labels == number).sum(axis=1) for number in range(len(names))]
        at += pool.dice
    return np.stack(counts, axis=1)
