"""The questions of the game: their kinds, the unit a question is about, and the option that a word means."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core import frames
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.codec import answer_from
from shieldwall.core.engine import GameRun
from shieldwall.core.errors import MalformedError
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Choice, Decision, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.missions import MISSIONS
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import ACTIONS
from shieldwall.scenario.roster import Roster
from shieldwall.scenario.schema import SIDES
from shieldwall.scenario.words import DICE, QUESTIONS
from shieldwall.table.zones import EDGES

# A step may answer every question by its own name.
KINDS: tuple[str, ...] = tuple(QUESTIONS)
# Single spells add their own purposes.
PURPOSES: tuple[str, ...] = tuple(DICE)

MOVES = ("path", "charge_path", "consolidate", "pivot", "carry_on", "react", "scout_move", "push_path")
PLACES = (
    "deploy_place", "scout_move", "arrive_place", "arrive_shift", "fall_place", "leave_place",
    "wreck_place", "push_path", "consolidate", "react",
)  # fmt: skip


ACTION_WORDS = (*ACTIONS, "idle", "stay", "cast")
# Answers that some question may offer, apart from names and numbers.
OPTION_WORDS = frozenset(
    (
        "yes", "no", "none", "own", "early", "later", "come", "wait", "go", "back", "reserve", "deploy",
        "ambush", "scout", "melee", "shooting", "front", "left", "right", "rear", "flank", *EDGES,
        *ACTION_WORDS, *MISSIONS,
    )
)  # fmt: skip


class StepFaultError(Exception):
    """A step that cannot be read; the message says why."""


def unit_in_question(state: State, pending: Decision) -> Unit:
    """The unit a question is about: named by the question itself, or by the innermost frame."""
    named = getattr(pending, "unit", None)
    if isinstance(named, Unit):
        return named
    if isinstance(named, int) and 0 <= named < len(state.units):
        return state.units[named]
    for frame in reversed(state.stack):
        if isinstance(frame, frames.Melee):
            return state.units[frame.target if pending.kind == "react" else frame.charger]
        unit = getattr(frame, "unit", -1)
        if unit >= 0:
            return state.units[unit]
    raise StepFaultError(f"it is unclear which unit {pending.kind} is about")


DECLINING = ("none", "wait", "go", "later")  # options that mean no


def option_meant(pending: Decision, value: Any, roster: Roster) -> AnyAnswer:
    """The option that a word means; the engine refuses a word that fits none."""
    if not isinstance(pending, Choice):
        try:
            return answer_from(value)
        except MalformedError as error:
            raise StepFaultError(f"{pending.kind} is not a choice between options: {error}") from error
    word = word_of(value)
    keys = [word, *_keys(word, roster)]
    for option in pending.options:
        label = option.label.casefold()
        if option.key in keys or label == word.casefold() or label.endswith(f"({word.casefold()})"):
            return Pick(option.key)
    offered = [option.key for option in pending.options]
    declining = [key for key in offered if key in DECLINING]
    meant = {
        "no": declining,
        "yes": [key for key in offered if key not in DECLINING] if declining else [],
    }.get(word, [key for key in offered if key in _models_of(word, roster)])
    return Pick(meant[0] if len(meant) == 1 else keys[-1])


def is_never_offered(pending: Decision, answer: AnyAnswer, roster: Roster) -> bool:
    """Whether an answer is refused just because no such option ever exists, such as a misspelt one."""
    if not isinstance(pending, Choice) or not isinstance(answer, Pick) or pending.why_not(answer.option):
        return False
    word = answer.option
    is_key = word[:1] in ("u", "m", "b", "s") and word[1:].isdecimal()
    names = {*roster.units, *roster.models, *roster.pieces, *(roster.weapons or ()), *(roster.spells or ())}
    return not is_key and not word.lstrip("-").isdecimal() and word not in OPTION_WORDS | names


def _models_of(word: str, roster: Roster) -> set[str]:
    """The keys of the models of a unit, or of models of that name."""
    number = roster.units.get(word, -1)
    return {
        f"m{model}"
        for name, (owner, model) in roster.models.items()
        if owner == number or name.rpartition("/")[2] == word
    }


def word_of(value: Any) -> str:
    """A value as a word; YAML reads a bare yes or no as a boolean."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _keys(word: str, roster: Roster) -> list[str]:
    """Option keys that a name may stand for."""
    keys: list[str] = []
    if word in SIDES:
        keys += [str(SIDES.index(word)), f"s{SIDES.index(word)}"]
    if word in roster.models:
        keys.append(f"m{roster.models[word][1]}")
    if word in roster.units:
        keys.append(f"u{roster.units[word]}")
    if word in roster.pieces:
        keys.append(f"b{roster.pieces[word]}")
    return keys


class Hypothetical:
    """What the game would ask a unit that took an action, and why it does not ask. Nothing is played.

    Without an action it is the unit's running activation, or a Hold.
    """

    def __init__(self, rules: Ruleset, state: State, unit: int, action: str = "") -> None:
        running = next((frame for frame in reversed(state.stack) if isinstance(frame, Activation)), None)
        if action or running is None or running.unit != unit:
            running = Activation(procedure="activation", unit=unit, action=action or "hold")
        self.state = replace(state, stack=(*state.stack, running))
        self.unit = state.units[unit]
        self._game = GameRun(rules, self.state)
        self._steps = [step for steps in rules.procedures.values() for step in steps]

    def question(self, kind: str) -> Decision | None:
        """The question of a kind, whether or not it has a legal answer; None if it depends on more than the unit."""
        asked = (step.would_ask(self._game, self.unit, kind) for step in self._steps)
        return next((question for question in asked if question is not None), None)

    def why_not(self, kind: str) -> tuple[Refusal, ...]:
        """Why the unit is not asked a question of a kind."""
        reasons = (step.why_not(self._game, self.unit, kind) for step in self._steps)
        return next((found for found in reasons if found), ())
