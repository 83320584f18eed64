"""Examples in docstrings of the Python API run and give the output they show."""

import doctest
import importlib

import pytest

MODULES = ("api.army", "api.findings", "api.game", "api.running", "odds.matchup")


@pytest.mark.parametrize("name", MODULES)
def test_examples_run_as_written(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"shieldwall.{name}"))
    assert found.attempted
    assert not found.failed
