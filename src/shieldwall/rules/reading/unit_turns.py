"""Turns of phrase about units, models that lead them, moves and deployment, in the same form as those of `turns.py`."""

from __future__ import annotations

_WHO = "<this model|the bearer|it>"
_JOINS = "<joins|has joined|is in|is part of|leads|is leading|is with|is attached to|accompanies|belongs to>"
_IF = "<if|when|while|once|as long as>"
_BORNE = "<in|of|carried by|wielded by|used by>"
_OWN = "<that|the|this model's|its>"

UNIT_TURNS: dict[str, str] = {
    "so long as": "as long as",
    "provided that": "if",
    "provided": "if",
    # its unit
    "this model or its unit": "this model's unit",
    "<the whole|the entire|its whole|its entire> unit": "this unit",
    "the rest of its unit": "its unit",
    "this model and <the|its> unit [that] <it|this model> <is in|is part of|leads|belongs to>": (
        "this model and its unit"
    ),
    f"^ {_IF} {_WHO} {_JOINS} <a|its|the> unit , {{some}} in {_OWN} unit": "{1} in this model's unit",
    f"^ {_IF} {_WHO} {_JOINS} <a|its|the> unit , {_OWN} unit": "this model's unit",
    f"{{some}} {_IF} {_WHO} {_JOINS} <it|them> $": "{1} while this model is alive",
    "^ <while|as long as|if> at least 1 model with this rule is [alive] <in the unit|in this unit|in it|alive> ,"
    " <its|the unit's|this unit's>": "this unit's",
    "^ <while|as long as|if> at least 1 model with this rule is [alive] <in the unit|in this unit|in it|alive> ,"
    " <it|the unit|this unit|that unit>": "this unit",
    **{
        f"[all|the] [of the] {kind}weapons {_BORNE} {whose}": f"this unit's {kind}weapons"
        for kind in ("", "ranged ", "melee ")
        for whose in ("<this model's unit|its unit|this unit>", "this model and its unit")
    },
    "its <user|owner>": "its bearer",
    "hits on {signed}": "gets {1} to hit",
    "units <joined|that is joined|that get been joined|led> by this model": "this model's unit",
    "your <hero|heroes>": "friendly hero",
    **{
        f"{word} this model and its unit": f"{word} this unit"
        for word in ("by", "of", "from", "against", "at")
    },
    **{
        f"[all] {what} <of|by|from|made by> this model and its unit": f"this unit's {what}"
        for what in ("attacks", "melee attacks", "ranged attacks", "hit rolls", "defense rolls", "weapons")
    },
    "<if|when> <the result|the roll|it|that roll|the die> is [a|an] {need}": "on a {1}",
    "<if|when> <the result|the roll|it|that roll|the die> is [a|an] {num} or <more|higher|better|above>": "on a {1n}",
    "<if|when> you roll [a|an] {need}": "on a {1}",
    "roll 1 die for <this unit|this model|itself>": "roll 1 die",
    "this unit ( and any hero that get joined it )": "this unit",
    "this unit and any hero that get joined it": "this unit",
    "when activating <this unit|this model>": "when this unit is activated",
    # moves and deployment
    **{
        f"consolidation moves <of|by> {who}": f"{who}'s consolidation moves"
        for who in ("this unit", "this model")
    },
    **{f"{who} may be deployed via Ambush": f"{who} get Ambush" for who in ("this unit", "this model", "it")},
    "may be moved [by] up to {inch}": "may move up to {1}",
    **{f"also {verb}": verb for verb in ("get", "roll", "count", "ignore", "move", "deal", "take")},
    **{
        f"[all|the] [the|its] weapons {who} <shoot|shoots> with": f"{whose} ranged weapons"
        for who, whose in (("this unit", "this unit's"), ("this model", "this model's"), ("it", "its"))
    },
    "^ <enemies|enemy units> <charging|that charge|who charge> {some} [must] subtract {inch} from <its|their> charge"
    " <move|moves>": "enemies charging {1} move {2-}",
    "[once|when] a melee [involving <this unit|this model|it>] is over": "after melee",
    "after a melee [involving <this unit|this model|it>] [is over]": "after melee",
    "may <fall back|withdraw|retreat|reposition|shift|step back|relocate> [by] [up to] {inch}": "may move up to {1}",
    ", even if its enemy <is|was> not <destroyed|killed>": "",
    ", whether or not its enemy is <destroyed|killed>": "",
    "<during|in|on> the turn": "in the round",
    # nearby
    "[with|that get] at least 1 model <inside|within> {inch}": "within {1}",
    "inside {inch}": "within {1}",
    "in a {inch} radius [around|of]": "within {1} of",
    "on morale tests taken within {inch} of <this unit|this model|the bearer|it>": "to morale tests while within {1}",
}
