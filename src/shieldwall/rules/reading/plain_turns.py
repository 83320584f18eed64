"""Turns of phrase of people who write rules in plain sentences, in the same form as those of `turns.py`."""

from __future__ import annotations

PLAIN_TURNS: dict[str, str] = {
    "<take|takes> a morale test <at|with> [a] {signed} . if": "must take a morale test ( {1} ) . if",
    "<shoot|shoots> [this weapon|it] <once more|again>": "get 1 extra attack with this weapon",
    "<such|these|extra> attacks bring no more <1|ones|one>": "extra attacks bring no more",
    "<bonus|extra> <shots|shot> don't <give|get|bring> <bonus|extra> <shots|shot>": "extra attacks bring no more",
    "each 5 or 6": "each 5+",
    "when they <cast a spell|cast|cast spells> add {num} to casting rolls": "get {1+} to casting rolls",
    "is charged and <strikes|fights> back": "strikes back",
    "to the distance of": "to",
    "when <it|they> <uses|use> rush or charge": "when using rush and charge actions",
    "^ when this unit {some} , its models": "when this unit {1} , it",
    "at half or less of its starting models": "at half strength",
    "^ once <this unit|this model|it> is at half strength": "while this unit is at half strength",
    "when a model in this unit takes a wound": "when this unit takes a wound",
    "when {some} blocks , it may re-roll [all] unmodified {face}": "{1} may re-roll unmodified {2} to block",
    "on unmodified rolls of 5 as well as 6": "on unmodified rolls of 5-6",
    "<wounds|the wounds> from this spell can't be ignored with {some}": "those hits ignore {1}",
    "^ adds AP ( {signed} )": "gets AP ( {1} )",
    "once each time <it|this model|this unit> is activated": "once per activation",
    "once per activation and before attacking": "once per activation , before attacking",
    "in <its|their> next melee": "the next time it fights in melee",
    "in <its|their> next <shooting|volley>": "the next time it shoots",
    "on <its|their> next morale test": "to morale tests once",
    "against the next friendly shooting or melee": "the next time it is attacked",
    ". <the|this> effect <ends after|lasts for> <that unit's|its|their> next <melee|fight>": (
        "the next time it fights in melee"
    ),
    "{sinch} to that charge": "{1} on charges",
    "^ <enemies|enemy units|enemy> that charge {some} get {sinch} on charges": "enemies charging {1} move {2}",
    "when they attack {some}": "when attacking {1}",
    ", that hit {some} when it is not blocked": "which is not blocked , it {1}",
    "may first move": "may move",
    "^ target {num} {some} . each": "pick {1} {2} . each",
    "<take|takes> [all|its|their] <morale tests|a morale test> <at|with> [a] {signed} <penalty|bonus>": (
        "gets {1} to morale tests"
    ),
    "<when|if> {some} <shoots|shoot> and <rolls|roll>": "when {1} shoots , if it rolls",
    "<when|if> {some} <fights|fight> and <rolls|roll>": "when {1} fights in melee , if it rolls",
    "<when|if> {some} <charges|charge> and <rolls|roll>": "when {1} charges , if it rolls",
    "^ when <it|this unit|this model|the bearer> is wounded by {some} , {some} ignores <that wound|the wound|it>": (
        "{2} ignores wounds from {1}"
    ),
    "<the|its> <target|enemy> <gets|get> {num} <hit|hits>": "the target takes {1} hits",
    "the enemy unit that killed it": "the attacker",
    "[,] your choice . it <keeps|has> <it|the rule|that rule> until": "until",
    "the picked effect lasts until": "this effect lasts until",
    "at the end of <a|each|any> melee [that] <it|this unit|this model> <fought|took part|was> in": (
        "after fighting in melee"
    ),
    "may be kept in reserve and <come in|arrive> with Ambush": "gets Ambush",
    "if all models <have|get> it": "if all models have this rule",
    "deploy with Ambush": "be deployed via Ambush",
    "roll {num} dice and pick 1 {some} . it takes {some} for each {need} rolled": (
        "pick 1 {2} . roll {1} dice . for each {4} , it takes {3}"
    ),
    "on the charge , roll": "when charging , roll",
    "each roll of {need}": "each {1}",
    ", and wounds from <these|those> hits ignore {some}": ". those hits ignore {1}",
    "wounds from <these|those> hits ignore {some}": "those hits ignore {1}",
    "that attack gets {some}": "it gets {1}",
    "generate no more attacks": "bring no more attacks",
    "do not bring farther extra attacks": "bring no more attacks",
    "<get|gets> {sinch} to <their|its> movement when charging {some}": "charging {2} moves {1}",
    "have this rule and <it|they> is": "have this rule , when it is",
    "if failed ,": "if it fails ,",
    "a morale test with {signed} to its roll": "a morale test with {1}",
    "and <the|that> hit is not blocked": "which is not blocked",
    ", not 1 $": "instead of 1",
    "unmodified <defense|block> results of {face}": "unmodified {1} to block",
    "<count|counts|treat|treats> all hits against <them|it> as having": "counts hits as having",
    "the hits from that charge": "those hits",
    "<that|which> <has|have|carries|carry|possess> this rule": "with this rule",
    "at the start of the game [,] pick": "before the game , pick",
    "further than": "more than",
    "any enemy unit": "an enemy unit",
    "named before": "picked before",
    "before the first turn [is taken]": "before the game",
    "below half [of] its starting size": "at half strength",
    "<rolling|a roll of|rolls of> [a] {num} or <better|more|higher>": "a {1n}",
    "is worth 1 extra wound": "deals 1 extra wound",
    "<is|are> treated as though it had": "counts as having",
    "<a single|1 single> time <in|during> [the whole|the entire|a] game": "once per game",
    "{signed} to block results": "{1} to block",
    "<by|when> rolling a {need}": "on a {1}",
    ", and its regeneration <don't|doesn't|does not> <work|help|apply> against <them|it>": (
        ". those hits ignore regeneration"
    ),
    "must take a morale test ( {signed} ) to its roll": "must take a morale test ( {1} )",
    "ignores wounds from spells on {need} and all other wounds on {need}": (
        "ignores wounds on {2} , or on {1} against spells"
    ),
    "its next move is {sinch}": "it moves {1} once",
    "<go|goes> {sinch} far": "moves {1}",
}
