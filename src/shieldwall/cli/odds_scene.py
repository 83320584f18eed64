"""Odds of scenario files: the situation and steps of each, without its dice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from shieldwall.core.answers import AnyAnswer, Chosen, Pick
from shieldwall.core.engine import begin, check
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.forms import ModelsForm
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.steps.activation import action_question
from shieldwall.scenario.build import Built, ScenarioError, build, started
from shieldwall.scenario.load import Loaded, load_file
from shieldwall.scenario.play import LEADS_TO
from shieldwall.scenario.questions import StepFaultError
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.schema import Scenario
from shieldwall.scenario.steps import Prepared, prepared, step_problems, verbs_of

if TYPE_CHECKING:
    from shieldwall.odds.api import Budget
    from shieldwall.odds.report import OddsReport

Chooser = Callable[[State, Decision], AnyAnswer | None]
ACTS = frozenset({"activate", "action", "charge"})
ENDS = {"end of round": "round", "end of game": "game"}


def scene_reports(files: list[Path], budget: Budget) -> tuple[list[OddsReport], list[str]]:
    """A report for each scenario that can be computed, and the problems of the others.

    Every file must be readable; a scenario that cannot be computed does not stop the others.
    """
    loaded: list[Loaded] = []
    problems: list[str] = []
    for file in files:
        found, faults = load_file(file)
        loaded += found
        problems += [f"{fault.file}:{fault.line}: {fault.text}" for fault in faults]
    if problems:
        raise MalformedError("scenario files", problems)
    reports: list[OddsReport] = []
    refused: list[str] = []
    for one in loaded:
        try:
            reports.append(_report(one, budget))
        except ShieldwallError as error:
            if len(loaded) == 1:
                raise
            refused.append(f"{one.scenario.scenario}: {error}")
    return reports, refused


def _report(loaded: Loaded, budget: Budget) -> OddsReport:
    from shieldwall.cli.waiting import Waiting
    from shieldwall.odds import Playbook, of_line
    from shieldwall.odds.report import report

    scenario = loaded.scenario
    built = _built(scenario)
    state = begin(built.ruleset, started(scenario, built)).state
    steps = [prepared(single, built.roster) for step in scenario.play for single in verbs_of(step)]
    _check_first_action(scenario, built, state)
    begun: set[int] = set()
    spells = _Spells(prepared({"cast": "none"}, built.roster))
    choosers = [chooser for step in steps if step.refused is None for chooser in choosers_of(step, spells)]
    line = Playbook(tuple(_watched(chooser, begun) for chooser in choosers))
    until = ENDS.get(scenario.until, "activation")
    with Waiting() as waiting:
        odds = of_line(built.ruleset, state, line, until=until, budget=budget, progress=waiting)
    _check_first_unit(scenario, built, begun)
    spells.insist(scenario)
    return report(odds, scenario.scenario)


def _built(scenario: Scenario) -> Built:
    """The state and the rules of a scenario with valid steps."""
    try:
        built = build(scenario)
        problems = step_problems(scenario.play, built.roster, ("play",))
    except ScenarioError as error:
        problems = list(error.problems)
    if problems:
        raise MalformedError(f"scenario {scenario.scenario!r}", [one.text for one in problems])
    return built


def _watched(chooser: Chooser, begun: set[int]) -> Chooser:
    """Wrap a policy to record which units were chosen to act and which have begun to."""

    def choose(state: State, decision: Decision) -> AnyAnswer | None:
        begun.update(frame.unit for frame in state.stack if isinstance(frame, Activation))
        begun.update(unit.id for unit in state.units if unit.activated)
        answer = chooser(state, decision)
        if decision.kind == "activate" and isinstance(answer, Pick):
            begun.add(int(answer.option[1:]))
        return answer

    return choose


def _check_first_unit(scenario: Scenario, built: Built, begun: set[int]) -> None:
    """Check that the first unit acts; if only one unit can, the engine activates it without a question."""
    named = (
        single["activate"] for step in scenario.play for single in verbs_of(step) if "activate" in single
    )
    first = next(named, None)
    if first is not None and begun and built.roster.unit(first) not in begun:
        tip = f"activate: {first}: it is not that unit's turn; set `turn:` if it should be"
        raise MalformedError(f"scenario {scenario.scenario!r}", [tip])


def _check_first_action(scenario: Scenario, built: Built, state: State) -> None:
    """Check that the first unit can take its action; if it has only one, the engine does not ask."""
    singles = [single for step in scenario.play for single in verbs_of(step)]
    named = next((at for at, single in enumerate(singles) if "activate" in single), None)
    if named is None:
        return
    unit = state.units[built.roster.unit(singles[named]["activate"])]
    wanted = next((single for single in singles[named + 1 :] if not ACTS.isdisjoint(single)), {})
    if unit.place != "table" or not unit.models or ("action" not in wanted and "charge" not in wanted):
        return
    frame = Activation("activation", unit=unit.id, began_broken=unit.broken)
    question = action_question(built.ruleset, state, unit, frame)
    refusals = check(question, Pick(wanted.get("action", "charge"))) if len(question.options) == 1 else ()
    if refusals:
        raise MalformedError(f"scenario {scenario.scenario!r}", [refusal.reason for refusal in refusals])


class _Spells:
    """Spells of a scenario. One that some results of the dice do not allow is skipped there; one that is never
    allowed is a mistake in the file.
    """

    def __init__(self, none: Prepared) -> None:
        self.none = none
        self.allowed = False
        self.refused: list[str] = []

    def answer(self, state: State, decision: Decision, wanted: AnyAnswer | None) -> AnyAnswer | None:
        """The spell if it may be cast, otherwise none."""
        reasons = check(decision, wanted) if wanted is not None else ()
        if not reasons:
            self.allowed = self.allowed or wanted is not None
            return wanted
        self.refused += [f"{one.reason} ({one.cite})" if one.cite else one.reason for one in reasons]
        return self.none.read.answer(state, decision)

    def insist(self, scenario: Scenario) -> None:
        """Refuse a scenario whose spells are never allowed."""
        if self.refused and not self.allowed:
            raise MalformedError(f"scenario {scenario.scenario!r}", list(dict.fromkeys(self.refused)))


def choosers_of(step: Prepared, spells: _Spells) -> list[Chooser]:
    """A step as policies for the questions it answers; a charge or a spell also answers the preceding question."""
    found: list[Chooser] = []
    if step.verb == "cast" and step.read.declines:
        return found  # asked only if the unit is about to cast
    if step.verb in LEADS_TO:
        found.append(_on_the_way(step.verb, LEADS_TO[step.verb]))
    found.append(_about(step, spells))
    return found


def _on_the_way(verb: str, kinds: tuple[str, ...]) -> Chooser:
    def choose(state: State, decision: Decision) -> AnyAnswer | None:
        if decision.kind not in kinds:
            return None
        # if spells are cast before the action, none is cast during it
        if verb == "cast" and check(decision, Pick(verb)):
            return None
        return Pick(verb)

    return choose


def _cut_to_losses(decision: Decision, answer: AnyAnswer | None) -> AnyAnswer | None:
    """Casualties in the order named, then by default."""
    form = decision.form() if isinstance(answer, Chosen) else None
    if not isinstance(form, ModelsForm) or not isinstance(answer, Chosen):
        return answer
    named = [model for model in answer.ids if model in form.ids]
    usual = decision.default()
    assert isinstance(usual, Chosen)
    others = [model for model in dict.fromkeys((*usual.ids, *form.ids)) if model not in named]
    return Chosen(tuple([*named, *others][: form.count]))


def _about(step: Prepared, spells: _Spells) -> Chooser:
    def choose(state: State, decision: Decision) -> AnyAnswer | None:
        if not any(kind in step.read.kinds for kind in decision.kinds):
            return None
        if step.side and state.seats[decision.seat].side != side_number(step.side):
            return None
        try:
            answer = _cut_to_losses(decision, step.read.answer(state, decision))
            return spells.answer(state, decision, answer) if step.verb == "cast" else answer
        except (StepFaultError, LookupError):
            return None

    return choose
