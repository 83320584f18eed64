"""Phrases for those who attack the bearer and for their attacks as nouns, and what changes for them.

`attackers` is a noun with the condition that it stands for: `enemies that shoot at it from over 9" away`.
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, HitsTaken, Modifier, When
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import (
    ATTACK,
    CHARGE,
    ENEMIES,
    MELEE,
    SHOOT,
    Cond,
    all_of,
    fill,
    join,
    open_block,
)

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# who does what to the bearer
same(
    "assails",
    {
        "(attacking|targeting|rolling to hit|rolling to hit against)": (ATTACK,),
        "(shooting [at]|aiming at)": (SHOOT,),
        "charging": (CHARGE,),
        "(fighting [at|against|with]|in melee (with|against)|attacking in melee)": (MELEE,),
        "(that|which|who) (attack|target|attacks|targets)": (ATTACK,),
        "(that|which|who) (shoot|shoots|aim|aims) [at]": (SHOOT,),
        "(that|which|who) (charge|charges|charged|have charged|get charged)": (CHARGE,),
        "(that|which|who) (fight|fights|strike|strikes) [at|against|with]": (MELEE,),
        "(that|which|who) is in melee (with|against)": (MELEE,),
    },
)
SIDE = f"[any|all|each|the|an|a] {ENEMIES}"
AIMED = "[made|aimed|directed|targeted|fired|that is]"
ON = "(against|on|at|targeting|aimed at|taken by|dealt to)"


def _assailant(m: Caught) -> Cond:
    return join((Cond(m["how"], m.get("who", "")), *([m["c"]] if "c" in m else [])))


add("attackers", f"{SIDE} {{how:assails}} {{who:bearer}} [{{c:conds}}]", build=_assailant)
add(
    "attackers",
    f"[any|all|each|the] [enemy] {{how:strikes}} {AIMED} {ON} {{who:bearer}} [made|aimed|fired] [{{c:conds}}]",
    f"[any|all|each|the] [enemy] {{how:strikes}} {{c:conds}} [made|aimed|fired] {ON} {{who:bearer}}",
    f"[any|all|each|the] [enemy] {{how:hitkind}} hits {ON} {{who:bearer}} [{{c:conds}}]",
    "[any|all|each|the] weapons {how:assails} {who:bearer} [{c:conds}]",
    build=_assailant,
)
add(
    "attackers",
    "[the] {how:strikes} (of|by|from|made by) {e:attackers}",
    f"[the] {{how:strikes}} {AIMED} {ON} {{who:bearer}} (of|by|from|made by) {{e:chargers}}",
    build=lambda m: join((Cond(m["how"], m.get("who", "")), m["e"])),
)
same("chargers", {f"charging {ENEMIES}": Cond((CHARGE,)), f"{ENEMIES} that charge [it]": Cond((CHARGE,))})
add(
    "attackers",
    f"[any|all|each|the] [enemy] {{how:spellkind}} {AIMED} {ON} {{who:bearer}} [{{c:conds}}]",
    f"[any|all|each|the] [enemy] {{how:strikes}} {AIMED} {ON} {{who:bearer}} (by|from) {{f:foes}}",
    f"[any|all|each|the] [enemy] {{how:strikes}} (by|from) {{f:foes}} {AIMED} {ON} {{who:bearer}}",
    build=lambda m: join((_assailant(m), *([Cond(m["f"])] if "f" in m else []))),
)
same("spellkind", {"(spells|hits from spells|spell hits|enemy spells)": (When(attack="spell"),)})
add(
    "cond",
    "against {how:strikes} [made] (by|from) {f:foes}",
    build=lambda m: Cond(all_of((m["how"], m["f"])), "", True, "passive"),
)
add(
    "cond",
    "if (it|they|the attack|the shot|the shooter|the attacker|the enemy) (come|is|is fired|is made) [from] {far}",
    build=lambda m: Cond(m["far"], "", True),
)
same("hitkind", {"(melee|close combat)": (MELEE,), "(shooting|ranged)": (SHOOT,)})
add(
    "attackers",
    "[any|all|each|the] hits [that] {who:bearer} takes [{c:conds}]",
    build=lambda m: join((Cond((), m["who"]), *([m["c"]] if "c" in m else []))),
)
same(
    "attackers",
    {
        "[the] (attacking|charging|shooting) (weapon|unit|model|enemy)": Cond(),
        "(those|these|such|the attacker's|their|its) (hits|attacks|shots|blows|weapons)": Cond(),
        "(each|any) hit": Cond(),
        "(the hits|the attackers|the attacker|the chargers|attackers|the shooter|the shooters|chargers)": Cond(),
    },
)


# what changes for them
def _dulled(m: Caught) -> Blocks:
    if m["n"] >= 0:
        raise ReadingRefused
    return (open_block(HitsTaken, m["n"]),)


def _clumsy(m: Caught) -> Blocks:
    number = m["n"] if "n" in m else -m["less"]
    return (open_block(Modifier, "hit", number, of="enemy"),)


THEIR = "[its|their|the|all|all their|all its]"
REDUCED = "(reduced|lowered|decreased|worsened)"
FLOOR = (
    "[[,] (to a min of|to min|but never below|but not below|to no less than|though never below|though not below)"
    " [AP] [\\(] 0 [\\)]]"
    " [\\( (min|min of|to a min of|but not below|never below|not below|not less than) [AP] [\\(] 0 [\\)] \\)]"
    " [\\( AP (can't|may not|never) (go|be|drop|fall|goes) (below|lower than) 0 \\)]"
)
UPON = "[on their attack] [against (it|them|this unit|this model)]"
add("worse", f"[always] (count as having|get|count as) {{n:piercing}} {UPON} {FLOOR}", build=_dulled)
add(
    "worse",
    f"lose {{k:num}} [point] [of] AP {UPON} {FLOOR}",
    f"get {THEIR} AP {REDUCED} by {{k:num}} {UPON} {FLOOR}",
    f"(subtract|subtracts) {{k:num}} from {THEIR} AP {UPON} {FLOOR}",
    f"(reduce|reduces) {THEIR} AP by {{k:num}} {UPON} {FLOOR}",
    build=lambda m: _dulled({"n": -m["k"]}),
)
ROLL = "(to hit [roll]|hit roll|to roll to hit)"
add(
    "worse",
    f"[always] (get|take|suffer) {{n:signed}} {ROLL}",
    f"[always] (get|take) {{n:signed}} (to|on) {THEIR} hit rolls",
    f"(is|are) (made|resolved|rolled) (at|with) {{n:signed}} {ROLL}",
    f"[must] (subtract|subtracts) {{less:num}} from {THEIR} (hit roll|roll to hit)",
    "(hit|hits) (at|with|on) {n:signed}",
    build=_clumsy,
)


def _told(m: Caught) -> Blocks:
    """What changes for attackers, with all that was said of their attacks; it is they who act."""
    told = [m[key] for key in ("e", "c", "d") if key in m]
    cond = replace(join([replace(one, voice="") for one in told]), voice="")
    return fill(m["w"], cond, cond.who)


add("enemies", "{e:attackers} [,] [{c:conds}] [,] {w:worse} [{d:conds}]", build=_told)


# said of the hits: how much they pierce
def _piercing_of(m: Caught) -> Blocks:
    return _told({**m, "w": _dulled({"n": -m["k"]})})


add(
    "enemies",
    f"[the] AP of {{e:attackers}} is {REDUCED} by {{k:num}} {FLOOR} [{{c:conds}}]",
    f"(reduce|subtract from) the AP of {{e:attackers}} by {{k:num}} {FLOOR} [{{c:conds}}]",
    f"subtract {{k:num}} from the AP of {{e:attackers}} {FLOOR} [{{c:conds}}]",
    build=_piercing_of,
)
add(
    "enemies",
    f"(reduce|lower) the AP of {{e:attackers}} by {{k:num}} {FLOOR} [{{c:conds}}]",
    build=_piercing_of,
)
