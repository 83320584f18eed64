"""Runs scenario files: loads, builds, measures, plays and compares them, and reports everything that differs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct

from shieldwall.core.grammar import counted
from shieldwall.rulebook import UnknownRowError, row
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.build import ScenarioError, build
from shieldwall.scenario.check import FileProblem, Path, converted, shape_problems
from shieldwall.scenario.expect import expect_problems
from shieldwall.scenario.expected_words import is_purpose, no_such_dice
from shieldwall.scenario.impossible import contradictions
from shieldwall.scenario.lint import notes_on
from shieldwall.scenario.load import Fault, Loaded, load_file, load_text
from shieldwall.scenario.measure import listed_entries, measure_problems
from shieldwall.scenario.play import GOALS
from shieldwall.scenario.questions import ACTION_WORDS, KINDS, PURPOSES
from shieldwall.scenario.roster import Roster, names_in
from shieldwall.scenario.schema import Expect, Measurement, Scenario
from shieldwall.scenario.steps import step_problems
from shieldwall.scenario.trial import Trial
from shieldwall.table.zones import EDGES, OPPOSITE

SUFFIXES = (".yaml", ".yml")


class Difference(Struct, frozen=True):
    """One result that is not as expected."""

    line: int
    what: str
    expected: str
    found: str


class Result(Struct, frozen=True):
    """The result of one scenario."""

    file: str
    line: int
    title: str
    rows: tuple[str, ...]
    holds: bool
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    measured: tuple[dict[str, Any], ...] = ()
    outcome: dict[str, Any] | None = None


class RunReport(Struct, frozen=True):
    """The results of many files. `faults` are problems in the files; those scenarios were not run."""

    results: tuple[Result, ...]
    faults: tuple[Fault, ...]
    files: int
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 if all scenarios hold, 1 if some do not, 2 if something is malformed."""
        if self.faults:
            return 2
        return 0 if all(result.holds for result in self.results) else 1


def scenario_files(places: Iterable[FilePath]) -> tuple[list[FilePath], list[Fault]]:
    """Every scenario file among files and below directories, sorted; a missing one is a fault."""
    files: list[FilePath] = []
    faults: list[Fault] = []
    for place in places:
        if place.is_dir():
            found = _files_below(place)
            files += sorted(found)
            if not found:
                faults.append(Fault(str(place), 1, "contains no scenario files (.yaml)"))
        elif place.is_file():
            files.append(place)
        else:
            faults.append(Fault(str(place), 1, "there is no such file or directory"))
    return list(dict.fromkeys(files)), faults


def _files_below(place: FilePath) -> list[FilePath]:
    """Scenario files in a directory and those below it; directories that cannot be read are skipped."""
    below = (FilePath(folder, name) for folder, _, names in os.walk(place) for name in names)
    return [path for path in below if path.suffix in SUFFIXES and path.is_file()]


def run_places(places: Iterable[FilePath], verbose: bool = False) -> RunReport:
    """Run every scenario in some files and directories; with `verbose`, report everything that happens."""
    began = time.perf_counter()
    files, faults = scenario_files(places)
    loaded: list[Loaded] = []
    for path in files:
        found, wrong = load_file(path)
        loaded += found
        faults += wrong
    return _run_all(loaded, faults, len(files), began, verbose)


def run_text(text: str, name: str = "scenario", verbose: bool = False) -> RunReport:
    """Run every scenario of a text."""
    began = time.perf_counter()
    loaded, faults = load_text(text, name)
    return _run_all(loaded, faults, 1, began, verbose)


def _run_all(
    loaded: Iterable[Loaded], faults: list[Fault], files: int, began: float, verbose: bool
) -> RunReport:
    results: list[Result] = []
    for one in loaded:
        outcome = run(one, verbose)
        if isinstance(outcome, Result):
            results.append(outcome)
        else:
            faults += outcome
    return RunReport(tuple(results), tuple(sorted(set(faults))), files, time.perf_counter() - began)


def run(loaded: Loaded, verbose: bool = False) -> Result | list[Fault]:
    """The result of one scenario, with all events if requested, or all its faults."""
    scenario = loaded.scenario
    problems = _row_problems(scenario)
    try:
        built = build(scenario)
        problems += [*_word_problems(scenario, built.roster), *contradictions(scenario, built)]
    except ScenarioError as error:
        problems += [*error.problems, *_word_problems(scenario, names_in(scenario))]
    if problems or loaded.wrong:
        known = {
            way[:2] for way in loaded.wrong
        }  # the consequences of a reported fault are not reported again
        return loaded.faults(one for one in problems if one.path[:2] not in known and (one.path or not known))
    trial = Trial(scenario, built, verbose)
    trial.run()
    line = loaded.line() if trial.failures else loaded.first_line
    return Result(
        loaded.source.name,
        line,
        scenario.scenario,
        scenario.rows,
        not trial.failures,
        tuple(
            Difference(loaded.line(failure.path), failure.what, failure.expected, failure.found)
            for failure in trial.failures
        ),
        tuple(notes_on(scenario, built)),
        tuple(trial.measured),
        trial.outcome,
    )


# problems in files


def _row_problems(scenario: Scenario) -> list[FileProblem]:
    problems: list[FileProblem] = []
    for number, row_id in enumerate(scenario.rows):
        try:
            row(row_id)
        except UnknownRowError as error:
            problems.append(FileProblem(("rows", number), str(error)))
    return problems + list(_number_problems(scenario)) + list(_edge_problems(scenario))


def _number_problems(scenario: Scenario) -> Iterator[FileProblem]:
    """Numbers below the least that makes sense."""
    if scenario.round < 1:
        yield FileProblem(("round",), f"the first round is 1, found {scenario.round}")
    for side, units in scenario.start_units.items():
        if units < 0:
            yield FileProblem(("start_units", side), f"expected a number of units, found {units}")
    for name, unit in scenario.units.items():
        for key in ("cost", "height", "part", "arrived", "started"):
            if getattr(unit, key) < 0:
                yield FileProblem(("units", name, key), f"{getattr(unit, key):g} is below 0")


def _edge_problems(scenario: Scenario) -> Iterator[FileProblem]:
    """Edges that no table has, and two that do not face each other."""
    for side, edge in scenario.edges.items():
        if edge not in EDGES:
            yield FileProblem(("edges", side), f"{edge!r} is not a table edge; there are {', '.join(EDGES)}")
    given = [edge for edge in scenario.edges.values() if edge in EDGES]
    if len(given) == 2 and OPPOSITE[given[0]] != given[1]:
        yield FileProblem(("edges",), f"{given[0]} and {given[1]} do not face each other")


def _word_problems(scenario: Scenario, roster: Roster) -> list[FileProblem]:
    """Words in steps, measurements and expectations that have no meaning here."""
    problems = step_problems(scenario.play, roster, ("play",))
    problems += _measured_problems(scenario.measure, roster, ("measure",))
    problems += _dice_problems(scenario)
    problems += expect_problems(scenario.expect, roster, ("expect",))
    for number, step in enumerate(scenario.play):
        where: Path = ("play", number)
        if "measure" in step:
            problems += _measured_problems(step["measure"], roster, (*where, "measure"))
        if "expect" in step:
            problems += _inner_expect_problems(step["expect"], roster, where)
        if "until" in step:
            problems += _goal_problems(str(step["until"]), where)
    if scenario.until:
        problems += _goal_problems(scenario.until, ("until",))
    if not scenario.play and not scenario.until and not scenario.measure and scenario.expect == Expect():
        problems.append(FileProblem((), "there is nothing to play and nothing to expect"))
    return problems


def _measured_problems(entries: object, roster: Roster, where: Path) -> list[FileProblem]:
    """Malformed measurements, and malformed steps in them."""
    problems = measure_problems(entries, where)
    for number, entry in enumerate(listed_entries(entries) if not problems else ()):
        for key in ("legal", "when"):
            steps = entry.get(key, [])
            problems += step_problems(listed_entries(steps), roster, (*where, number))
        problems += [FileProblem((*where, number), text) for text in _unknown_lacking(entry, roster)]
    return problems


def _unknown_lacking(entry: Measurement, roster: Roster) -> Iterator[str]:
    """Names that must be missing from a result, and that it could never have."""
    wanted = entry.get("is")
    lacking = wanted.get("lack", []) if isinstance(wanted, dict) else []
    for name in lacking if isinstance(lacking, list) else [lacking]:
        if "actions" in entry and name not in ACTION_WORDS:
            yield f"there is no action {name!r}{did_you_mean(str(name), ACTION_WORDS)}"
        if ("charges" in entry or "targets" in entry) and name not in (*roster.units, *roster.pieces):
            yield f"there is no unit {name!r}{did_you_mean(str(name), tuple(roster.units))}"


def _dice_problems(scenario: Scenario) -> list[FileProblem]:
    problems: list[FileProblem] = []
    for purpose, faces in scenario.dice.items():
        if not is_purpose(purpose):
            problems.append(FileProblem(("dice", purpose), no_such_dice(purpose)))
        written = [face for entry in faces for face in (entry if isinstance(entry, list) else [entry])]
        problems += [
            FileProblem(("dice", purpose), f"{face} is not a face of a die")
            for face in written
            if not 1 <= face <= 6
        ]
    return problems


def _inner_expect_problems(data: object, roster: Roster, where: Path) -> list[FileProblem]:
    found = shape_problems(data, Expect)
    if found:
        return [FileProblem((*where, "expect", *problem.path), problem.text) for problem in found]
    return expect_problems(converted(data, Expect), roster, (*where, "expect"))


def _goal_problems(goal: str, where: Path) -> list[FileProblem]:
    known = (*GOALS, *KINDS, *PURPOSES)
    if goal in known or goal.startswith("spell:"):
        return []
    return [FileProblem(where, f"until {goal!r} is never reached{did_you_mean(goal, known)}")]


# words


def report_lines(report: RunReport) -> Sequence[str]:
    """A report for the terminal: what fails, with its lines, and a summary."""
    lines = [f"{fault.file}:{fault.line}: {fault.text}" for fault in report.faults]
    for result in report.results:
        if result.holds and not result.notes:
            continue
        lines.append(f"{result.file}:{result.line}: {result.title}")
        lines += [f"  note: {note}" for note in result.notes]
        for difference in result.differences:
            lines.append(f"  line {difference.line}: {difference.what}")
            lines.append(f"    expected: {difference.expected}")
            lines.append(f"    found:    {difference.found}")
    return [*lines, summary(report)]


def summary(report: RunReport) -> str:
    """The summary of a report."""
    holds = sum(result.holds for result in report.results)
    parts = [f"{holds} of {len(report.results)} scenarios hold"]
    if report.faults:
        parts.append(f"{counted(len(report.faults), 'problem')} in the files")
    return f"{', '.join(parts)} ({counted(report.files, 'file')}, {report.seconds:.1f} s)"
