"""More tables and battles of the everyday comparison between compiled and plain functions."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from shieldwall.editions import EDITIONS

TESTS = Path(__file__).parent.parent


def load(path: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of the everyday tests, with its folder on the path for what it imports."""
    file = TESTS / path
    monkeypatch.syspath_prepend(str(file.parent))
    spec = importlib.util.spec_from_file_location(f"soak_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_moves_of_loose_units_agree_on_twelve_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    load("table/loose/test_twins.py", monkeypatch).compare_both_forms(range(12))


@pytest.mark.parametrize("edition", EDITIONS)
def test_compiled_and_plain_battles_end_the_same(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load("laws/test_compiled_games.py", monkeypatch).compare_both_forms(edition, (2, 3))
