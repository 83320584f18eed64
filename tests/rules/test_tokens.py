"""Casting with spell tokens: gaining and paying them, choosing a spell and targets, when, and the roll."""

from __future__ import annotations

from casting_scene import (
    BASE_INCHES,
    EVERY,
    FIVE,
    RANKED,
    RANKED_FRONT,
    SINGER,
    SKIRMISH,
    TROOPER,
    Scene,
    Stand,
    rival,
    stun,
    wall,
)
from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import Cast, Faces, Pick
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Decision
from shieldwall.rules.features.tokens import CastSpell
from shieldwall.rules.features.tokens_legal import casters_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.start import before_round

ENEMY = Stand(1, 30, 20, FIVE)


def duel(rules: Ruleset, tokens: int, *others: Stand, **dice: list[int]) -> Scene:
    """A singer with some tokens, five enemies 10 inches in front of it, and any others."""
    stands = [Stand(0, 30, 10, tokens=tokens), ENEMY, *others]
    return Scene(rules, stands, dice=dice).activate()


def round_begins(rules: Ruleset, number: int, *stands: Stand) -> Scene:
    """The given round has just begun."""
    scene = Scene(rules, stands)
    return scene.start(*before_round(scene.state, number).stack)


class Lowest:
    """Always the same number, cut to the range."""

    def __init__(self, number: int) -> None:
        self.number = number

    def below(self, limit: int) -> int:
        return min(self.number, limit - 1)


# --- gaining ---------------------------------------------------------------------------------------------


@EVERY
def test_a_caster_gains_its_tokens_in_the_first_round_and_in_each_later_one(rules: Ruleset) -> None:
    """R35-SR-CASTER-01, R34-SR-CASTER-01, SK32-SR-CASTER-01."""
    scene = Scene(rules, [Stand(0, 30, 10), ENEMY])
    scene.state = before_round(scene.state, 1)
    scene.start(*scene.state.stack)
    assert scene.tokens(0) == 2
    while scene.state.round == 1:
        scene.answer(scene.question.default())
    assert scene.tokens(0) == 4


@EVERY
def test_tokens_above_six_are_lost(rules: Ruleset) -> None:
    """R35-SR-CASTER-02, R34-SR-CASTER-02, SK32-SR-CASTER-02."""
    assert round_begins(rules, 1, Stand(0, 30, 10, tokens=5), ENEMY).tokens(0) == 6


@EVERY
def test_a_caster_off_the_table_gains_tokens_too(rules: Ruleset) -> None:
    """R35-SR-CASTER-09, and the rulings of R34-SR-CASTER-01 and SK32-SR-CASTER-01."""
    away = Stand(0, 30, 10, place="reserve")
    assert round_begins(rules, 1, away, Stand(0, 10, 10, FIVE), ENEMY).tokens(0) == 2


def test_a_stunned_caster_gains_tokens_too() -> None:
    """SK32-SR-CASTER-01."""
    scene = Scene(SKIRMISH, [Stand(0, 30, 10), ENEMY])
    stun(scene, 0)
    scene.start(*before_round(scene.state, 1).stack)
    assert scene.tokens(0) == 2


def test_without_the_rule_nobody_gains_tokens_or_casts() -> None:
    """R35-SR-CASTER-01."""
    rules = RANKED.without("Caster")
    assert round_begins(rules, 1, Stand(0, 30, 10), ENEMY).tokens(0) == 0
    scene = duel(rules, 3)
    assert scene.refusals(Pick("cast"))


# --- paying and choosing ---------------------------------------------------------------------------------


@EVERY
def test_a_failed_attempt_costs_its_tokens_all_the_same(rules: Ruleset) -> None:
    """R35-SR-CASTER-04, R34-SR-CASTER-04, SK32-SR-CASTER-06."""
    scene = duel(rules, 3, cast=[3]).cast("Fog", 1).resolve()
    assert scene.tokens(0) == 1
    assert not scene.state.units[1].effects
    scene.done()


@EVERY
def test_a_spell_that_costs_more_than_the_caster_holds_is_refused(rules: Ruleset) -> None:
    """R35-SR-CASTER-04, R34-SR-CASTER-04, SK32-SR-CASTER-06."""
    scene = duel(rules, 1).answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Fog", (1,))) == ["cast.pay"]
    assert scene.refusals(Cast(0, "Bolt", (1,))) == []


@EVERY
def test_each_spell_is_tried_only_once_in_an_activation(rules: Ruleset) -> None:
    """R35-SR-CASTER-05, R34-SR-CASTER-05, SK32-SR-CASTER-04."""
    scene = duel(rules, 6, cast=[2, 2]).cast("Bolt", 1).resolve()
    scene.answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Bolt", (1,))) == ["cast.once"]
    scene.cast("Fog", 1).resolve()
    assert [event.spell for event in scene.of(ev.SpellCast)] == ["Bolt", "Fog"]


@EVERY
def test_a_second_caster_of_the_unit_may_try_the_same_spell(rules: Ruleset) -> None:
    """R35-SR-CASTER-05, SK32-SR-CASTER-04: once for each caster."""
    pair = Stand(0, 30, 10, (SINGER, SINGER), tokens=1)
    scene = Scene(rules, [pair, ENEMY], dice={"cast": [1, 1]}).activate()
    scene.cast("Bolt", 1).resolve()
    scene.answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Bolt", (1,))) == ["cast.once", "cast.pay"]
    assert scene.refusals(Cast(1, "Bolt", (1,))) == []


@EVERY
def test_the_next_activation_opens_every_spell_again(rules: Ruleset) -> None:
    """R35-SR-CASTER-05, SK32-SR-CASTER-04."""
    scene = duel(rules, 2, cast=[1]).cast("Bolt", 1).resolve()
    while scene.state.round == 1:
        scene.answer(scene.question.default())
    while scene.kind != "action" or scene.state.units[1].activated:
        scene.answer(scene.question.default())
    scene.answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Bolt", (1,))) == []


@EVERY
def test_only_spells_of_ones_own_faction_are_known(rules: Ruleset) -> None:
    """R35-SR-CASTER-10, SK32-SR-CASTER-05."""
    scene = duel(rules, 6).answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Rust", (1,))) == ["cast.list"]
    question = scene.question
    assert isinstance(question, CastSpell)
    assert "Rust" not in {option.spell.name for option in question.options}
    other = Scene(rules, [Stand(0, 30, 10, tokens=6), ENEMY], spells=("Rust",)).activate()
    assert other.answer(Pick("cast")).refusals(Cast(0, "Rust", (1,))) == []


@EVERY
def test_going_back_costs_nothing_and_leaves_the_spell_untried(rules: Ruleset) -> None:
    """R35-SR-CASTER-04, SK32-SR-CASTER-06: only an attempt is paid."""
    scene = duel(rules, 1).answer(Pick("cast"), Pick("back"))
    assert scene.kind == "action"
    assert scene.tokens(0) == 1
    assert scene.answer(Pick("cast")).refusals(Cast(0, "Bolt", (1,))) == []


def test_every_reason_against_a_cast_is_given_at_once() -> None:
    """R35-SR-CASTER-04, R35-SR-CASTER-07."""
    scene = duel(RANKED, 1).answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Fog", (0, 77))) == [
        "cast.pay",
        "cast.target",
        "cast.target",
        "cast.target",
    ]
    assert scene.refusals(Cast(10, "Fog", (1,))) == ["cast.choose"]
    assert scene.refusals(Pick("hold")) == ["cast.choose"]


# --- targets ---------------------------------------------------------------------------------------------


def test_a_target_straight_behind_the_caster_is_legal() -> None:
    """R35-SR-CASTER-07."""
    scene = Scene(RANKED, [Stand(0, 30, 20, tokens=3), Stand(1, 30, 10, FIVE)]).activate()
    assert scene.answer(Pick("cast")).refusals(Cast(0, "Bolt", (1,))) == []


def test_where_sight_means_the_front_arc_a_target_behind_is_refused() -> None:
    """R34-SR-CASTER-07."""
    stands = [Stand(0, 30, 20, tokens=3), Stand(1, 30, 10, FIVE)]
    scene = Scene(RANKED_FRONT, stands).activate()
    assert scene.answer(Pick("cast")).refusals(Cast(0, "Bolt", (1,))) == ["cast.sight"]
    turned = Scene(RANKED_FRONT, stands, options=(("casting-arc", "any"),)).activate()
    assert turned.answer(Pick("cast")).refusals(Cast(0, "Bolt", (1,))) == []


@EVERY
def test_a_target_behind_a_wall_is_refused(rules: Ruleset) -> None:
    """R35-SR-CASTER-07, R34-SR-CASTER-07, SK32-SR-CASTER-08."""
    stands = [Stand(0, 30, 10, tokens=3), ENEMY]
    scene = Scene(rules, stands, pieces=(wall(10, 15, 50, 15.5),)).activate().answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Bolt", (1,))) == ["cast.sight"]
    assert scene.refusals(Cast(0, "Wall", (0,))) == []


@EVERY
def test_spell_range_is_measured_from_the_caster(rules: Ruleset) -> None:
    """SK32-SR-CASTER-08: the range is that of the spell."""
    near, far = 10 + 12 + BASE_INCHES, 10 + 12.1 + BASE_INCHES
    for y, reasons in ((near, []), (far, ["cast.sight"])):
        scene = Scene(rules, [Stand(0, 30, 10, tokens=3), Stand(1, 30, y, (TROOPER,))]).activate()
        refusals = scene.answer(Pick("cast")).question.check(Cast(0, "Bolt", (1,)))
        assert [refusal.cite for refusal in refusals] == reasons
        assert all("farther away than the 12 inches" in refusal.reason for refusal in refusals)


@EVERY
def test_a_caster_may_choose_its_own_unit_for_a_spell_on_friends(rules: Ruleset) -> None:
    """R35-LOS-03, R35-LOS-04, SK32-LOS-09."""
    scene = duel(rules, 3, cast=[4]).answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Wall", (0,))) == []
    scene.cast("Wall", 0).resolve()
    assert [effect.name for effect in scene.state.units[0].effects] == ["Wall"]


@EVERY
def test_a_caster_alone_on_the_table_still_sees_itself(rules: Ruleset) -> None:
    """R35-LOS-03, SK32-SR-CASTER-08: the caster itself is always in sight."""
    scene = Scene(rules, [Stand(0, 30, 10, tokens=1), Stand(1, 30, 46, FIVE)]).activate()
    assert scene.answer(Pick("cast")).refusals(Cast(0, "Skin", (0,))) == []


@EVERY
def test_friends_enemies_and_oneself_are_told_apart(rules: Ruleset) -> None:
    """R35-LOS-04, SK32-LOS-09: an attack on oneself is refused."""
    scene = duel(rules, 3, Stand(0, 36, 17, FIVE)).answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Bolt", (0,))) == ["cast.target"]
    assert scene.refusals(Cast(0, "Bolt", (2,))) == ["cast.target"]
    assert scene.refusals(Cast(0, "Wall", (1,))) == ["cast.target"]
    assert scene.refusals(Cast(0, "Skin", (2,))) == ["cast.target"]
    assert scene.refusals(Cast(0, "Wall", (0, 2))) == []
    assert scene.refusals(Cast(0, "Wall", (0, 0))) == ["cast.target"]
    assert scene.refusals(Cast(0, "Wall", ())) == ["cast.target"]


# --- when ------------------------------------------------------------------------------------------------


@EVERY
def test_spells_are_cast_before_and_after_the_move_but_not_after_shooting(rules: Ruleset) -> None:
    """R35-SR-CASTER-03, R34-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = duel(rules, 4, cast=[2, 2]).cast("Bolt", 1).resolve()
    scene.answer(Pick("advance"))
    assert scene.kind == "cast_or_go"
    scene.cast("Fog", 1).resolve()
    assert scene.kind == "cast_or_go"
    assert scene.tokens(0) == 1
    scene.answer(Pick("go"))
    assert scene.kind != "cast_or_go"
    order = [type(event) for event in scene.events if isinstance(event, ev.SpellCast | ev.ActionChosen)]
    assert order[:3] == [ev.SpellCast, ev.ActionChosen, ev.SpellCast]


@EVERY
def test_a_unit_that_has_attacked_casts_no_more(rules: Ruleset) -> None:
    """R35-SR-CASTER-03, R34-SR-CASTER-03, SK32-SR-CASTER-03."""
    state = duel(rules, 3).state
    can = rules.policies.can_cast
    assert can(rules, state, state.units[0], Activation("activation", unit=0))
    assert not can(rules, state, state.units[0], Activation("activation", unit=0, attacked=True))


@EVERY
def test_a_unit_that_rushes_may_cast_after_its_move(rules: Ruleset) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = duel(rules, 3).answer(Pick("rush"))
    assert scene.kind == "cast_or_go"


@EVERY
def test_a_charging_unit_casts_in_contact_and_before_any_blow(rules: Ruleset) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = duel(rules, 1, cast=[4], block=[6, 6, 6]).answer(Pick("charge"))
    assert scene.kind == "cast_or_go"
    assert not scene.of(ev.Declared)
    scene.cast("Bolt", 1)
    while scene.kind != "roll to_hit":
        scene.throw()
    scene.done()


@EVERY
def test_blows_of_a_charge_find_nobody_when_a_spell_removed_the_target(rules: Ruleset) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    stands = [Stand(0, 30, 10, tokens=2), Stand(1, 30, 12, (TROOPER,)), Stand(1, 60, 40, FIVE)]
    scene = Scene(rules, stands, dice={"cast": [4], "block": [1, 1, 1]}).activate()
    scene.answer(Pick("charge"), Pick("cast"), Cast(0, "Bolt", (1,))).resolve()
    assert not scene.state.units[1].models
    assert scene.kind != "cast_or_go"
    assert not any(event.purpose == "to_hit" for event in scene.of(ev.Rolled))


@EVERY
def test_the_question_is_never_put_when_nothing_can_be_cast(rules: Ruleset) -> None:
    """R35-SR-CASTER-04, SK32-SR-CASTER-06."""
    scene = duel(rules, 0)
    assert scene.refusals(Pick("cast"))
    scene.answer(Pick("advance"))
    assert scene.state.turn == 1


def test_a_shaken_unit_does_not_cast() -> None:
    """R35-MORALE-20."""
    stands = [Stand(0, 30, 10, tokens=3, broken=True), ENEMY, Stand(0, 10, 10, FIVE)]
    scene = Scene(RANKED, stands).activate()
    assert [event.action for event in scene.of(ev.ActionChosen)] == ["idle"]
    assert scene.tokens(0) == 3
    assert not scene.of(ev.SpellCast)
    state = scene.state
    idle = Activation("activation", unit=0, began_broken=True)
    assert not RANKED.policies.can_cast(RANKED, state, state.units[0], idle)


def test_a_stunned_model_spends_its_activation_without_a_spell() -> None:
    """SK32-WOUND-10."""
    scene = Scene(SKIRMISH, [Stand(0, 30, 10, tokens=3), ENEMY, Stand(0, 10, 10, FIVE)])
    stun(scene, 0)
    scene.activate()
    assert [event.action for event in scene.of(ev.ActionChosen)] == ["idle"]
    assert not scene.of(ev.SpellCast)


def test_a_model_stunned_in_its_own_activation_casts_no_more() -> None:
    """SK32-WOUND-10."""
    scene = Scene(SKIRMISH, [Stand(0, 30, 10, tokens=3), ENEMY])
    frame = Activation("activation", unit=0)
    assert SKIRMISH.policies.can_cast(SKIRMISH, scene.state, scene.state.units[0], frame)
    stun(scene, 0)
    assert not SKIRMISH.policies.can_cast(SKIRMISH, scene.state, scene.state.units[0], frame)


# --- the roll --------------------------------------------------------------------------------------------


@EVERY
def test_four_or_more_works_and_three_fails(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, R34-SR-CASTER-06, SK32-SR-CASTER-07."""
    for face, worked in ((4, True), (3, False)):
        scene = duel(rules, 2, cast=[face]).cast("Fog", 1).resolve()
        assert [event.worked for event in scene.of(ev.SpellCast)] == [worked]
        assert bool(scene.state.units[1].effects) is worked
        scene.done()


# --- for bots --------------------------------------------------------------------------------------------


@EVERY
def test_defaults_and_samples_of_casts_and_bids_are_legal(rules: Ruleset) -> None:
    """R35-SR-CASTER-05, R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    for number in range(12):
        stands = [Stand(0, 30, 10, tokens=6), ENEMY, rival(17), Stand(0, 25, 10, FIVE)]
        scene = Scene(rules, stands).activate().answer(Pick("cast"))
        check_question(scene, number)
        scene.answer(scene.question.sample(Lowest(number)))
        while scene.kind == "bid":
            check_question(scene, number)
            scene.answer(scene.question.sample(Lowest(number)))


def check_question(scene: Scene, number: int) -> None:
    question: Decision = scene.question
    assert question.check(question.default()) == ()
    assert question.check(question.sample(Lowest(number))) == ()


def test_the_default_cast_leaves_out_spells_that_would_change_nothing() -> None:
    """R35-SR-PRIORITY-04."""
    scene = Scene(RANKED, [Stand(0, 30, 10, tokens=2), ENEMY], spells=("Fog", "Dread")).activate()
    scene.answer(Pick("cast"))
    assert scene.question.default() == Cast(0, "Fog", (1,))
    scene.answer(Cast(0, "Fog", (1,)), Faces((6,)))
    again = Scene(RANKED, [Stand(0, 30, 10, tokens=2), ENEMY], spells=("Fog", "Dread"))
    again.state = replace(again.state, units=(again.state.units[0], scene.state.units[1]))
    again.activate().answer(Pick("cast"))
    assert again.question.default() == Cast(0, "Dread", (1,))


def test_a_unit_without_casters_is_told_apart_without_looking_at_the_table() -> None:
    """R35-SR-CASTER-01."""
    scene = Scene(RANKED, [Stand(0, 30, 10, FIVE), ENEMY])
    unit = replace(scene.state.units[0], place="inside")
    assert not RANKED.policies.can_cast(RANKED, scene.state, unit, Activation("activation", unit=0))
    assert casters_of(RANKED, scene.state, unit) == ()
    assert scene.state.positions.scene is None
