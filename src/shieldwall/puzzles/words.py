"""The texts of a puzzle: its title, the task, a hint, and the explained solution."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.analysis.moments import ACTION, Moment
from shieldwall.analysis.what_if import BattleEnd
from shieldwall.core.frames import Casting
from shieldwall.core.grammar import counted, does
from shieldwall.core.state import State, Unit
from shieldwall.puzzles.comparing import Tried
from shieldwall.puzzles.ideas import IdeaKey, idea_words, is_about_a_spell
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset
from shieldwall.story import Names

TITLES = {
    "charge": "The charge worth making",
    "target": "Pick the target",
    "marker": "Win the marker",
    "order": "First things first",
    "spell": "Stop the spell?",
}
QUESTIONS = {
    "charge": "One charge is better than anything else you can do. Which?",
    "target": "Which unit should shoot, and at whom?",
    "marker": "Which unit should act, and where should it go?",
    "order": "There is more than one thing to do. What comes first?",
}
WORTH_SAYING = 0.03  # a share of draws smaller than this is not mentioned
ALWAYS, NEVER = 0.995, 0.005


def title_of(kind: str) -> str:
    """The title of a kind of puzzle."""
    return TITLES[kind]


def task_for(rules: Ruleset, moment: Moment, kind: str) -> str:
    """The state of the game, and the task."""
    state, side = moment.state, moment.side
    held = [sum(marker.holder == one for marker in state.markers) for one in (side, 1 - side)]
    left = rules.constants.rounds - state.round
    when = "The last round" if not left else f"Round {state.round} of {rules.constants.rounds}"
    markers = sum(not marker.gone for marker in state.markers)
    score = f"you hold {held[0]} of the {markers} markers, your opponent holds {held[1]}"
    return f"{when}: {score}. {_situation(moment, kind)}"


def _situation(moment: Moment, kind: str) -> str:
    """Who is still to act, and the question."""
    state, side = moment.state, moment.side
    if is_about_a_spell(moment.decision):
        return _spell_situation(moment)
    ours, theirs = (sum(_is_waiting(unit, one) for unit in state.units) for one in (side, 1 - side))
    if moment.decision.kind != ACTION:
        units = "one unit" if ours == 1 else f"{ours} units"
        return f"You have {units} left to act, your opponent has {_few(theirs)}. {QUESTIONS[kind]}"
    unit = state.units[moment.decision.about]
    last = does(Names(state).unit(unit.id), "are", _many(unit))
    return (
        f"{last} your last unit to act; your opponent has {_few(theirs)} left. What is the best thing to do?"
    )


def _spell_situation(moment: Moment) -> str:
    state, decision = moment.state, moment.decision
    frame = next(frame for frame in reversed(state.stack) if isinstance(frame, Casting))
    names = Names(state)
    cast = f"{does(names.member(frame.unit, frame.model), 'cast', 1)} {frame.spell}"
    cast += f" on {names.units(frame.targets)}" if frame.targets else ""
    if isinstance(decision, BidTokens):
        holder = names.model(decision.model)
        held = counted(-decision.lowest, "spell token")
        return f"{cast}. Your {holder} has {held}. How many will you spend against it?"
    return f"{cast}. Will you try to stop it?"


def _many(unit: Unit) -> int:
    return unit.start_models or len(unit.models)


def _is_waiting(unit: Unit, side: int) -> bool:
    return bool(unit.models) and unit.side == side and unit.place == "table" and not unit.activated


def _few(count: int) -> str:
    return {0: "none", 1: "one"}.get(count, str(count))


def hint_for(state: State, kind: str, key: IdeaKey) -> str:
    """Half of the solution."""
    names = Names(state)
    if kind == "spell":
        return "What would the spell change: who is left standing, and who holds which marker?"
    if kind == "order":
        return f"What can {names.unit(key.unit)} do now that may be impossible later?"
    if kind == "marker" and key.markers:
        return f"Look at {names.marker(key.markers[0])}. Who can still get there?"
    if key.does == "move":
        return f"Where is {names.unit(key.unit)} of most use, or in least danger?"
    return f"Look at {names.unit(key.target)}. Who can do something about that?"


def explanation_of(state: State, best: Tried, second: Tried, why: str) -> str:
    """The solution in plain words, with the odds."""
    solution = idea_words(state, best.idea.key)
    rival = idea_words(state, second.idea.key)
    told = f"{solution[:1].upper()}{solution[1:]}. Played out from here, that {outcome_words(best.ends)}; "
    told += f"the next best idea ({rival}) {outcome_words(second.ends)}."
    return f"{told} {why}".rstrip()


def outcome_words(ends: Sequence[BattleEnd]) -> str:
    """How battles ended, for the side that decided: "wins 62 % of the battles and draws 10 %"."""
    won = sum(end.score == 1.0 for end in ends) / len(ends)
    drawn = sum(end.score == 0.5 for end in ends) / len(ends)
    if drawn >= ALWAYS:
        return "always ends in a draw"
    if won <= NEVER:
        return (
            "loses every battle"
            if drawn <= NEVER
            else f"never wins and draws {_percent(drawn)} of the battles"
        )
    if won >= ALWAYS:
        return "wins every battle"
    draws = f" and draws {_percent(drawn)}" if drawn >= WORTH_SAYING else ""
    return f"wins {_percent(won)} of the battles{draws}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
