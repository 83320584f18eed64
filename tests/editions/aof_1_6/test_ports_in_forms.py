"""What a player is offered when one of the two is inside a building: targets through its firing ports."""

from __future__ import annotations

import pytest

from shieldwall.core.answers import Pick
from shieldwall.core.engine import begin, submit
from shieldwall.core.forms import AimingForm, TargetFacts
from shieldwall.core.pending import Decision
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text
from shieldwall.server.forms import form_of
from shieldwall.server.question_views import AimForm

SCENE = """
scenario: Archers in a house
edition: aof-1.6
turn: {turn}
defaults: {{base: '1x1"'}}
terrain: {{House: {{kind: brick house, at: [36, 20], size: [6, 4], ports: {{north: [1, 4]}}}}}}
units:
  Archers: {{side: A, models: 3, equipment: 'Bow (12", A1)', inside: House}}
  Axe: {{side: A, at: [60, 4]}}
  Wolf: {{side: B, equipment: 'Sling (12", A2)', at: [36, {far}]}}
  Dog: {{side: B, at: [4, 44]}}
"""


def targets(turn: str, shooter: int, far: float = 30) -> dict[int, TargetFacts]:
    """What is offered to a unit that holds, by target."""
    (loaded,), faults = load_text(SCENE.format(turn=turn, far=far))
    assert not faults
    built = build(loaded.scenario)
    progress = begin(built.ruleset, started(loaded.scenario, built))
    for answer in (f"u{shooter}", "hold"):
        progress = submit(built.ruleset, progress.state, Pick(answer))
    question = progress.pending
    assert isinstance(question, Decision)
    assert question.kind == "targets"
    form = question.form()
    assert isinstance(form, AimingForm)
    shown = form_of(built.ruleset, progress.state, question)
    assert isinstance(shown, AimForm)
    found = {facts.unit: facts for facts in form.groups[0].targets}
    assert {one.unit: one.legal for one in shown.groups[0].targets} == {
        unit: facts.is_legal for unit, facts in found.items()
    }
    return found


@pytest.mark.parametrize("far", [30, 33.8])
def test_units_inside_are_offered_enemies_by_their_distance_from_a_port(far: float) -> None:
    """A16-BUILD-04: from the topmost port, four inches up."""
    found = targets("A", 0, far)
    assert found[2].is_legal
    assert found[2].distance / 1000 == pytest.approx(((far - 22.5) ** 2 + 4**2) ** 0.5, abs=0.01)
    assert list(found) == [2]


def test_units_inside_are_offered_as_targets() -> None:
    """A16-BUILD-03, A16-BUILD-05: through the same port, in cover."""
    found = targets("B", 2)
    assert found[0].is_legal
    assert found[0].shooters == 1
    assert not found[1].is_legal
