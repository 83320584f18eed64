"""The page that compares the books agrees with the rulesets."""

from __future__ import annotations

from pathlib import Path

import pytest

from shieldwall.cli.editions import NUMBERS, all_steps, editions_page, numbers_of, rules_in, steps_in
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.constants import Constants
from shieldwall.rules.special.granted_by_spells import LENT

PAGE = Path(__file__).parents[2] / "docs" / "editions.md"
BOOKS = [ruleset(name) for name in EDITIONS]


def test_the_page_of_editions_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == editions_page(), (
        "run: shieldwall rules editions --markdown > docs/editions.md"
    )


def test_every_number_of_a_book_is_on_the_page() -> None:
    assert set(NUMBERS) == set(Constants.__struct_fields__)


def test_numbers_that_differ_stand_out_and_others_do_not() -> None:
    lines = {line[0]: line[1:] for line in numbers_of(BOOKS)}
    assert lines["**points of a full game**"] == ("500", "750", "1500", "1500", "250")
    assert lines["rounds"] == ("4",) * len(BOOKS)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_special_rule_of_a_book_is_on_the_page_with_its_row(edition: str) -> None:
    at = EDITIONS.index(edition)
    lines = {line.name: line for line in rules_in(BOOKS)}
    for name, binding in BOOKS[at].specials.bindings.items():
        if name not in LENT:
            assert lines[name].kinds[at] is binding.rule
            assert lines[name].notes[at] == binding.cite


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_step_of_a_melee_is_on_the_page(edition: str) -> None:
    at = EDITIONS.index(edition)
    shown = {line.kinds[at] for line in steps_in(BOOKS, "melee")}
    assert {type(step) for step in all_steps(BOOKS[at], "melee")} <= shown
