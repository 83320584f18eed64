"""Phrases for what happens out of turn: markers, dice for hits, moves, deployment, nerve, casters and the like."""

from __future__ import annotations

from shieldwall.core.blocks import (
    Avenged,
    Blocks,
    CasterGroup,
    ChargeHits,
    Conduit,
    Coordinates,
    Grows,
    HitDice,
    Impulsive,
    MayMove,
    MayPass,
    MayPlace,
    NewCopy,
    NewUnit,
    NoRetreat,
    PrecisionStrike,
    Recovers,
    Redeploys,
    Restores,
    Returns,
    Tokens,
    When,
)
from shieldwall.rules.reading.conditions import Cond
from shieldwall.rules.reading.effects import fill
from shieldwall.rules.reading.grammar import Caught, Grammar


def add_own_words(grammar: Grammar) -> None:
    """All these phrases."""
    _add_markers(grammar)
    _add_volleys(grammar)
    _add_moves(grammar)
    _add_deployment(grammar)
    _add_nerve(grammar)
    _add_casters(grammar)
    _add_loners(grammar)


def _add_markers(grammar: Grammar) -> None:
    """Markers that a unit collects."""
    add = grammar.add
    add("most", "\\( up to a max of {n:signed} \\)", build=lambda m: abs(m["n"]))
    add("most", "[,|\\(] (at most|up to) {n:num} [marker|times] [\\)]", build=lambda m: m["n"])
    grammar.same("ontable", {"(if|while) (it's|it is) on the table": None})
    grammar.same("started", {"starting (on|in) the round after which it deployed": None})
    grammar.same("started", {"but not in the round in which it deployed": None})
    grammar.same(
        "firstround", {"counting start of game deployment": None, "[as] deploying on the first round": None}
    )
    grammar.same(
        "growth",
        {
            "at the end of each round [{x:ontable}]": ("round ends", False),
            "at the start of each round": ("round begins", False),
            "at the start of each round , {x:started} [\\( {a:firstround} {b:firstround} \\)]": (
                "round begins",
                True,
            ),
            "(when|each time) it [fully] destroys [an] enemy unit": ("destroys a unit", False),
        },
    )
    place = "(place {n:num} marker on {on:bearer}|{on:bearer} gets {n:num} marker)"
    add("grows", f"{place} {{at:growth}}", build=lambda m: m["at"])
    add("lost", ". if {who:bearer} is ever shaken , it loses [all] {x:itsmarkers}", build=lambda m: True)
    grammar.same("itsmarkers", {"its markers": None, "[all] [of] (its|the|these) markers": None})
    grammar.same("untilend", {"until the end of the game": None})
    tail = "[{x:untilend}] [{most}] [{lost}]"

    def grows(m: Caught) -> Blocks:
        at, after = m["g"]
        who = m.get("all", "model")
        blocks = fill(m["v"], m.get("c", Cond()), who)
        return (Grows(blocks, at, m.get("most", 0), m.get("lost", False), after, m.get("all", "unit")),)

    given = "[{s:bearer}] get {v:objs} [{c:conds}]"
    add("item", f"{{g:grows}} . for each marker {given} {tail}", build=grows)
    add("item", f"{{g:grows}} . {given} for each marker {tail}", build=grows)
    add("everyone", "[if] all [of] [its] models [in it] have this rule", build=lambda m: "all")
    add(
        "item",
        f"{{g:grows}} . if {{all:everyone}} , for each marker {{e:enemies}} {tail}",
        build=lambda m: grows({**m, "v": m["e"]}),
    )


def _add_volleys(grammar: Grammar) -> None:
    """Dice for hits or wounds outside the usual attacks."""
    add = grammar.add
    add("dealt", "{n:num} hit [with {rules}]", build=lambda m: {"hits": m["n"], "rules": m.get("rules", ())})
    add("dealt", "{n:num} wound", build=lambda m: {"wounds": m["n"]})
    add("dealt", "a hit [with {rules}]", build=lambda m: {"hits": 1, "rules": m.get("rules", ())})
    add("dice", "{n:num} [extra] (die|dice)", build=lambda m: m["n"])
    grammar.same(
        "myturn",
        {
            "when (it's|it is) (this model's|its) turn to (attack|fight|strike) [in melee]": None,
            "(when|before) (this model|it) (fights|strikes) [in melee]": None,
        },
    )
    add(
        "item",
        "{x:myturn} , roll {n:dice} . for each {need} [,] the (target|enemy) takes {dealt}",
        build=lambda m: (HitDice("fights", m["need"], m["n"], **m["dealt"]),),
    )
    add("near", "within {d:inch}", build=lambda m: (m["d"], False))
    add("near", "within {d:inch} [and] in line of sight [of (it|this model)]", build=lambda m: (m["d"], True))
    one = "(one enemy unit|an enemy unit|one enemy|one enemy model)"
    trigger = "[\\( {k:checked} \\)]"

    def burst(m: Caught) -> Blocks:
        (reach, sight), (often, at) = m["near"], m["s"]
        each = "n" in m
        dice = m.get("n", 1)
        return (HitDice(at, m["need"], dice, **m["dealt"], reach=reach, sight=sight, each=each, often=often),)

    add(
        "item",
        f"{{s:start}} roll one die . on a {{need}} [,] {one} {{near}} takes {{dealt}} {trigger}",
        build=burst,
    )
    add(
        "item",
        f"{{s:start}} roll {{n:dice}} . for each {{need}} [,] {one} {{near}} takes {{dealt}} {trigger}",
        build=burst,
    )
    add(
        "item",
        "{o:often} , when (this model|it) moves (over|through) enemy units , pick {p:count} of them [,] and"
        " roll {n:dice} . for each {need} it takes {dealt}",
        build=lambda m: (HitDice("crosses", m["need"], m["n"], **m["dealt"], often=m["o"]),),
    )
    add(
        "item",
        "{o:often} , when (this model|it) flies over enemies , pick one of those and throw {n:dice} . each"
        " {need} deals {dealt}",
        build=lambda m: (HitDice("crosses", m["need"], m["n"], **m["dealt"], often=m["o"]),),
    )
    attacker = "[,] the (attacker|attacking unit|unit that dealt it|enemy) takes {dealt}"
    add(
        "item",
        f"(when|each time) (this model|it) takes a wound in melee {attacker}",
        build=lambda m: (HitDice("wounded in melee", 0, 0, **m["dealt"]),),
    )
    add(
        "item",
        f"(if|when) (this model|it) is killed in melee {attacker}",
        build=lambda m: (HitDice("killed in melee", 0, 0, **m["dealt"]),),
    )
    add(
        "item",
        f"once it comes out of hiding , roll {{n:dice}} . for each {{need}} [,] {one} {{near}} takes {{dealt}}",
        build=lambda m: (
            HitDice("deployed", m["need"], m["n"], **m["dealt"], reach=m["near"][0], each=True, often="game"),
        ),
    )
    add(
        "item",
        "once per round , when (this unit|it) draws back from a melee , pick one enemy {near} and roll one die"
        " for each model with this rule . each {need} deals {dealt}",
        build=lambda m: (
            HitDice(
                "moved after melee",
                m["need"],
                0,
                True,
                **m["dealt"],
                reach=m["near"][0],
                often="round",
                who="unit",
            ),
        ),
    )
    add("item", "(this model's|its) Impact hits get {rule}", build=lambda m: (ChargeHits(m["rule"]),))


def _add_moves(grammar: Grammar) -> None:
    """Moves and placements out of turn."""
    add = grammar.add
    grammar.same(
        "after",
        {
            "after shooting or being in melee": "after attacking",
            "after shooting or [after] (melee|fighting|a melee)": "after attacking",
            "after attacking": "after attacking",
            "after shooting": "after shooting",
            "after (being in melee|melee|fighting [in melee]|a melee)": "after melee",
        },
    )
    add(
        "item",
        "[{o:often} [,]] {who:bearer} may move [by] up to {d:inch} {at:after}",
        build=lambda m: (MayMove(m["d"], m["at"], m.get("o", ""), m["who"] or "model"),),
    )
    anywhere = "anywhere fully within {d:dinch} of (its|their) position"
    add(
        "item",
        f"{{s:start}} [you may] place (this model|it|this unit|the bearer) {anywhere}",
        build=lambda m: (MayPlace(m["d"][0], m["s"][1], m["d"][1], m["s"][0], "model"),),
    )
    add(
        "item",
        f"{{at}} , you may place {{who:bearer}} {anywhere}",
        build=lambda m: (MayPlace(m["d"][0], m["at"][0], m["d"][1], "activation", m["who"] or "model"),),
    )
    add(
        "item",
        f"after {{w:bearer}} is deployed , {{who:bearer}} may be placed {anywhere}",
        build=lambda m: (MayPlace(m["d"][0], "deployed", m["d"][1], "game", m["who"] or m["w"]),),
    )
    add(
        "item",
        "{s:start} you may put (this model|it|this unit|the bearer) down again up to {d:dinch} away",
        build=lambda m: (MayPlace(m["d"][0], m["s"][1], m["d"][1], m["s"][0], "model"),),
    )
    add(
        "item",
        "{at} , you may put (it|them) down again up to {d:dinch} away",
        build=lambda m: (MayPlace(m["d"][0], m["at"][0], m["d"][1], "activation", "model"),),
    )
    add(
        "item",
        "once it is deployed , you may put it down again up to {d:dinch} away",
        build=lambda m: (MayPlace(m["d"][0], "deployed", m["d"][1], "game", "model"),),
    )
    add("byterrain", "within {t:inch} of terrain when activated", build=lambda m: m["t"])
    add(
        "item",
        "if {who:bearer} has most of them {t:byterrain} , they moves {steps} [during"
        " (this|the|that) activation]",
        build=lambda m: fill(m["steps"], Cond((When(by_terrain=m["t"]),)), m["who"]),
    )


def _add_deployment(grammar: Grammar) -> None:
    """Deployment, coming back and new units."""
    add = grammar.add
    add(
        "item",
        "once all units are deployed , you may take up to {n:num} friendly units off the table and"
        " deploy them again",
        build=lambda m: (Redeploys(m["n"]),),
    )
    add(
        "item",
        "once per game , {who:bearer} may leave the table when its activation ends and return by"
        " Ambush in the next round",
        build=lambda m: (Returns("game", m["who"] or "all"),),
    )
    add(
        "item",
        "when {who:bearer} is shaken or destroyed , you may remove it , and a new copy arrives"
        " within {d:inch} of a table edge in the next round",
        build=lambda m: (NewCopy(m["d"], m["who"] or "all"),),
    )
    add(
        "item",
        "once per game , when activated , this model may bring on a new unit of {x:num} within {d:inch}",
        build=lambda m: (NewUnit(m["d"], "activated", "game"),),
    )
    add(
        "item",
        "when {who:bearer} is destroyed , a new unit of {x:num} may be placed within {d:inch} of"
        " where it stood",
        build=lambda m: (NewUnit(m["d"], "destroyed"),),
    )
    add(
        "item",
        "when {who:bearer} is activated , roll one die for each lost model or wound . each"
        " {on:need} brings one back",
        build=lambda m: (Restores(m["on"], m["who"] or "all"),),
    )


def _add_nerve(grammar: Grammar) -> None:
    """Shaken units and failed tests."""
    add = grammar.add
    ends = "(it stops being shaken|it is no longer shaken|it recovers)"
    add(
        "item",
        f"(if|when) {{who:bearer}} is shaken at the start of (the|a|each) round , roll one die . on"
        f" a {{on:need}} [,] {ends}",
        build=lambda m: (Recovers(m["on"], m["who"] or "unit"),),
    )
    add(
        "item",
        "when {who:bearer} fails a morale test , it passes instead . then roll one die for each"
        " wound it has left , and it takes one wound for each {f:faces}",
        build=lambda m: (NoRetreat(m["f"][1], m["who"] or "most"),),
    )


def _add_casters(grammar: Grammar) -> None:
    """Spell tokens and casters."""
    add = grammar.add
    add(
        "item",
        "[this model] gets {n:num} tokens each round [\\( at most {most:num} \\)] , which friendly"
        " casters within {d:inch} may spend as spell tokens",
        build=lambda m: (Tokens(m["n"], m["d"], m.get("most", 6)),),
    )
    add(
        "item",
        "friendly casters within {d:inch} may cast from where this model stands [, with {n:signed}"
        " to the casting roll]",
        build=lambda m: (Conduit(m["d"], m.get("n", 0)),),
    )
    add(
        "item",
        "one model of the unit casts with as many tokens as there are models with this rule",
        build=lambda m: (CasterGroup(),),
    )


def _add_loners(grammar: Grammar) -> None:
    """Rules that are like no others."""
    add = grammar.add
    add(
        "item",
        "when (this unit|it) is destroyed , its destroyer is marked once for each model it began with . friendly"
        " units get {v:objs} against it for each mark",
        build=lambda m: (Avenged(fill(m["v"], Cond((When(attack="attack"),)), "unit")),),
    )
    add(
        "item",
        "when (this unit|it) ends its activation , a friendly unit within {d:inch} may activate at"
        " once , which may not do the same",
        build=lambda m: (Coordinates(m["d"]),),
    )
    add(
        "item",
        "once per round , {who:bearer} may pass its turn while the opponent has more units left to activate",
        build=lambda m: (MayPass("round"),),
    )
    add(
        "item",
        "when activated , {who:bearer} must attack the closest target it can , with {n:signed} to hit",
        build=lambda m: (Impulsive(m["n"]),),
    )
    add(
        "item",
        "{o:often} [,] (this model|it) may strike one picked enemy model in melee , with {n:num}"
        " attack at quality {q:need} with {rules}",
        build=lambda m: (PrecisionStrike(m["q"], m["n"], m["rules"], m["o"]),),
    )
