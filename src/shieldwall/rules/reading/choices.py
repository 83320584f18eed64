"""Phrases for effects that are chosen, rolled for, used once a game, or that boost another rule."""

from __future__ import annotations

from typing import Any

from shieldwall.core.blocks import (
    Blocks,
    Boost,
    ExtraAttacks,
    ExtraHits,
    Feat,
    Gets,
    HitsTaken,
    IgnoresWounds,
    MayMove,
    MayPlace,
    PickedEffect,
    RolledEffect,
    Who,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import OPEN, Cond, fill, from_face

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


def _refuse() -> Any:
    raise ReadingRefused


# One of several effects, picked or rolled for
add("effect", "{v:vps}", build=lambda m: m["v"])
add("effect", "{v:enemies}", build=lambda m: m["v"])
add("effects", "{one:effect} , {two:effects}", build=lambda m: (m["one"], *m["two"]))
add("effects", "{one:effect} [,] or {two:effect}", build=lambda m: (m["one"], m["two"]))
add("at", "(when|each time) {who:bearer} is activated", build=lambda m: ("activated", m["who"]))
add(
    "at",
    "when {who:bearer} is deployed or activated",
    build=lambda m: ("deployed or activated", m["who"]),
)
add("at", "when {who:bearer} is deployed", build=lambda m: ("deployed", m["who"]))
add(
    "at",
    "at the start of (its|this model's|this unit's) activation",
    build=lambda m: ("activated", "unit"),
)
pick = "pick one [of the following] [effect] :"


def _choice(m: Caught) -> Blocks:
    at, named = m["at"]
    who: Who = named or "unit"
    effects = m["e"]
    if len(effects) < 2:
        raise ReadingRefused
    inner = m.get("inner", "") or who
    given = tuple(fill(effect, m.get("c", Cond()), "" if inner == "unit" else inner) for effect in effects)
    return (PickedEffect(given, at, m["u"], "unit" if who == "model" else who),)


add("item", f"{{at}} , {pick} {{u:until}} [,] {{inner:bearer}} [either] {{e:effects}}", build=_choice)
add(
    "item",
    f"{{at}} , {pick} {{c:conds}} , {{inner:bearer}} [either] {{e:effects}} . this effect lasts {{u:until}}",
    f"{{at}} , {pick} {{inner:bearer}} [either] {{e:effects}} [{{c:conds}}] . this effect lasts {{u:until}}",
    build=_choice,
)
add("item", f"{{at}} , {pick} {{inner:bearer}} [either] {{e:effects}} [,] {{u:until}}", build=_choice)

# chances
same(
    "rolledat",
    {
        "(when|whenever) in melee": "fights",
        "when (fighting|attacking in melee|fighting in melee)": "fights",
        "when attacking": "attacks",
        "when shooting": "shoots",
        "when (this unit|this model|it) (fights [in melee]|attacks in melee|is in melee)": "fights",
        "when (this unit|this model|it) attacks": "attacks",
        "when (this unit|this model|it) shoots": "shoots",
    },
)


def _chance(m: Caught) -> Blocks:
    faces = (m["f"], m["g"])
    if m["f"][1] + 1 != m["g"][0] or m["f"][0] != 1 or m["g"][1] != 6:
        raise ReadingRefused
    effects = (fill(m["a"], Cond(), "model"), fill(m["b"], Cond(), "model"))
    return (RolledEffect(faces, effects, m["at"]),)


THEY = "(they|it|this model|models with this rule|all models with this rule|this unit)"
DIE = "roll one die [and apply (one effect|one of these) to {x:bearer}] ."
LOW, HIGH = f"on [a] {{f:faces}} [,] {THEY} {{a:vps}}", f"on [a] {{g:faces}} [,] {THEY} {{b:vps}} [instead]"
add(
    "item",
    f"{{at:rolledat}} , {DIE} {{f:faces}} : {THEY} {{a:vps}} [,|.|;] {{g:faces}} : {THEY} {{b:vps}}",
    build=_chance,
)
add("item", f"{{at:rolledat}} , {DIE} {LOW} [,|.] [and|but] {HIGH}", build=_chance)


def _chances(m: Caught) -> Blocks:
    """Several effects, one for each range of faces."""
    faces = tuple(faces for faces, _ in m["t"])
    if [face for low, high in faces for face in range(low, high + 1)] != [1, 2, 3, 4, 5, 6]:
        raise ReadingRefused
    return (RolledEffect(faces, tuple(fill(effect, Cond(), "model") for _, effect in m["t"]), m["at"]),)


THEIR = "(its weapons|their weapons|its attacks|their attacks)"
add("chance", f"on [a] {{f:faces}} [,|:] ({THEY}|{THEIR}) {{a:vps}}", build=lambda m: (m["f"], m["a"]))


def _otherwise(m: Caught) -> Blocks:
    """An effect on high faces and another one on the low ones."""
    on = m["on"]
    if not 2 <= on <= 6:
        raise ReadingRefused
    effects = (fill(m["b"], Cond(), "unit"), fill(m["a"], Cond(), "unit"))
    return (RolledEffect(((1, on - 1), (on, 6)), effects, m["at"]),)


GOOD = f"on [a] {{on:need}} [,] ({THEY}|{THEIR}) {{a:vps}}"
BAD = f"[,|.|;] [and|but] (otherwise|if not|on any other roll|else) [,] ({THEY}|{THEIR}) {{b:vps}} [instead]"
add(
    "item",
    f"{{at:rolledat}} , roll one die [.|,|:|and] {GOOD} {BAD}",
    f"roll one die {{at:rolledat}} [.|,|:|and] {GOOD} {BAD}",
    build=_otherwise,
)
add("chances", "{one:chance}", build=lambda m: (m["one"],))
add("chances", "{one:chance} [,|.|;] [and|but] {more:chances}", build=lambda m: (m["one"], *m["more"]))
FOR_ALL = "[for (all models with this rule|the [whole] unit|this unit|its unit|it)]"
add("item", f"{{at:rolledat}} , roll one die {FOR_ALL} [.|:] {{t:chances}}", build=_chances)


def _reckless(m: Caught) -> Blocks:
    at, who = m["at"]
    low = m["n"][0]
    if low != m["n"][1] or low + 1 != m["on"]:
        raise ReadingRefused
    worse = tuple(
        HitsTaken(block.rule.value, who="all", when=block.when)
        if isinstance(block, Gets) and block.rule.name == "AP"
        else _refuse()
        for block in m["b"]
    )
    effects = (worse, fill(m["a"], Cond(), who))
    return (RolledEffect(((1, low), (m["on"], 6)), effects, at, m["u"], True, who),)


good = "on a {on:need} they {a:vps} {u:until}"
add(
    "item",
    f"{{at}} , [you may] roll one die . {good} , but on a {{n:faces}} enemy units {{b:vps}} [them] [instead]",
    build=_reckless,
)

# Effects that may be used once in a game
same(
    "feat",
    {
        "attack": "attacks",
        "move": "moves",
        "shoot": "shoots",
        "(fight [in melee]|is in melee)": "fights",
        "takes wounds": "takes wounds",
    },
)
use = "(you|it|they|this model|this unit) may use this rule"
same("whole", {"all [of] its models have this rule": None})
add(
    "feater",
    "when (this unit|it) {at:feat} and {x:whole}",
    build=lambda m: (m["at"], "all"),
)
add("feater", "when {who:bearer} {at:feat}", build=lambda m: (m["at"], m["who"] or "model"))


def _feat(m: Caught) -> Blocks:
    at, who = m["f"]
    subject = m["s"]
    blocks = fill(m["v"], Cond(subject.whens), "unit")
    return (Feat(blocks, at, m["o"], who),)


add("item", f"{{o:often}} [,] {{f:feater}} , {use} so that {{s:subject}} {{v:vps}}", build=_feat)
add(
    "item",
    f"{{o:often}} [,] {{f:feater}} , {use} to get {{v:objs}}",
    build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), m["f"][0], m["o"], m["f"][1]),),
)


def _wounds(m: Caught) -> Blocks:
    at, who = m["f"]
    if at != "takes wounds":
        raise ReadingRefused
    on, spells = m["w"]
    return (Feat((IgnoresWounds(on, spells, who="unit"),), at, m["o"], who),)


add("item", f"{{o:often}} [,] {{f:feater}} , {use} and {{w:wounds}}", build=_wounds)
add(
    "item",
    "{o:often} [,] against wounds on {who:bearer} , you may throw one die for each and ignore those of a {on:need}",
    build=lambda m: (
        Feat((IgnoresWounds(m["on"], who="unit"),), "takes wounds", m["o"], m["who"] or "model"),
    ),
)

# Rules that make another rule of the same bearer better
only = "[only]"
add("old", f"{only} [on] [a] {{n:need}}", f"{only} on {{n:faces}}", build=lambda m: None)
add("old", f"{only} {{c:conds}}", build=lambda m: None)
add("old", f"{only} when shooting {{f:far}} , or when charging", build=lambda m: None)
add("old", f"{only} {{n:sinch}} [and {{k:sinch}}]", f"{only} {{n:signed}}", build=lambda m: None)
add("old", f"{only} [within] {{n:inch}}", build=lambda m: None)
add("old", "having to pick between {v:objs} or {w:objs}", build=lambda m: None)
instead = "[\\( instead of {old} \\)] [[,] instead of {old}]"
add("has", "(this model|the bearer) has {rule:rulename}", build=lambda m: ("model", m["rule"]))
add("has", "this unit has {rule:rulename}", build=lambda m: ("unit", m["rule"]))
add("has", "all models in (the|its) unit have {rule:rulename}", build=lambda m: ("all", m["rule"]))
add("has", "all models in this unit have {rule:rulename}", build=lambda m: ("all", m["rule"]))
add("has", "most models in this unit have {rule:rulename}", build=lambda m: ("most", m["rule"]))
add("better", "{s:subject} {v:vps}", build=lambda m: fill(m["v"], Cond(m["s"].whens), m["s"].who))
add("better", "{s:subject} {v:faced}", build=lambda m: fill(m["v"], Cond(m["s"].whens), m["s"].who))
add("better", "{v:faced}", build=lambda m: m["v"])
add("better", "{v:enemies}", build=lambda m: m["v"])
add(
    "better",
    "(it|they) may move by up to {d:inch}",
    build=lambda m: (MayMove(m["d"], "", "", OPEN),),  # type: ignore[arg-type]
)
add(
    "better",
    "(it|they) may be placed [anywhere] [fully] within {d:dinch}",
    build=lambda m: (MayPlace(m["d"][0], "", m["d"][1], "", OPEN),),  # type: ignore[arg-type]
)


UNMODIFIED = "[only] [on] [a|an] [results of|rolls of|unmodified] [unmodified]"
add("old", f"{UNMODIFIED} {{n:faces}}", f"{UNMODIFIED} {{n:need}}", build=lambda m: None)
INSTEAD_OF = "[,] ([\\(] instead of {old} [\\)]|instead)"
BETTER = "[when|if|while|as long as]"


def _boost_in_place(m: Caught) -> Blocks:
    """What takes the place of something that another rule says."""
    who, rule = m["has"]
    return (Boost(rule, fill(m["b"], Cond(), who), who),)


add(
    "item",
    f"(if|when|while|as long as) {{has}} , {{b:better}} {INSTEAD_OF}",
    f"{{b:better}} {INSTEAD_OF} (if|when|while|as long as) {{has}}",
    build=_boost_in_place,
)


def _boost(m: Caught) -> Blocks:
    who, rule = m["has"]
    if m["again"] != rule:
        raise ReadingRefused
    return (Boost(rule, fill(m["b"], Cond(), who), who),)


add("item", f"if {{has}} , {{b:better}} from {{again:rulename}} {instead}", build=_boost)
add(
    "item",
    f"if {{has}} , {{b:better}} from it {instead}",
    "models with {rule:rulename} and this rule {v:vps} [,] (and not|not|instead of|rather than) [just|only] {old}",
    build=lambda m: (
        _boost({**m, "again": m["has"][1]})
        if "has" in m
        else (Boost(m["rule"], fill(m["v"], Cond(), "model"), "model"),)
    ),
)
add(
    "item",
    "if {has} , {b:better} instead of {old}",
    "if {has} , {b:better} \\( instead of {old} \\)",
    build=lambda m: _boost({**m, "again": m["has"][1]}),
)


def _wider(m: Caught) -> Blocks:
    """What another rule brings on natural 6s, on more faces; how much it is, that rule says."""
    who, rule = m["has"]
    face = from_face(m["f"])
    made = ExtraHits(1, face, who=OPEN) if m["what"] == "hit" else ExtraAttacks(1, "hit", face, who=OPEN)  # type: ignore[arg-type]
    return (Boost(rule, fill((made,), Cond(), who), who),)


same("bonushits", {"hits": "hit", "attacks": "attack"})
add(
    "item",
    "if {has} , (it|this model|this unit) (gets|deals|scores) [the|its] extra {what:bonushits} on unmodified"
    " [rolls of|results of] {f:faces} [to hit]",
    build=_wider,
)


# feats in other words
def _feat_of(m: Caught) -> Blocks:
    at, who = m["f"]
    whose = m["who"] if who == "model" and m["who"] else who
    return (Feat(fill(m["v"], Cond(), "unit"), at, m["o"], whose),)


same(
    "feating",
    {"attacking": "attacks", "shooting": "shoots", "fighting [in melee]": "fights", "moving": "moves"},
)
add("feater", "when {at:feating}", build=lambda m: (m["at"], "model"))
add(
    "item",
    "{o:often} [,] {f:feater} , {who:bearer} may (get|use) {v:objs} [for that attack]",
    build=_feat_of,
)
same("featwhen", {"in melee": "fights", "for (one|a) melee": "fights", "for one shooting": "shoots"})
add("featwhen", "when (it|they) {at:feat}", "when {at:feating}", build=lambda m: m["at"])
add(
    "item",
    "{o:often} [,] {who:bearer} may (get|use) {v:objs} {at:featwhen}",
    build=lambda m: _feat_of({**m, "f": (m["at"], m["who"] or "model")}),
)
OF_THEM = "(each of them|them|those wounds|these wounds|each [wound])"
add(
    "item",
    f"{{o:often}} [,] {{f:feater}} , (you|it|{{who:bearer}}) [may] ignore {OF_THEM} on [a] {{on:need}}",
    build=lambda m: _wounds({**m, "w": (m["on"], 0), "f": (m["f"][0], m.get("who") or m["f"][1])}),
)
add(
    "item",
    "{o:often} [,] {f:feater} , you may {w:wounds}",
    build=_wounds,
)
add(
    "item",
    "{o:often} [,] {who:bearer} may (get|move) {v:steps} [once]",
    build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), "moves", m["o"], m["who"] or "unit"),),
)


def _choice_of_two(m: Caught) -> Blocks:
    at, named = m["at"]
    who: Who = named or "unit"
    effects = tuple(fill(one, Cond(), "" if who == "unit" else who) for one in (m["a"], m["b"]))
    return (PickedEffect(effects, at, m["u"], "unit" if who == "model" else who),)


picks = "(pick one|it picks one|this unit picks one|choose one) [effect|of these] :"
add(
    "item",
    f"{{at}} , {picks} {{a:objs}} [,] or {{b:objs}} [,] {{u:until}}",
    f"{{at}} , {picks} {{u:until}} [,] {{a:objs}} [,] or {{b:objs}}",
    "{at} , (it|they|this unit|this model) get either {a:objs} [,] or {b:objs} [,] {u:until}",
    "{at} , [you may] pick either {a:objs} [,] or {b:objs} [. (the|this) effect lasts] [,] {u:until}",
    "{at} , (it|this unit|this model|you) [may] pick to get [either] {a:objs} [,] or {b:objs} [,] {u:until}",
    build=_choice_of_two,
)
add(
    "effects",
    "{one:effect} [,] or (it|they|this unit) {two:effect}",
    build=lambda m: (m["one"], m["two"]),
)

WHOLE = "if {n:howmany} [of its] models [in (this unit|it)] have this rule"
add(
    "feater",
    f"when {{at:feating}} , {WHOLE}",
    f"when (this unit|it) {{at:feat}} , {WHOLE}",
    f"{WHOLE} , when {{at:feating}}",
    build=lambda m: (m["at"], m["n"]),
)
add(
    "item",
    f"{{o:often}} [,] {WHOLE} , {{u:feating2}} to get {{v:objs}}",
    build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), m["u"], m["o"], m["n"]),),
)
add("feating2", "you may use (it|this rule) when {at:feating}", build=lambda m: m["at"])
add("effects", "{one:effect} [,] or {two:bares}", build=lambda m: (m["one"], *m["two"]))
add("bares", "{one:bare} [,] or {two:bares}", build=lambda m: (m["one"], *m["two"]))
add("bares", "{one:bare}", build=lambda m: (m["one"],))
KIND = "(effect|bonus|{x:kindname})"
add("item", f"pick one {KIND} {{at}} . {{u:until}} [,] {{inner:bearer}} {{e:effects}}", build=_choice)
add("item", f"{{at}} , pick one {KIND} . {{u:until}} [,] {{inner:bearer}} {{e:effects}}", build=_choice)
add("bare", "{v:objs}", build=lambda m: m["v"])  # the verb of the first effect goes for all of them
add("bare", "{v:objs} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
add("effects", "{one:effect} [,] or {two:bare}", build=lambda m: (m["one"], m["two"]))
