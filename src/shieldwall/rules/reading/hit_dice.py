"""Phrases for dice that deal hits or wounds outside the usual attacks, and hits for wounds taken."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, ChargeHits, HitDice
from shieldwall.rules.reading.grammar import Caught, Phrases

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

ONE_ENEMY = "(one enemy unit|an enemy unit|one enemy|one enemy model)"
ATTACKER = "[the] (attacker|attacking unit|unit that dealt it|enemy|enemy unit) takes {dealt}"

add("dealt", "{n:num} hit [with {rules}]", build=lambda m: {"hits": m["n"], "rules": m.get("rules", ())})
add("dealt", "{n:num} wound", build=lambda m: {"wounds": m["n"]})
add("dealt", "a hit [with {rules}]", build=lambda m: {"hits": 1, "rules": m.get("rules", ())})
add("dice", "{n:num} [extra] (die|dice)", build=lambda m: m["n"])
add("near", "within {d:inch}", build=lambda m: (m["d"], False))
add("near", "within {d:inch} [and] in line of sight [of (it|this model)]", build=lambda m: (m["d"], True))

# in melee
same(
    "myturn",
    {
        "when (it's|it is) (this model's|its) turn to (attack|fight|strike) [in melee]": None,
        "(when|before) (this model|it) (fights|strikes) [in melee]": None,
        "when (this model|it) attacks in melee": None,
        "(when|before) attacking in melee": None,
        "(in melee|when fighting [in melee])": None,
    },
)
ROLL = "{x:myturn} , [(this model|it)] [may] roll {n:dice} ."
add(
    "item",
    f"{ROLL} for each {{need}} [,] (the|its) (target|enemy) takes {{dealt}}",
    f"{ROLL} for each {{need}} [,] it deals {{dealt}} to (the|its) (target|enemy)",
    f"{ROLL} [the|its] (target|enemy) takes {{dealt}} for each {{need}}",
    f"{ROLL} [for] each [result of] {{need}} (deals|causes|is) {{dealt}} [to (the|its) (target|enemy)]",
    build=lambda m: (HitDice("fights", m["need"], m["n"], **m["dealt"]),),
)


# at an enemy in reach
def _burst(m: Caught) -> Blocks:
    (reach, sight), (often, at) = m["near"], m["s"]
    dice, each = m.get("n", 1), "n" in m
    return (HitDice(at, m["need"], dice, **m["dealt"], reach=reach, sight=sight, each=each, often=often),)


TRIGGER = "[\\( {k:checked} \\)]"
add(
    "item",
    f"{{s:start}} [you may] roll one die . on a {{need}} [,] {ONE_ENEMY} {{near}} takes {{dealt}} {TRIGGER}",
    f"{{s:start}} roll {{n:dice}} . for each {{need}} [,] {ONE_ENEMY} {{near}} takes {{dealt}} {TRIGGER}",
    build=_burst,
)
add(
    "item",
    f"once it comes out of hiding , roll {{n:dice}} . for each {{need}} [,] {ONE_ENEMY} {{near}} takes {{dealt}}",
    build=lambda m: _burst({**m, "s": ("game", "deployed")}),
)


def _drawn_back(m: Caught) -> Blocks:
    dealt, reach = m["dealt"], m["near"][0]
    return (
        HitDice("moved after melee", m["need"], 0, True, **dealt, reach=reach, often="round", who="unit"),
    )


add(
    "item",
    "once per round , when (this unit|it) draws back from a melee , pick one enemy {near} and roll one die"
    " for each model with this rule . each {need} deals {dealt}",
    build=_drawn_back,
)

# at enemies on the way
CROSSING = "{o:often} , (when|if) ((this model|it) moves|moving) (over|through) enemy units , [you may]"
add(
    "item",
    f"{CROSSING} pick one of them [,] and roll {{n:dice}} . for each {{need}} [,] it takes {{dealt}}",
    f"{CROSSING} pick one of them [,] and roll {{n:dice}} . it takes {{dealt}} for each {{need}}",
    f"{CROSSING} pick one of them [,] and roll {{n:dice}} . [for] each [result of] {{need}}"
    " (deals|causes|is) {dealt}",
    "{o:often} , when (this model|it) flies over enemies , pick one of those and throw {n:dice} . each {need}"
    " deals {dealt}",
    build=lambda m: (HitDice("crosses", m["need"], m["n"], **m["dealt"], often=m["o"]),),
)

# hits for wounds taken, and by the weight of a charge
add(
    "item",
    f"(when|each time) (this model|it) takes a wound in melee , {ATTACKER}",
    f"for each wound [that] (this model|it) takes in melee , {ATTACKER}",
    f"(when|each time) (this model|it) takes [a] wound in melee , {ATTACKER} (per wound|for each [wound])",
    build=lambda m: (HitDice("wounded in melee", 0, 0, **m["dealt"]),),
)
add(
    "item",
    f"(if|when) (this model|it) is killed in melee , {ATTACKER}",
    f"(if|when) killed in melee , {ATTACKER}",
    build=lambda m: (HitDice("killed in melee", 0, 0, **m["dealt"]),),
)
add(
    "item",
    "(this model's|its) Impact hits count as having {rule}",
    "(this model's|its) Impact (get|count as having) {rule}",
    "hits (from|by|of) (this model's|its) Impact (get|count as having) {rule}",
    build=lambda m: (ChargeHits(m["rule"]),),
)
add("item", "(this model's|its) Impact hits get {rule}", build=lambda m: (ChargeHits(m["rule"]),))
