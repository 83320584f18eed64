"""Actions as the page offers them: each shows its result before it is chosen."""

from __future__ import annotations

import pytest

from shieldwall.core.answers import Aims, Faces, Pick
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.pending import Choice, Decision, Roll
from shieldwall.server import forms
from shieldwall.server.coaching import advice, reason
from shieldwall.server.forms import question_for
from shieldwall.server.messages import Overlay, Preview
from shieldwall.server.overlays import overlaid
from shieldwall.server.previews import previewed
from shieldwall.server.question_views import PickForm, PlannedAnswer
from tests.odds.scenes import scene

SCENE = """
scenario: Shots
edition: aof-2
units:
  Bows: {{side: A, models: 2, equipment: '{weapon}', at: [[24, 4], [25.2, 4]]}}
  Wolves: {{side: B, models: 2, at: [[24, {far}], [25.2, {far}]]}}
  Dogs: {{side: B, models: 1, at: [60, 44]}}
"""


@pytest.mark.parametrize(
    ("weapon", "far", "label", "hint"),
    [
        ('Bow (24", A1)', 20, "Hold: stay and shoot", "can shoot Wolves"),
        ('Bow (24", A1)', 40, "Hold: stay and shoot", "no target in range from here"),
        ("Sword (A1)", 20, "Hold: stay here", ""),
    ],
)
def test_hold_lists_the_targets_in_range(weapon: str, far: int, label: str, hint: str) -> None:
    rules, state, _ = scene(SCENE.format(weapon=weapon, far=far))
    pending = pending_of(rules, state)
    assert isinstance(pending, Decision)
    form = question_for(rules, state, pending, mine=True).form
    assert isinstance(form, PickForm)
    assert [(o.label, o.hint) for o in form.options if o.key == "hold"] == [(label, hint)]


TWO_TARGETS = """
scenario: Whom to shoot
edition: aof-2
units:
  Bows: {side: A, models: 2, stats: Q4+ D4+, equipment: 'Bow (24", A1)', at: [[24, 4], [25.2, 4]]}
  Wall: {side: B, models: 2, stats: Q4+ D2+, at: [[22, 18], [23.2, 18]]}
  Rabble: {side: B, models: 2, stats: Q4+ D6+, at: [[28, 18], [29.2, 18]]}
"""


def test_the_suggested_aim_is_where_it_hurts_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "ODDS_MS", 60_000.0)  # a busy machine may not get that far in time
    rules, state, roster = scene(TWO_TARGETS)
    state = submit(rules, state, Pick("hold")).state
    pending = pending_of(rules, state)
    assert isinstance(pending, Decision)
    question = question_for(rules, state, pending, mine=True)
    assert isinstance(question.default, Aims)
    assert {aim.target for aim in question.default.aims} == {roster.units["Rabble"]}
    assert not pending.check(question.default)


CHARGE = """
scenario: In reach
edition: regiments-3.5
units:
  Pikes: {side: A, models: 5, front: [36, 10]}
  Wolves: {side: B, models: 5, front: [36, 16], facing: 180}
"""


def test_a_charge_overlay_says_side_and_distance_without_the_name_on_the_plate() -> None:
    rules, state, roster = scene(CHARGE)
    drawn = overlaid(rules, state, Overlay(1, "charge", roster.units["Pikes"]))
    [target] = [shape for shape in drawn.shapes if shape.kind == "target"]
    assert target.label == "front, 6.0″"


@pytest.mark.parametrize("edition", ["regiments-3.5", "skirmish-3.2"])
def test_an_immobile_unit_threatens_no_charge(edition: str) -> None:
    place = "front: [36, 10]" if edition == "regiments-3.5" else "at: [36, 10]"
    for rule, kinds in (("Immobile", {"range"}), ("Fast", {"range", "charge"})):
        rules, state, roster = scene(
            f"scenario: A threat\nedition: {edition}\nunits:\n"
            f"  Engine: {{side: A, models: 1, rules: {rule}, equipment: 'Bolt (24\", A1)', {place}}}\n"
            f"  Wolf: {{side: B, models: 1, {place.replace('10]', '30]')}}}\n"
        )
        drawn = overlaid(rules, state, Overlay(1, "threat", roster.units["Engine"]))
        assert {shape.kind for shape in drawn.shapes} == kinds, rule


def test_losses_are_explained_as_losses_and_not_as_a_move() -> None:
    rules, state, _ = scene(TWO_TARGETS)
    state = submit(rules, state, Pick("hold")).state
    decision = pending_of(rules, state)
    assert isinstance(decision, Decision)
    turn = submit(rules, state, question_for(rules, state, decision, mine=True).default or Aims(()))
    while isinstance(turn.pending, Roll):  # both hit, one is blocked
        faces = (6, 1) if turn.pending.dice == 2 else (1,) * turn.pending.dice
        turn = submit(rules, turn.state, Faces(faces))
    losses = turn.pending
    assert isinstance(losses, Decision)
    assert losses.kind == "casualties"
    usual = losses.default()
    why = advice(rules, turn.state, losses, (PlannedAnswer(losses.kind, usual),))
    assert why == "The rear goes first; leaders and special weapons stay as long as possible."
    assert reason(rules, turn.state, losses, usual) == ""


def test_odds_a_question_had_no_time_for_come_with_a_patient_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    armed = CHARGE.replace("models: 5,", "models: 5, equipment: 'Spear (A1)',")
    dogs = "  Dogs: {side: B, models: 5, equipment: 'Spear (A1)', front: [42, 16], facing: 180}\n"
    rules, state, _ = scene(armed + dogs)
    state = submit(rules, state, Pick("charge")).state
    pending = pending_of(rules, state)
    assert isinstance(pending, Choice)
    monkeypatch.setattr(forms, "ODDS_MS", 0.0)
    form = question_for(rules, state, pending, mine=True).form
    assert isinstance(form, PickForm)
    assert [(o.odds, o.odds_later) for o in form.options if o.legal] == [(None, True)] * 2
    monkeypatch.setattr(forms, "ODDS_MS", 60_000.0)
    form = question_for(rules, state, pending, mine=True).form
    assert isinstance(form, PickForm)
    assert form.options[0].odds is not None
    for option in form.options:
        found = previewed(rules, state, pending, 0, Preview(1, answer=Pick(option.key), patient=True))
        assert not option.odds_later
        assert [target.odds for target in found.targets] == [option.odds]
    hasty = previewed(rules, state, pending, 0, Preview(1, answer=Pick(form.options[0].key)))
    assert [target.odds for target in hasty.targets] == [None]
