"""A guided battle: a set table, what the coach says step by step, what counts as done, and replies to mistakes.

The coach refuses every mistake, so the battle follows its script: the dice come from the lesson's own seed and
the other side is scripted. A lesson's progress follows from the state alone, so it can be left and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.engine import check, pending_of, submit
from shieldwall.core.errors import MalformedError, RefusedError, ShieldwallError
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import MILLI, Marker, State, Unit, acting
from shieldwall.dice.seeded import key_from_seed
from shieldwall.lessons.files import SetTable, converted_file, data_files, read_yaml, set_table, text_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.questions import KINDS
from shieldwall.scenario.roster import Roster, UnknownNameError
from shieldwall.scenario.schema import Expect
from shieldwall.scenario.schema import Step as ScenarioStep
from shieldwall.scenario.steps import prepared, step_problems, verbs_of
from shieldwall.table.measure import point_to_unit, units_apart

# The questions a lesson teaches; all others get their default answer.
TAUGHT = (
    "activate",
    "action",
    "path",
    "targets",
    "charge_target",
    "charge_path",
    "cast",
    "cast_or_go",
    "pivot",
)
MOST_ANSWERS = 12
Panel = Literal[
    "question", "actions", "go", "undo", "odds", "targets", "cards", "score", "log", "menu", "hint"
]


class NoLessonError(ShieldwallError):
    """There is no such lesson."""


class PointAt(Struct, frozen=True, forbid_unknown_fields=True):
    """What the coach points at: a unit, a marker, a piece of terrain, or a part of the screen."""

    unit: str = ""
    marker: str = ""
    piece: str = ""
    panel: Panel | None = None


class Near(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that a move must reach: within this many inches of a marker, another unit or a spot."""

    within: float
    marker: str = ""
    unit: str = ""
    spot: tuple[float, float] | None = None


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern for answers; missing fields match anything. `action` may list several, `target` may be none.

    `near` is a place the unit must end at, `away` one it must not end at.
    """

    unit: str = ""
    action: str | tuple[str, ...] = ()
    target: str = ""
    near: Near | None = None
    away: Near | None = None


class WrongTry(Struct, frozen=True, forbid_unknown_fields=True, rename={"attempt": "try"}):
    """A wrong answer that newcomers give, an example of it, and the coach's reply."""

    attempt: ScenarioStep
    when: Pattern
    say: str


class CoachStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the coach says, and what ends it: a click on Next, a unit looked at, a target, or an answer (`do`).

    `expect` is what must be true when it is said. `rows` are the rules behind it.
    """

    say: str
    point: PointAt | None = None
    rows: tuple[str, ...] = ()
    select: str = ""
    aim: str = ""
    do: ScenarioStep | None = None
    round: int = 0
    wants: Pattern = Pattern()
    wrong: tuple[WrongTry, ...] = ()
    otherwise: str = ""
    expect: Expect | None = None


class ScriptStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One activation of the other side."""

    round: int
    do: ScenarioStep


class LessonFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as written."""

    lesson: str
    summary: str
    minutes: int
    sides: tuple[str, str]
    seed: int
    setting: dict[str, object]
    steps: tuple[CoachStep, ...]
    opponent: tuple[ScriptStep, ...]
    ending: str
    expect: Expect = Expect()
    bot: str = "solo"
    order: int = 0


class Lesson(Struct, frozen=True):
    """A lesson ready to be played."""

    id: str
    file: LessonFile
    stage: SetTable

    @property
    def edition(self) -> str:
        """The edition it teaches."""
        return self.stage.scenario.edition

    @property
    def rules(self) -> Ruleset:
        """The rules it is played by."""
        return self.stage.built.ruleset

    @property
    def roster(self) -> Roster:
        """The names of its units and models."""
        return self.stage.built.roster

    @property
    def tasks(self) -> tuple[CoachStep, ...]:
        """The steps that are answered in the game, in order."""
        return tuple(step for step in self.file.steps if step.do is not None)

    @property
    def dice_secret(self) -> bytes:
        """The key of its dice."""
        return key_from_seed(f"lesson {self.id} {self.file.seed}")


AUTOMATIC = tuple(kind for kind in KINDS if kind not in TAUGHT)
NONCES = ("0" * 32, "0" * 32)  # scripted dice use no nonces of players


def lesson_ids() -> tuple[str, ...]:
    """All lessons, in order."""
    return tuple(sorted(data_files("lessons"), key=lambda name: (lesson(name).file.order, name)))


@cache
def lesson(name: str) -> Lesson:
    """A built-in lesson by its id."""
    if name not in data_files("lessons"):
        raise NoLessonError(
            f"there is no lesson {name!r}; there are: {', '.join(data_files('lessons')) or 'none'}"
        )
    return read_lesson(text_of("lessons", name), name)


def read_lesson(text: str, name: str) -> Lesson:
    """A lesson from its text; raises with every problem."""
    file = converted_file(read_yaml(text, name), LessonFile, name)
    stage = set_table(file.setting, file.lesson, file.sides, name)
    found = Lesson(name, file, stage)
    problems = lesson_problems(found)
    if problems:
        raise MalformedError(name, problems)
    return found


# --- what is wrong with a lesson ---


def lesson_problems(found: Lesson) -> list[str]:
    """Unknown names, invalid steps, and tasks without replies to mistakes."""
    problems: list[str] = []
    for number, step in enumerate(found.file.steps, start=1):
        where = f"steps/{number}"
        problems += [f"{where}: {words}" for words in _step_problems(found, step)]
    for number, scripted in enumerate(found.file.opponent, start=1):
        problems += _scenario_problems(found, scripted.do, f"opponent/{number}")
    return problems


def _step_problems(found: Lesson, step: CoachStep) -> list[str]:
    problems = []
    if step.do is not None:
        problems += _scenario_problems(found, step.do, "do")
        if "activate" not in step.do or not step.round:
            problems.append("a task begins with `activate` and needs its `round`")
        if not step.otherwise:
            problems.append("`otherwise` is missing: what to say to an unexpected mistake")
    for wrong in step.wrong:
        problems += _scenario_problems(found, wrong.attempt, "try")
    names = [step.select, step.aim, *(pattern.unit for pattern in _patterns(step))]
    names += [pattern.target for pattern in _patterns(step)]
    names += [step.point.unit] if step.point else []
    near = [one for pattern in _patterns(step) for one in (pattern.near, pattern.away) if one is not None]
    problems += _unknown(found.roster.unit, [*names, *(one.unit for one in near)])
    markers = [*(one.marker for one in near), step.point.marker if step.point else ""]
    problems += _unknown(found.roster.marker, markers)
    return problems + _unknown(found.roster.piece, [step.point.piece if step.point else ""])


def _patterns(step: CoachStep) -> list[Pattern]:
    return [step.wants, *(wrong.when for wrong in step.wrong)]


def _unknown(find: Callable[[object], int], names: Sequence[str]) -> list[str]:
    problems = []
    for name in names:
        if name and name != NOBODY:
            try:
                find(name)
            except UnknownNameError as error:
                problems.append(str(error))
    return problems


def _scenario_problems(found: Lesson, step: ScenarioStep, where: str) -> list[str]:
    return [f"{where}: {problem.text}" for problem in step_problems([step], found.roster, ())]


NOBODY = "nobody"

# --- progress of a lesson ---


def _is_done(found: Lesson, state: State, round_number: int, do: ScenarioStep) -> bool:
    """Whether an activation is over: its round is over, or its unit has acted or is gone."""
    if state.finished or state.round > round_number:
        return True
    unit = state.units[found.roster.unit(do["activate"])]
    if not unit.models:
        return True
    return state.round == round_number and unit.activated and acting(state) != unit.id


def tasks_done(found: Lesson, state: State) -> int:
    """How many tasks of a lesson are done."""
    done = 0
    for task in found.tasks:
        assert task.do is not None
        if not _is_done(found, state, task.round, task.do):
            break
        done += 1
    return done


def current_task(found: Lesson, state: State) -> CoachStep | None:
    """The current task; None when all are done."""
    done = tasks_done(found, state)
    return found.tasks[done] if done < len(found.tasks) else None


# --- answers ---


def answer_by(step: ScenarioStep, roster: Roster, state: State, decision: Decision) -> AnyAnswer | None:
    """The answer of a step in the scenario format to a question; None if it has none."""
    for single in verbs_of(step):
        ready = prepared(single, roster)
        if ready.verb == "charge" and decision.kind == "action":
            return Pick("charge")
        if decision.kind in ready.read.kinds:
            return ready.read.answer(state, decision)
    return None


class Planned(Struct, frozen=True):
    """A planned answer: the kind of question, and the answer."""

    kind: str
    answer: AnyAnswer


def plan_of(found: Lesson, state: State, step: ScenarioStep) -> tuple[Planned, ...]:
    """The answers that carry out a step from here, up to its first dice or another player's question."""
    pending = pending_of(found.rules, state)
    seat = pending.seat if isinstance(pending, Decision) else -1
    planned, unit = list[Planned](), acting(state)
    while isinstance(pending, Decision) and pending.seat == seat and len(planned) < MOST_ANSWERS:
        if planned and acting(state) != unit:
            break
        given = answer_by(step, found.roster, state, pending)
        answer = pending.default() if given is None else given
        planned.append(Planned(pending.kind, answer))
        if check(pending, answer):
            break
        begins = pending.kind == "activate"
        state, _, pending = submit(found.rules, state, answer)
        unit = acting(state) if begins else unit
    return tuple(planned)


def shown_plan(found: Lesson, state: State) -> tuple[Planned, ...]:
    """What the coach would play now, for a player who wants to be shown."""
    task = current_task(found, state)
    return plan_of(found, state, task.do) if task is not None and task.do is not None else ()


# --- judging ---


class Attempt(Struct, frozen=True):
    """What a player's answers amount to: who acts, what it does to whom, where it ends, and whether more may follow."""

    unit: int
    action: str
    targets: tuple[int, ...]
    state: State
    has_moved: bool
    has_aimed: bool


def attempt_of(rules: Ruleset, state: State, answers: Sequence[AnyAnswer]) -> Attempt | None:
    """Try out answers up to the first dice; None if one is illegal, because the rules then give the reasons."""
    pending = pending_of(rules, state)
    seat = pending.seat if isinstance(pending, Decision) else -1
    unit = acting(state)
    events: list[ev.AnyEvent] = []
    for answer in answers:
        if not isinstance(pending, Decision) or pending.seat != seat:
            break
        try:
            state, more, pending = submit(rules, state, answer)
        except RefusedError:
            return None
        events += more
    if unit < 0:
        unit = next((event.unit for event in events if isinstance(event, ev.Activated)), -1)
    actions = [event.action for event in events if isinstance(event, ev.ActionChosen) and event.unit == unit]
    aimed = tuple(event.target for event in events if isinstance(event, ev.Declared) and event.unit == unit)
    asked = (
        pending.kind
        if isinstance(pending, Decision) and pending.seat == seat and acting(state) == unit
        else ""
    )
    return Attempt(
        unit,
        actions[0] if actions else "",
        aimed,
        state,
        has_moved=asked not in ("action", "path", "pivot", "charge_target", "charge_path"),
        has_aimed=asked not in ("action", "path", "pivot", "targets", "charge_target"),
    )


def reply_to(found: Lesson, state: State, answers: Sequence[AnyAnswer]) -> str:
    """The coach's reply to an attempt; "" if it is what the lesson wants, or illegal anyway."""
    task = current_task(found, state)
    tried = attempt_of(found.rules, state, answers) if task is not None else None
    if task is None or tried is None or is_wanted(found, task, tried):
        return ""
    for wrong in task.wrong:
        if fits(found, wrong.when, tried):
            return wrong.say
    return task.otherwise


def is_wanted(found: Lesson, task: CoachStep, tried: Attempt) -> bool:
    """Whether an attempt does what a task asks for; what is still open counts as right."""
    assert task.do is not None
    wants = task.wants
    unit = wants.unit or str(task.do["activate"])
    action = wants.action or ("charge" if "charge" in task.do else str(task.do.get("action", "")))
    target = wants.target or str(task.do.get("charge", "") or _shot_at(task.do))
    asked = msgspec.structs.replace(wants, unit=unit, action=action if tried.action else (), target=target)
    return fits(found, asked, tried, is_open=True)


def _shot_at(do: ScenarioStep) -> str:
    shot = do.get("shoot", "")
    return shot if isinstance(shot, str) and shot != "none" else ""


def fits(found: Lesson, pattern: Pattern, tried: Attempt, *, is_open: bool = False) -> bool:
    """Whether an attempt matches a pattern; with `is_open`, what it has not decided yet may still match."""
    roster = found.roster
    if pattern.unit and roster.unit(pattern.unit) != tried.unit:
        return False
    actions = (pattern.action,) if isinstance(pattern.action, str) else pattern.action
    if actions and tried.action not in actions:
        return False
    if pattern.target == NOBODY and tried.targets:
        return False
    if pattern.target and pattern.target != NOBODY and (tried.has_aimed or tried.targets or not is_open):
        wanted = roster.unit(pattern.target)
        if not tried.targets or any(target != wanted for target in tried.targets):
            return False
    if is_open and not tried.has_moved:
        return True
    if pattern.near is not None and not is_near(found, pattern.near, tried):
        return False
    return pattern.away is None or not is_near(found, pattern.away, tried)


def is_near(found: Lesson, near: Near, tried: Attempt) -> bool:
    """Whether a unit would end within the distance of a place, in inches."""
    unit = tried.state.units[tried.unit]
    if not unit.models or unit.place != "table":
        return False
    return _gap(found, near, tried.state, unit) <= near.within


def _gap(found: Lesson, near: Near, state: State, unit: Unit) -> float:
    if near.unit:
        return units_apart(state, unit.id, found.roster.unit(near.unit))
    if near.marker:
        marker: Marker = state.markers[found.roster.marker(near.marker)]
        return point_to_unit(state, unit.id, marker.x / MILLI, marker.y / MILLI)
    x, y = near.spot or (0.0, 0.0)
    return point_to_unit(state, unit.id, x, y)


# --- the other side ---


class ScriptedOpponent:
    """Plays the other side of a lesson by its script; a simple bot answers everything else."""

    samples_only = False

    def __init__(self, found: Lesson, seed: int = 0) -> None:
        from shieldwall.bots import registry

        self.lesson = found
        self.name = f"script {found.id}"
        self._plain = registry.policy(found.file.bot, seed)

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The script's answer, if it is legal."""
        step = self._step(view)
        answer = answer_by(step, self.lesson.roster, view, decision) if step is not None else None
        if answer is None or check(decision, answer):
            return self._plain.decide(view, decision, numbers)
        return answer

    def _step(self, state: State) -> ScenarioStep | None:
        for step in self.lesson.file.opponent:
            if not _is_done(self.lesson, state, step.round, step.do):
                return step.do if step.round == state.round else None
        return None
