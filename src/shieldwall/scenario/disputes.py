"""Questions that the rules leave open, put to both sides in the middle of a scenario."""

from __future__ import annotations

from typing import Any

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.scenario.questions import StepFaultError, word_of
from shieldwall.scenario.roster import Roster
from shieldwall.scenario.schema import SIDES
from shieldwall.scenario.ways import Read

EXAMPLE = "{question: 'Is the hedge solid?', A: yes, B: no}"


def dispute(verb: str, value: Any, roster: Roster) -> Read:
    """`{question, A: its reading, B: its reading}`; a switch of the edition may be the question."""
    keys = ("question", *SIDES)
    if not isinstance(value, dict) or set(value) != set(keys):
        raise StepFaultError(f"dispute: expected a question and how each side reads it, such as {EXAMPLE}")
    readings = [word_of(value[side]) for side in SIDES]

    def answer(state: State, pending: Decision) -> AnyAnswer:
        return Pick(readings[state.seats[pending.seat].side])

    return Read(("ruling",), answer, opens=(word_of(value["question"]), tuple(dict.fromkeys(readings))))
