"""Move warnings: shown before a clear mistake, not before a good move, and never a refusal."""

from __future__ import annotations

import pytest

from shieldwall.core.engine import begin, check, submit
from shieldwall.core.pending import Decision
from shieldwall.lessons.files import SetTable, set_table
from shieldwall.lessons.lesson import answer_by
from shieldwall.scenario.schema import Step
from shieldwall.server.move_warnings import mistake_in, warning_before
from shieldwall.server.question_views import PlannedAnswer

LAST_ROUND = {
    "table": [40, 30],
    "round": 4,
    "objectives": {"Ford": [10, 14]},
    "units": {
        "Pikes": {"side": "A", "models": 5, "at": [10, 5], "cost": 100},
        "Bows": {"side": "A", "models": 5, "at": [30, 3], "cost": 100},
        "Wolves": {"side": "B", "models": 5, "at": [36, 28], "facing": 180, "cost": 100},
    },
}


def planned(stage: SetTable, step: Step) -> tuple[PlannedAnswer, ...]:
    """The answers of a step, up to dice or the next unit."""
    rules = stage.built.ruleset
    state, _, pending = begin(rules, stage.start)
    answers: list[PlannedAnswer] = []
    while (
        isinstance(pending, Decision) and pending.seat == 0 and not (answers and pending.kind == "activate")
    ):
        given = answer_by(step, stage.built.roster, state, pending)
        answer = pending.default() if given is None else given
        assert not check(pending, answer)
        answers.append(PlannedAnswer(pending.kind, answer))
        state, _, pending = submit(rules, state, answer)
    return tuple(answers)


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-2"])
def test_leaving_the_only_marker_gives_a_warning_and_taking_it_none(edition: str) -> None:
    stage = set_table({"edition": edition, **LAST_ROUND}, "last round", ("A", "B"), "test")
    state, _, pending = begin(stage.built.ruleset, stage.start)
    assert isinstance(pending, Decision)
    rules = stage.built.ruleset
    stay = planned(stage, {"activate": "Pikes", "action": "hold"})
    words = warning_before(rules, state, pending, stay)
    assert words.startswith("This looks like a mistake. Better: Pikes")
    assert "marker 1" in words
    take = planned(stage, {"activate": "Pikes", "action": "rush", "drag": [10, 12]})
    assert warning_before(rules, state, pending, take) == ""


def test_answers_to_another_question_are_left_alone() -> None:
    stage = set_table({"edition": "regiments-3.5", **LAST_ROUND}, "last round", ("A", "B"), "test")
    state, _, pending = begin(stage.built.ruleset, stage.start)
    assert isinstance(pending, Decision)
    stay = planned(stage, {"activate": "Pikes", "action": "hold"})
    assert mistake_in(stage.built.ruleset, state, pending, ()) is None
    assert mistake_in(stage.built.ruleset, state, pending, stay[1:]) is None
