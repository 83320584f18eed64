"""Turns of phrase about attacks and dice, in the same form as those of `turns.py`."""

from __future__ import annotations

_WHO = "<this model|this unit|the bearer|it|they|its unit|models with this rule>"

ATTACK_TURNS: dict[str, str] = {
    # who
    "this <character|creature|monster|beast|warrior|champion|commander|leader|fighter|hero|caster|wizard|mage>": (
        "this model"
    ),
    "the <attacked|attacking|charging|shooting> unit's": "its",
    # melee and shooting
    "<close|hand-to-hand|melee> combat": "melee",
    "hand to hand combat": "melee",
    "in combats": "in melee",
    "combat": "melee",
    "melee <strikes|blows|hits>": "melee attacks",
    "<shooting|ranged|missile> <hits|shots|weapon attacks|weapon's attacks>": "ranged attacks",
    "melee weapon attacks": "melee attacks",
    "when using <melee weapons|a melee weapon|its melee weapons>": "in melee",
    "when using <ranged weapons|a ranged weapon|its ranged weapons>": "when shooting",
    "<when|while> it is shooting": "when shooting",
    "<when|while> making <ranged|shooting> attacks": "when shooting",
    "<when|while> making melee attacks": "in melee",
    "<when|while> making attacks": "when attacking",
    "for <ranged|shooting> attacks": "when shooting",
    "for melee attacks": "in melee",
    "<on|during> the turn <it|this model|this unit|they> <charge|charged>": "when it charges",
    "in the same <turn|round|activation> <it|this model|this unit> <charge|charged>": "when it charges",
    "<on|in|during> <a|any> <turn|round|activation> <it|this model|this unit|they> <charge|charged> [in]": (
        "when it charges"
    ),
    "in melee that <turn|round|activation>": "in melee",
    "<until the end of|for|in|during> <that|this|the> melee": "in melee",
    "<its|their|the|the weapon's> <user|firer>": "the bearer",
    "the <firing|shooting|attacking> model": "the bearer",
    "when blocking hits from {some} , {some} adds {num} to <its|their|the> <rolls|dice|results>": (
        "{2} gets {3+} to block against {1}"
    ),
    "when blocking hits from {some} , {some} gets {signed} to <its|their|the> <rolls|dice|results>": (
        "{2} gets {3} to block against {1}"
    ),
    "is attacked by enemies": "is attacked",
    "is <shot|shot at> by enemies": "is shot at",
    "is charged by enemies": "is charged",
    "<an|any> enemy <declares a charge|makes a charge> against": "an enemy charges",
    # rules and bonuses
    "<strike|fight> with AP": "get AP in melee",
    "its hits <is|are> AP": "it gets AP",
    "AP {bonus}": "AP ( {1} )",
    "{num} extra AP": "AP ( {1+} )",
    "1 point of AP": "1 AP",
    "increase <its|their|the> AP by {num}": "get AP ( {1+} )",
    "^ <its|their|the> AP <is|are> <increased|improved> by {num}": "it gets AP ( {1+} )",
    "get <its|their> AP <increased|improved> by {num}": "get AP ( {1+} )",
    "improve <its|their> AP by {num}": "get AP ( {1+} )",
    "get an extra {signed} to": "get {1} to",
    "{num} better to hit": "{1+} to hit",
    "improve <its|their> {some} by {num}": "add {2} to its {1}",
    "{signed} <to|on> <its|their|the> rolls to hit": "{1} to hit rolls",
    "{signed} <to|on> rolls to hit": "{1} to hit rolls",
    "get {signed} Defense": "get {1} to defense rolls",
    "to blocking rolls": "to block rolls",
    "{signed} to block hits <in melee|when in melee>": "{1} to block in melee",
    "{signed} to block hits from <shooting|ranged attacks|shots>": "{1} to block against shooting",
    "{signed} to block hits from {some} attacks": "{1} to block against {2} attacks",
    "{signed} to block hits from spells": "{1} to block against spells",
    "when blocking hits from <shooting|ranged attacks|shots>": "against shooting",
    "when blocking hits from melee attacks": "in melee",
    "when blocking hits from spells": "against spells",
    "when blocking hits in melee": "in melee",
    "when blocking in melee": "in melee",
    "when blocking <shooting|ranged attacks|shots>": "against shooting",
    "when blocking melee attacks": "in melee",
    "when blocking spells": "against spells",
    "<block|blocks> with {signed}": "get {1} to block",
    # natural faces
    "with the same weapon": "with that weapon",
    "with this weapon , which": "which",
    "another <hit>": "1 extra hit",
    "another wound": "1 extra wound",
    "another attack": "1 extra attack",
    "<a|1> <bonus|second|farther> hit": "1 extra hit",
    "<a|1> <bonus|second|farther> wound": "1 extra wound",
    "<a|1> <bonus|second|farther> attack": "1 extra attack",
    "{num} bonus hits": "{1} extra hits",
    "{num} bonus attacks": "{1} extra attacks",
    "{bonus} hit": "{1u} extra hit",
    "deal {bonus} wound": "deal {1u} extra wound",
    "cause {bonus} wound": "cause {1u} extra wound",
    "take {bonus} wound": "take {1u} extra wound",
    "<score|cause|deal|generate|produce|count as> {num} hits <instead of|rather than> [just] 1": "count as {1} hits",
    "<score|generate|produce|bring> {num} hits": "deal {1} hits",
    "<is|are> worth {num} hits": "count as {1} hits",
    "double [the] hits": "count as 2 hits",
    "<that|the> roll counts as": "it counts as",
    "when a model in <this unit|the unit|its unit> <roll|score>": "when this unit roll",
    "when <a model with this rule|models with this rule> <roll|score>": "when this model roll",
    f"<for each|each|any|when> unmodified {{face}} {_WHO} roll to hit": "on unmodified {1} to hit",
    "when you roll": "when it rolls",
    "roll [a|an] {num} to hit": "roll unmodified {1} to hit",
    "roll [a|an] {num} to block": "roll unmodified {1} to block",
    "if they are not blocked": "that are not blocked",
    "if <it is|it's|that hit is|the hit is> not blocked": "that are not blocked",
    "<unless|if not> blocked": "that are not blocked",
    "to hit that are unblocked": "to hit that are not blocked",
    # wounds
    "<discard|disregard|negate|cancel|prevent|avoid|save> <it|that wound|the wound|those wounds|them>": "ignore it",
    "<is|are> <discarded|disregarded|negated|cancelled|canceled|prevented|avoided|saved>": "is ignored",
    "<it|that wound|the wound|they> get no effect": "it is ignored",
    "<shrug|shake> off": "ignore",
    "<discard|disregard|negate|cancel|prevent> <wounds|each wound|a wound|any wound>": "ignore wounds",
    "get a {need} <ward|ward save|wound save|save against wounds|chance to ignore wounds>": (
        "ignores wounds on a {1}"
    ),
    "if {some} takes a wound , roll 1 die": "when {1} takes a wound , roll 1 die",
    "if {some} takes wounds , roll 1 die": "when {1} takes wounds , roll 1 die",
    "roll 1 die for each wound {some} takes from {some} .": "when {1} takes wounds from {2} , roll 1 die for each .",
    # the other side
    "units shooting at this model and its unit": "units shooting at this unit",
    "attacking this model and its unit": "attacking this unit",
    "when enemies {some} , those enemies get": "when enemies {1} , attackers get",
    "when <an|any> <enemy|enemy unit> {some} , that <enemy|enemy unit> gets": "when an enemy {1} , attackers get",
    "those attackers get": "attackers get",
    "those attacks get": "attackers get",
    "^ enemy weapons get AP ( {signed} ) when <targeting|attacking|shooting at> {some}": "hits on {2} get AP ( {1} )",
    "^ enemy <weapons|attacks|shots> <targeting|attacking|shooting at> {some} get AP ( {signed} )": (
        "hits on {1} get AP ( {2} )"
    ),
    "this model treats them as having": "they count as having",
    "this unit treats them as having": "they count as having",
    "it treats them as having": "they count as having",
}
