"""The ladder: its pairings, and the page and picture made of it."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from shieldwall.cli.main import main
from shieldwall.lab.ladder import Ladder, LadderError

EDITION = "regiments-3.4"


def test_every_pair_of_bots_meets_on_every_pair_of_lists_with_the_same_seed() -> None:
    tasks = Ladder(("random", "solo", "tactician"), (EDITION,), (), matchups=2, pairs=1).tasks()
    by_lists: dict[tuple[str, str], set[tuple[tuple[str, str], int]]] = {}
    for task in tasks:
        by_lists.setdefault(task.lists, set()).add((task.bots, task.seed))
    assert [task.number for task in tasks] == list(range(len(tasks)))
    for meetings in by_lists.values():
        assert len({bots for bots, _ in meetings}) == 3
        assert len({seed for _, seed in meetings}) == 1


def test_a_ladder_of_one_bot_or_of_sizes_that_do_not_exist_is_refused() -> None:
    with pytest.raises(LadderError, match="two or more different bots"):
        Ladder(("solo",), (EDITION,)).tasks()
    with pytest.raises(LadderError, match="no ready-made lists of 123 points for"):
        Ladder(("solo", "random"), (EDITION,), (123,)).tasks()


def test_the_command_writes_a_page_and_a_picture(tmp_path: Path) -> None:
    order = ["ladder", "--bots", "random,solo", "--editions", EDITION, "--matchups", "1", "--games", "2"]
    assert main([*order, "--sizes", "1500", "--workers", "1", "--docs", str(tmp_path)]) == 0
    page = (tmp_path / "ladder.md").read_text()
    assert "| random | 0 |" in page
    assert "--games 2 --seed 1" in page
    root = ElementTree.fromstring((tmp_path / "ladder.svg").read_text())
    words = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "solo" in words
    assert "random" in words
