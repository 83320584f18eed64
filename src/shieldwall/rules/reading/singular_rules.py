"""Phrases for rules that are like no others: deployment, coming back, casters and the like."""

from __future__ import annotations

from shieldwall.core.blocks import (
    Avenged,
    CasterGroup,
    Conduit,
    Coordinates,
    Impulsive,
    LongerReach,
    MayPass,
    NewCopy,
    NewUnit,
    PrecisionStrike,
    Redeploys,
    Restores,
    Returns,
    Tokens,
    When,
)
from shieldwall.rules.reading.grammar import Phrases
from shieldwall.rules.reading.meaning import Cond, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


# Deployment, coming back and new units
add(
    "item",
    "once all units are deployed , you may take up to {n:num} friendly units off the table and"
    " deploy them again",
    build=lambda m: (Redeploys(m["n"]),),
)
add(
    "item",
    "once per game , {who:bearer} may leave the table when its activation ends and return by"
    " Ambush in the next round",
    build=lambda m: (Returns("game", m["who"] or "all"),),
)
add(
    "item",
    "when {who:bearer} is shaken or destroyed , you may remove it , and a new copy arrives"
    " within {d:inch} of a table edge in the next round",
    build=lambda m: (NewCopy(m["d"], m["who"] or "all"),),
)
add(
    "item",
    "once per game , when activated , this model may bring on a new unit of {x:num} within {d:inch} [of it]",
    build=lambda m: (NewUnit(m["d"], "activated", "game"),),
)
add(
    "item",
    "when {who:bearer} is destroyed , a new unit of {x:num} may be placed within {d:inch}"
    " [of (its position|it)]",
    build=lambda m: (NewUnit(m["d"], "destroyed"),),
)
LOST = "(lost model (or|and) wound|model (or|and) wound [that] it has lost)"
BACK = (
    "(each {on:need} (brings|restores|returns) one [back]"
    "|on [a] {on:need} [,] (one|it|that one) (returns|comes back|is restored)"
    "|for each {on:need} [,] (one|one of them) (returns|comes back|is restored))"
)
add(
    "item",
    f"when {{who:bearer}} is activated , [you may] roll one die for each {LOST} . {BACK}",
    f"each time {{who:bearer}} is activated , [you may] roll one die for each {LOST} . {BACK}",
    build=lambda m: (Restores(m["on"], m["who"] or "all"),),
)

# Spell tokens and casters
add(
    "item",
    "[this model] gets {n:num} [spell] tokens (each round|at the start of each round)"
    " [\\( at most {most:num} \\)] , which friendly casters within {d:inch} may spend as spell tokens",
    build=lambda m: (Tokens(m["n"], m["d"], m.get("most", 6)),),
)
add(
    "item",
    "friendly casters within {d:inch} may cast from where this model stands [, (with|and get) {n:signed}"
    " to (the casting roll|casting rolls) [when doing so]]",
    build=lambda m: (Conduit(m["d"], m.get("n", 0)),),
)
add(
    "item",
    "one model of the unit casts with as many tokens as there are models with this rule",
    "one model (of|in) (the|this|its) unit (is|counts as) [a] caster with as many tokens as there are models with"
    " this rule",
    build=lambda m: (CasterGroup(),),
)

# Rules that are like no others
add(
    "item",
    "when (this unit|it) is destroyed , its destroyer is marked once for each model it began with . friendly"
    " units get {v:objs} against it for each mark",
    build=lambda m: (Avenged(fill(m["v"], Cond((When(attack="attack"),)), "unit")),),
)
add(
    "item",
    "when (this unit|it) ends its activation , (a|another) friendly unit within {d:inch}"
    " [that has not been activated yet] may (activate|be activated) , which may not do the same",
    "when (this unit|it) ends its activation , pick 1 friendly unit within {d:inch}"
    " [that has not been activated yet] , which may (activate|be activated) , which may not do the same",
    build=lambda m: (Coordinates(m["d"]),),
)
add(
    "item",
    "while (this unit|it) is within {d:inch} of another friendly unit with this rule"
    " [that is within {h:inch} of a hero] , its hero may pick (this unit|it) as if within {n:inch}",
    build=lambda m: (LongerReach(m["d"], m["n"], m.get("h") or 0),),
)
add(
    "item",
    "once per round , {who:bearer} may pass its turn while the opponent has more units left to activate",
    build=lambda m: (MayPass("round"),),
)
add(
    "item",
    "when activated , {who:bearer} must attack the closest target it can , with {n:signed} to hit",
    build=lambda m: (Impulsive(m["n"]),),
)
add(
    "item",
    "{o:often} [,] (this model|it) may strike one picked enemy model in melee , with {n:num}"
    " attack at quality {q:need} with {rules}",
    build=lambda m: (PrecisionStrike(m["q"], m["n"], m["rules"], m["o"]),),
)
