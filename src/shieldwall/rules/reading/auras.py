"""Phrases for rules that a model lends to its unit, to picked friends or to units near it."""

from __future__ import annotations

from typing import Any

from shieldwall.core.blocks import (
    Aura,
    Blocks,
    When,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ITS, OPEN, THEY, Cond, fill, join

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


def _aura(m: Caught) -> Blocks:
    """To its unit, or to so many friends that are picked."""
    to = "picked" if "n" in m else "unit"
    return (Aura(fill(m["v"], m.get("c", Cond()), "unit"), to, m.get("n", 0), others="o" in m),)  # type: ignore[arg-type]


def _near_aura(m: Caught) -> Blocks:
    """What units near the bearer have; conditions that name the bearer are about it, others about those units."""
    told: tuple[Cond, ...] = tuple(m[key] for key in ("c", "e") if key in m)
    mine = join(cond for cond in told if cond.who)
    if "c" in m and not m["c"].who and any(not _is_of_attacks(when) for when in m["c"].whens):
        raise ReadingRefused  # `as long as it is shaken`, and nobody knows who
    if any(getattr(block, "who", OPEN) not in (OPEN, THEY, ITS, "unit") for block in m["v"]):
        raise ReadingRefused  # a condition that names the bearer, inside of what the others get
    blocks = fill(m["v"], join(cond for cond in told if not cond.who), "unit")
    others = bool(m.get("o", False)) and "own" not in m
    starting = "starts" in m
    return (Aura(blocks, "unit", 0, m["d"], m["side"], others, m.get("rule", ""), mine.whens, starting),)


_OF_A_STATE = (
    "shaken", "fatigued", "wounded", "half", "models", "by_terrain", "by_marker", "by_friend", "by_enemy", "alone",
    "arrived", "own_rule", "still", "held", "moved",
)  # fmt: skip


def _is_of_attacks(when: When) -> bool:
    """Whether a condition is about an attack or the round, not about the state that somebody is in."""
    plain = all(getattr(when, name) == getattr(When(), name) for name in _OF_A_STATE)
    return plain and all(_is_of_attacks(one) for one in when.unless)


def _of_the_bearer(cond: Cond) -> Cond:
    if cond.who not in ("model", "unit"):
        raise ReadingRefused
    return cond


def _refuse(m: Caught) -> Any:
    raise ReadingRefused


# for its unit, or for friends picked before the game
same("startof", {"start of the": None})
PICKED = "[,] picked before (the [{x:startof}] game|[the] deployment) [,]"
KILLED = "(this model|the bearer|it) is killed"
LOST = (
    f"[(.|;|,) [but|and] (if|when|once) {KILLED} , ([the] picked (model|unit) [that are deployed]|[all of] they)"
    f" lose (it|the rule|this rule)]"
)
UNIT = "(this model's unit|its unit|the bearer's unit|this unit|the unit)"
BEFORE = (
    "(before [the] [{x:startof}] (game|deployment|first round) [starts|begins]"
    "|at the start of (the game|the first round)|during (deployment|setup)"
    "|when deploying [this unit|this model|it]|after deployment [but before the first round])"
)
MAY = "[(you|this model|it|this unit|the bearer) [may|must]]"
PICKED_AND = "([,] (which|who|that)|(.|,|and|;) [{e:mylife} ,] {o:pickedfriends})"
LIVES = (
    "(is [still] (alive|on the table|in play|not killed|not destroyed|with (it|them|its unit|the unit|this unit))"
    "|live|survive|get not been (killed|destroyed)|isn't (killed|destroyed)|is part of (it|its unit|the unit)"
    "|(leads|accompanies) (it|them|its unit|the unit))"
)
DIES = "(is (killed|destroyed|removed)|dies|die|leave the table)"
same("mylife", {f"until (this model|the bearer|this unit|it) {DIES}": None})
same("mylife", {f"[for] (as long as|while) (this model|the bearer|this unit|it|they) {LIVES}": None})
add("item", "{y:mylife} , {v:item}", build=lambda m: m["v"])
same("chosen", {"picked": None})
LIVING = "[[,] {y:mylife}]"
TOGETHER = "(they and this model|this model and (those|the picked|they|these) [unit])"
add(
    "item",
    f"[{{c:front}}] (this model|the bearer|it) and its unit {{v:vps}} {LIVING}",
    f"[{{c:front}}] (this model's unit|the bearer's unit|its unit) {{v:vps}} {LIVING}",
    f"[{{c:front}}] [all|each|the] [other] models (in|of) {UNIT} {{v:vps}} {LIVING}",
    f"(this model|the bearer) and up to {{n:num}} (friendly units|friends) {PICKED} {{v:vps}} {LOST}",
    f"(this model|the bearer) and [up to] {{n:num}} {{x:friendsofmine}} {{v:vps}} {LOST}",
    f"[up to] {{n:num}} {{x:friendsofmine}} [,] and this model [,] {{v:vps}} {LOST}",
    f"{BEFORE} , {MAY} pick [up to] {{n:num}} friendly (unit|model) [.] [and] {TOGETHER} {{v:vps}} {LOST}",
    f"{BEFORE} , {MAY} pick [up to] {{n:num}} friendly (unit|model) [.] [and] {TOGETHER} {{v:vps}} [,] {{y:mylife}}",
    f"before the [{{x:startof}}] game , pick up to {{n:num}} friendly unit . [and] {TOGETHER} {{v:vps}}",
    "before the [{x:startof}] game , pick [up to] {n:num} friendly (unit|model) . {o:pickedfriends} {v:vps}"
    f" {LIVING}",
    "pick [up to] {n:num} friendly (unit|model) (before the game|at the start of the game) [.] {o:pickedfriends}"
    " {v:vps}",
    build=_aura,
)
add(
    "item",
    "(this model|the bearer|it) and its unit {v:vps} [,] and (the unit|they|its unit) {w:vps}",
    build=lambda m: _aura({**m, "v": (*m["v"], *m["w"])}),
)
add("clause", "(this model's unit|the bearer's unit|its unit) {v:vps}", build=_aura)
same("pickedfriends", {"(they|those (unit|model)|these (unit|model)|the picked (unit|model))": True})
same("pickedfriends", {"(it|that|the|each|the picked) [picked] [(unit|model|friend)]": True})
same("pickedfriends", {"(both|each|all) [of] (them|those unit|these unit|those|the picked unit)": True})
FRIENDS = "[{other:others}] (friendly (unit|model)|friend)"
same("friendsofmine", {f"(friendly (unit|model)|friend) picked {BEFORE}": None})
add(
    "item",
    f"{BEFORE} , {MAY} pick {{n:count}} {FRIENDS} {PICKED_AND} {{v:vps}} {LIVING}",
    f"{MAY} pick {{n:count}} {FRIENDS} {BEFORE} {PICKED_AND} {{v:vps}} {LIVING}",
    f"(up to {{n:num}}|{{n:count}}) {FRIENDS} [{{w:chosen}}] {BEFORE} {{v:vps}} {LIVING}",
    f"{BEFORE} , {MAY} give {{v:objs}} to {{n:count}} {FRIENDS} {LIVING}",
    build=lambda m: _aura({**m, "o": True}),
)

add(
    "item",
    "[{c:front}] (this model|the bearer|it) and its unit {v:faced}",
    "[{c:front}] (this model's unit|the bearer's unit) {v:faced}",
    build=_aura,
)

# for units near it
OF_BEARER = "[(of|from) (this model|this unit|the bearer|it)]"
add("nearby", f"[that is] within {{d:inch}} [away] {OF_BEARER}", build=lambda m: m["d"])
same(
    "starts",
    {
        "(that|when they|when it) (start|begin) (its|their|the) activation": True,
        "when (they|it) (start|begin) ((a|their|its) move|moving|to move)": True,
    },
)
same("withbearer", {"(this model|this unit|the bearer|it) and": True})
add("crowded", "[all|each|any|a|an] [{o:others}] {side} unit", build=dict)
add("crowded", "[all|each|any|a|an] [{o:others}] {side:party}", build=dict)
add("crowded", "[all|each|any|a|an] [{o:others}] {side} caster", build=lambda m: {**m, "rule": "Caster"})
HEROES = "(hero|heroes|heroe)"
add("crowded", f"[all|each|any|a|an] [{{o:others}}] {{side}} {HEROES}", build=lambda m: {**m, "rule": "Hero"})
add("crowded", "[all|each|any|a|an] [{o:others}] {side} {rule:rulename} unit", build=dict)
STAYING = "(if|when|while|as long as) [it is|they are]"
WITH = "[with {rule:rulename}]"
add(
    "crowd",
    f"[{{own:withbearer}}] {{a:crowded}} {{d:nearby}} {WITH}",
    "[{own:withbearer}] {a:crowded} with {rule:rulename} {d:nearby}",
    f"{STAYING} {{d:nearby}} , {{a:crowded}} {WITH}",
    "{a:crowded} {starts} {d:nearby}",
    f"{{a:crowded}} {WITH} {{starts}} {{d:nearby}}",
    "{a:crowded} {d:nearby} {starts}",
    build=lambda m: {**m["a"], **m},
)
UNTIL_THEN = "[(until the end of|in|during|for) (that|this|the|its|their) activation]"
add(
    "item",
    "[{c:front}] {a:crowd} {v:vps} [[,] {e:bearercond}]",
    "[{c:front}] {a:crowd} {v:faced} [[,] {e:bearercond}]",
    f"{{a:crowded}} {WITH} {{v:vps}} {STAYING} {{d:nearby}} [[,] {{e:bearercond}}]",
    build=lambda m: _near_aura({**m["a"], **m}),
)
add("bearercond", "{c:cond}", build=lambda m: _of_the_bearer(m["c"]))
add(
    "item",
    f"{{a:crowd}} {{v:vps}} {UNTIL_THEN}",
    build=lambda m: _near_aura({**m["a"], **m}) if "starts" in m["a"] else _refuse(m),
)
add(
    "item",
    "{a:crowd} {m:movesafter}",
    build=lambda m: _near_aura({**m, **m["a"], "v": (m["m"],)}),
)
