"""Army lists and tables of Regiments 3.4: the demands of all ranked regiments with the rows of this book."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core.pending import Refusal
from shieldwall.core.state import MILLI, Piece
from shieldwall.rules.constants import Constants
from shieldwall.rules.features.army_lists import SIZES, ListRows, ListRules
from shieldwall.rules.features.roster import Forces
from shieldwall.table.zones import ZoneRule, check_zones, long_axis

LISTS = ListRules(
    ListRows(
        points="R34-ARMY-01",
        merge="R34-ARMY-03",
        for_all="R34-ARMY-04",
        command="R34-CMD-01",
        join="R34-SR-HERO-01",
        one_hero="R34-SR-HERO-02",
        heroes="R34-FORCE-02",
        copies="R34-FORCE-03",
        share="R34-FORCE-04",
        units="R34-FORCE-05",
    )
)
FORCES = Forces(
    picks="R34-ARMY-01",
    command="R34-CMD-01",
    size="R34-ARMY-01",
    sizes=SIZES,
    problems=LISTS.roster_problems,
    organisation="force-organisation",
)


def table_problems(
    constants: Constants, width: int, depth: int, pieces: Sequence[Piece], zone_depth: int = 0
) -> tuple[Refusal, ...]:
    """Everything that keeps a game from starting on a table: too few pieces, or armies too close together.

    Lengths are thousandths of an inch; `zone_depth` 0 means the usual zones.
    """
    problems = []
    if len(pieces) < constants.terrain_min:
        why = f"{len(pieces)} pieces of terrain; there must be {constants.terrain_min} or more"
        problems.append(Refusal(why, "R34-SETUP-02"))
    rule = ZoneRule(constants.deploy_depth / MILLI, constants.army_separation / MILLI)
    zones = zone_depth or constants.deploy_depth
    for reason in check_zones(width, depth, long_axis(width, depth), zones, rule):
        problems.append(Refusal(reason.text, "R34-SETUP-03"))
    return tuple(problems)
