"""Phrases for dice that deal hits or wounds outside the usual attacks, and hits for wounds taken."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, ChargeHits, HitDice, Picks
from shieldwall.rules.reading.fates import Then
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
def _on_the_way(m: Caught) -> Blocks:
    """Dice for an enemy that was passed: a unit throws them once, or each model that has the rule."""
    who = "unit" if m.get("who") == "unit" else "model"
    often = m.get("o", "activation")
    return (HitDice("crosses", m["need"], m["n"], **m["dealt"], often=often, who=who),)  # type: ignore[arg-type]


def _picked_on_the_way(m: Caught) -> Blocks:
    then: Then = m["then"]
    often = m.get("o", "activation")
    return (Picks(then.blocks, need=then.need, at="crosses", often=often, dice=then.dice),)


WAY = "(moves|flies|goes|passes) (over|through)"
CROSSING = (
    f"[{{o:often}} [,]] (when|if) ({{who:bearer}} {WAY}|(moving|flying|passing) (over|through))"
    " [an|any] (enemy|enemy unit|enemy model) , [you may] pick one of (them|those)"
)
DEALT = "(it|that unit|the unit) takes {dealt}"
add(
    "item",
    f"{CROSSING} [,] and (roll|throw) {{n:dice}} . [and] for each {{need}} [,] {DEALT}",
    f"{CROSSING} [,] and (roll|throw) {{n:dice}} . [and] on [a] {{need}} [,] {DEALT}",
    f"{CROSSING} [,] and (roll|throw) {{n:dice}} . {DEALT} for each {{need}}",
    f"{CROSSING} [,] and (roll|throw) {{n:dice}} . [for] each [result of] {{need}} (deals|causes|is) {{dealt}}",
    build=_on_the_way,
)
add("item", f"{CROSSING} {{then}}", build=_picked_on_the_way)

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
