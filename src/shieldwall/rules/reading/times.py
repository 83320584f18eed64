"""Phrases for when something happens, how often, and how long it lasts."""

from __future__ import annotations

from typing import Any

from shieldwall.rules.reading.grammar import Phrases, ReadingRefused

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

BEARER = "(this model|it|this unit|the bearer|they)"
BEARERS = "(this model's|its|this unit's|the bearer's|their|the)"
PER = "[only] once (per|each|an|a|in each|during each|during its|in an|in a|in its|during|in each of)"

# how often, and when
same(
    "often",
    {
        f"{PER} [{BEARERS}] (activation|turn)": "activation",
        f"{PER} round": "round",
        f"{PER} game": "game",
        f"(in|during) each [of] [{BEARERS}] activation": "activation",
        "(in|during) each round": "round",
    },
)
ATTACKS = "(attack|shoots or fights|shoots or attacks|shoot or fight)"
same(
    "moment",
    {
        "before attacking": "before attacking",
        f"before {BEARER} {ATTACKS}": "before attacking",
        "before (its|any) attacks": "before attacking",
        f"when {BEARER} is activated": "activated",
        f"when {BEARER} (be|is) deployed via Ambush": "deployed",
        f"when {BEARER} is activated , before attacking": "before attacking",
        "(when activated|on activation)": "activated",
        f"when {BEARER} (starts|begins) (its|their) activation": "activated",
        f"at the start of {BEARERS} activation": "activated",
        f"at the start of each of {BEARERS} activation": "activated",
        "at the start of each activation": "activated",
        f"during {BEARERS} activation": "activation",
        f"at any (time|point) during {BEARERS} activation": "activation",
        f"at the end of {BEARERS} activation": "activation end",
        f"when {BEARER} (ends|finishes) (its|their) activation": "activation end",
        f"when {BEARERS} activation ends": "activation end",
        "at the start of (the|each|a|any|every) round": "round begins",
        "at the end of (the|each|a|any|every) round": "round ends",
    },
)
add("time", "{o:often}", build=lambda m: {"often": m["o"]})
add("time", "{at:moment}", build=lambda m: {"at": m["at"]})
add("times", "{one:time}", build=lambda m: m["one"])
add("times", "{one:time} [,] {two:times}", build=lambda m: timed(m["one"], m["two"]))
add("times", "{one:time} \\( {two:times} \\)", build=lambda m: timed(m["one"], m["two"]))


def joined(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """What two phrases say together; refused where both say the same kind of thing."""
    if one.keys() & two.keys():
        raise ReadingRefused
    return {**one, **two}


def timed(*told: dict[str, Any]) -> dict[str, Any]:
    """Several phrases of time; an activation that is named with something before it is no other moment."""
    at = {one["at"] for one in told if "at" in one}
    if len(at) > 1:
        at -= {"activated", "activation"}
    often = {one["often"] for one in told if "often" in one}
    if len(at) > 1 or len(often) > 1:
        raise ReadingRefused
    return {**({"at": at.pop()} if at else {}), **({"often": often.pop()} if often else {})}


def start_of(told: dict[str, Any]) -> tuple[str, str]:
    """How often, and when: once per activation, and at any point of it, where only the other is told."""
    often: str = told.get("often", "activation")
    at: str = told.get("at", "activation")
    return often, at


add("start", "{t:times} [,]", build=lambda m: start_of(m["t"]))

# how long
ONCE = "once [\\( [the] next time [(the effect|this effect|it|they) would apply] \\)]"
same(
    "until",
    {
        ONCE: "once",
        "until the end of the round": "round",
        "until the end of (this|that|the current) round": "round",
        "until the start of the next round": "round",
        "until the next round (starts|begins)": "round",
        "[for] this round": "round",
        "(for|during) (the|one|that) round": "round",
        "until the end of (the|its|this|their|that|the current) activation": "activation",
        "until the end of (its|their|the unit's|that unit's) next activation": "activation",
        "until (its|their|the unit's|the unit|that unit's) next activation": "next activation",
        "until the start of (its|their|the unit's|that unit's) next activation": "next activation",
        "until (it is|they are) [next] activated [again]": "next activation",
        "[the] next time": "once",
        "until the end of the game": "game",
        "for the [rest of the] game": "game",
    },
)
