"""Whether blamed decisions were really worse: each is replaced by the better idea and the game is replayed.

The bots of the game play the replays, not those of the analysis, with fresh dice: once as played and once with the
better idea, with the same dice for both.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.chance import BOTS, EDITIONS, HELD_OUT
from shieldwall.analysis.decisions import (
    Compared,
    Effort,
    candidate_mistake,
    judged_candidates,
    repeated_activations,
)
from shieldwall.analysis.moments import recorded_game
from shieldwall.analysis.what_if import AsRecorded, WithPlan, play_on
from shieldwall.armies import ready_lists
from shieldwall.bots import play_game, policy
from shieldwall.bots.policy import Policy
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.lab.games import setup_of
from shieldwall.replay import Recorder
from shieldwall.rules.ruleset import Ruleset

EFFORT = Effort(candidates=3, first_battles=8, blamed=1, battles=24)
REPLAYS_EACH = 8  # of every blamed decision


def blamed_in(seed: int) -> Iterator[tuple[Ruleset, tuple[str, str], Compared]]:
    """The worst decision of each side in the game of a seed, if it is blamed; lists of the smallest size."""
    edition = EDITIONS[seed % len(EDITIONS)]
    bots = BOTS[seed // len(EDITIONS) % len(BOTS)]
    rules = ruleset(edition)
    least = min(ready.points for ready in ready_lists(rules.like))
    names = [ready.id for ready in ready_lists(rules.like) if ready.points == least]
    lists = (names[seed % len(names)], names[(seed + 1 + seed // 7 % (len(names) - 1)) % len(names)])
    setup = setup_of(edition, lists, seed)
    recorder = Recorder(rules, setup)
    seats = [policy(name, seed) for name in bots]
    play_game(rules, setup, seats, SeededDice.from_seed(seed), recorder, seed=seed)
    candidates = []
    for moment in recorded_game(rules, recorder.log()).moments:
        candidate = (
            candidate_mistake(rules, moment, repeated_activations(rules, moment))
            if moment.unit >= 0
            else None
        )
        candidates += [candidate] if candidate is not None else []
    for _, found in judged_candidates(rules, candidates, EFFORT):
        if found is not None:
            yield rules, bots, found


def gains(rules: Ruleset, bots: tuple[str, str], blamed: Compared, seed: int) -> list[float]:
    """What the better idea gains in replays by the bots of the game, with the same dice."""
    moment, plan = blamed.candidate.moment, blamed.candidate.plan
    found = []
    for number in range(REPLAYS_EACH):
        dice = f"replay {seed} {moment.number} {number}"
        own = policy(bots[moment.decision.seat], seed)
        did = play_on(rules, moment, AsRecorded(moment, own), dice, _in_their_seats(bots, seed))
        own = policy(bots[moment.decision.seat], seed)
        better = play_on(rules, moment, WithPlan(plan, own), dice, _in_their_seats(bots, seed))
        found.append(better.score - did.score)
    return found


def _in_their_seats(bots: tuple[str, str], seed: int) -> Callable[[], Policy]:
    """The bots of a game, one for each seat."""
    names = iter(bots)
    return lambda: policy(next(names), seed)


def run(replays: int, keep: Path) -> None:
    """Replay decisions of held-out games until there are enough; the games are cached in a file."""
    keep.mkdir(parents=True, exist_ok=True)
    file = keep / "blamed.jsonl"
    known = [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []
    done = {seed for seed, _ in known}
    with file.open("a", encoding="utf-8") as out:
        for seed in HELD_OUT:
            if sum(len(one) for _, game in known for one in game) >= replays:
                break
            if seed not in done:
                game = [gains(rules, bots, blamed, seed) for rules, bots, blamed in blamed_in(seed)]
                known.append([seed, game])
                out.write(json.dumps([seed, game]) + "\n")
                out.flush()
    tell([one for _, game in known for one in game])


def tell(decisions: list[list[float]]) -> None:
    """The mean gain with its interval; the replays of one decision count as one observation."""
    means = [sum(one) / len(one) for one in decisions]
    count = len(means)
    mean = sum(means) / max(1, count)
    error = math.sqrt(sum((one - mean) ** 2 for one in means) / max(1, count - 1) / max(1, count))
    print(
        f"{count} blamed decisions, {sum(map(len, decisions))} replays each way: the better idea brings "
        f"{100 * mean:.0f} points of a hundred ({100 * (mean - 1.96 * error):.0f} to {100 * (mean + 1.96 * error):.0f})"
    )
