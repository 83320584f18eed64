"""What is decided before a game of Skirmish 3.2, and what a player sees of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.cli.captions import unit_notes
from shieldwall.core import events as ev
from shieldwall.core.engine import begin, pending_of
from shieldwall.core.errors import RefusedError
from shieldwall.core.pending import Roll
from shieldwall.core.state import Base, Profile, State, option
from shieldwall.editions import ruleset
from shieldwall.rulebook.house_rules import HouseRuleError, house_rules, settle
from shieldwall.rules.constants import inches
from shieldwall.table.sight_methods import unit_value, volume_height
from shieldwall.table.terrain import piece

EDITION = "skirmish-3.2"
RULES = ruleset(EDITION)
FLAT_ROCK = piece(0, "rock", size=(4, 4), at=(24, 24), height=0.0, name="Flat rock")


def table(width: float, depth: float, axis: str = "y", **options: str) -> State:
    """The demonstration armies before a bare table."""
    switches = {name.replace("_", "-"): value for name, value in options.items()}
    state = demo_setup(EDITION, 1, options=dict(switches))
    return replace(state, width=inches(width), depth=inches(depth), axis=axis, pieces=())


def starts(state: State) -> bool:
    """Whether the game comes to its first roll."""
    pending = begin(RULES, state).pending
    return isinstance(pending, Roll) and pending.purpose == "marker_count"


def refusal(state: State) -> str:
    with pytest.raises(RefusedError) as error:
        begin(RULES, state)
    return str(error.value)


@pytest.mark.parametrize(("width", "depth"), [(48, 48), (36, 36), (48, 29)])
def test_smaller_tables_are_played_on_while_the_armies_stay_apart(width: float, depth: float) -> None:
    """SK32-PREP-01, SK32-PREP-02."""
    assert starts(table(width, depth))


@pytest.mark.parametrize(("width", "depth", "axis"), [(48, 24, "y"), (48, 24.1, "y"), (20, 48, "x")])
def test_a_table_without_room_for_zones_is_refused(width: float, depth: float, axis: str) -> None:
    """SK32-PREP-02, SK32-OBJ-01: no marker is placed before the table is right; zones need room for bases."""
    assert "SK32-PREP-02" in refusal(table(width, depth, axis))


def test_where_any_edge_may_be_picked_both_pairs_must_have_room() -> None:
    """SK32-PREP-02, SK32-OBJ-05."""
    assert starts(table(48, 24, "x"))
    assert "SK32-PREP-02" in refusal(table(48, 24, "x", free_deployment_axis="on"))


def test_seen_from_above_every_piece_in_the_way_needs_a_height() -> None:
    """SK32-LOS-13: the start is refused with the name of the piece; the other methods do not mind."""
    bare = replace(table(48, 48, sight_method="top-down"), pieces=(FLAT_ROCK,))
    told = refusal(bare)
    assert "Flat rock" in told
    assert "SK32-LOS-13" in told
    assert starts(replace(bare, pieces=(replace(FLAT_ROCK, height=inches(2)),)))
    assert starts(replace(table(48, 48), pieces=(FLAT_ROCK,)))


def test_basic_sight_is_stored_unless_another_method_is_agreed() -> None:
    """SK32-LOS-02, SK32-LOS-03: three methods in the order of their complexity, basic first; no fourth one."""
    methods = next(rule for rule in house_rules(EDITION) if rule.name == "sight-method")
    assert methods.values == ("basic", "top-down", "volumetric")
    assert option(demo_setup(EDITION, 1), "sight-method") == "basic"
    with pytest.raises(HouseRuleError):
        settle(EDITION, {"sight-method": "x-ray"})


def test_the_sight_method_is_fixed_once_the_game_starts() -> None:
    """SK32-LOS-02: what has happened so far left the agreed switches alone."""
    state = table(48, 48, sight_method="volumetric")
    assert begin(RULES, state).state.options == state.options


@pytest.mark.parametrize(
    ("kind", "value"),
    [("swarm", 1), ("infantry", 2), ("chariot", 3), ("vehicle", 4), ("giant", 5), ("titan", 6)],
)
def test_presets_of_the_view_from_above(kind: str, value: int) -> None:
    """SK32-LOS-17, SK32-LOS-18, SK32-LOS-19, SK32-LOS-20, SK32-LOS-21, SK32-LOS-22."""
    profile = Profile("x", 4, 4, Base("round", 32, 32), inches(1.26), kind=kind)
    assert unit_value(profile) == value


@pytest.mark.parametrize(
    ("base", "height"),
    [(20, 1.0), (25, 1.0), (32, 1.25), (40, 1.5), (50, 2.0), (60, 3.0), (80, 3.0), (100, 4.0)],
)
def test_every_base_has_a_volume(base: int, height: float) -> None:
    """SK32-LOS-29, SK32-LOS-33..SK32-LOS-38: the preset of the nearest listed size, the smaller one on a tie."""
    profile = Profile("x", 4, 4, Base("round", base, base), inches(5))
    assert volume_height(profile) == height


def test_a_stunned_model_shows_it_and_stays_where_it_is() -> None:
    """SK32-WOUND-09."""
    state = begin(RULES, table(48, 48)).state
    unit = state.units[1]
    after = ev.Stunned(unit=unit.id, models=(unit.models[0].id,)).apply(state)
    assert "stunned" in unit_notes(after.units[1])
    assert "stunned" not in unit_notes(unit)
    assert after.units[1].poses == unit.poses
    assert pending_of(RULES, after) is not None
