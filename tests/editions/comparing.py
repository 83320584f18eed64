"""Comparing editions: the page of differences, the class that plays a printed rule, the outcome of a scene."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

import yaml

from shieldwall import rulebook
from shieldwall.core.state import State, Unit
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Policies, Ruleset
from shieldwall.scenario.runner import run_text

EDITIONS = Path(__file__).parents[2] / "src/shieldwall/editions"
ABOUT_THE_PAGE = {"every_line_has_a_test_and_every_test_a_line", "every_line_names_rows"}
ROW = re.compile(r"\b(?:R35|R34|SK32|A2|A16)-[A-Z-]+-\d+")


def plain_policies() -> Policies:
    """The trunk's own policies; those it leaves to editions cannot be called."""
    return type("Plain", (Policies,), dict.fromkeys(Policies.__abstractmethods__))()


def lines_of(edition_package: str) -> dict[str, str]:
    """The lines of an edition's DIFFERENCES.md by their names."""
    page = (EDITIONS / edition_package / "DIFFERENCES.md").read_text("utf-8")
    parts = re.split(r"^- \*\*(\w+)\*\*:", page, flags=re.MULTILINE)
    assert len(set(parts[1::2])) == len(parts[1::2]), "two lines have one name"
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def check_tests_and_lines(
    lines: Mapping[str, str], module: Collection[str], about_the_page: Collection[str] = ABOUT_THE_PAGE
) -> None:
    """Every line has a test called like it in the module, and every test a line."""
    tests = {name.removeprefix("test_") for name in module if name.startswith("test_")}
    assert set(lines) == tests - set(about_the_page)


def rows_by_line(lines: Mapping[str, str]) -> dict[str, list[str]]:
    """The rows each line names; all of them must exist."""
    named = {name: ROW.findall(text) for name, text in lines.items()}
    for name, rows in named.items():
        assert rows, name
        assert all(rulebook.has_row(row) for row in rows), name
    return named


def bound(rules: Ruleset, name: str) -> type[SpecialRule]:
    """The class that plays a printed rule."""
    return rules.specials.bindings[name].rule


def arrived(round_number: int) -> UnitContext:
    """A unit that came in from off the table in the running round."""
    unit = Unit(id=0, side=0, seat=0, name="Hounds", models=(), arrived=round_number)
    state = State("", (), 0, 0, (), (), (), (unit,), round=round_number)
    return UnitContext(state, unit)


def steps_of(rules: Ruleset, procedure: str) -> set[type]:
    """The kinds of steps of a procedure; none where the edition lacks it."""
    return {type(step) for step in rules.procedures.get(procedure, ())}


def holds(edition: str, **scene: object) -> None:
    """Check that a scene, written as in scenario files, holds."""
    text = yaml.safe_dump({"scenario": "difference", "edition": edition, **scene}, sort_keys=False)
    report = run_text(text)
    assert not report.faults, report.faults
    assert all(result.holds for result in report.results), [result.differences for result in report.results]


def holds_as_written(edition: str, text: str) -> None:
    """Check a scene given as text; bases are an inch wide, and a distant dog keeps the enemy in the game."""
    scene = yaml.safe_load(text)
    scene["units"].setdefault("Dog", {"side": "B", "at": [4, 44]})
    holds(edition, **{"defaults": {"base": '1x1"'}, **scene})
