"""Phrases for one of several effects, however the choice or the die is put.

A choice has a moment (`optionsat`), the word for choosing (`CHOOSE`), the options, and how long the effect lasts, which
may be said before or behind them. An option is a sentence about the bearer, or what follows its verb.
"""

from __future__ import annotations

from typing import Any

from shieldwall.core.blocks import (
    Block,
    Blocks,
    PickedEffect,
    RolledEffect,
    Until,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ITS, OPEN, THEY, Cond, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# one option
THEM = "(it|they|[the|this] unit|[the|this] model|the bearer)"
add("option", f"[either] [{THEM}] [to] {{v:vps}}", "[either] {v:clause}", build=lambda m: m["v"])
add("option", "[either] {v:objs}", "{v:enemies}", build=lambda m: m["v"])
add("option", "[either] {v:objs} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
add("option", "[either] {v:steps}", build=lambda m: m["v"])
add("moreoptions", "(,|;) or {one:option}", "or {one:option}", build=lambda m: (m["one"],))
add("moreoptions", "{x:pause} {one:option} {more:moreoptions}", build=lambda m: (m["one"], *m["more"]))
add("moreoptions", "; {one:option} {more:moreoptions}", build=lambda m: (m["one"], *m["more"]))
add("moreoptions", "; {one:option}", build=lambda m: (m["one"],))
add("options", "{one:option} {more:moreoptions}", build=lambda m: (m["one"], *m["more"]))

# the choice
same(
    "optionsat",
    {
        "when (this unit|this model|it|the bearer) is activated": "activated",
        "(when activated|on activation|each activation)": "activated",
        "when (this unit|this model|it|the bearer) (starts|begins|start|begin) its activation": "activated",
        "at the start of (its|this model's|this unit's|each|each of its) activation": "activated",
        "once per activation": "activated",
        "at the start of (the|each|a) round": "round begins",
        "(each round|once per round)": "round begins",
    },
)
KIND = "[{x:kindname}]"
WHICH = (
    f"(one of (the following|these|2|3|4) {KIND}|one of|(one|an|1)"
    f" (effect|bonus|option)|one|either|between|whether|from)"
)
CHOOSE = (
    f"[(you|it|this model|this unit|they|the bearer) [may|must]] (pick|picks|decide|decides) [to get] {WHICH}"
)
THAT = "(it|that (rule|effect|bonus)|the picked (rule|effect|bonus)|the (rule|effect|bonus))"
LASTS = f"[.|,] [(which|(the|this|that|its) (effect|bonus|choice)) (last|apply)] [{THEM} get {THAT}]"
add("pairs", "{one:option} and {two:option}", build=lambda m: (m["one"], m["two"]))
DECIDE = "[(you|it|this model|this unit|they|the bearer) [may|must]] (pick|picks|decide|decides)"
same("until", {"[for] (this|that) activation": "activation", "[for] (its|the) activation": "activation"})


def _options(m: Caught) -> Blocks:
    """A choice; what it lasts by itself is the round."""
    until: Until = m.get("u", "round")
    given = tuple(fill(effect, m.get("c", Cond()), "unit") for effect in m["e"])
    if any(_whose(block) not in ("unit", "model", "") for effect in given for block in effect):
        raise ReadingRefused
    return (PickedEffect(given, m["at"], until, "unit"),)


def _whose(block: Block) -> str:
    told = getattr(block, "who", "")
    return "unit" if told in (OPEN, THEY, ITS) else str(told)


add(
    "item",
    f"{{at:optionsat}} , {CHOOSE} [,] [{{u:until}}] [,|:] {{e:options}}",
    f"{{at:optionsat}} , {CHOOSE} [for {THEM}] , which (last|apply|lasts|applies) {{u:until}} [,|:] {{e:options}}",
    f"{{at:optionsat}} , {CHOOSE} [,] [:] {{e:options}} {LASTS} {{u:until}}",
    f"{CHOOSE} {{at:optionsat}} [,] [{{u:until}}] [,|:] {{e:options}}",
    f"{CHOOSE} {{at:optionsat}} [,] [:] {{e:options}} {LASTS} {{u:until}}",
    f"{{at:optionsat}} , {DECIDE} {{e:options}} {LASTS} {{u:until}}",
    f"{{at:optionsat}} , {DECIDE} between {{e:pairs}} {LASTS} [{{u:until}}]",
    f"{{at:optionsat}} , {THEM} [may] get either {{e:options}} [,] {{u:until}}",
    f"{{at:optionsat}} , {THEM} [may] get your choice of {{e:options}} [,] [{{u:until}}]",
    build=_options,
)

# one of them is rolled for
same(
    "tossedat",
    {
        "when (this unit|this model|it) (fights|fight) [in melee]": "fights",
        "when (this unit|this model|it) (attacks|attack) in melee": "fights",
        "when (this unit|this model|it) is in melee": "fights",
        "(when|before) (attacking|fighting) in melee": "fights",
        "when fighting": "fights",
        "in melee": "fights",
        "before (this unit|this model|it) (fights|fight|attacks in melee|attack in melee)": "fights",
        "when (this unit|this model|it) (attacks|attack)": "attacks",
        "(when|before) attacking": "attacks",
        "before (this unit|this model|it) (attacks|attack)": "attacks",
        "when (this unit|this model|it) (shoots|shoot)": "shoots",
        "(when|before) shooting": "shoots",
    },
)
FIRST = (
    "[[,] before (rolling to hit|any attacks|its attacks|the attack|it attacks|attacking|striking"
    "|any blows are struck)]"
)
TOSS = "[(you|it|this model|this unit)] [may|must] roll one die [for (it|this unit|this model|the effect|its effect)]"
add("facedoption", "on [a] {f:faces} [,|:] {e:option} [instead]", build=lambda m: (m["f"], m["e"]))
add(
    "facedoption",
    "{f:faces} {e:option}",
    build=lambda m: (m["f"], m["e"]) if m["f"][0] < m["f"][1] else _single(),
)
add("facedoption", "{f:faces} : {e:option}", build=lambda m: (m["f"], m["e"]))
add(
    "facedoption",
    "[on] [a] {f:faces} [,|:] [it get] both [of them|effects|bonuses]",
    build=lambda m: (m["f"], ()),
)
add("facedoptions", "{one:facedoption}", build=lambda m: (m["one"],))
add(
    "facedoptions",
    "{one:facedoption} [,|;|.] [and|but|while] {more:facedoptions}",
    build=lambda m: (m["one"], *m["more"]),
)


def _single() -> Any:
    raise ReadingRefused  # a number alone may count something


def _tossed(m: Caught) -> Blocks:
    lines = m["e"]
    faces = tuple(faces for faces, _ in lines)
    if [face for low, high in faces for face in range(low, high + 1)] != [1, 2, 3, 4, 5, 6]:
        raise ReadingRefused
    effects = tuple(fill(effect, Cond(), "unit") for effect in _with_both([effect for _, effect in lines]))
    return (RolledEffect(faces, effects, m["at"], m.get("u", "")),)


def _with_both(effects: list[Blocks]) -> list[Blocks]:
    """Effects of which one may be `both`: the two others together."""
    told = [effect for effect in effects if effect]
    if len(told) < len(effects) and (len(told) != 2 or len(effects) != 3):
        raise ReadingRefused
    return [effect or (*told[0], *told[1]) for effect in effects]


IN_THAT = "[[,] (for|in|during) (that|this|the) (melee|attack|shooting|fight)]"
add(
    "lastingoption",
    "on [a] {f:faces} [,|:] {e:option} [,] {u:until}",
    build=lambda m: (m["f"], m["e"], m["u"]),
)
add(
    "lastingoption",
    "on [a] {f:faces} [,|:] {u:until} [,] {e:option}",
    build=lambda m: (m["f"], m["e"], m["u"]),
)
add("lastingoptions", "{one:lastingoption}", build=lambda m: (m["one"],))
add(
    "lastingoptions",
    "{one:lastingoption} [,|;|.] [and|but|while] {more:lastingoptions}",
    build=lambda m: (m["one"], *m["more"]),
)


def _all_alike(m: Caught) -> Blocks:
    """Effects that each say how long they last: all the same."""
    untils = {until for _, _, until in m["e"]}
    if len(untils) > 1:
        raise ReadingRefused
    return _tossed({**m, "e": tuple((faces, effect) for faces, effect, _ in m["e"]), "u": untils.pop()})


same(
    "tossedthen", {"when (this unit|this model|it) is activated": "activated", "when activated": "activated"}
)
same(
    "tossedthen", {"at the start of (its|this model's|this unit's|each|each of its) activation": "activated"}
)
add(
    "item",
    f"{{at:tossedthen}} , {TOSS} [.|,|:|and] {{e:facedoptions}} [,] {LASTS} {{u:until}}",
    f"{TOSS} {{at:tossedthen}} [.|,|:|and] {{e:facedoptions}} [,] {LASTS} {{u:until}}",
    f"{{u:until}} , {{at:tossedthen}} , {TOSS} [.|,|:|and] {{e:facedoptions}}",
    build=_tossed,
)
add(
    "item",
    f"{{at:tossedthen}} , {TOSS} [.|,|:|and] {{e:lastingoptions}}",
    f"{TOSS} {{at:tossedthen}} [.|,|:|and] {{e:lastingoptions}}",
    build=_all_alike,
)
add(
    "item",
    f"{{at:tossedat}} , {CHOOSE} [,|:] {{e:options}} {IN_THAT}",
    f"{{at:tossedat}} , {CHOOSE} [,|:] {IN_THAT} [,|:] {{e:options}}",
    build=lambda m: _options({**m, "u": "once"}),
)

IN_IT = "[[,] (for|in|during) (that|this|the) (melee|attack|shooting)]"
add(
    "item",
    f"{{at:tossedat}} , {TOSS} {FIRST} [.|,|:|and] {{e:facedoptions}} {IN_IT}",
    f"{FIRST} {TOSS} {{at:tossedat}} {FIRST} [.|,|:|and] {{e:facedoptions}} {IN_IT}",
    build=_tossed,
)
