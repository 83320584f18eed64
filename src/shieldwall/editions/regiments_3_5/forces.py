"""Army lists of Regiments 3.5: the demands of all ranked regiments with the rows of this book."""

from __future__ import annotations

from shieldwall.rules.features.army_lists import SIZES, ListRows, ListRules
from shieldwall.rules.features.roster import Forces

LISTS = ListRules(
    ListRows(
        points="R35-ARMY-04",
        merge="R35-ARMY-05",
        for_all="R35-ARMY-06",
        command="R35-CMD-01",
        join="R35-SR-HERO-01",
        one_hero="R35-SR-HERO-02",
        heroes="R35-FORCE-02",
        copies="R35-FORCE-03",
        share="R35-FORCE-04",
        units="R35-FORCE-05",
    )
)
FORCES = Forces(
    picks="R35-ARMY-03",
    command="R35-CMD-01",
    size="R35-ARMY-01",
    sizes=SIZES,
    problems=LISTS.roster_problems,
    organisation="force-organisation",
)
