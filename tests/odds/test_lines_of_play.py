"""Odds of whole lines of play on a real table: moves, choices, spells, terrain, morale, markers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace
from scenes import scene
from slow_odds import by_fate, every_face

from shieldwall import odds
from shieldwall.core.answers import Aim, Aims, Bid, Cast, Pick
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Choice, Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset

CHARGE = """
scenario: A charge over dangerous ground
edition: regiments-3.5
terrain: {Lava: {kind: lava, at: [24, 12.5], size: [12, 1]}}
objectives: {Ford: [24, 15]}
units:
  Pikes: {side: A, models: 3, equipment: Pike (A1), rules: Impact(1), front: [24, 10]}
  Wolves: {side: B, models: 3, equipment: 'Claws (A1, Counter)', front: [24, 15], facing: 180}
"""


def alone(rules: Ruleset, state: State) -> State:
    """The same state, over when the running activation is."""
    at = next(at for at, frame in enumerate(state.stack) if isinstance(frame, Activation))
    return replace(state, stack=state.stack[at:])


def test_a_whole_charge_equals_every_face_thrown() -> None:
    """Dangerous ground on the way, early blows, impact, blows, strike back, result, morale, rout, separation."""
    rules, state, _ = scene(CHARGE)
    found = odds.of_line(rules, state, [Pick("charge"), Pick("u1")])
    charging = submit(rules, alone(rules, state), Pick("charge")).state
    assert found.exact
    assert by_fate(found) == every_face(rules, charging)
    assert found.unit(0).routed > 0
    assert sum(found.markers.values()) == 1


def test_answers_of_a_line_change_what_may_come_of_it() -> None:
    """A target that does not strike back hurts nobody."""
    rules, state, _ = scene(CHARGE.replace(", Counter", "").replace("lava", "field"))
    answered = odds.of_line(rules, state, [Pick("charge"), Pick("u1")])
    spared = odds.of_line(rules, state, odds.Playbook((Pick("charge"),), (("strike_back", Pick("no")),)))
    assert answered.unit(0).wounds.mean > 0
    assert spared.unit(0).wounds.mean == 0


def test_a_policy_is_asked_at_every_question() -> None:
    """What it leaves open is answered by default."""
    rules, state, _ = scene(CHARGE)
    asked = []

    def hold(state: State, decision: Decision) -> Pick | None:
        asked.append(decision.kind)
        return Pick("hold") if decision.kind == "action" else None

    found = odds.of_line(rules, state, hold)
    assert "action" in asked
    assert found.unit(1).lost.mean == 0


def test_an_answer_that_is_never_allowed_is_an_error_in_words() -> None:
    """The reasons of the rules are part of it."""
    rules, state, _ = scene(CHARGE)
    with pytest.raises(odds.PlaybookError, match=r"answer 2 of the line.*u9"):
        odds.of_line(rules, state, [Pick("hold"), Pick("u9")])


def test_split_fire_of_two_weapons_is_one_distribution() -> None:
    """Bows at one unit, javelins at another: both are hurt independently."""
    rules, state, _ = scene("""
scenario: Two weapons, two targets
edition: regiments-3.5
units:
  Archers: {side: A, models: 4, equipment: 'Bow (24", A1), Javelin (12", A1, AP(1))', front: [24, 10]}
  Wolves: {side: B, models: 5, front: [20, 18], facing: 180}
  Goats: {side: B, models: 5, stats: Q4+ D3+, front: [28, 18], facing: 180}
""")
    aims = Aims((Aim("Bow", 1), Aim("Javelin", 2)))
    found = odds.of_line(rules, state, [Pick("hold"), aims])
    assert found.unit(1).wounds.mean == 4 * Fraction(1, 2) * Fraction(1, 2)
    assert found.unit(2).wounds.mean == 4 * Fraction(1, 2) * Fraction(1, 2)
    both = found.chance(
        lambda branch: len(branch.state.units[1].models) < 5 and len(branch.state.units[2].models) < 5
    )
    assert both == found.unit(1).lost.at_least(1) * found.unit(2).lost.at_least(1)
    assert set(found.unit(1).losses) == {model.id for model in state.units[1].models}
    assert sum(found.unit(1).losses.values()) == found.unit(1).lost.mean


def test_a_spell_with_tokens_against_it() -> None:
    """It works on a 4+, and on a 5+ once the other side has spent a token; then its hits are blocked."""
    rules, state, _ = scene("""
scenario: A bolt
edition: regiments-3.5
spells: {Bolt: {cost: 1, range: 18, hits: 2}}
units:
  Mage: {side: A, rules: Caster(2), tokens: 2, spells: [Bolt], front: [24, 10]}
  Foe: {side: B, rules: 'Caster(1), Tough(6)', tokens: 1, spells: [Bolt], front: [24, 20], facing: 180}
""")
    cast = Cast(state.units[0].models[0].id, "Bolt", (1,))
    free = odds.of_line(rules, state, [Pick("cast"), cast])
    assert free.marks["Bolt: worked"] == Fraction(1, 2)
    assert free.unit(1).wounds.mean == Fraction(1, 2) * 2 * Fraction(1, 2)

    def hinder(state: State, decision: Decision) -> Bid | None:
        return Bid(-1) if decision.kind == "bid" and decision.seat == 1 else None

    hindered = odds.of_line(rules, state, odds.Playbook((Pick("cast"), cast), policy=hinder))
    assert hindered.marks["Bolt: worked"] == Fraction(1, 3)


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6"])
def test_a_spell_that_a_wizard_tries_to_stop_equals_every_face_thrown(edition: str) -> None:
    """The caster's dice against the other wizard's; then hits, wounds and morale."""
    rules, state, _ = scene(f"""
scenario: Two wizards
edition: {edition}
spells: {{Bolt: {{cost: 5, range: 18, hits: 2}}}}
units:
  Mage: {{side: A, rules: Wizard(2), spells: [Bolt], at: [24, 10]}}
  Foe: {{side: B, models: 2, at: [24, 20], facing: 180}}
  Sage: {{side: B, rules: Wizard(1), spells: [Bolt], at: [30, 20], facing: 180}}
""")
    against = state.units[2].models[0].id

    def duel_of_wizards(state: State, decision: Decision) -> Pick | None:
        if isinstance(decision, Choice):
            keys = {option.key for option in decision.options}
            wanted = {"action": ("cast", "hold"), "cast_or_go": ("cast",), "oppose": ("yes", f"m{against}")}
            return next((Pick(key) for key in wanted.get(decision.kind, ()) if key in keys), None)
        return None

    found = odds.of_line(rules, state, duel_of_wizards)
    assert found.exact
    assert 0 < found.marks["Bolt: worked"] < 1
    assert by_fate(found) == every_face(rules, alone(rules, state), duel_of_wizards)


def test_dangerous_ground_takes_models_of_the_unit_that_walks_on_it() -> None:
    """One die each, a wound for each 1."""
    rules, state, _ = scene("""
scenario: Standing in lava
edition: regiments-3.5
terrain: {Lava: {kind: lava, at: [24, 8], size: [20, 20]}}
units:
  Pikes: {side: A, models: 5, front: [24, 10]}
  Wolves: {side: B, models: 5, front: [24, 40], facing: 180}
""")
    found = odds.of_line(rules, state, [Pick("u0"), Pick("hold")])
    assert found.unit(0).lost.mean == Fraction(5, 6)
    assert found.unit(0).lost[5] == Fraction(1, 6**5)


def test_wounds_of_a_lone_model_stun_it_or_knock_it_out() -> None:
    """Skirmish: a wounded model checks; 1 to 4 stuns it, 5 and 6 take it out."""
    rules, state, _ = scene("""
scenario: A lone model is hurt
edition: skirmish-3.2
units:
  Archer: {side: A, equipment: 'Bow (24", A1)', at: [24, 10]}
  Wolf: {side: B, at: [24, 20], facing: 180}
""")
    found = odds.of_line(rules, state, odds.Playbook((Pick("u0"), Pick("hold")), (("push", Pick("no")),)))
    hurt = Fraction(1, 2) * Fraction(1, 2)
    assert found.unit(1).wounds[0] == 1 - hurt
    assert found.unit(1).destroyed + found.unit(1).stunned[1] == hurt
    assert found.unit(1).destroyed == hurt * Fraction(2, 6)


def test_a_line_may_go_on_to_the_end_of_the_round() -> None:
    """All other units act by default, markers are seized, and the walk stops before the next round."""
    rules, state, _ = scene("""
scenario: Arrows decide about a marker
edition: regiments-3.5
objectives: {Ford: [24, 22]}
units:
  Archers: {side: A, models: 2, equipment: 'Bow (24", A1)', front: [24, 10]}
  Wolf: {side: B, front: [24, 21], facing: 180}
""")
    found = odds.of_line(rules, state, [Pick("hold")], until="round")
    assert found.exact
    gone = found.unit(1).destroyed
    assert gone == 1 - (1 - Fraction(1, 4)) ** 2
    holders = found.spread(lambda branch: branch.state.markers[0].holder)
    assert holders == {-1: gone, 1: 1 - gone}
    assert {branch.state.round for branch in found.branches} == {1}


def test_odds_leave_the_game_and_its_dice_alone() -> None:
    """The state is the same afterwards, and still waits for the same thing."""
    rules, state, _ = scene(CHARGE)
    before, pending = replace(state), pending_of(rules, state)
    odds.of_line(rules, state, [Pick("charge")])
    odds.preview(rules, state, 0, "charge", target=1)
    assert state == before
    assert state.rolls_made == 0
    assert pending_of(rules, state) is pending


def test_a_preview_agrees_with_the_whole_line() -> None:
    """A preview of a charge gives what the line gives, up to the morale tests."""
    rules, state, _ = scene(CHARGE)
    whole = odds.of_line(rules, state, [Pick("charge"), Pick("u1")])
    found = odds.preview(rules, state, 0, "charge", target=1)
    (wolves,) = found.targets
    assert wolves.wounds == pytest.approx(float(whole.unit(1).wounds.mean))
    assert wolves.destroyed == pytest.approx(float(whole.unit(1).destroyed))
    assert found.own.lost == pytest.approx(float(whole.unit(0).lost.mean))
    assert sum(wolves.bars) == pytest.approx(1)


def test_a_preview_from_another_place_measures_from_there() -> None:
    """Out of range where it stands, in range where it would stand."""
    rules, state, _ = scene("""
scenario: Archers come closer
edition: regiments-3.5
units:
  Archers: {side: A, models: 5, equipment: 'Bow (18", A1)', front: [24, 10]}
  Wolves: {side: B, models: 5, front: [24, 30], facing: 180}
""")
    there = state.units[0].block
    assert there is not None
    assert odds.preview(rules, state, 0, "hold", target=1).targets == ()
    closer = odds.preview(rules, state, 0, "advance", at=(replace(there, y=there.y + 4000),), target=1)
    assert closer.wounds == pytest.approx(5 / 4)


def test_beyond_its_budget_a_line_is_sampled_and_says_so() -> None:
    """Sampled odds name their error and lie within it."""
    rules, state, _ = scene(CHARGE)
    exact = odds.of_line(rules, state, [Pick("charge"), Pick("u1")])
    budget = odds.Budget(states=5, samples=4000, seed=3)
    found = odds.of_line(rules, state, [Pick("charge"), Pick("u1")], budget=budget)
    assert not found.exact
    assert found.samples == 4000
    assert sum(branch.chance for branch in found.branches) == 1
    chance = exact.unit(1).destroyed
    assert 0 < found.error(chance) < 0.01
    assert abs(found.unit(1).destroyed - chance) < 5 * found.error(chance)
    assert abs(found.unit(0).wounds.mean - exact.unit(0).wounds.mean) < 5 * found.error_of_mean(
        found.unit(0).wounds
    )


def test_the_same_question_is_answered_from_the_cache() -> None:
    """Also for a state that is merely equal."""
    rules, state, _ = scene(CHARGE)
    line = [Pick("charge"), Pick("u1")]
    first = odds.of_line(rules, state, line)
    assert odds.of_line(rules, state, line) is first
    assert odds.of_line(rules, replace(state), line) is first
    odds.forget()
    assert odds.of_line(rules, state, line) is not first


@pytest.mark.parametrize("edition", ["regiments-3.4", "regiments-3.5"])
def test_previews_from_memory_equal_fresh_ones_wherever_a_unit_stands(edition: str) -> None:
    """Distances around those that rules depend on, with cover and without, cached and computed again."""
    rules, state, _ = scene(f"""
scenario: A shooting range
edition: {edition}
terrain: {{Wood: {{kind: forest, at: [30, 30], size: [12, 6]}}}}
units:
  Archers:
    {{side: A, models: 9, equipment: 'Bow (18", A1, Rending)', rules: Relentless, command: [Sergeant], front: [24, 9]}}
  Wolves: {{side: B, models: 10, rules: 'Stealth, Regeneration', front: [28, 30], facing: 180}}
""")
    start = state.units[0].block
    assert start is not None
    places = [(replace(start, x=x, y=y),) for x in (20_000, 30_000) for y in range(10_000, 28_000, 1_500)]
    odds.forget()
    remembered = [odds.preview(rules, state, 0, "advance", at=place, target=1) for place in places]
    for place, before in zip(places, remembered, strict=True):
        odds.forget()
        assert odds.preview(rules, state, 0, "advance", at=place, target=1) == before
    assert len({found.wounds for found in remembered}) > 2


def test_a_charge_out_of_reach_does_nothing() -> None:
    """Nobody is touched by it."""
    rules, state, _ = scene(CHARGE.replace("front: [24, 15], facing", "front: [24, 45], facing"))
    assert odds.preview(rules, state, 0, "charge", target=1).targets == ()
