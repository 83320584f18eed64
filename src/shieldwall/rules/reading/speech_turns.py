"""Turns of phrase of everyday speech: passive voice, politeness, remarks and numbers told in other ways, in the same
form as those of `turns.py`."""

from __future__ import annotations

_ME = "<this model|the bearer|it>"
_TURN = "<turn|activation>"
_ALIVE = "<alive|on the table|in play|on the battlefield>"
_NOT_GONE = "<not been|not yet been|never been> <removed|destroyed|killed>"
_ROLLS = ("hit rolls", "defense rolls", "block rolls", "morale tests", "casting rolls")
_DEEDS = {
    "attacked": "attacks",
    "shot": "shoots",
    "fought": "fights",
    "charged": "charges",
    "struck": "fights",
}

SPEECH_TURNS: dict[str, str] = {
    # numbers, rolls and faces
    "a penalty of {num} to": "{1-} to",
    "a bonus of {num} to": "{1+} to",
    "a penalty of {num} on": "{1-} to",
    "a bonus of {num} on": "{1+} to",
    "a penalty of {inch}": "{1-}",
    "a bonus of {inch}": "{1+}",
    "on [a] [roll of|rolls of] {num} <and|or> <up|above|over>": "on a {1n}",
    "on [a] [roll of|rolls of] {need} <and|or> <up|above|over|higher|better>": "on a {1}",
    "on [a] 5 or 6": "on a 5+",
    "on [a] 4 , 5 or 6": "on a 4+",
    "on any <roll|result> of {need}": "on a {1}",
    "any {need}": "each {1}",
    "per <result|roll> of {need}": "for each {1}",
    "every <die|dice> showing {need}": "each {1}",
    "<die|dice> <showing|that shows|that comes up> {need}": "{1}",
    "that <come up|comes up|show|shows|land on> {face}": "of {1}",
    "<results|result> of {face} when rolling to hit": "{1} to hit",
    **{
        f"unmodified <results|result|rolls|roll> of {{face}} when rolling to {roll}": f"unmodified {{1}} to {roll}"
        for roll in ("hit", "block")
    },
    "unmodified <results|result|rolls|roll> of {face} to": "unmodified {1} to",
    "<is|are> multiplied by 2": "count as 2 hits",
    "<does|do> so <at|with> {signed}": "get {1} to that roll",
    "^ {need} :": "on a {1} ,",
    **{
        f"disregard {what}": f"ignore {what}"
        for what in (
            "cover",
            "the",
            "any",
            "all",
            "difficult",
            "regeneration",
            "stealth",
            "terrain",
            "penalties",
        )
    },
    "rather than": "instead of",
    "<thanks to it|through it|because of it|by means of it> instead": "instead",
    "adds {num} to the <die|dice>": "gets {1+} to the roll",
    "adds {signed} to the <die|dice|roll|result>": "gets {1} to the roll",
    ", {some} adds {bonus} $": ", {1} gets {2} to the roll",
    "hits {num} better": "gets {1+} to hit",
    "blocks {num} better": "gets {1+} to block",
    "subtract {num} from <each|every|any> roll to": "subtract {1} from rolls to",
    "subtract {num} from [its|their|the|all] rolls to hit": "subtract {1} from hit rolls",
    "subtract {num} from [its|their|the|all] rolls to block": "subtract {1} from defense rolls",
    "add {num} to <each|every|any|its|their|the|all> <roll|rolls> to hit": "add {1} to hit rolls",
    "add {num} to <each|every|any|its|their|the|all> <roll|rolls> to block": "add {1} to defense rolls",
    "on rolls to cast": "to casting rolls",
    "on <its|their|all its> casting rolls": "to casting rolls",
    "to <its|their> rolls to hit": "to hit rolls",
    "to <its|their|all|all its|all their> {signed}": "{1}",
    **{f"{roll} <made|taken> by": f"{roll} of" for roll in _ROLLS},
    "{num} AP less": "AP ( {1-} )",
    "{num} less AP": "AP ( {1-} )",
    "AP {num} <lower|less|worse>": "AP ( {1-} )",
    "AP {num} <higher|better|more>": "AP ( {1+} )",
    "AP ( {num} ) hit": "hit with AP ( {1} )",
    # how long, how often and when
    "for as long as": "as long as",
    "1 use only [.|:|,]": "once per game ,",
    "<once only|a single time> in the game": "once per game",
    "once [only] during <the game|a game|each game>": "once per game",
    **{
        f"once <a|in each|for each> {often}": f"once per {often}" for often in ("round", "game", "activation")
    },
    "once per game only": "once per game",
    "before making <its|their|any|any of its> attacks": "before attacking",
    "before <it|this model|this unit|they> makes <its|their|any> attacks": "before attacking",
    "until <this|the|that> round is over": "until the end of the round",
    "until the end of <this|the> turn": "until the end of the round",
    "until the end of this game round": "until the end of the round",
    "for the <whole|entire|remaining> round": "until the end of the round",
    f"<in|on|during> the {_TURN} [in which|that|when|where] <the bearer|this model|it|they|this unit>"
    " <charge|charged|has charged>": "when it charges",
    f"<in|on|during> <the|a|any|each> {_TURN} [in which|that|when|where] <the bearer|this model> <charge|charged>": (
        "when it charges"
    ),
    **{
        f"after {who} {did}": f"after {who} {does}"
        for who in ("this model", "this unit", "it", "the bearer")
        for did, does in _DEEDS.items()
        if did not in ("charged", "struck")
    },
    **{
        f"having {did} ,": f"after it {does} ,"
        for did, does in {"shot": "shoots", "attacked": "attacks"}.items()
    },
    **{
        f"when it next {does}": f"the next time it {does}" for does in ("blocks", "charges", "moves", "casts")
    },
    **{f"when next {done}": f"the next time it is {done}" for done in ("shot", "attacked", "charged")},
    "the next time it is <shot|shot at>": "the next time it is shot at",
    "next time it is <shot|shot at>": "the next time it is shot at",
    "as soon as": "when",
    "at the moment": "when",
    "in the event that": "if",
    "^ on being {some} ,": "when {1} ,",
    "^ should {some} be {some} ,": "if {1} is {2} ,",
    "^ should {some} ,": "if {1} ,",
    "if [ever] the result is a {need}": "on a {1}",
    "at activation": "when activated",
    "on its activation": "when activated",
    "must take a morale test , <it|they> <get|gets>": "takes a morale test , it gets",
    "has to <test morale|test for morale>": "takes a morale test",
    "must <test morale|test for morale|make a morale test>": "must take a morale test",
    "force {num} enemy unit within {inch} to": "pick {1} enemy unit within {2} , which must",
    "force {num} enemy unit to": "pick {1} enemy unit , which must",
    # who
    "bearer of <this weapon|this rule|the weapon>": "bearer",
    "the unit of <the bearer|this model>": "this model's unit",
    "the unit that <this model|the bearer> is <with|in|part of>": "this model's unit",
    "the unit <this model|the bearer> <leads|fights with|belongs to|marches with>": "this model's unit",
    "the rest of the unit it has joined": "its unit",
    "the rest of <the|this> unit": "its unit",
    "models in the same unit as <the bearer|this model|it>": "models in this model's unit",
    "<the bearer|this model> and its <whole|entire|own> unit": "this model and its unit",
    ", and so <has|does|is> <the bearer|this model> [itself]": "",
    "[,] including <itself|the bearer|this model|it|its own unit|the bearer itself> [itself] [,]": "",
    "[,] <the bearer|this model|itself|the bearer itself> included [,]": "",
    "( including <itself|the bearer|this model|this unit> )": "",
    **{f"units of which {many} models": f"units where {many} models" for many in ("all", "most")},
    "( <all|each> of its models must have this rule )": "where all models have this rule",
    "( if all [of] its models have this rule )": "where all models have this rule",
    "units in which <each|all> model has this rule": "units where all models have this rule",
    "units in which most models have this rule": "units where most models have this rule",
    "<wizard|wizards|spellcaster|spellcasters|mage|mages>": "casters",
    "one or more models with this rule": "this model",
    "<if|when|while> <the|its> target is [a|an] unit <with|of>": "against units with",
    "most of the models in the <target|enemy|enemy unit|target unit> <have|has>": "most models in the target have",
    "if most models in the target have {some} , {some}": "{2} against units with {1}",
    # alive
    "while alive ,": "",
    f"<while|as long as> {_ME} is {_ALIVE}": "while this model is alive",
    f"<while|as long as> {_ME} <lives|survives|has {_NOT_GONE[1:-1]}>": "while this model is alive",
    f"<while|as long as> {_ME} has not [yet] been <removed|destroyed|killed>": "while this model is alive",
    f"<while|as long as> {_ME} <remains|is still|stays> {_ALIVE}": "while this model is alive",
    "[.|,|;] [and] <if|when> <the bearer|this model|it> <is killed|dies|falls> , they lose it": (
        ". if this model is killed , they lose it"
    ),
    f"[.|;] they lose <it|this|them> [again] when {_ME} <dies|is killed|falls|is destroyed>": (
        ". if this model is killed , they lose it"
    ),
    # giving, in the passive voice and with other verbs
    "^ {some} <is|are> <conferred|bestowed|lent> <on|upon|to> {some}": "{2} get {1}",
    "^ {some} <is|are> given to {some}": "{2} get {1}",
    "shares its {some} with <its|the> [whole|entire] unit": "and its unit get {1}",
    "shares {some} with <its|the> [whole|entire] unit": "and its unit get {1}",
    "<pass|passes> {some} on to its unit": "and its unit get {1}",
    "<is|are> able to": "may",
    "may also": "may",
    "is allowed to": "may",
    "get the ability to": "may",
    "may make use of": "may use",
    "may attempt to": "may",
    "has the <option|choice> to": "may",
    "you are allowed to": "you may",
    "then AP ( {signed} ) is added to {some}": "{2} gets AP ( {1} )",
    "AP ( {signed} ) is added to {some}": "{2} gets AP ( {1} )",
    "{signed} is added to {some}": "add {1} to {2}",
    "{num} is added to {some}": "add {1} to {2}",
    "{num} is subtracted from {some}": "subtract {1} from {2}",
    "{inch} is added to {some}": "add {1} to {2}",
    "; also": " and",
    ", also": " and",
    ". also ,": ".",
    ". in addition ,": ".",
    ". furthermore ,": ".",
    ". moreover ,": ".",
    ". additionally ,": ".",
    "in addition to this": "",
    "[and] on top of that": "",
    "<of course|as well|too> $": "",
    "for free": "",
    # dice rolled again
    "may roll {some} again": "may re-roll {1}",
    "must roll {some} again": "must re-roll {1}",
    "<have|has> to be rolled again": "must be re-rolled",
    "must be rolled again": "must be re-rolled",
    "may be rolled again": "may be re-rolled",
    "<are|is> rolled again": "may be re-rolled",
    # places, moves and deployment
    "may be set up again": "may be placed",
    "may be <put|set> down": "may be set up",
    "may set up {some} again": "may place {1}",
    **{f"{where} only within": f"{where} fully within" for where in ("anywhere", "placed", "is", "are")},
    "within {inch} of where <it|they> <stood|stands|was|were>": "within {1} of its position",
    "within {inch} of <its|their> <place|location|old position|current location|previous position>": (
        "within {1} of its position"
    ),
    **{f"uses a {action} action": action for action in ("advance", "rush", "charge")},
    "may be <kept back|held back|kept> <in|for> Ambush": "get Ambush",
    "<over|more than|farther than> {inch} [away] from <all enemies|any enemy|all enemy units|any enemy unit>": (
        "not within {1} of an enemy"
    ),
    "until <it|they> has next moved": "once",
    "{some} get <its|their> range <increased|extended|improved> by {inch}": "{1} get {2+} range",
    "{inch} <more|extra> movement": "{1+} movement",
    # targets
    "the <enemy|enemy unit|unit|target> <it|this model|this unit> <attacks|is attacking|shoots at|is shooting at|fights"
    "|is fighting|strikes|charges|charged>": "its target",
    "on <the target's|the enemy's|its target's|the defender's> <block|defense> <roll|rolls>": "to block",
    "^ {some} <is|are> <of no use|useless|of no help|worthless|ineffective> against {some}": "{2} ignores {1}",
    "^ <shooting|attacking> {some} with this weapon": "when attacking {1} , this weapon",
    "on all [of] <its|their> attacks": "when attacking",
    **{
        f"<if|when> {who} was charged [this round|this turn|this activation]": "when charged"
        for who in ("it", "this model", "this unit", "the bearer")
    },
    # picks
    "<let|allow> {num} friendly unit within {inch} [to]": "pick {1} friendly unit within {2} , which may",
    "name up to": "pick up to",
    "you may name": "you may pick",
    **{
        f"^ {side} <unit|model> within {{inch}} :": f"1 {side} unit within {{1}} get"
        for side in ("enemy", "friendly")
    },
    "this model + its unit :": "this model and its unit get",
    "this model + its unit": "this model and its unit",
    "this model and its unit :": "this model and its unit get",
    "<this model's|its|the bearer's> unit :": "this model's unit get",
    "when armies are set up": "before the game",
    "{some} that you <pick|picked>": "{1} picked",
    **{
        f"^ within {{inch}} of <this model|this unit|the bearer|it> , [all] <{plain}>": f"{side} within {{1}}"
        for side, plain in {
            "enemies": "enemies|enemy units|enemy models",
            "friendly units": "friendly units|friends|friendly models|your units",
            "other friendly units": "other friendly units|other friends",
        }.items()
    },
    # hits, blocks and rolls
    **{
        f"failed {who} {roll}": f"{who} failed {roll}"
        for who in ("this unit's", "this model's", "its")
        for roll in ("morale tests", "hit rolls", "defense rolls")
    },
    "rolls to block [made] against {some} of {face}": "block rolls of {2} against {1}",
    "{num} more <attack|attacks>": "{1} extra attacks",
    "pick 1 : <it|this unit|they> get either": "it get either",
    "when {some} must take a morale test ,": "when {1} takes a morale test ,",
    "{some} get <its|their> charge <distance|distances|moves|move|range> <shortened|reduced> by {inch}": (
        "{1} moves {2-}"
    ),
    "as <though|if> it had that rule": "",
    "when <they|it> <come|comes|arrive|arrives|enter|enters|deploy|deploys|is deployed> from Ambush": (
        "when using Ambush"
    ),
    **{f"^ move {who} an extra {{inch}}": f"{who} moves {{1+}}" for who in ("this unit", "this model")},
    "moves through terrain as if it were open <ground|terrain>": "ignores terrain when moving",
    "after <it|they|this unit|this model> has rushed": "after rushing",
    "just after": "after",
    "right after": "after",
    "may be moved anywhere": "may be placed anywhere",
    "- including <itself|the bearer|this model|it|the bearer itself> [itself] -": "",
    ", and before": ", before",
    # morale
    "if a morale test is failed by {some} ,": "if {1} fails a morale test ,",
    "if {some} would fail a morale test ,": "if {1} fails a morale test ,",
    "<treat|count> <it|the test|that test> as [being] passed": "it counts as passed",
    "<it|the test> is treated as [being] passed": "it counts as passed",
    # words that only repeat what is clear anyway
    "on all <its|their> weapons": "",
    "for that hit": "",
    "which is within": "within",
    "takes wounds [,] it may ignore them on [a] {need}": "takes wounds it ignores wounds on a {1}",
    "takes wounds [,] it ignores them on [a] {need}": "takes wounds it ignores wounds on a {1}",
    "the target of <its|this unit's|this model's> attack": "its target",
    "all units within {inch} on its side": "friendly units within {1}",
    "after <it|they|this unit|this model> has used a rush action": "after rushing",
    "ignores the wounds on": "ignores wounds on",
    "that <wish|wishes|want|wants> to charge": "that charge",
    "spells reach {inch} farther": "spells get {1+} range",
    "get the <benefit|benefits> of": "get",
    "until that round ends": "until the end of the round",
    "in range {inch}": "within {1}",
    "the turn its bearer <charge|charged>": "the turn it charges",
}
