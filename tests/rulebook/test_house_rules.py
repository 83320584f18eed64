"""The switches for disputed rulings."""

import re
from pathlib import Path

import pytest

from shieldwall import rulebook
from shieldwall.cli.house_rules import markdown_page
from shieldwall.rulebook.house_rules import (
    HouseRuleError,
    check,
    defaults,
    every_house_rule,
    house_rules,
    house_rules_of_row,
    settle,
)

SK32 = "SK32"  # see test_catalogue_rows.py: ids are not spelled out here

CORE_NAMES = {
    "skirmish-3.2": {
        "sight-method", "visible-share", "free-deployment-axis", "round-end-order", "tough-in-groups",
        "command-models", "token-bids", "unit-share", "combined-units", "force-organisation", "terrain-mode",
    },
    "aof-2": {"coherency-shape", "merging"},
    "aof-1.6": {
        "markers-or-units-first", "control-lasts", "survivor-test", "mysterious-terrain",
        "mysterious-markers", "size-table",
    },
    "regiments-3.5": {"stay-in-contact", "decorative-parts", "force-organisation", "terrain-mode"},
    "regiments-3.4": {"force-organisation"},
}  # fmt: skip

every_rule = pytest.mark.parametrize(
    "rule", every_house_rule(), ids=lambda rule: f"{rule.name}-{rule.default}"
)
every_edition = pytest.mark.parametrize("edition", rulebook.editions())


def test_there_are_at_least_24_switches() -> None:
    assert len({rule.name for rule in every_house_rule()}) >= 24


@every_edition
def test_the_agreed_switches_are_there(edition: str) -> None:
    assert CORE_NAMES[edition] <= set(defaults(edition))


@every_edition
def test_a_switch_name_occurs_once_per_edition(edition: str) -> None:
    names = [rule.name for rule in house_rules(edition)]
    assert sorted(set(names)) == sorted(names)


@every_rule
def test_a_switch_belongs_to_rows_that_exist_and_have_a_ruling(rule) -> None:  # type: ignore[no-untyped-def]
    assert rule.edition_rows
    assert [row_id for row_id in rule.edition_rows if rulebook.row(row_id).ruling is None] == []


@every_rule
def test_the_default_is_one_of_two_or_more_different_choices(rule) -> None:  # type: ignore[no-untyped-def]
    assert rule.default in rule.values
    assert len(set(rule.values)) == len(rule.values) >= 2


@every_rule
def test_names_and_values_are_kebab_case_and_texts_are_sentences(rule) -> None:  # type: ignore[no-untyped-def]
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", word) for word in (rule.name, *rule.values))
    assert rule.question.endswith("?")
    assert all(choice.meaning.endswith(".") for choice in rule.choices)


@every_edition
def test_every_edition_of_a_switch_has_a_row_in_it(edition: str) -> None:
    own = {row.id for row in rulebook.book(edition).rows}
    assert [rule.name for rule in house_rules(edition) if not own & set(rule.edition_rows)] == []


def test_one_switch_may_start_from_another_value_in_another_edition() -> None:
    assert defaults("skirmish-3.2")["unit-mates-block"] == "on"
    assert defaults("aof-2")["unit-mates-block"] == "off"
    assert defaults("aof-1.6")["unit-mates-block"] == "off"
    assert "unit-mates-block" not in defaults("regiments-3.5")


def test_a_row_knows_its_switch() -> None:
    assert [rule.name for rule in house_rules_of_row(f"{SK32}-CMD-01")] == ["command-models"]
    assert house_rules_of_row(f"{SK32}-CMD-02") == ()


def test_the_defaults_are_fine_settings() -> None:
    assert {edition: check(edition, defaults(edition)) for edition in rulebook.editions()} == {
        edition: [] for edition in rulebook.editions()
    }


def test_all_problems_are_named_at_once_with_the_nearest_words() -> None:
    given = {
        "coherency-shap": "chain",
        "merging": "several",
        "sight-method": "basic",
        "wavering-reacts": "off",
    }
    assert check("aof-2", given) == [
        "coherency-shap: aof-2 has no such switch; did you mean coherency-shape?",
        "merging: 'several' is not one of any, several-models; did you mean several-models?",
        "sight-method: a switch of skirmish-3.2, not of aof-2",
    ]


def test_settings_are_laid_over_the_defaults() -> None:
    settled = settle("aof-2", {"coherency-shape": "chain"})
    assert settled == defaults("aof-2") | {"coherency-shape": "chain"}
    assert defaults("aof-2")["coherency-shape"] == "letter"


def test_a_bare_on_from_a_yaml_file_is_understood() -> None:
    assert check("aof-1.6", {"control-lasts": True}) == []
    assert settle("aof-1.6", {"control-lasts": True})["control-lasts"] == "on"
    assert check("aof-2", {"merging": False}) == ["merging: 'off' is not one of any, several-models"]


def test_wrong_settings_cannot_be_settled() -> None:
    with pytest.raises(HouseRuleError) as caught:
        settle("aof-2", {"a": "b", "c": "d"})
    assert len(caught.value.problems) == 2


def test_an_unknown_edition_has_no_switches() -> None:
    with pytest.raises(rulebook.UnknownEditionError):
        check("aof-3", {})


def test_the_page_of_rulings_is_current() -> None:
    page = Path(__file__).parents[2] / "docs" / "rulings.md"
    assert page.read_text(encoding="utf-8") == markdown_page(rulebook.editions()), (
        "run: shieldwall rules switches --markdown > docs/rulings.md"
    )
