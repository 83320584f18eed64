"""Turns of phrase about rolls by the kind of attack, and about the next time something happens, in the same form as
those of `turns.py`."""

from __future__ import annotations

_WHOSE = "<its|their|the|all|all its|all their|all of its|all of their>"
_KINDS = {
    "<melee|fighting|close combat>": "in melee",
    "<shooting|ranged>": "when shooting",
    "<melee and shooting|shooting and melee|melee or shooting|shooting or melee>": "when attacking",
}
_ROLLS = "<rolls|attack rolls|hit rolls|to hit rolls|hits>"
_FIGHTS = "<when|while> fighting [in melee]"
_MEANT = ("this unit", "this model", "its unit", "the bearer")
_DEEDS = {
    "attacks": "attacking",
    "shoots at": "shooting at",
    "fights": "fighting",
    "charges": "charging",
}

ROLL_TURNS: dict[str, str] = {
    "automatic hits": "hits",
    "special rule": "rule",
    "special rules": "rules",
    "on an {need}": "on a {1}",
    # who is picked
    **{f"^ target {side}": f"1 {side}" for side in ("enemy", "friendly")},
    "^ target {num}": "{1}",
    "repair {num} wounds": "recover {1} wounds",
    "hits automatically": "hits",
    # rolls of one kind of attack
    **{
        f"{{signed}} <to|on> [{_WHOSE[1:-1]}] {kind} {_ROLLS}": f"{{1}} to hit rolls {cond}"
        for kind, cond in _KINDS.items()
    },
    **{f"{{signed}} <to|on|in> {kind}": f"{{1}} to hit rolls {cond}" for kind, cond in _KINDS.items()},
    f"{{signed}} <to|on> [{_WHOSE[1:-1]}] <rolls|attack rolls|hit rolls> for melee and shooting": (
        "{1} to hit rolls when attacking"
    ),
    f"{{signed}} <to|on> {_WHOSE} attack rolls": "{1} to hit rolls",
    "{signed} to attack rolls": "{1} to hit rolls",
    **{
        f"{{signed}} <to|on> {_WHOSE} rolls {cond}": f"{{1}} to hit rolls {cond}"
        for cond in ("in melee", "when fighting", "when shooting", "when attacking", "when charging")
    },
    **{
        f"{{signed}} <to|on> {_WHOSE} rolls [the] next time {who} {does}": (
            f"{{1}} to hit rolls the next time {who} {does}"
        )
        for who in ("it", "they")
        for does in ("fights", "shoots", "attacks", "charges")
    },
    "may add": "add",
    "hit rolls for attacks <against|on>": "hit rolls against",
    "attacks made <against|on|at>": "attacks against",
    "the range of all <its|this model's|the bearer's>": "the range of this model's",
    "any hit scored": "hits scored",
    "when used against": "against",
    # wounds
    "^ <a|each> {need} <ignores|negates|prevents|saves> it": "on a {1} it is ignored",
    # its unit
    "^ <this model|it|the bearer> give {some} to <itself|this model> and its unit": "this model and its unit get {1}",
    "<as long as|while> this model is <in|part of> a unit , <the whole unit|the entire unit|that unit|the unit>": (
        "this model's unit"
    ),
    "this model and this model's unit": "this model and its unit",
    # who picks, moves and comes out of hiding
    "^ the caster picks": "pick",
    "that then get": "which get",
    "<on|for|in> <its|their> next attack": "the next time it attacks",
    "once per game , when {some} attacks , you may give it": "once per game , when {1} attacks , it may get",
    **{
        f"<when|once> {who} has {done} ,": f"after {who} {does} ,"
        for who in ("this unit", "this model", "it", "the bearer")
        for done, does in (("shot", "shoots"), ("attacked", "attacks"), ("fought", "fights"))
    },
    **{
        f"^ after {done} , once per {often} ,": f"once per {often} , after {done} ,"
        for done in ("shooting", "attacking", "fighting")
        for often in ("round", "activation", "game")
    },
    "<coming|arriving> <from|by|out of> Ambush": "using Ambush",
    # Defense with a sign
    "Defense {signed}": "{1} to defense rolls",
    "get {signed} Defense": "get {1} to defense rolls",
    # who fights whom
    **{f"{_FIGHTS} <with|against> {who}": f"when fighting {who}" for who in _MEANT},
    **{f"fighting in melee <with|against> {who}": f"fighting {who}" for who in _MEANT},
    "this model and its unit <is|are> activated": "this unit is activated",
    "when this model and its unit <fight|fights>": "when this unit fights",
    "when this model and its unit <shoot|shoots>": "when this unit shoots",
    "when this model and its unit <attack|attacks>": "when this unit attacks",
    "fighting in melee <with|against> this model and its unit": "fighting this unit",
    **{
        f"^ enemies get {{signed}} to hit [rolls] when they {does}": f"enemies get {{1}} to hit when {doing}"
        for does, doing in {**_DEEDS, "attack": "attacking", "shoot": "shooting"}.items()
    },
    "making charges <that are|of> over {inch} [long]": "charging over {1} away",
    "doesn't <get|have|suffer> -1 to hit <for|when> shooting indirect weapons after moving": (
        "ignores the penalty for shooting after moving when using Indirect weapons"
    ),
    "{sinch} when moving": "{1} to its moves",
    "this model activates": "this model is activated",
    "this unit activates": "this unit is activated",
    # the next time
    **{
        f"[the] next time [that] a friendly unit {does} it , <that unit|it> gets": (
            f"the next friendly unit {doing} it gets"
        )
        for does, doing in _DEEDS.items()
    },
    **{
        f"the next friendly unit <that|which> {does} it": f"the next friendly unit {doing} it"
        for does, doing in _DEEDS.items()
    },
    **{
        f"to <its|their|the> next {roll} roll": f"to {roll} once"
        for roll in ("casting", "morale test", "hit", "defense", "block")
    },
}
