"""Rules of Age of Fantasy 2 compared with a few lines of arithmetic, over all dice or many formations."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shieldwall.bots.numbers import numbers_for
from shieldwall.core import events as ev
from shieldwall.core.answers import Aim, Aims, Cast, Faces, Pick
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rules.features.loose_policies import stands_together
from shieldwall.rules.steps.casualties import Casualties
from shieldwall.scenario import build as building
from shieldwall.scenario.load import load_text

RULES = ruleset("aof-2")


def started(text: str) -> Progress:
    """A scene, written as in scenario files, at its first question."""
    (one,), faults = load_text(text, "oracle")
    assert not faults, faults
    built = building.build(one.scenario)
    return begin(RULES, building.started(one.scenario, built))


def given_to(progress: Progress, *answers: object) -> Progress:
    """The state after some answers in a row."""
    for answer in answers:
        progress = submit(RULES, progress.state, answer)  # type: ignore[arg-type]
    return progress


MAGIC = """
scenario: magic
edition: aof-2
spells: {{Sparks: {{cost: {cost}, range: 18, hits: 1}}}}
units:
  Witch: {{side: A, rules: Wizard({power}), spells: [Sparks], at: [36, 10]}}
  Pike: {{side: A, at: [10, 10]}}
  Shaman: {{side: B, rules: Wizard({rival}), at: [36, 22]}}
"""


@pytest.mark.parametrize(("cost", "power", "rival"), [(4, 1, 2), (6, 3, 1), (8, 1, 1)])
def test_a_spell_works_when_its_roll_is_enough_and_no_rival_rolls_higher(
    cost: int, power: int, rival: int
) -> None:
    """A2-MAGIC-03, A2-MAGIC-04: all 36 pairs of dice; no single face has a meaning."""
    scene = started(MAGIC.format(cost=cost, power=power, rival=rival))
    asked = given_to(scene, Pick("u0"), Pick("cast"), Cast(0, "Sparks", (2,)), Pick("yes"))
    assert isinstance(asked.pending, Roll)
    for cast, stop in product(range(1, 7), repeat=2):
        done = given_to(asked, Faces((cast,)), Faces((stop,)))
        (told,) = [event for event in done.events if isinstance(event, ev.SpellCast)]
        assert told.worked == (cast + power >= cost and stop + rival <= cast + power), (cast, stop)


BLAST = """
scenario: blast
edition: aof-2
defaults: {{base: 20mm}}
units:
  Guns: {{side: A, models: 2, stats: Q4+ D4+, equipment: 'Shot (24", A2, Blast(3){more})', at: [[36, 10], [37.5, 10]]}}
  Wolves: {{side: B, models: {models}, stats: Q4+ D2+, at: {spots}}}
  Dog: {{side: B, at: [60, 44]}}
"""


@pytest.mark.parametrize("more", ["", ", Poison"])
@pytest.mark.parametrize("models", [1, 2, 4, 7])
def test_all_hits_of_one_weapon_together_are_capped(models: int, more: str) -> None:
    """A2-SR-BLAST-03, A2-SR-POISON-01: two weapons with two attacks each, every pattern of misses, hits and sixes."""
    spots = [[34 + number, 18] for number in range(models)]
    scene = started(BLAST.format(models=models, more=more, spots=spots))
    asked = given_to(scene, Pick("hold"), Aims((Aim("Shot", 1),)))
    worth = {1: 0, 4: 1, 6: 3 if more else 1}
    for faces in product(worth, repeat=4):
        done = given_to(asked, Faces(faces))
        landed = sum(event.hits for event in done.events if isinstance(event, ev.Hit))
        each = [3 * sum(worth[face] for face in pair) for pair in (faces[:2], faces[2:])]
        assert landed == sum(min(hits, models) for hits in each), faces


CROWD = """
scenario: crowd
edition: aof-2
defaults: {{base: 20mm}}
units:
  Guns: {{side: A, stats: Q2+ D4+, equipment: 'Shot (48", A{wounds})', at: [36, 4]}}
  Wolves: {{side: B, models: {models}, stats: Q4+ D6+, at: {spots}}}
  Dog: {{side: B, at: [60, 44]}}
"""


def choosing(spots: list[tuple[float, float]], wounds: int) -> tuple[State, Casualties] | None:
    """The question which of the models at these spots is lost; None if it is not asked."""
    text = CROWD.format(models=len(spots), wounds=wounds, spots=[list(spot) for spot in spots])
    asked = given_to(started(text), Pick("hold"), Aims((Aim("Shot", 1),)))
    hit = given_to(asked, Faces((6,) * wounds))
    done = given_to(hit, Faces((1,) * wounds))
    pending = done.pending
    return (done.state, pending) if isinstance(pending, Casualties) else None


STEP = st.tuples(st.sampled_from([0.9, 1.5, 2.2]), st.sampled_from([-0.9, 0.0, 0.9]))


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(STEP, min_size=2, max_size=5),
    wounds=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_nobody_tears_its_unit_apart_who_need_not(
    steps: list[tuple[float, float]], wounds: int, seed: int
) -> None:
    """A2-SHOOT-19: default and sampled losses are legal, and keep coherency whenever any order does."""
    spots = [(30.0, 20.0)]
    for dx, dy in steps:
        spots.append((round(spots[-1][0] + dx, 2), round(spots[-1][1] + dy, 2)))
    asked = choosing(spots, wounds)
    if asked is None:
        return
    state, question = asked
    unit, rule = state.units[1], RULES.policies.coherency(state)  # type: ignore[attr-defined]
    usual, drawn = question.default(), question.sample(numbers_for(seed, 0))
    assert question.check(usual) == ()
    assert question.check(drawn) == ()
    if stands_together(state, unit, usual.ids, rule):
        assert stands_together(state, unit, drawn.ids, rule)
