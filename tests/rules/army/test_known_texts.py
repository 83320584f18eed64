"""Army rules that have the text of a rulebook rule under another name."""

from __future__ import annotations

import pytest

from shieldwall.core.blocks import Known, RuleRef
from shieldwall.rules.army.building import rules_of


@pytest.mark.parametrize(("name", "regenerates"), [("Regeneration", True), ("Stone", False)])
def test_what_only_has_the_text_of_regeneration_is_not_taken_away_with_it(
    name: str, regenerates: bool
) -> None:
    (rule,) = rules_of([RuleRef(name, blocks=(Known("Regeneration"),))], lambda ref: [])
    assert rule.regenerates is regenerates
