"""The programs in examples/ run as they are; those on the Python page have at most 15 lines."""

import re
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shieldwall import editions
from shieldwall.bots.registry import REGISTERED

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = ("fifty_games", "own_bot", "odds_table", "house_rule", "own_rule")


@pytest.fixture(autouse=True)
def as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files go to a temporary folder, and whatever an example registers is removed again."""
    monkeypatch.chdir(tmp_path)
    yield
    REGISTERED.clear()
    for _, name in list(editions.ADDED_RULES):
        editions.unregister_rule(name)


@pytest.mark.parametrize("name", SHORT)
def test_the_examples_of_the_python_page_are_short_and_printed_there(name: str) -> None:
    _, code = (EXAMPLES / f"{name}.py").read_text().split('"""\n', 1)
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    page = (EXAMPLES.parent / "docs" / "python.md").read_text()
    assert f"`examples/{name}.py`" in page
    assert f"```python\n{code.strip()}\n```" in page


@pytest.mark.parametrize("name", SHORT)
def test_the_examples_of_the_python_page_run(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With few games and in one process, because only the program is being tested."""
    text = (EXAMPLES / f"{name}.py").read_text()
    small = tmp_path / f"{name}.py"
    small.write_text(re.sub(r"games=\d+", "games=2", text.replace("workers=2", "workers=1")))
    runpy.run_path(str(small), run_name="__main__")
    assert capsys.readouterr().out.strip()
    assert Path("games.svg").exists() == (name == "fifty_games")


def test_the_training_example_plays_and_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr(sys, "argv", ["train_agent.py"])
    found = runpy.run_path(str(EXAMPLES / "train_agent.py"))
    reward, points = found["play"]("regiments-3.4", 1, np.zeros(28), 5)
    assert -2 <= reward <= 2
    assert points in (0.0, 0.5, 1.0)
