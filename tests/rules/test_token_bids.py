"""Tokens spent for or against a spell: by whom, from where, with which sign; sealed, then revealed together."""

from __future__ import annotations

from casting_scene import (
    BASE_INCHES,
    EVERY,
    FIVE,
    RANKED,
    RANKED_FRONT,
    SINGER,
    SKIRMISH,
    Scene,
    Stand,
    against,
    rival,
    stun,
    wall,
)

from shieldwall.core import events as ev
from shieldwall.core.answers import Bid
from shieldwall.core.frames import Casting
from shieldwall.core.view import view
from shieldwall.rules.ruleset import Ruleset


@EVERY
def test_an_enemy_token_holder_at_exactly_18_inches_may_spend_and_one_beyond_may_not(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-08, SK32-SR-CASTER-09."""
    scene = against(rules, 18.0, cast=[5])
    assert scene.kind == "bid"
    assert scene.question.seat == 1
    scene.resolve(m20=-2)
    assert [event.worked for event in scene.of(ev.SpellCast)] == [False]
    assert scene.tokens(2) == 0
    assert against(rules, 18.1, cast=[5]).kind == "roll cast"


@EVERY
def test_tokens_of_both_sides_add_up(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-09, SK32-SR-CASTER-09."""
    friend = Stand(0, 25, 10, tokens=2, heading=90)
    scene = against(rules, 10, friend, cast=[4]).resolve(m20=-2, m30=1)
    assert [event.worked for event in scene.of(ev.SpellCast)] == [False]
    even = against(rules, 10, friend, cast=[4]).resolve(m20=-2, m30=2)
    assert [event.worked for event in even.of(ev.SpellCast)] == [True]


@EVERY
def test_the_caster_itself_may_add_what_it_has_left_after_paying(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    scene = Scene(rules, [Stand(0, 30, 10, tokens=3), Stand(1, 30, 20, FIVE)], dice={"cast": [3]})
    scene.activate().cast("Fog", 1)
    assert scene.kind == "bid"
    assert scene.refusals(Bid(2)) == ["cast.bid"]
    scene.resolve(m0=1)
    assert [event.worked for event in scene.of(ev.SpellCast)] == [True]
    assert scene.tokens(0) == 0


@EVERY
def test_a_natural_one_fails_and_a_natural_six_works_whatever_is_put_in(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    helped = against(rules, 10, Stand(0, 25, 10, tokens=6, heading=90), cast=[1]).resolve(m30=6)
    assert [event.worked for event in helped.of(ev.SpellCast)] == [False]
    hindered = against(rules, 10, Stand(1, 33, 24, tokens=6, heading=180), cast=[6]).resolve(m20=-2, m30=-6)
    assert [event.worked for event in hindered.of(ev.SpellCast)] == [True]


@EVERY
def test_the_roll_names_every_token_that_changed_it(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    scene = against(rules, 10, tokens=3).bid(m0=1, m20=-2)
    target = scene.roll.pools[0].target
    assert target is not None
    assert [(mod.amount, mod.why) for mod in target.mods] == [
        (1, "1 token of Singer"),
        (-2, "2 tokens of Singer"),
    ]
    assert target.needed == 5
    pushes = [event.push for event in scene.of(ev.TokensSpent)]
    assert pushes == [0, 1, -2]


def test_the_bidder_chooses_the_sign_of_its_tokens() -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-09."""
    scene = against(RANKED, 10, tokens=3, cast=[3])
    assert scene.refusals(Bid(-1)) == scene.refusals(Bid(1)) == []
    scene.resolve(m20=2)
    assert [event.worked for event in scene.of(ev.SpellCast)] == [True]


def test_friends_can_only_help_and_enemies_only_hinder() -> None:
    """SK32-SR-CASTER-09."""
    scene = against(SKIRMISH, 10, tokens=3)
    assert scene.question.seat == 0
    assert scene.refusals(Bid(-1)) == ["cast.bid"]
    scene.answer(Bid(0))
    assert scene.question.seat == 1
    assert scene.refusals(Bid(1)) == ["cast.bid"]
    assert scene.refusals(Bid(-3)) == ["cast.bid"]
    assert scene.refusals(Bid(-2)) == []


@EVERY
def test_token_holders_who_do_not_see_the_caster_put_in_nothing(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-08, SK32-SR-CASTER-09."""
    stands = [Stand(0, 30, 10, tokens=2), Stand(1, 38, 22, FIVE), rival(10)]
    hidden = Scene(rules, stands, pieces=(wall(27, 15, 33, 15.5),)).activate().cast("Fog", 1)
    assert hidden.kind == "roll cast"


def test_a_holder_looking_away_still_sees_the_caster_unless_the_arc_counts() -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-08."""
    away = Stand(1, 30, 20, tokens=2, heading=0)
    stands = [Stand(0, 30, 10, tokens=2), Stand(1, 38, 22, FIVE), away]
    assert Scene(RANKED, stands).activate().cast("Fog", 1).kind == "bid"
    assert Scene(RANKED_FRONT, stands).activate().cast("Fog", 1).kind == "roll cast"


def test_shaken_token_holders_put_in_nothing() -> None:
    """R35-MORALE-20."""
    stands = [Stand(0, 30, 10, tokens=2), Stand(1, 38, 22, FIVE), Stand(1, 30, 20, tokens=2, broken=True)]
    assert Scene(RANKED, stands).activate().cast("Fog", 1).kind == "roll cast"


def test_stunned_token_holders_put_in_nothing() -> None:
    """SK32-WOUND-10."""
    scene = Scene(SKIRMISH, [Stand(0, 30, 10, tokens=2), Stand(1, 38, 22, FIVE), rival(10)])
    stun(scene, 2)
    assert scene.activate().cast("Fog", 1).kind == "roll cast"


def test_bid_range_is_measured_to_the_casters_unit_or_to_the_caster() -> None:
    """R35-SR-CASTER-08 (the unit), SK32-SR-CASTER-09 (the casting model)."""
    spread = (SINGER, *FIVE)
    for rules, kind in ((RANKED, "bid"), (SKIRMISH, "roll cast")):
        right = 30 + 5 * 1.5 + BASE_INCHES + 17 if rules is SKIRMISH else 30 + 3 * BASE_INCHES + 17
        stands = [
            Stand(0, 30, 10, spread, tokens=2),
            Stand(1, 30, 20, FIVE),
            Stand(1, right, 10, tokens=2, heading=270),
        ]
        assert Scene(rules, stands).activate().cast("Fog", 1).kind == kind


@EVERY
def test_bids_are_sealed_until_all_are_in(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, R34-SR-CASTER-08, SK32-SR-CASTER-10."""
    scene = against(rules, 10, tokens=4)
    scene.answer(Bid(2))
    assert scene.question.seat == 1
    assert bids(scene, 0) == (2,)
    assert bids(scene, 1) == bids(scene, -1) == (0,)
    assert scene.tokens(0) == 2
    assert not [event for event in scene.of(ev.TokensSpent) if event.push]
    scene.answer(Bid(-1))
    assert bids(scene, 1) == (2, -1)
    assert (scene.tokens(0), scene.tokens(2)) == (0, 1)


@EVERY
def test_a_switch_lets_the_caster_declare_first_and_the_other_side_answer(rules: Ruleset) -> None:
    """SK32-SR-CASTER-10."""
    stands = [Stand(0, 30, 10, tokens=4), Stand(1, 38, 22, FIVE), rival(10)]
    scene = Scene(rules, stands, options=(("token-bids", "caster-first"),)).activate().cast("Fog", 1)
    assert scene.question.seat == 0
    scene.answer(Bid(2))
    assert bids(scene, 1) == (2,)
    assert scene.tokens(0) == 0
    scene.answer(Bid(-1))
    assert [event.push for event in scene.of(ev.TokensSpent)] == [0, 2, -1]


@EVERY
def test_nobody_bids_by_default(rules: Ruleset) -> None:
    """R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    assert against(rules, 10).question.default() == Bid(0)


def bids(scene: Scene, seat: int) -> tuple[int, ...]:
    """The bids as a seat may know them."""
    frame = view(scene.state, seat).stack[-1]
    assert isinstance(frame, Casting)
    return frame.bids
