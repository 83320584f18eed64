"""What Python calls of the compiled moves of loose units.

Finding out the type of a named tuple takes the dispatcher some ten times as long as that of a plain one, thirty
microseconds for a unit with all that is round it, which is as long as many a kernel runs. So everything comes in
plain tuples and gets its names here.
"""

from __future__ import annotations

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import Floats, Ints
from shieldwall.table.kernels_close import Others
from shieldwall.table.kernels_contact import Quest
from shieldwall.table.kernels_drag import Shift, drag_unit, spread_unit
from shieldwall.table.kernels_loose import Found, Ground, Movers, World
from shieldwall.table.kernels_push import gaps_to_unit, starts_slowed
from shieldwall.table.kernels_reach import Plan, close_in
from shieldwall.table.kernels_unit import walk

# The fields of Movers and World, those of Others and Ground among them, one after the other.
Setting = tuple[
    Floats, Floats, Floats, Floats, Ints,
    int, int, Floats, Floats, Ints, Floats, Floats, Floats, Floats, Floats,
]  # fmt: skip
FoundParts = tuple[Floats, Floats, Floats, Floats, Floats, Ints]
ShiftParts = tuple[Ints, Ints, Floats]
QuestParts = tuple[int, float, bool, bool, Ints, Floats]
PlanParts = tuple[Floats, Ints, Floats, Floats]


def setting_of(movers: Movers, world: World) -> Setting:
    """A unit about to move and what is round it, in one plain tuple."""
    return (*movers, world.me, world.exempt, *world.others, *world.ground, world.rule, world.climb)


@kernel
def movers_of(setting: Setting) -> Movers:
    return Movers(setting[0], setting[1], setting[2], setting[3], setting[4])


@kernel
def world_of(setting: Setting) -> World:
    others = Others(setting[7], setting[8], setting[9], setting[10])
    return World(setting[5], setting[6], others, Ground(setting[11], setting[12]), setting[13], setting[14])


@kernel
def found_of(parts: FoundParts) -> Found:
    return Found(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])


@kernel
def call_walk(setting: Setting, order: Ints, cuts: Ints, path: Floats, found: FoundParts) -> None:
    """See `walk`."""
    walk(movers_of(setting), order, cuts, path, world_of(setting), found_of(found))


@kernel
def call_drag(
    setting: Setting,
    dx: float,
    dy: float,
    heading: float,
    exactly: bool,
    shift: ShiftParts,
    found: FoundParts,
) -> int:
    """See `drag_unit`."""
    room = Shift(shift[0], shift[1], shift[2])
    return drag_unit(movers_of(setting), dx, dy, heading, exactly, room, world_of(setting), found_of(found))


@kernel
def call_spread(
    setting: Setting, order: Ints, spots: Floats, heading: float, needs: Floats, zones: Floats, placed: Ints,
    ends: Floats,
) -> int:  # fmt: skip
    """See `spread_unit`."""
    return spread_unit(
        movers_of(setting), order, spots, heading, needs, zones, world_of(setting), placed, ends
    )


@kernel
def call_close_in(
    setting: Setting, order: Ints, quest: QuestParts, found: FoundParts, plan: PlanParts
) -> int:
    """See `close_in`."""
    wish = Quest(quest[0], quest[1], quest[2], quest[3], quest[4], quest[5])
    ways = Plan(plan[0], plan[1], plan[2], plan[3])
    return close_in(movers_of(setting), order, wish, world_of(setting), found_of(found), ways)


@kernel
def call_gaps(setting: Setting, target: int, answer: Floats) -> None:
    """See `gaps_to_unit`."""
    gaps_to_unit(movers_of(setting), target, world_of(setting), answer)


@kernel
def call_starts_slowed(setting: Setting) -> bool:
    """See `starts_slowed`."""
    return starts_slowed(movers_of(setting), world_of(setting))
