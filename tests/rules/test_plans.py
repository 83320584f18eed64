"""Plans of a game: steps that it can never need are left out, and nothing else changes."""

from __future__ import annotations

import copy

import pytest
from msgspec.structs import replace

from shieldwall.armies import book, recruit
from shieldwall.armies.demo import demo_setup
from shieldwall.armies.factions import FACTIONS
from shieldwall.armies.random_lists import Chances, legal_list
from shieldwall.bots import play_game, policy
from shieldwall.core.blocks import Aura, Boost, Gets, Inches, Lend, MayMove, PickedEffect, Picks
from shieldwall.core.engine import begin
from shieldwall.core.state import Effect, RuleRef, State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.army.in_play import brought_in
from shieldwall.rules.bindings import Binding
from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.numbers import TableNumbers

ALL_BOUGHT = Chances(section=1.0)


class EveryStep(Ruleset):
    """An edition whose games leave no step out."""

    def in_play(self, state: State) -> None:
        return None


def with_every_step(rules: Ruleset) -> Ruleset:
    twin = copy.copy(rules)
    twin.__class__ = EveryStep
    twin.__dict__.pop("_plans", None)
    return twin


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_the_same_with_every_step_in_place(edition: str) -> None:
    rules = ruleset(edition)
    whole = with_every_step(rules)
    for seed in range(2):
        start = demo_setup(edition, seed)
        ends = [
            play_game(by, start, [policy("random"), policy("random")], SeededDice.from_seed(seed), seed=seed)
            for by in (rules, whole)
        ]
        assert ends[0] == ends[1]


def with_army_rules(edition: str, seed: int) -> State:
    """Two random lists of factions with their own army rules."""
    chosen = [book(FACTIONS[(seed + place) % len(FACTIONS)], edition) for place in (0, 1)]
    made = [legal_list(one, edition, TableNumbers(seed), chances=ALL_BOUGHT) for one in chosen]
    return demo_setup(edition, seed, lists=[recruit(army) for army in made])


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_with_army_rules_are_the_same_with_every_step_in_place(edition: str) -> None:
    rules = ruleset(edition)
    whole = with_every_step(rules)
    starts = [with_army_rules(edition, seed) for seed in range(3)]
    assert any(start.army_rules for start in starts)
    for seed, start in enumerate(starts):
        assert rules.in_play(start) is not None
        ends = [
            play_game(by, start, [policy("random"), policy("random")], SeededDice.from_seed(seed), seed=seed)
            for by in (rules, whole)
        ]
        assert ends[0] == ends[1]


def test_a_plan_sees_through_auras_picks_and_boosts() -> None:
    """Everything a text may lead to is known when the game starts."""
    fast = RuleRef("Swift", 0, False, (Inches(2000, ("advance",)), MayMove(3000, "after shooting")))
    texts = {
        "aura": Aura((Gets(fast, "unit"),)),
        "pick": Picks((Lend((Gets(fast, "unit"),), "once"),), "friend"),
        "choice": PickedEffect(((Gets(fast, "unit"),), (Inches(1000, ("rush",)),)), until="next activation"),
        "boost": Boost("Slowly", (MayMove(6000, "after shooting"),)),
    }
    build = ruleset("regiments-3.5").specials.build
    for name, block in texts.items():
        assert "moves_after" in brought_in([RuleRef(name, 0, False, (block,))], build), name
    choice = RuleRef("choice", 0, False, (texts["choice"],))
    assert "next activation" in brought_in([choice], build)


@pytest.mark.parametrize("edition", EDITIONS)
def test_steps_of_army_rules_are_left_out_where_no_army_has_any(edition: str) -> None:
    rules, start = ruleset(edition), demo_setup(edition, 0)
    plan = rules.plans_for(start)["activation"]
    steps = rules.procedures["activation"]
    skipped = {step.name for at, step in enumerate(steps) if plan.busy[at] != at}
    assert {"act.placing", "act.rules_before_shots", "act.rule_moves"} <= skipped
    assert not {"act.action", "act.shoot", "act.pass"} & skipped


def test_steps_stay_for_a_rule_that_only_a_spell_grants() -> None:
    class Recovering(SpecialRule):
        def recovers_on(self, ctx: object) -> int:
            return 4

    rules = ruleset("regiments-3.5").variant("recovering", rules={"Recovering": Binding(Recovering, "")})
    start = demo_setup("regiments-3.5", 0)
    at = rules.plans_for(start)["round"].at["round.nerve"]
    assert rules.plans_for(start)["round"].busy[at] != at
    lending = replace(start.spells[0], grants=(RuleRef("Recovering"),))
    with_spell = replace(start, spells=(lending, *start.spells[1:]))
    assert rules.plans_for(with_spell)["round"].busy[at] == at


@pytest.mark.parametrize(
    "effect",
    [
        Effect("Gift", -1, "round", (RuleRef("Unheard of"),)),
        Effect("Gift", -1, "next activation"),
    ],
)
def test_no_step_is_left_out_beside_an_effect_from_elsewhere(effect: Effect) -> None:
    rules, start = ruleset("regiments-3.5"), demo_setup("regiments-3.5", 0)
    touched = replace(start, units=(replace(start.units[0], effects=(effect,)), *start.units[1:]))
    assert rules.in_play(start) is not None
    assert rules.in_play(touched) is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_hook_that_a_step_needs_exists(edition: str) -> None:
    needed = {need for steps in ruleset(edition).procedures.values() for step in steps for need in step.needs}
    assert needed
    assert all(hasattr(SpecialRule, need) for need in needed - {"next activation"})


def test_a_state_at_rest_brings_its_plans_along_for_its_own_ruleset_only() -> None:
    rules, start = ruleset("regiments-3.5"), demo_setup("regiments-3.5", 1)
    rested = begin(rules, start).state
    found = rules.plans_for(rested)
    assert rested.__dict__["plans"] is found
    without = rules.without("Impact")
    assert without.plans_for(rested) is not found
    cursed = replace(rested.units[0], effects=(Effect("Strange", 1, "round", (RuleRef("Slam"),)),))
    edited = replace(rested, units=(cursed, *rested.units[1:]))
    assert "no such hook" in rules.plans_for(edited).in_play
    assert "no such hook" not in found.in_play
