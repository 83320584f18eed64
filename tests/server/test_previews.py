"""Dragging: every verdict comes from the rules, with its reasons, and in time."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import numbers_for
from shieldwall.core.answers import Aims, Pick
from shieldwall.core.codec import state_hash
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Decision
from shieldwall.core.state import MILLI, Pose, RuleRef, Spell, State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.rules.features.block_questions import BlockPlacing, Marching
from shieldwall.rules.features.loose_questions import LoosePlacing, Walking
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.targets import Targets
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text
from shieldwall.server.forms import question_for
from shieldwall.server.magic import spell_words
from shieldwall.server.match import Answered, Began, carry_out
from shieldwall.server.messages import Measure, Overlay, Preview
from shieldwall.server.outcomes import Clock, charge_outcome
from shieldwall.server.overlays import measured, overlaid
from shieldwall.server.previews import previewed
from shieldwall.server.question_views import MoveForm, PickForm
from shieldwall.table.formations import centre_of

EDITIONS = ("regiments-3.5", "skirmish-3.2", "aof-1.6")
OVERLAYS = ("arc", "range", "sight", "charge", "threat", "reach", "halo", "zones")
DRAGGED = (Marching, Walking, BlockPlacing, LoosePlacing)
GENEROUS = 5  # tests share a machine with others; docs/server.md has the times of a quiet one


def positions(edition: str, seed: int = 1) -> Iterator[tuple[Ruleset, State, Decision]]:
    """Every question of a random game, with the state it is asked in."""
    rules, dice = ruleset(edition), SeededDice.from_seed(seed)
    numbers = [numbers_for(seed, seat) for seat in (0, 1)]
    carried = carry_out(rules, demo_setup(edition, seed), Began(), dice.faces)
    while carried.pending is not None:
        pending = carried.pending
        yield rules, carried.state, pending
        answer = pending.sample(numbers[pending.seat])
        carried = carry_out(rules, carried.state, Answered(pending.kind, answer), dice.faces)


@pytest.fixture(scope="module", params=EDITIONS)
def questions(request: pytest.FixtureRequest) -> list[tuple[Ruleset, State, Decision]]:
    """The questions of a game up to the second round, and the edition they come from."""
    found = []
    for rules, state, decision in positions(request.param):
        found.append((rules, state, decision))
        if state.round > 2:
            break
    return found


def drags(state: State, decision: Decision, numbers: random.Random) -> list[Pose]:
    unit = decision.unit  # type: ignore[attr-defined]
    x, y = centre_of(unit) if unit.place == "table" else (state.width // 2, 6 * MILLI)
    heading = unit.block.heading if unit.block is not None else 0
    return [
        Pose(x + numbers.randint(-7000, 7000), y + numbers.randint(-7000, 7000), heading) for _ in range(2)
    ]


def test_a_preview_agrees_with_the_rules_changes_nothing_and_comes_in_time(
    questions: list[tuple[Ruleset, State, Decision]],
) -> None:
    numbers, times, legal, refused = random.Random(4), [], 0, 0
    for rules, state, decision in questions:
        if not isinstance(decision, DRAGGED):
            continue
        before = state_hash(state)
        for drag in drags(state, decision, numbers):
            began = time.process_time()  # other work on a shared machine does not count
            found = previewed(rules, state, decision, 7, Preview(3, drag))
            times.append((time.process_time() - began) * 1000)
            assert (found.id, found.seq) == (3, 7)
            assert found.legal != bool(found.reasons)
            assert found.answer is not None
            assert not decision.check(found.answer), "what the button does is legal, here or nearby"
            legal, refused = legal + found.legal, refused + (not found.legal)
        assert state_hash(state) == before
    assert legal
    assert refused
    assert statistics.median(times) <= 16
    assert statistics.quantiles(times, n=20)[-1] <= 16 * GENEROUS


def test_every_question_has_a_form_and_a_default_that_is_legal(
    questions: list[tuple[Ruleset, State, Decision]],
) -> None:
    kinds = {}
    for rules, state, decision in questions:
        if decision.kind not in kinds or isinstance(decision, Targets):
            kinds[decision.kind] = question_for(rules, state, decision, True)
    assert len(kinds) >= 8
    for question in kinds.values():
        assert question.form is not None
        assert question.sentence
    bare = question_for(*questions[-1], False)
    assert (bare.form, bare.default) == (None, None)


def test_only_units_with_ranged_weapons_get_a_hint_to_shoot(
    questions: list[tuple[Ruleset, State, Decision]],
) -> None:
    seen = set()
    for rules, state, decision in questions:
        if decision.kind != "action":
            continue
        form = question_for(rules, state, decision, True).form
        assert isinstance(form, PickForm)
        unit = state.units[next(f.unit for f in reversed(state.stack) if isinstance(f, Activation))]
        armed = any(weapon.reach for model in unit.models for weapon in state.profiles[model.profile].weapons)
        (hold,) = [option.label for option in form.options if option.key == "hold"]
        assert hold == ("Hold: stay and shoot" if armed else "Hold: stay here")
        seen.add(armed)
    assert seen == {True, False}


def test_a_declaration_of_fire_comes_with_odds_and_reasons() -> None:
    for rules, state, decision in positions("regiments-3.5"):
        if isinstance(decision, Targets):
            answer = decision.default()
            assert isinstance(answer, Aims)
            found = previewed(rules, state, decision, 1, Preview(1, answer=answer))
            target = found.targets[0]
            assert found.legal
            assert target.odds is not None
            assert abs(sum(target.odds.bars) - 1) < 1e-9
            assert {step.title for step in target.steps} == {"to hit", "to block"}
            return
    raise AssertionError("nobody ever shot")


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-1.6"])
def test_the_way_of_a_charge_comes_with_the_odds_of_its_melee_once_the_hand_rests(edition: str) -> None:
    """With a single enemy to charge its choice is not asked, so this is the last chance to see the odds."""
    before: State | None = None
    for rules, state, decision in positions(edition):
        if decision.kind == "action":
            before = state
        if decision.kind == "charge_path" and before is not None:
            assert isinstance(decision, Marching | Walking)
            answer = decision.default()
            (quick,) = previewed(rules, state, decision, 1, Preview(1, answer=answer)).targets
            (found,) = previewed(rules, state, decision, 1, Preview(1, answer=answer, patient=True)).targets
            assert quick.odds is None
            assert found.odds is not None
            assert found.odds == charge_outcome(rules, before, decision.unit.id, found.unit, Clock(1000))
            assert found.odds.back.startswith("about ")
            return
    raise AssertionError("nobody ever charged")


def test_overlays_and_the_tape_can_be_laid_anywhere(
    questions: list[tuple[Ruleset, State, Decision]],
) -> None:
    rules, state, _ = questions[-1]
    standing = [unit for unit in state.units if unit.place == "table"]
    for what in OVERLAYS:
        found = overlaid(rules, state, Overlay(1, what, standing[0].id))
        assert all(len(outline) >= 2 for shape in found.shapes for outline in shape.outlines)
    lines = overlaid(rules, state, Overlay(1, "sight", standing[0].id)).lines
    assert len(lines) == sum(unit.side != standing[0].side for unit in standing)
    for line in lines:
        assert line.clear == (line.stop is None)
    foes = [unit.id for unit in standing if unit.side != standing[0].side]
    tape = measured(rules, state, Measure(2, from_unit=standing[0].id, to_unit=foes[0]))
    back = measured(rules, state, Measure(2, from_unit=foes[0], to_unit=standing[0].id))
    assert tape.distance == back.distance > 0
    assert measured(rules, state, Measure(3, from_point=(0, 0), to_point=(3000, 4000))).distance == 5000


@pytest.mark.parametrize(
    ("spell", "words"),
    [
        (Spell("A", 1, 18000, hits=3, rules=(RuleRef("AP", 1),)), "A: 3 hits with AP(1) (enemies, 18\u2033)"),
        (
            Spell("B", 1, 12000, "friend", grants=(RuleRef("To Be Hit", -1), RuleRef("Fearless"))),
            "B: -1 to be hit, Fearless until the round ends (friends, 12\u2033)",
        ),
        (
            Spell("C", 1, 12000, grants=(RuleRef("To Hit", -1), RuleRef("Pace", -2)), test="morale"),
            'C: a morale test; units that fail have -1 to hit, -2" when advancing, -4" when rushing or charging '
            "until the round ends (enemies, 12\u2033)",
        ),
    ],
)
def test_spells_are_described_in_plain_words(spell: Spell, words: str) -> None:
    assert spell_words(spell) == words


ROOFS = """
scenario: Two low roofs
edition: skirmish-3.2
terrain:
  Near: {kind: platform, height: 2, at: [24, 10], size: [10, 6]}
  Far: {kind: platform, height: 2, at: [24, 20], size: [10, 6]}
units:
  Thief: {side: A, models: 1, stats: Q4+ D4+, base: 25mm round, at: [24, 12]}
  Wolf: {side: B, models: 1, at: [24, 40, 180]}
"""


def moving(scene: str, action: str) -> tuple[Ruleset, State, object]:
    """The first unit of a scene, asked for its way."""
    loaded, _ = load_text(scene)
    built = build(loaded[0].scenario)
    rules, state = built.ruleset, started(loaded[0].scenario, built)
    for answer in (Pick("u0"), Pick(action)):
        state = submit(rules, state, answer).state
    return rules, state, pending_of(rules, state)


def advancing(scene: str) -> tuple[Ruleset, State, Walking, MoveForm]:
    """The first unit of a scene about to advance."""
    rules, state, walking = moving(scene, "advance")
    assert isinstance(walking, Walking)
    form = question_for(rules, state, walking, mine=True).form
    assert isinstance(form, MoveForm)
    return rules, state, walking, form


def test_a_leap_between_low_roofs_is_offered_judged_and_comes_with_its_risk() -> None:
    rules, state, walking, form = advancing(ROOFS)
    assert form.leaps
    there = Pose(24 * MILLI, 20 * MILLI, 0, 2 * MILLI)
    climbed = previewed(rules, state, walking, 0, Preview(1, there))
    assert not climbed.legal
    assert not climbed.leaps
    leapt = previewed(rules, state, walking, 0, Preview(1, there, leap=True))
    assert leapt.legal
    assert leapt.answer is not None
    assert not walking.check(leapt.answer)
    assert [risk.text for risk in leapt.leaps] == [
        "Thief leaps 4″: lands on 3+ with 2 dice (44 %), else falls 2″"
    ]
    again = previewed(rules, state, walking, 0, Preview(1, answer=leapt.answer))
    assert (again.legal, again.used, again.leaps) == (True, leapt.used, leapt.leaps)


def test_leaps_are_offered_only_between_two_ledges() -> None:
    assert not advancing(ROOFS.replace("[24, 20], size", "[5, 40], size"))[3].leaps


LAKE = """
scenario: A lake ahead
edition: regiments-3.5
terrain:
  Lake: {kind: river, types: [impassable], at: [25, 18], size: [10, 8]}
units:
  Riders: {side: A, models: 5, rules: Fast, front: [25, 11]}
  Foe: {side: B, models: 5, front: [25, 40], facing: 180}
"""


def test_a_drag_across_an_obstacle_ends_as_near_as_there_is_room() -> None:
    rules, state, decision = moving(LAKE, "rush")
    assert isinstance(decision, Marching)
    found = previewed(rules, state, decision, 0, Preview(1, Pose(25 * MILLI, 24 * MILLI, 0)))
    assert not found.legal
    assert 2500 <= found.used < 3000, "up to the shore, and not back to where it stands"
    assert found.answer is not None
    assert decision.check(found.answer) == ()


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-1.6"])
def test_a_unit_put_down_outside_its_zone_is_offered_the_nearest_place_inside(edition: str) -> None:
    found = next(
        (rules, state, decision)
        for rules, state, decision in positions(edition)
        if isinstance(decision, BlockPlacing | LoosePlacing)
    )
    rules, state, decision = found
    assert isinstance(decision, BlockPlacing | LoosePlacing)
    middle = Pose(state.width // 2, state.depth // 2, 0)
    judged = previewed(rules, state, decision, 0, Preview(1, middle))
    assert not judged.legal
    assert "within" in judged.reasons[0].text.lower()
    assert judged.answer is not None
    assert decision.check(judged.answer) == (), "pressing the button places it"
    assert judged.wanted is not None
    assert judged.end is not None
    assert judged.wanted != judged.end
