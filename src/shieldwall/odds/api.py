"""The question itself: what may come of a situation, exact as far as memory allows, and remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.gc_tuning import seldom_collecting
from shieldwall.core.state import State
from shieldwall.odds.footprint import Gauge
from shieldwall.odds.memory import remembered_by_value
from shieldwall.odds.playbook import Chooser, Playbook, PlaybookError, is_given, playbook_of
from shieldwall.odds.result import Branch, Odds
from shieldwall.odds.sampling import Sampling, sampled
from shieldwall.odds.walk import (
    UNLIMITED,
    CycleError,
    Progress,
    TooManyStatesError,
    Walker,
    final_chances,
)
from shieldwall.rules.ruleset import Ruleset


class Budget(Struct, frozen=True):
    """How far exact odds may go before games are played instead.

    `memory` is in megabytes (0: play games at once), `seconds` is the time for counting and again for playing (0: as
    long as it takes), `states` limits the states between two throws (0: only memory and time do). Beyond any of them
    the situation is played `samples` times, from `seed`, so the same question gets the same answer.
    """

    states: int = 0
    samples: int = 10_000
    seed: int = 1
    memory: int = 1024
    seconds: float = 0.0


USUAL = Budget()


def of_line(
    rules: Ruleset,
    state: State,
    play: Playbook | Chooser | Sequence[AnyAnswer | Chooser] | Mapping[str, AnyAnswer] | None = None,
    *,
    until: str = "activation",
    budget: Budget = USUAL,
    progress: Progress | None = None,
) -> Odds:
    """Everything that may come of a line of play, from a state that waits for something.

    `play` answers the questions on the way (see `Playbook`); each question's default answers whatever it leaves open.
    Play ends with the running activation (or the one it begins), with the round, or with the game. `progress` is told
    now and then how far the work is (see `Progress`); it may raise to give up.
    """
    playbook = playbook_of(play)

    def answer() -> Odds:
        with seldom_collecting():
            return _worked_out(rules, state, playbook, until, budget, progress)

    return remembered_by_value(state, (rules, playbook, until, budget), answer)


def _worked_out(
    rules: Ruleset,
    state: State,
    playbook: Playbook,
    until: str,
    budget: Budget,
    progress: Progress | None,
) -> Odds:
    gauge = Gauge(budget.memory, budget.seconds)
    walker = Walker(rules, state, playbook, until, budget.states or UNLIMITED, gauge)
    chances, why = _exact(walker, gauge, progress) if budget.memory else (None, "asked")
    samples = 0
    if chances is None:
        walker.release()
        walker = Walker(rules, state, playbook, until)
        wanted = Sampling(budget.samples, budget.seed, why, budget.seconds)
        chances, samples = sampled(walker, wanted, progress)
    _check_all_answers_used(walker)
    states = len(walker.nodes)
    branches = tuple(
        Branch(walker.nodes[number].state, walker.nodes[number].tally, chance)
        for number, chance in sorted(chances.items())
    )
    walker.release()
    return Odds(rules, state, branches, samples, states, why)


def _exact(walker: Walker, gauge: Gauge, progress: Progress | None) -> tuple[dict[int, Fraction] | None, str]:
    """The exact chance of every end; or None, and what stood in the way."""
    try:
        return final_chances(walker, progress), ""
    except TooManyStatesError:
        return None, gauge.full or "states"
    except CycleError:
        return None, "loop"


def _check_all_answers_used(walker: Walker) -> None:
    """Refuse an answer that no question ever took: it is a mistake of the caller."""
    playbook, used = walker.playbook, walker.used
    left = playbook.answers[used:]
    states = [*(node.state for node in walker.nodes), *walker.passed] if left else []
    while left and (callable(left[0]) or any(is_given(state, left[0]) for state in states)):
        used, left = used + 1, left[1:]
    if left:
        reasons = "; ".join(dict.fromkeys(walker.refused)) or "no question came up that it answers"
        raise PlaybookError(
            f"answer {used + 1} of the line, {playbook.answers[used]}, is never allowed: {reasons}"
        )
