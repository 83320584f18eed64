"""What a puzzle is about and how hard it is, determined by playing, not by opinion."""

from __future__ import annotations

from shieldwall.analysis.moments import ACTIVATE, Moment, chosen_unit
from shieldwall.analysis.what_if import activation
from shieldwall.bots import policy
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.policy import Policy
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.answers import Faces
from shieldwall.core.engine import pending_of, submit_checked
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.puzzles.ideas import IdeaKey, PuzzleIdea, idea_in, is_about_a_spell, key_of, reply_to_a_spell
from shieldwall.puzzles.puzzle import PuzzleKind
from shieldwall.rules.ruleset import Ruleset


def kind_of(rules: Ruleset, moment: Moment, best: PuzzleIdea, second: PuzzleIdea) -> PuzzleKind:
    """What a puzzle is about, by its solution and the next best idea."""
    if is_about_a_spell(moment.decision):
        return "spell"
    if second.key.unit != best.key.unit and _is_done_later(rules, moment, best, second):
        return "order"
    if best.key.does == "charge":
        return "charge"
    is_shot = best.key.does == "shoot" and not _same_shot(best.key, second.key)
    return "target" if is_shot else "marker"


def _same_shot(one: IdeaKey, other: IdeaKey) -> bool:
    """Whether two ideas differ only in where the shooter ends up."""
    return (one.unit, one.does, one.target) == (other.unit, other.does, other.target)


def _is_done_later(rules: Ruleset, moment: Moment, best: PuzzleIdea, second: PuzzleIdea) -> bool:
    """Whether the best idea is still played if the second one comes first, so that only the order differs."""
    tries, followed = 6, 0
    for number in range(tries):
        first = second.starter(TacticianBot())
        state, _ = activation(rules, moment, first, second.key.unit, f"order {number}")
        followed += best.key == _next_idea(rules, moment, state, best.key.unit, number)
    return followed * 2 > tries


def _next_idea(rules: Ruleset, moment: Moment, state: State, unit: int, number: int) -> IdeaKey | None:
    """What the tactician does with a unit in its side's next activation; None if it activates another."""
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


def grade_of(rules: Ruleset, moment: Moment, solution: IdeaKey) -> int:
    """How hard it is: 1 if a simple bot finds the solution, 2 if a better one does, 3 if none does."""
    for grade, bots in ((1, ("solo", "follower")), (2, ("tactician", "greedy"))):
        if any(_found_by(rules, moment, name) == solution for name in bots):
            return grade
    return 3


def _found_by(rules: Ruleset, moment: Moment, name: str) -> IdeaKey | None:
    bot: Policy = PlayoutBot() if name == "follower" else policy(name, 0)
    answer = bot.decide(moment.state, moment.decision, numbers_for("puzzle", moment.decision.seat))
    if is_about_a_spell(moment.decision):
        return reply_to_a_spell(moment.decision, answer).key
    unit = chosen_unit(moment.decision, answer)
    again: Policy = PlayoutBot() if name == "follower" else policy(name, 0)
    return key_of(rules, moment, again, unit)
