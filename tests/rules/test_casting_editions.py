"""Casting in the editions themselves: windows, rows behind refusals, hits that ignore cover."""

from __future__ import annotations

import pytest
from casting_scene import FIVE, TROOPER, Scene, Stand, stun, wood

from shieldwall.armies.muster import settled_options
from shieldwall.core import events as ev
from shieldwall.core.answers import Bid, Cast, Pick
from shieldwall.core.frames import Activation
from shieldwall.editions import ruleset
from shieldwall.rules.start import before_round

REGIMENTS, SKIRMISH = "regiments-3.5", "skirmish-3.2"
BOTH = pytest.mark.parametrize("edition", [REGIMENTS, SKIRMISH])
ROWS = {REGIMENTS: "R35-", SKIRMISH: "SK32-"}
ENEMY = Stand(1, 30, 20, FIVE)


def table(edition: str, *stands: Stand, **dice: list[int]) -> Scene:
    """The units on an empty table of an edition."""
    return Scene(ruleset(edition), stands, dice=dice, options=settled_options(edition, {}))


def go_on(scene: Scene, *until: str) -> Scene:
    """Answer everything in the usual way until one of these questions is put or the turn has passed."""
    while scene.kind not in until and scene.state.turn == 0:
        scene.throw() if scene.kind.startswith("roll") else scene.answer(scene.question.default())
    return scene


@BOTH
def test_tokens_come_with_the_round(edition: str) -> None:
    """R35-SR-CASTER-01, R35-SR-CASTER-02, R35-SR-CASTER-09, SK32-SR-CASTER-01, SK32-SR-CASTER-02."""
    away = Stand(0, 30, 10, tokens=5, place="reserve")
    scene = table(edition, Stand(0, 20, 10, tokens=1), away, ENEMY)
    scene.start(*before_round(scene.state, 1).stack)
    assert (scene.tokens(0), scene.tokens(1)) == (3, 6)


@BOTH
def test_an_advancing_caster_casts_before_and_after_its_move_and_then_shoots(edition: str) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = table(edition, Stand(0, 30, 10, tokens=4), ENEMY, cast=[2, 2]).activate()
    scene.cast("Bolt", 1).resolve().answer(Pick("advance"))
    go_on(scene, "cast_or_go").cast("Fog", 1).resolve()
    assert scene.kind == "cast_or_go"
    scene.answer(Pick("go"))
    assert [event.spell for event in scene.of(ev.SpellCast)] == ["Bolt", "Fog"]
    frame = Activation("activation", unit=0, attacked=True)
    assert not scene.rules.policies.can_cast(scene.rules, scene.state, scene.state.units[0], frame)


@BOTH
def test_a_rushing_caster_casts_after_its_move(edition: str) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = table(edition, Stand(0, 30, 10, tokens=4), ENEMY).activate().answer(Pick("rush"))
    assert go_on(scene, "cast_or_go").kind == "cast_or_go"


@BOTH
def test_a_charging_caster_casts_in_contact_before_the_blows(edition: str) -> None:
    """R35-SR-CASTER-03, SK32-SR-CASTER-03."""
    scene = table(edition, Stand(0, 30, 10, tokens=4), Stand(1, 30, 16, FIVE), cast=[2]).activate()
    go_on(scene.answer(Pick("charge")), "cast_or_go").cast("Bolt", 1).resolve()
    purposes = [event.purpose for event in scene.of(ev.Rolled)]
    assert purposes == ["cast"]
    scene.answer(Pick("go"))
    assert scene.kind == "roll to_hit"


@BOTH
def test_refusals_name_the_rows_of_the_edition(edition: str) -> None:
    """R35-SR-CASTER-04, R35-SR-CASTER-10, R35-LOS-04, SK32-SR-CASTER-05, SK32-SR-CASTER-06, SK32-LOS-09."""
    scene = table(edition, Stand(0, 30, 10, tokens=1), ENEMY).activate().answer(Pick("cast"))
    rows = {
        REGIMENTS: ["R35-SR-CASTER-10", "R35-SR-CASTER-04", "R35-LOS-04"],
        SKIRMISH: ["SK32-SR-CASTER-05", "SK32-SR-CASTER-06", "SK32-LOS-09"],
    }[edition]
    assert scene.refusals(Cast(0, "Rust", (1,))) == rows[:1]
    assert scene.refusals(Cast(0, "Fog", (0,))) == rows[1:]


@BOTH
def test_every_fact_of_a_spell_cites_a_row_of_the_edition(edition: str) -> None:
    """R35-SR-CASTER-06, R35-SR-CASTER-08, SK32-SR-CASTER-07, SK32-SR-CASTER-09."""
    dice = {"cast": [6, 6, 6], "morale": [1], "block": [6] * 3}
    scene = table(edition, Stand(0, 30, 10, tokens=6), ENEMY, **dice).activate()
    for spell in ("Bolt", "Fog", "Dread"):
        scene.cast(spell, 1).resolve(m0=1)
    cast = [event for event in scene.events if not isinstance(event, ev.Activated)]
    assert len(scene.of(ev.SpellCast)) == 3
    assert all(event.cite.startswith(ROWS[edition]) for event in cast)


def test_token_bids_have_a_sign_by_side_in_skirmish_and_by_choice_in_regiments() -> None:
    """R35-SR-CASTER-08, SK32-SR-CASTER-09."""
    for edition, refusals in ((REGIMENTS, []), (SKIRMISH, ["SK32-SR-CASTER-09"])):
        scene = table(edition, Stand(0, 30, 10, tokens=3), ENEMY).activate().cast("Fog", 1)
        assert scene.refusals(Bid(-1)) == refusals


@BOTH
def test_cover_is_of_no_use_against_a_spell(edition: str) -> None:
    """R35-TERRAIN-16, SK32-TERRAIN-13: a 4 with AP(1) is no block at Defense 4+, in the wood or not."""
    stands = (Stand(0, 30, 10, tokens=1), Stand(1, 30, 20))
    scene = Scene(
        ruleset(edition),
        stands,
        dice={"cast": [6]},
        pieces=(wood(25, 17, 35, 23),),
        options=settled_options(edition, {}),
    )
    scene.activate().cast("Bolt", 1).answer().throw()
    target = scene.roll.pools[0].target
    assert target is not None
    assert target.needed == 5


def test_a_shaken_caster_neither_casts_nor_bids() -> None:
    """R35-MORALE-20."""
    shaken = Stand(1, 34, 20, tokens=4, broken=True, heading=180)
    scene = table(REGIMENTS, Stand(0, 30, 10, tokens=2), ENEMY, shaken).activate().cast("Fog", 1)
    assert scene.kind == "roll cast"
    own = table(REGIMENTS, Stand(0, 30, 10, tokens=3, broken=True), ENEMY).activate()
    assert go_on(own, "cast_or_go").kind != "cast_or_go"
    assert not own.of(ev.SpellCast)


def test_a_stunned_caster_neither_casts_nor_bids() -> None:
    """SK32-WOUND-10."""
    scene = table(SKIRMISH, Stand(0, 30, 10, tokens=2), ENEMY, Stand(1, 24, 20, tokens=4))
    stun(scene, 2)
    assert scene.activate().cast("Fog", 1).kind == "roll cast"
    own = table(SKIRMISH, Stand(0, 30, 10, tokens=3), ENEMY)
    stun(own, 0)
    assert go_on(own.activate(), "cast_or_go").kind != "cast_or_go"
    assert not own.of(ev.SpellCast)


def test_failing_a_test_that_a_spell_called_stuns_nobody() -> None:
    """SK32-MORALE-03."""
    scene = table(SKIRMISH, Stand(0, 30, 10, tokens=1), ENEMY, cast=[6], morale=[1]).activate()
    scene.cast("Dread", 1).resolve()
    assert [effect.name for effect in scene.state.units[1].effects] == ["Dread"]
    assert not any(model.stunned for model in scene.state.units[1].models)


def test_a_spell_never_knocks_out_stunned_models_automatically() -> None:
    """SK32-WOUND-10, SK32-SR-CASTER-07."""
    scene = table(SKIRMISH, Stand(0, 30, 10, tokens=1), Stand(1, 30, 20, (TROOPER,)), cast=[6], block=[6] * 3)
    stun(scene, 1)
    scene.activate().cast("Bolt", 1).resolve()
    assert scene.state.units[1].models
