"""What is said about a puzzle: its title, the task, a hint, and the solution explained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shieldwall.analysis.moments import ACTION, Moment
from shieldwall.core.state import State
from shieldwall.puzzles.ideas import IdeaKey
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset
from shieldwall.story import Names

if TYPE_CHECKING:
    from shieldwall.puzzles.puzzle import RatedIdea

TITLES = {
    "charge": "The charge worth making",
    "target": "Pick the target",
    "marker": "Win the marker",
    "order": "First things first",
    "spell": "Stop the spell?",
}
QUESTIONS = {
    "charge": "One charge wins more battles than anything else you can do. Which?",
    "target": "Whom should you shoot at, and with which unit?",
    "marker": "Which unit goes where?",
    "order": "Several things want doing. Which comes first?",
    "spell": "How many tokens do you put in against it?",
}


def title_of(kind: str) -> str:
    """The title of a kind of puzzle."""
    return TITLES[kind]


def task_for(rules: Ruleset, moment: Moment, kind: str) -> str:
    """Where the game stands, and what is asked."""
    state, side = moment.state, moment.side
    held = [sum(marker.holder == one for marker in state.markers) for one in (side, 1 - side)]
    left = rules.constants.rounds - state.round
    when = "The last round" if not left else f"Round {state.round} of {rules.constants.rounds}"
    score = f"you hold {held[0]} of {len(state.markers)} markers, your opponent {held[1]}"
    waiting = [
        sum(_is_waiting(state, unit, one) for unit in range(len(state.units))) for one in (side, 1 - side)
    ]
    if moment.decision.kind == ACTION:
        yours = f"Your last unit to act: {Names(state).unit(moment.decision.about)}"
    else:
        yours = f"{_units(waiting[0])} of yours still {'acts' if waiting[0] == 1 else 'act'}"
    theirs = f"{_units(waiting[1])} of theirs to come" if waiting[1] else "none of theirs to come"
    asked = QUESTIONS[kind] if moment.decision.kind != ACTION else "What should it do?"
    if isinstance(moment.decision, BidTokens):
        asked = f"An enemy spell is being cast. {asked}"
    return f"{when}: {score}. {yours}, {theirs}. {asked}"


def _is_waiting(state: State, unit: int, side: int) -> bool:
    one = state.units[unit]
    return bool(one.models) and one.side == side and one.place == "table" and not one.activated


def _units(count: int) -> str:
    return "one unit" if count == 1 else f"{count} units"


def hint_for(state: State, kind: str, key: IdeaKey) -> str:
    """Half of the solution."""
    names = Names(state)
    if key.does == "bid":
        return "Think about what the spell would do to who holds which marker."
    if kind == "order":
        return f"What can {names.unit(key.unit)} do now that may be too late afterwards?"
    if key.does == "move" and key.markers:
        return f"Look at {names.marker(key.markers[0])}, and at who can still get there."
    if key.does == "move":
        return f"Think about where {names.unit(key.unit)} is of most use, or in least danger."
    return f"It is about {names.unit(key.target)}: what can be done about it?"


def explanation_of(state: State, rated: Sequence[RatedIdea], why: str) -> str:
    """The solution in plain words, with the odds."""
    best, second = rated[0], rated[1]
    told = f"{_sentence(best.words)} That wins {_percent(best.chance)} of the battles played on from here"
    told += f"; the next best idea ({second.words}) wins {_percent(second.chance)}."
    return f"{told} {why}".rstrip()


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
