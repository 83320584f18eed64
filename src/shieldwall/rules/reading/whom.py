"""Phrases for units and models that are picked, and for pronouns that mean them afterwards."""

from __future__ import annotations

from typing import Any

from shieldwall.core.blocks import EVERY
from shieldwall.rules.reading.grammar import Caught, Phrases
from shieldwall.rules.reading.times import joined

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

SELF = "(it|this model|the caster|the bearer|this unit|itself|its unit)"

# whom: so many of a side, with what narrows the choice
add("count", "[up to] {n:num}", build=lambda m: m["n"])
add("count", "(a|an|any|any 1)", build=lambda m: 1)
add("count", "up to {n:num} different", build=lambda m: m["n"])
same("others", {"other": True})
same("side", {"friendly": "friend", "enemy": "enemy"})
same("piece", {"unit": "unit", "model": "model", "hero": "hero"})
same("party", {"friend": "friend", "enemy": "enemy"})
add("kind", "{side} {what:piece}", build=dict)
add("kind", "{side:party}", build=dict)
add("kind", "{side} {rule:rulename}", build=lambda m: {**m, "what": "model"})
add("kind", "{state} {k:kind}", build=lambda m: joined({"state": m["state"]}, m["k"]))
add("kind", "{side} {state} {what:piece}", build=dict)
add("qual", f"[that is] within {{d:inch}} [of {SELF}]", build=lambda m: {"d": m["d"]})
add(
    "qual",
    f"[that is] in [its|their] line of sight [of {SELF}]",
    f"in {SELF} line of sight",
    build=lambda m: {"sight": True},
)
add("qual", "(with|that get) [the] {rule:rulename} [rule]", build=lambda m: {"rule": m["rule"]})
add("qual", "that is {state}", build=lambda m: {"state": m["state"]})
add("qual", "other than (itself|this unit|this model|its own)", build=lambda m: {"o": True})
same("qual", {"of (your|its|their) choice": {}})
add("quals", "{one:qual}", build=lambda m: m["one"])
add("quals", "{one:qual} [,] [and] {more:quals}", build=lambda m: joined(m["one"], m["more"]))


def _whom(m: Caught) -> dict[str, Any]:
    told: dict[str, Any] = {"n": m["n"], **({"o": True} if m.get("o") else {})}
    return joined(joined(told, m["k"]), m.get("q", {}))


add("whom", "{n:count} [{o:others}] {k:kind} [{q:quals}]", build=_whom)
add("whom", "another {k:kind} [{q:quals}]", build=lambda m: _whom({**m, "n": 1, "o": True}))
add(
    "everybody",
    "(all|each) [{o:others}] {k:kind} [{q:quals}]",
    build=lambda m: _whom({**m, "n": EVERY}),
)

# those who were picked
ONES = "(unit|model|enemy|friend|target|enemy unit|friendly unit|picked unit|picked enemy|picked model|hero|caster)"
THOSE = f"(that|those|these|the) {ONES}"
same(
    "them",
    {
        "(it|they|them)": None,
        f"[each of|all of|both of] {THOSE}": None,
        "(each of|all of|both of) them": None,
        "[the] unit picked": None,
        "(each|both) [unit|model|target]": None,
    },
)
same("whose", {"(its|their)": None, "(that|the|each) (unit's|model's|target's|enemy's)": None})
