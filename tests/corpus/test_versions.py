"""Rules that play differently have a new version, so that stored games know which rules they were played with."""

from __future__ import annotations

import json

import pytest

from shieldwall.editions import EDITIONS, ruleset
from tests.corpus.versions import SETTLED, outdated, tables_of


@pytest.mark.parametrize("edition", EDITIONS)
def test_changed_rules_have_a_new_version(edition: str) -> None:
    assert outdated(edition, ruleset(edition).version) == ""


def test_a_changed_table_is_reported_until_the_version_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = EDITIONS[0]
    settled = json.loads(SETTLED.read_text(encoding="utf-8"))[edition]["version"]
    monkeypatch.setattr("tests.corpus.versions.tables_of", lambda edition: "other tables")
    assert "raise" in outdated(edition, settled)
    assert outdated(edition, settled + 1) == ""


def test_tables_of_different_editions_are_told_apart() -> None:
    assert len({tables_of(edition) for edition in EDITIONS}) == len(EDITIONS)
