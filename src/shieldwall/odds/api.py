"""The question itself: odds of a line of play from a state, exact where that is affordable, remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.collecting import seldom_collecting
from shieldwall.core.state import State
from shieldwall.odds.memory import remembered_by_value
from shieldwall.odds.playbook import Chooser, Playbook, PlaybookError, is_given, playbook_of
from shieldwall.odds.result import Branch, Odds
from shieldwall.odds.sampling import sampled
from shieldwall.odds.walk import CircleError, OverBudgetError, Walker, ends
from shieldwall.rules.ruleset import Ruleset


class Budget(Struct, frozen=True):
    """How far exact odds may go: `spots` between two rolls; beyond them the line is played `samples` times.

    The samples come from `seed`, so the same question always gets the same answer.
    """

    spots: int = 20_000
    samples: int = 10_000
    seed: int = 1


USUAL = Budget()


def of_line(
    rules: Ruleset,
    state: State,
    play: Playbook | Chooser | Sequence[AnyAnswer | Chooser] | Mapping[str, AnyAnswer] | None = None,
    *,
    until: str = "activation",
    budget: Budget = USUAL,
) -> Odds:
    """Everything a line of play may come to from a state that waits for something.

    `play` answers the questions on the way (see `Playbook`); each question's default answers whatever it leaves open.
    The line ends with the running activation (or the one it begins), or with the round, or with the game.
    """
    line = playbook_of(play)

    def answer() -> Odds:
        with seldom_collecting():
            return _worked_out(rules, state, line, until, budget)

    return remembered_by_value(state, (rules, line, until, budget), answer)


def _worked_out(rules: Ruleset, state: State, line: Playbook, until: str, budget: Budget) -> Odds:
    walker = Walker(rules, state, line, until, budget.spots)
    try:
        chances = ends(walker)
        samples = 0
    except (OverBudgetError, CircleError):
        chances = sampled(walker, budget.samples, budget.seed)
        samples = budget.samples
    _insist_on_answers(walker)
    branches = tuple(
        Branch(walker.spots[number].state, walker.spots[number].tally, chance)
        for number, chance in sorted(chances.items())
    )
    return Odds(rules, state, branches, samples, len(walker.spots))


def _insist_on_answers(walker: Walker) -> None:
    """An answer that no question ever took is a mistake of whoever asks."""
    line, used = walker.line, walker.used
    left = line.answers[used:]
    while left and (callable(left[0]) or any(is_given(spot.state, left[0]) for spot in walker.spots)):
        used, left = used + 1, left[1:]
    if left:
        reasons = "; ".join(dict.fromkeys(walker.refused)) or "no question came up that it answers"
        raise PlaybookError(
            f"answer {used + 1} of the line, {line.answers[used]}, is never allowed: {reasons}"
        )
