"""Comparing editions: which class plays a printed rule, which steps a procedure has, how a scene comes out."""

from __future__ import annotations

import yaml

from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.runner import run_text


def bound(rules: Ruleset, name: str) -> type[SpecialRule]:
    """The class that plays a printed rule."""
    return rules.specials.bindings[name].rule


def steps_of(rules: Ruleset, procedure: str) -> set[type]:
    """The kinds of steps of a procedure; none where the edition lacks it."""
    return {type(step) for step in rules.procedures.get(procedure, ())}


def holds(edition: str, **scene: object) -> None:
    """A scene, written as in scenario files, comes out as it expects."""
    text = yaml.safe_dump({"scenario": "difference", "edition": edition, **scene}, sort_keys=False)
    report = run_text(text)
    assert not report.faults, report.faults
    assert all(result.holds for result in report.results), [result.differences for result in report.results]
