"""Every lesson follows its script, and every mistake gets the reply that was written for it."""

from __future__ import annotations

import pytest
from lesson_run import LessonRun
from msgspec.structs import replace

from shieldwall.core.answers import Pick
from shieldwall.core.engine import begin
from shieldwall.core.errors import MalformedError
from shieldwall.lessons.files import text_of
from shieldwall.lessons.lesson import (
    NoLessonError,
    current_task,
    lesson,
    lesson_ids,
    plan_of,
    read_lesson,
    reply_to,
    tasks_done,
)
from shieldwall.rulebook import row

LESSONS = ("first-regiments", "first-loose")


def test_the_lessons_are_there_in_their_order() -> None:
    assert lesson_ids() == LESSONS
    with pytest.raises(NoLessonError, match="there are: first-"):
        lesson("chess")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_follows_its_script(name: str) -> None:
    found = lesson(name)
    played = LessonRun(found).play()
    assert played.problems == ()
    assert played.state.finished
    assert played.state.winner == 0
    assert tasks_done(found, played.state) == len(found.tasks)


@pytest.mark.parametrize("name", LESSONS)
def test_other_dice_break_the_story_and_are_reported(name: str) -> None:
    found = lesson(name)
    other = replace(found, file=replace(found.file, seed=found.file.seed + 1))
    assert LessonRun(other, tries=False).play().problems


@pytest.mark.parametrize("name", LESSONS)
def test_every_task_answers_the_mistakes_of_newcomers(name: str) -> None:
    found = lesson(name)
    for task in found.tasks:
        assert task.wrong, task.say
        assert len({wrong.say for wrong in task.wrong} | {task.otherwise}) == len(task.wrong) + 1
    for step in found.file.steps:
        for id in step.rows:
            assert row(id).edition == found.edition
        assert "—" not in step.say


def test_a_wrong_unit_alone_is_refused_before_anything_is_played() -> None:
    found = lesson("first-regiments")
    state = begin(found.rules, found.stage.start).state
    pikes = found.roster.unit("Harbour Pikes")
    bows = found.roster.unit("Quay Crossbows")
    assert "Shoot first" in reply_to(found, state, [Pick(f"u{pikes}")])
    assert reply_to(found, state, [Pick(f"u{bows}")]) == ""
    # what the rules forbid is left to the rules, which say why
    assert reply_to(found, state, [Pick("u99")]) == ""


def test_a_move_that_ends_too_far_from_the_marker_gets_that_reply() -> None:
    found = lesson("first-regiments")
    run = LessonRun(found, tries=False)
    run.play()
    task = found.tasks[2]
    assert task.do is not None
    state = replace(
        found.stage.start,
        units=tuple(replace(u, activated=u.name != "Harbour Pikes") for u in found.stage.start.units),
    )
    state = begin(found.rules, state).state
    at_hand = current_task(found, state)
    assert at_hand is not None
    assert at_hand.say == task.say
    short = plan_of(found, state, {"activate": "Harbour Pikes", "action": "rush", "march": ["forward 4"]})
    assert "within 3 inches" in reply_to(found, state, [planned.answer for planned in short])
    far = plan_of(found, state, {"activate": "Harbour Pikes", "action": "rush", "march": ["forward 10"]})
    assert reply_to(found, state, [planned.answer for planned in far]) == ""


def test_all_problems_of_a_lesson_are_reported_together() -> None:
    text = text_of("lessons", "first-regiments")
    text = text.replace("select: Quay Crossbows", "select: Quay Crosbows", 1)
    text = text.replace("marker: Ford}", "marker: Fjord}", 1)
    with pytest.raises(MalformedError) as wrong:
        read_lesson(text, "broken")
    assert "Quay Crosbows" in str(wrong.value)
    assert "Fjord" in str(wrong.value)
    with pytest.raises(MalformedError, match="otherwise"):
        read_lesson(
            text_of("lessons", "first-regiments").replace("    otherwise: Rush the", "    wants: {} #", 1),
            "x",
        )


@pytest.mark.parametrize(
    ("name", "task", "do"),
    [
        (
            "first-regiments",
            0,
            {"activate": "Quay Crossbows", "action": "advance", "march": ["forward 5"], "shoot": "Ash Axes"},
        ),
        ("first-regiments", 2, {"activate": "Harbour Pikes", "action": "rush", "march": ["forward 11"]}),
        (
            "first-regiments",
            2,
            {"activate": "Harbour Pikes", "action": "rush", "march": ["pivot 20", "forward 8"]},
        ),
        ("first-regiments", 3, {"activate": "Heron Knights", "action": "rush", "drag": [39, 24, 0]}),
        (
            "first-loose",
            0,
            {"activate": "Glade Archers", "action": "advance", "shift": [2, 5], "shoot": "Runners"},
        ),
        ("first-loose", 2, {"activate": "Bell Guard", "action": "rush", "shift": [-2, 8]}),
    ],
)
def test_the_story_holds_for_every_answer_a_task_allows(name: str, task: int, do: dict[str, object]) -> None:
    found = lesson(name)
    wanted = found.tasks[task]
    steps = tuple(replace(step, do=do) if step is wanted else step for step in found.file.steps)
    played = LessonRun(replace(found, file=replace(found.file, steps=steps)), tries=False).play()
    assert played.problems == ()
