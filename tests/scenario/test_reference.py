"""The reference page: every example on it is run, and every key and verb is described."""

import re
from pathlib import Path

import pytest

from shieldwall.scenario.measurements import VERBS as MEASURES
from shieldwall.scenario.runner import report_lines, run_text
from shieldwall.scenario.schema import Expect, ModelExpect, PendingExpect, Scenario, UnitEntry, UnitExpect
from shieldwall.scenario.steps import VERBS as STEP_VERBS
from shieldwall.scenario.words import page

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scenarios.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.splitlines()[0])
def test_examples_hold(example: str) -> None:
    report = run_text(example)
    assert report.exit_code == 0, "\n".join(report_lines(report))


@pytest.mark.parametrize("kind", [Scenario, UnitEntry, Expect, UnitExpect, ModelExpect, PendingExpect])
def test_every_key_is_described(kind: type) -> None:
    fields: tuple[str, ...] = kind.__struct_fields__  # type: ignore[attr-defined]
    missing = [field for field in fields if f"`{field}`" not in PAGE and field not in ("picks", "tolerance")]
    inside = [field for field in missing if not re.search(rf"\b{field}\b", PAGE)]
    assert not inside


@pytest.mark.parametrize("verb", sorted({*STEP_VERBS, *MEASURES} - {"charge_target"}))
def test_every_verb_is_described(verb: str) -> None:
    assert f"`{verb}`" in PAGE


def test_the_page_of_words_is_up_to_date() -> None:
    """`shieldwall scenario words > docs/scenario-words.md`."""
    assert (DOCS / "scenario-words.md").read_text(encoding="utf-8").splitlines() == list(page())
