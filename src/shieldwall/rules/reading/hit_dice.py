"""Phrases for dice that deal hits or wounds outside the usual attacks, and hits for wounds taken."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, ChargeHits, HitDice, Picks, TakeHits
from shieldwall.rules.reading.fates import Then
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

ONE_ENEMY = "(one enemy unit|an enemy unit|one enemy|one enemy model)"
ATTACKER = "[the] (attacker|attacking unit|unit that dealt it|enemy|enemy unit) takes {dealt}"

add(
    "dealt",
    "{n:num} [extra|more] hit [with {rules}]",
    build=lambda m: {"hits": m["n"], "rules": m.get("rules", ())},
)
add("dealt", "{n:num} wound", build=lambda m: {"wounds": m["n"]})
add("dealt", "a hit [with {rules}]", build=lambda m: {"hits": 1, "rules": m.get("rules", ())})
add("dice", "{n:num} [extra] (die|dice)", build=lambda m: m["n"])
add("near", "within {d:inch}", build=lambda m: (m["d"], False))
add("near", "within {d:inch} [and] in line of sight [of (it|this model)]", build=lambda m: (m["d"], True))

# in melee
INVOLVED = "[(that|which|where|in which)] (this model|it) (take part in|fights in|fights|is [involved] in)"
same(
    "myturn",
    {
        "when (it's|it is) (this model's|its) turn to (attack|fight|strike) [in melee]": None,
        "(when|before) (this model|it) (fights|strikes) [in melee]": None,
        "when (this model|it) attacks in melee": None,
        "after (this model|it) (fights|strikes|attacks) [in melee]": None,
        "after its attacks [in melee]": None,
        "(when|before) attacking in melee": None,
        "(in melee|when fighting [in melee])": None,
        f"at the start of (each|any|a|the) melee [{INVOLVED}]": None,
        f"before (each|any|a|the) melee [{INVOLVED}]": None,
        "(in each melee|each time it fights|before (its|any) attacks in melee)": None,
    },
)
same(
    "mycharge",
    {
        "(after|when) (this model|this unit|it) (has charged|charges)": None,
        "(after|when|on) (charging|a charge|its charge)": None,
        "when (this model|this unit|it|the unit) (attacks|attack|fights|fight|strikes) after charging": None,
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

FIRST = "before (it strikes|its attacks|attacking|any attacks|rolling to hit)"
ASIDE = f"[[,] (in addition to its [other] attacks|{FIRST}|after (its attacks|it strikes|attacking))]"
EACH_MODEL = "(for each|per) model with this rule [in (the|this|its) unit]"
ONES = "(the|its|that) (target|enemy|enemy unit|target unit|charged unit)"
SCORES = (
    f"([for] each [result of|roll of] [a] {{need}} gives {ONES} {{dealt}}|"
    "[for] each [result of|roll of|one that rolls] [a] {need} (deals|causes|is|scores) {dealt}"
    f" [(to|on|against) {ONES}]"
    f"|for each [result of|roll of] [a] {{need}} [,] ({ONES}|it) takes {{dealt}}"
    f"|for each [result of|roll of] [a] {{need}} [,] it deals {{dealt}} [to {ONES}]"
    f"|{ONES} takes {{dealt}} (for each|on each) [result of|roll of] [a] {{need}}"
    f"|(dealing|causing|scoring) {{dealt}} [(to|on) {ONES}] (for each|on each) [result of|roll of] [a] {{need}}"
    f"|(deal|cause|score) {{dealt}} [(to|on) {ONES}] (for each|on each) [result of|roll of] [a] {{need}}"
    f"|each (of which|of them|one) (deals|causes|scores) {{dealt}} [(to|on) {ONES}] on [a] {{need}}"
    f"|on [a] {{need}} each (of which|of them|one|die) (deals|causes|scores) {{dealt}} [(to|on) {ONES}])"
)
BY = "[(you|this model|it)] [may]"
add(
    "item",
    f"{{x:myturn}} , {BY} roll {{n:dice}} {ASIDE} (.|,|and) {SCORES}",
    f"{BY} roll {{n:dice}} {{x:myturn}} {ASIDE} (.|,|and) {SCORES}",
    build=lambda m: (HitDice("fights", m["need"], m["n"], **m["dealt"]),),
)
add(
    "item",
    f"{{x:myturn}} , {BY} roll one die {EACH_MODEL} {ASIDE} (.|,|and) {SCORES}",
    f"{BY} roll one die {EACH_MODEL} {{x:myturn}} {ASIDE} (.|,|and) {SCORES}",
    build=lambda m: (HitDice("fights", m["need"], 1, **m["dealt"]),),
)
add(
    "item",
    f"{{x:mycharge}} , {BY} roll {{n:dice}} {ASIDE} (.|,|and) {SCORES}",
    f"{BY} roll {{n:dice}} {{x:mycharge}} {ASIDE} (.|,|and) {SCORES}",
    build=lambda m: _charging(m, m["n"]),
)
add(
    "item",
    f"{{x:mycharge}} , {BY} roll one die {EACH_MODEL} {ASIDE} (.|,|and) {SCORES}",
    f"{BY} roll one die {EACH_MODEL} {{x:mycharge}} {ASIDE} (.|,|and) {SCORES}",
    build=lambda m: _charging(m, 1),
)


ONCE = (
    f"(on [a] {{need}} [,] ({ONES}|it) takes {{dealt}}|on [a] {{need}} [,] it deals {{dealt}} [to {ONES}]"
    f"|on [a] {{need}} [,] {{dealt}} is (dealt|caused) [to {ONES}])"
)
add(
    "item",
    f"{{x:mycharge}} , {BY} roll one die {ASIDE} (.|,|and) {ONCE}",
    build=lambda m: _charging(m, 1),
)
add(
    "item",
    f"{{x:myturn}} , {BY} roll one die {ASIDE} (.|,|and) {ONCE}",
    f"{BY} roll one die {{x:myturn}} {ASIDE} (.|,|and) {ONCE}",
    build=lambda m: (HitDice("fights", m["need"], 1, **m["dealt"]),),
)


def _charging(m: Caught, dice: int) -> Blocks:
    return (HitDice("charges", m["need"], dice, **m["dealt"]),)


# hits of a charge without a roll to hit
def _flat(m: Caught) -> Blocks:
    hits: TakeHits = m["h"]
    if hits.wounds or hits.wound_die or hits.per_model:
        raise ReadingRefused
    return (HitDice("charges", 0, 0, hits=hits.hits, rules=hits.rules, die=hits.die),)


DEALS = "(deals|causes|scores|inflicts) {h:hits}"
add(
    "item",
    f"{{x:mycharge}} , [(this model|it)] {DEALS} [(to|on|against) {ONES}]",
    f"{{x:mycharge}} , {ONES} (takes|suffers) {{h:hits}}",
    f"[(this model|it)] {DEALS} [(to|on|against) {ONES}] {{x:mycharge}}",
    build=_flat,
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
add(
    "item",
    f"[{{o:often}} [,]] (when|if) ({{who:bearer}} {WAY}|(moving|flying|passing) (over|through))"
    " [an|any] (enemy|enemy unit|enemy model) , (one of (them|those [unit])|(that|the|one such) unit) {f:fvs}",
    build=lambda m: _picked_on_the_way({**m, "then": m["f"]}),
)

# hits for wounds taken, and by the weight of a charge
add(
    "item",
    f"(when|each time) (this model|it) takes a wound in melee , {ATTACKER}",
    f"for each wound [that] (this model|it) takes in melee , {ATTACKER}",
    f"(when|each time) (this model|it) takes [a] wound in melee , {ATTACKER} (per wound|for each [wound])",
    build=lambda m: (HitDice("wounded in melee", 0, 0, **m["dealt"]),),
)
HURT = "(when|each time|for each time) (this model|it) (takes|loses) (a|one) wound in melee"
add(
    "item",
    f"{HURT} , roll one die (.|,|and) on [a] {{need}} [,] {ATTACKER}",
    f"{HURT} , roll one die (.|,|and) {ATTACKER} on [a] {{need}}",
    "for each wound [that] (this model|it) (takes|loses) in melee , roll one die (.|,|and) on [a] {need} [,]"
    f" {ATTACKER}",
    build=lambda m: (HitDice("wounded in melee", m["need"], 1, **m["dealt"]),),
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
