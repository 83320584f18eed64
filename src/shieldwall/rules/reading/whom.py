"""Phrases for units and models that are picked, and for pronouns that mean them afterwards."""

from __future__ import annotations

from typing import Any

from shieldwall.core.blocks import EVERY
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.times import joined

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

SELF = "(it|this model|the caster|the bearer|this unit|itself|its unit|them)"
NEAR = "(within|up to|no more than|not more than|no farther than|at most|in|inside)"


def _named(m: Caught) -> dict[str, Any]:
    """Units with a rule that are called by its name; casters are the same to a text."""
    rule = m["rule"]
    return {"side": m["side"], "rule": "Caster" if rule.casefold() == "casters" else rule, "what": "model"}


# whom: so many of a side, with what narrows the choice
add("count", "[up to] {n:num}", build=lambda m: m["n"])
add("count", "(a|an|any|any 1)", build=lambda m: 1)
add("count", "(up to|at most|as many as|no more than) {n:num} [different]", build=lambda m: m["n"])
add("count", "{n:num} different", build=lambda m: m["n"])
same("others", {"other": True})
same("side", {"friendly": "friend", "enemy": "enemy"})
same("piece", {"unit": "unit", "model": "model", "hero": "hero"})
same("party", {"friend": "friend", "enemy": "enemy"})
add("kind", "{side} {what:piece}", build=dict)
add("kind", "{side:party}", build=dict)
add("kind", "enemy caster", build=lambda m: {"side": "enemy", "rule": "Caster"})
add("kind", "{side} {rule:rulename} [(unit|model)]", build=_named)
same(
    "kindstate",
    {"wounded": "wounded", "unwounded": "not wounded", "unshaken": "not shaken", "not shaken": "not shaken"},
)
add("kind", "{s:kindstate} {k:kind}", build=lambda m: joined({"state": m["s"]}, m["k"]))
add(
    "kind",
    "{side} {s:kindstate} {what:piece}",
    build=lambda m: {"side": m["side"], "what": m["what"], "state": m["s"]},
)
add("kind", "{state} {k:kind}", build=lambda m: joined({"state": m["state"]}, m["k"]))
add("kind", "{side} {state} {what:piece}", build=dict)
add("kind", "{seen} {k:kind}", build=lambda m: joined({"sight": True}, m["k"]))
add(
    "kind",
    "{side} {seen} {what:piece}",
    build=lambda m: {"side": m["side"], "what": m["what"], "sight": True},
)
same("seen", {"visible": None})
add("qual", f"[that is] {NEAR} {{d:inch}} [(away|distant)] [(of|from) {SELF}]", build=lambda m: {"d": m["d"]})
add(
    "qual",
    f"[that is] {{d:inch}} (away|distant) or (less|closer) [(of|from) {SELF}]",
    build=lambda m: {"d": m["d"]},
)
add(
    "qual",
    f"[that is] (in|within) [its|their] line of sight [of {SELF}]",
    f"[that is] (in|within) sight [of {SELF}]",
    f"[(that|which)] {SELF} may see",
    f"[that is] visible [to {SELF}]",
    f"in {SELF} line of sight",
    build=lambda m: {"sight": True},
)
add("qual", "(with|that get) [the] {rule:rulename} [rule]", build=lambda m: {"rule": m["rule"]})
add("qual", "(that|which|who) is {state}", build=lambda m: {"state": m["state"]})
add("qual", "(that|which|who) (isn't|is not) {state}", build=lambda m: {"state": f"not {m['state']}"})
NOT_YET = "(has not|hasn't|have not|haven't|did not|is not|get not|isn't|wasn't) [yet] [been]"
same(
    "qual",
    {
        f"(that|which|who) {NOT_YET} (activated|acted) [yet] [(this|in this) round] [yet]": {
            "state": "not activated"
        },
        "(that|which|who) [has|have|is|was|get] (already|been|already been) (activated|acted) [(this|in this) round]": {
            "state": "activated"
        },
        "(that|which|who) get (been wounded|taken wounds|taken a wound|lost models|lost a model) [already]": {
            "state": "wounded"
        },
        "(that|which|who) is wounded": {"state": "wounded"},
        "(that|which|who) (is not|isn't) wounded": {"state": "not wounded"},
    },
)
add(
    "qual",
    "(without|that get no|that don't get|which don't get) [the] {rule:rulename} [rule]",
    "(that|which|who) (isn't|is not) {rule:rulename}",
    build=lambda m: {"without": m["rule"]},
)
add(
    "qual",
    "other than (itself|this unit|this model|its own|its own unit|the caster's own)",
    build=lambda m: {"o": True},
)
same("qual", {"of (your|its|their) choice": {}})


def _more_of_it(m: Caught) -> dict[str, Any]:
    """What narrows a choice further behind a comma; a rule that is named there is one of the hits."""
    if "rule" in m["more"]:
        raise ReadingRefused
    return joined(m["one"], m["more"])


add("quals", "{one:qual} [(and|but)] {more:quals}", build=lambda m: joined(m["one"], m["more"]))
add("quals", "{one:qual} {x:pause} [(and|but)] {more:quals}", build=_more_of_it)
add(
    "quals", "{one:qual}", build=lambda m: m["one"]
)  # behind the longer one: what narrows the choice comes first


def _whom(m: Caught) -> dict[str, Any]:
    told: dict[str, Any] = {"n": m["n"], **({"o": True} if m.get("o") else {})}
    return joined(joined(told, m["k"]), m.get("q", {}))


add("whom", "{n:count} [target] [{o:others}] {k:kind} [{q:quals}]", build=_whom)
add("whom", "another {k:kind} [{q:quals}]", build=lambda m: _whom({**m, "n": 1, "o": True}))
add("whom", "[the] target {k:kind} [{q:quals}]", build=lambda m: _whom({**m, "n": 1}))
add("whom", "(the|its|their) target , {w:whom} ,", build=lambda m: m["w"])
add(
    "everybody",
    "(all|each|any and all) [of the] [{o:others}] {k:kind} [{q:quals}]",
    build=lambda m: _whom({**m, "n": EVERY}),
)
add("everybody", "{several} [{o:others}] {k:kind} [{q:quals}]", build=lambda m: _whom({**m, "n": EVERY}))

# those who were picked
ONES = "(unit|model|enemy|friend|target|enemy unit|friendly unit|enemy model|friendly model|hero|caster)"
PICKED = "(picked|selected|nominated|designated|marked|cursed|hexed|target|targeted|affected|blessed|branded)"
THOSE = f"(that|those|these|the|this) [{PICKED}] {ONES}"
same(
    "them",
    {
        "(it|they|them)": None,
        f"[each of|all of|both of|any of] {THOSE}": None,
        "(each of|all of|both of) them": None,
        "(each|both) [1|unit|model|target]": None,
        "each such unit": None,
        "(these|those)": None,
        "[the] unit picked": None,
        f"[the] {PICKED} {ONES}": None,
    },
)
same("whose", {"(its|their)": None, "(that|the|each|those|these) (unit's|model's|target's|enemy's)": None})
same("whose", {"(that|the) (enemy|friendly) unit's": None})
same("whose", {"(the|that|those) units'": None})
