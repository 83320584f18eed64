"""Cover, by the rows of the rulebooks."""

from __future__ import annotations

import pytest
from sight_makers import FOOT, block, loose, profile, table

from shieldwall.core.state import Base, Piece, Profile, Unit
from shieldwall.table.cover import POLICIES, Cover, cover_of, covered_share
from shieldwall.table.sight import sees, shooting_scan
from shieldwall.table.terrain import gives_cover, piece

SHOOTERS = block(1, 36, 10, 5)  # front edge about (36, 10.5)
TEN = block(2, 36, 30, 10, 180, side=1)  # front row y 29 to 30, rear row y 30 to 31, x 33.5 to 38.5
ALL = (0, 1, 2, 3, 4)
MAN = (profile(FOOT, 1.25),)


def ranks(*units: Unit, pieces: tuple[Piece, ...] = (), shooters: Unit = SHOOTERS) -> Cover:
    return cover_of(table(shooters, *units, pieces=pieces), "ranks", 1, ALL, 2)


def forest_over(models: int) -> Piece:
    """A forest that holds the rear row of TEN and, for six models, also the last one of its front row."""
    rear = [(33, 30), (39, 30), (39, 33), (33, 33)]
    six = [(33, 30), (37.5, 30), (37.5, 28.5), (39, 28.5), (39, 33), (33, 33)]
    return piece(0, "forest", six if models == 6 else rear)


def test_more_than_half_wholly_inside() -> None:
    """R35-TERRAIN-13: six of ten fully in a forest are enough, five are not."""
    assert ranks(TEN, pieces=(forest_over(6),)) == Cover("in", 6, 10, 6)
    assert ranks(TEN, pieces=(forest_over(5),)) == Cover("none", 5, 10, 5)


def test_a_base_that_sticks_out_is_not_wholly_inside() -> None:
    """R35-TERRAIN-13: all of the base must be inside; on the near edge it is not behind the piece either."""
    edge = piece(0, "field", [(33, 29.1), (39, 29.1), (39, 33), (33, 33)])
    assert ranks(TEN, pieces=(edge,)) == Cover("none", 5, 10, 5)


def test_inside_and_behind_are_added() -> None:
    """R35-TERRAIN-13: five in the forest and one behind a wall make six of ten, and only together."""
    rock = piece(1, "wall", at=(33.5, 26), size=(2, 0.3))
    found = ranks(TEN, pieces=(forest_over(5), rock))
    assert (found.kind, found.inside, found.covered) == ("behind", 5, 6)


@pytest.mark.parametrize(("share", "kind"), [(0.6, "in"), (0.4, "none")])
@pytest.mark.parametrize(
    "base", [Base("square", 50.8, 50.8), Base("round", 50.8, 50.8), Base("oval", 40, 80)]
)
def test_a_lone_model_by_the_area_of_its_base(share: float, kind: str, base: Base) -> None:
    """R35-TERRAIN-14: 60 percent inside ruins is cover, 40 percent is not."""
    across = base.width / 25.4
    # The round ones have most of their area in the middle: cut so that the wanted share lies inside.
    cut = share if base.shape == "square" else {0.6: 0.579, 0.4: 0.421}[share]
    ruin = piece(
        0, "ruin", [(36 + (0.5 - cut) * across, 25), (60, 25), (60, 35), (36 + (0.5 - cut) * across, 35)]
    )
    lone = block(2, 36, 30, side=1, kind=1) if base.shape == "square" else loose(2, (36, 30), side=1, kind=1)
    state = table(SHOOTERS, lone, pieces=(ruin,), profiles=(profile(), profile(base)))
    assert covered_share(state, "ranks", 1, ALL, 2, 0).inside == pytest.approx(share, abs=0.01)
    assert cover_of(state, "ranks", 1, ALL, 2).kind == kind


def test_parts_of_a_lone_model_inside_and_hidden_are_added() -> None:
    """R35-TERRAIN-14: 30 percent inside on the right and 30 percent hidden on the left are more than half."""
    ruin = piece(0, "ruin", [(36.4, 25), (50, 25), (50, 35), (36.4, 35)])
    wall = piece(1, "wall", [(30, 28), (35.63, 28), (35.63, 28.2), (30, 28.2)])
    monster = (profile(), profile(Base("square", 50.8, 50.8)))
    lone = block(2, 36, 30, side=1, kind=1)
    state = table(SHOOTERS, lone, pieces=(ruin, wall), profiles=monster)
    share = covered_share(state, "ranks", 1, ALL, 2, 0)
    assert share.inside == pytest.approx(0.3, abs=0.01)
    assert share.covered == pytest.approx(0.6, abs=0.03)
    assert cover_of(state, "ranks", 1, ALL, 2) == Cover("behind", 1, 1)
    assert (
        cover_of(table(SHOOTERS, lone, pieces=(ruin,), profiles=monster), "ranks", 1, ALL, 2).kind == "none"
    )


LONG = (profile(), profile(Base("rect", 25.4, 101.6)))  # 1 by 4 inches, its corners 2.06 from the centre


@pytest.mark.parametrize("apart", [1.0, 1.5616, 1.7])
def test_a_lone_model_on_a_long_base_is_seen_from_close_by(apart: float) -> None:
    """R35-TERRAIN-14: a fence along its flank hides all of it, also from within the circle round its corners."""
    lone = block(2, 36, 20, heading=90, side=1, kind=1)
    shooter = block(1, 36, 20 - 0.5 - apart - 0.5, 5)
    fence = piece(0, "wall", at=(36, 20 - 0.9), size=(12, 0.2))
    state = table(shooter, lone, pieces=(fence,), profiles=LONG)
    assert covered_share(state, "ranks", 1, ALL, 2, 0) == (0.0, pytest.approx(1.0))
    assert cover_of(state, "ranks", 1, ALL, 2) == Cover("behind", 1, 1)
    assert cover_of(table(shooter, lone, profiles=LONG), "ranks", 1, ALL, 2).kind == "none"


@pytest.mark.parametrize(("post", "share"), [(37.2, 0.379), (37.9, 0.741)])
def test_half_of_a_long_base_from_beyond_its_end(post: float, share: float) -> None:
    """R35-TERRAIN-14: seen along its flank, what a fence hides is measured on the base."""
    lone = block(2, 36, 20, heading=90, side=1, kind=1)
    shooter = block(1, 39.2, 18.4, 1, heading=-60)
    fence = piece(0, "wall", [(34, 19.2), (post, 19.2), (post, 19.3), (34, 19.3)])
    state = table(shooter, lone, pieces=(fence,), profiles=LONG)
    assert covered_share(state, "ranks", 1, (0,), 2, 0).covered == pytest.approx(share, abs=0.02)
    assert cover_of(state, "ranks", 1, (0,), 2).kind == ("behind" if share > 0.5 else "none")


def test_other_units_give_cover() -> None:
    """R35-TERRAIN-17: six of ten hidden behind a third unit, the others still seen."""
    third = block(3, 34.7, 20, 3, side=1)
    state = table(SHOOTERS, TEN, third)
    assert cover_of(state, "ranks", 1, ALL, 2) == Cover("behind", 6, 10)
    assert shooting_scan(state, "outline", 1).nearest_seen.min() < 99
    assert ranks(TEN, block(3, 33.9, 20, 3)).kind == "none"


def test_the_own_unit_and_comrades_give_no_cover() -> None:
    """R35-SR-TAKEDOWN-04: the second row behind its own front row is seen and has no cover."""
    state = table(SHOOTERS, TEN)
    assert sees(state, "outline", 1, 2, 2, 7).visible
    assert cover_of(state, "ranks", 1, ALL, 2, target_models=(7,)) == Cover("none", 0, 1)
    assert ranks(TEN) == Cover("none", 0, 10)


def test_a_barricade_shelters_models_behind_it() -> None:
    """R35-TERRAIN-30: not when the shooters touch it themselves, whatever the distance to the target."""
    near_target = piece(0, "barricade", at=(36, 28.5), size=(12, 0.4))
    assert ranks(TEN, pieces=(near_target,)) == Cover("behind", 10, 10)
    at_shooters = piece(0, "barricade", at=(36, 10.7), size=(12, 0.4))
    assert ranks(TEN, pieces=(at_shooters,)).kind == "none"
    a_step_ahead = piece(0, "barricade", at=(36, 10.8), size=(12, 0.4))
    assert ranks(TEN, pieces=(a_step_ahead,)).kind == "behind"


def test_hidden_and_inside_are_told_apart() -> None:
    """R35-SR-INDIRECT-03: cover from a wall is "behind", from a forest "in"."""
    wall = piece(0, "wall", at=(36, 26), size=(12, 0.3))
    assert ranks(TEN, pieces=(wall,)).kind == "behind"
    forest = piece(0, "forest", at=(36, 30), size=(12, 6))
    assert ranks(TEN, pieces=(forest,)).kind == "in"


def test_a_wall_lower_than_both_hides_nothing() -> None:
    """R35-TERRAIN-13: a wall lower than both does not block sight, so it hides nobody."""
    low = piece(0, "wall", at=(36, 26), size=(12, 0.3), height=0.5)
    assert ranks(TEN, pieces=(low,)).kind == "none"


def test_hills_give_cover_on_and_behind_them() -> None:
    """R35-SETUP-17: to units behind the hill and to units fully on it."""
    on = piece(0, "hill", at=(36, 30), size=(12, 8))
    assert ranks(TEN, pieces=(on,)).kind == "in"
    before = piece(0, "hill", at=(36, 22), size=(12, 6))
    assert ranks(TEN, pieces=(before,)).kind == "behind"


def shot(target: Unit, *pieces: Piece, shooters: Unit | None = None, policy: str = "loose") -> Cover:
    firing = shooters or loose(1, (10, 10))
    models = tuple(range(len(firing.models)))
    return cover_of(table(firing, target, pieces=pieces, profiles=MAN), policy, 1, models, 2)


def test_the_majority_in_or_behind_cover() -> None:
    """SK32-TERRAIN-12: two of three in a forest are covered, one of two is not."""
    forest = piece(0, "forest", at=(10, 22), size=(6, 6))
    assert shot(loose(2, (9, 21), (11, 21), (16, 21), side=1), forest) == Cover("in", 2, 3, 2)
    assert shot(loose(2, (9, 21), (16, 21), side=1), forest).kind == "none"


@pytest.mark.parametrize(("y", "kind"), [(19.9, "none"), (20.0, "in"), (20.1, "in"), (27.0, "behind")])
def test_half_of_the_base_inside_is_enough(y: float, kind: str) -> None:
    """SK32-TERRAIN-12: in with at least half of its base, behind when the line crosses the piece."""
    ruin = piece(0, "ruin", at=(10, 22.5), size=(6, 5))
    assert shot(loose(2, (10, y), side=1), ruin).kind == kind


def test_the_nearest_shooter_decides() -> None:
    """SK32-TERRAIN-12: whether the fence is in the way of the nearest; of another it does not matter."""
    fence = piece(0, "fence", at=(10, 15), size=(4, 0.2))
    target = loose(2, (10, 20), side=1)
    assert shot(target, fence, shooters=loose(1, (10, 10), (25, 25))).kind == "behind"
    assert shot(target, fence, shooters=loose(1, (10, 10), (18, 22))).kind == "none"


def test_a_shooter_at_the_fence_shoots_over_it() -> None:
    """SK32-TERRAIN-12: not in the same piece and not touching it."""
    radius = 16 / 25.4
    touching = piece(0, "fence", at=(10, 10.1 + radius), size=(4, 0.2))
    assert shot(loose(2, (10, 20), side=1), touching).kind == "none"
    ahead = piece(0, "fence", at=(10, 10.2 + radius), size=(4, 0.2))
    assert shot(loose(2, (10, 20), side=1), ahead).kind == "behind"
    around_both = piece(0, "forest", at=(10, 15), size=(8, 14))
    assert shot(loose(2, (10, 20), side=1), around_both).kind == "in"


def test_walls_and_units_give_no_cover_to_loose_models() -> None:
    """SK32-TERRAIN-11 and SK32-TERRAIN-12: only cover terrain does; a fence is cover."""
    wall = piece(0, "wall", at=(10, 15), size=(4, 0.3), height=1.0)
    assert shot(loose(2, (10, 20), side=1), wall).kind == "none"
    between = table(loose(1, (10, 10)), loose(2, (10, 20), side=1), loose(3, (10, 15)), profiles=MAN)
    assert cover_of(between, "loose", 1, (0,), 2).kind == "none"
    assert gives_cover(piece(0, "fence", at=(10, 15), size=(4, 0.3)))


def test_barricades_and_fields() -> None:
    """SK32-SETUP-06 and SK32-SETUP-08: crouching behind a barricade, standing in a field."""
    barricade = piece(0, "barricade", at=(10, 19), size=(4, 0.4))
    assert shot(loose(2, (10, 20), side=1), barricade).kind == "behind"
    assert shot(loose(2, (10, 20), side=1), piece(0, "field", at=(10, 20), size=(5, 5))).kind == "in"


def test_crowds_are_judged_from_most_shooters() -> None:
    """A2-TERRAIN-09, A16-TERRAIN-01: three of five covered, two of four not; behind for most shooters."""
    forest = piece(0, "forest", at=(10, 22), size=(6, 6))
    five = loose(2, (8, 21), (10, 21), (12, 21), (16, 21), (18, 21), side=1)
    assert shot(five, forest, policy="crowd") == Cover("in", 3, 5, 3)
    assert (
        shot(loose(2, (8, 21), (10, 21), (16, 21), (18, 21), side=1), forest, policy="crowd").kind == "none"
    )
    fence = piece(0, "fence", at=(10, 15), size=(4, 0.2))
    two_of_three = loose(1, (10, 10), (10.5, 8.5), (30, 20))
    assert shot(loose(2, (10, 20), side=1), fence, shooters=two_of_three, policy="crowd").kind == "behind"
    one_of_two = loose(1, (10, 10), (30, 20))
    assert shot(loose(2, (10, 20), side=1), fence, shooters=one_of_two, policy="crowd").kind == "none"


OVAL = (profile(Base("oval", 25, 50), 1.6),)
CHARIOT = (profile(Base("rect", 50, 100), 1.6),)


def crowd(shooter: Unit, target: Unit, *pieces: Piece, profiles: tuple[Profile, ...] = MAN) -> str:
    return cover_of(table(shooter, target, pieces=pieces, profiles=profiles), "crowd", 1, (0,), 2).kind


def test_crowds_are_judged_by_the_shortest_line_from_base_to_base() -> None:
    """A2-TERRAIN-09: two slanting ovals come nearest at their ends, where no line between the centres passes."""
    one, other = loose(1, (10, 10, 45)), loose(2, (14, 10, -45), side=1)
    at_the_ends = piece(0, "fence", at=(12, 10.7), size=(0.2, 0.6))
    assert crowd(one, other, at_the_ends, profiles=OVAL) == "behind"
    between_centres = piece(0, "fence", at=(12, 10), size=(0.2, 0.6))
    assert crowd(one, other, between_centres, profiles=OVAL) == "none"


def test_of_several_shortest_lines_the_middle_one_counts() -> None:
    """A2-TERRAIN-09: two chariots side by side, one two inches ahead: their sides face each other for 1.937
    inches."""
    one, other = loose(1, (10, 10)), loose(2, (16, 12), side=1)
    for near, far, kind in (
        (8.0, 10.9, "none"),
        (8.0, 11.1, "behind"),
        (10.9, 14.0, "behind"),
        (11.1, 14.0, "none"),
    ):
        fence = piece(0, "fence", outline=((12.9, near), (13.1, near), (13.1, far), (12.9, far)))
        assert crowd(one, other, fence, profiles=CHARIOT) == kind
    turned = loose(2, (16, 12, 0.02), side=1)  # two hundredths of a degree: its rear corner is nearest now
    before_the_corner = piece(0, "fence", outline=((12.9, 9.5), (13.1, 9.5), (13.1, 10.5), (12.9, 10.5)))
    assert crowd(one, turned, before_the_corner, profiles=CHARIOT) == "behind"


def test_units_in_contact_are_behind_nothing() -> None:
    """A2-TERRAIN-09: between bases in contact no line is left for a fence to cross."""
    fence = piece(0, "fence", at=(11, 10), size=(0.2, 4))
    assert crowd(loose(1, (10, 10)), loose(2, (10 + 32 / 25.4, 10), side=1), fence) == "none"


@pytest.mark.parametrize(
    ("y", "kind"), [(18.9, "behind"), (19.5, "behind"), (20.0, "behind"), (20.3, "none")]
)
@pytest.mark.parametrize("policy", ["loose", "crowd"])
def test_a_fence_under_a_base_counts_up_to_its_centre(policy: str, y: float, kind: str) -> None:
    """SK32-TERRAIN-12, A2-TERRAIN-09: the line to the centre of the model crosses it, wherever the rim is."""
    fence = piece(0, "fence", at=(10, y), size=(0.6, 0.2), height=0)
    assert shot(loose(2, (10, 20), side=1), fence, policy=policy).kind == kind


@pytest.mark.parametrize(("y", "covered"), [(28.9, 10), (29.3, 10), (29.5, 5), (29.7, 5), (30.5, 0)])
def test_ranks_astride_a_fence(y: float, covered: int) -> None:
    """R35-TERRAIN-13, R35-TERRAIN-30: models whose centre is beyond a fence are behind it; astride is not in it."""
    fence = piece(0, "fence", at=(36, y), size=(12, 0.2), height=0)
    assert ranks(TEN, pieces=(fence,)).covered == covered


def test_policies_are_plain_data() -> None:
    """What the two books differ in can be read off the policies."""
    assert POLICIES["ranks"].viewpoint == "middle of the front edge"
    assert POLICIES["ranks"].units_give_cover
    assert POLICIES["loose"].viewpoint == "centre of nearest shooter"
    assert not POLICIES["loose"].units_give_cover
    with pytest.raises(ValueError, match="no cover policy"):
        cover_of(table(SHOOTERS, TEN), "guess", 1, ALL, 2)
