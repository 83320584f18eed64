"""The table of turns of phrase: what people write, and the shorter words it stands for.

`rewording.py` explains the signs.
"""

from __future__ import annotations

_THIS = ("this model", "the bearer", "it")
TURNS: dict[str, str] = {
    # when, how often, how long
    "each time": "when",
    "any time": "when",
    "1 use only :": "once per game ,",
    "1 time per game": "once per game",
    "1 time per activation": "once per activation",
    "until the round ends": "until the end of the round",
    "until the end of the current round": "until the end of the round",
    "until this round ends": "until the end of the round",
    "for the rest of the round": "until the end of the round",
    "for the rest of this round": "until the end of the round",
    "for the remainder of the round": "until the end of the round",
    "until its activation ends": "until the end of its activation",
    "for the rest of its activation": "until the end of its activation",
    "for the rest of the activation": "until the end of the activation",
    "before the game starts": "before the game",
    "before the game begins": "before the game",
    "the effect applies": "the effect would apply",
    "the effect apply": "the effect would apply",
    # numbers added to rolls
    "a {signed} bonus to": "{1} to",
    "a bonus of {signed} to": "{1} to",
    "{signed} bonus to": "{1} to",
    "a {signed} penalty to": "{1} to",
    "a penalty of {signed} to": "{1} to",
    "a {signed} modifier to": "{1} to",
    "a {signed} to": "{1} to",
    "take {signed} to": "get {1} to",
    "{signed} AP": "AP ( {1} )",
    "{num} AP ( {num} ) hits": "{1} hits with AP ( {2} )",
    "Tough ( {num} ) +": "Tough ( {1} ) or more",
    "its rolls to hit": "its hit rolls",
    "their rolls to hit": "their hit rolls",
    "all rolls to hit": "all hit rolls",
    "to rolls to hit": "to hit rolls",
    "its rolls to block": "its defense rolls",
    "their rolls to block": "their defense rolls",
    "to rolls to block": "to defense rolls",
    "{signed} to block hits": "{1} to block",
    "{signed} when blocking hits": "{1} to block",
    "{signed} when blocking": "{1} to block",
    "{signed} when taking morale tests": "{1} to morale tests",
    "{signed} when taking a morale test": "{1} to morale tests",
    "{signed} when casting a spell": "{1} to casting rolls",
    "{signed} when casting spells": "{1} to casting rolls",
    "{signed} when casting": "{1} to casting rolls",
    "to the morale test": "to morale tests",
    "an extra hit": "1 extra hit",
    "an extra wound": "1 extra wound",
    "an extra attack": "1 extra attack",
    "an additional hit": "1 extra hit",
    "an additional wound": "1 extra wound",
    "an additional attack": "1 extra attack",
    "1 more hit": "1 extra hit",
    "1 more wound": "1 extra wound",
    "on a roll of {need}": "on a {1}",
    "on rolls of {need}": "on a {1}",
    "on a result of {need}": "on a {1}",
    "roll a die": "roll 1 die",
    "roll a d6": "roll 1 die",
    "roll one d6": "roll 1 die",
    "would take": "takes",
    # who is meant
    "in which all": "where all",
    "in which most": "where most",
    "in which each model has": "where all models have",
    "where each model has": "where all models have",
    "where each of its models has": "where all models have",
    "where only models have": "where all models have",
    "consisting only of models with this rule": "where all models have this rule",
    "consisting entirely of models with this rule": "where all models have this rule",
    "made up only of models with this rule": "where all models have this rule",
    "made up entirely of models with this rule": "where all models have this rule",
    "that only have models with this rule": "where all models have this rule",
    "the majority of the models": "most models",
    "the majority of its models": "most models",
    "the majority of models": "most models",
    "more than half of its models": "most models",
    "more than half of the models": "most models",
    "most of the models": "most models",
    "the unit it has joined": "its unit",
    "the unit it joined": "its unit",
    "the unit <it|this model> <leads|commands|accompanies>": "its unit",
    "unshaken": "not shaken",
    "the unit that it has joined": "its unit",
    "the unit it is part of": "its unit",
    "the unit this model is part of": "this model's unit",
    "the unit this model has joined": "this model's unit",
    "and all models in its unit": "and its unit",
    "and all other models in its unit": "and its unit",
    "and the rest of its unit": "and its unit",
    "while this model is in a unit , this model": "this model",
    "while it is part of a unit , this model": "this model",
    "^ charging models with this rule": "when charging , models with this rule",
    "^ shooting models with this rule": "when shooting , models with this rule",
    "the unit that killed it": "the attacker",
    "the unit that attacked it": "the attacker",
    "this model dies in melee": "this model is killed in melee",
    "it dies in melee": "it is killed in melee",
    "this model is destroyed in melee": "this model is killed in melee",
    # attacks and actions
    "in close combat": "in melee",
    "in combat": "in melee",
    "in hand-to-hand": "in melee",
    "at range": "when shooting",
    "with ranged weapons": "when shooting",
    "with melee weapons": "in melee",
    "with a ranged weapon": "when shooting",
    "with a melee weapon": "in melee",
    "with ranged attacks": "when shooting",
    "with melee attacks": "in melee",
    "making a charge": "charging",
    "making charges": "charging",
    "makes a charge": "charges",
    "declares a charge": "charges",
    "at a target over": "at targets over",
    "at a unit over": "at targets over",
    "at an enemy unit over": "at targets over",
    "get {sinch} movement on": "moves {1} on",
    "get {sinch} movement when using": "moves {1} when using",
    "mark {num} enemy": "pick {1} enemy",
    "pick another": "pick 1 other",
    "a single": "1",
    "take a hit": "take 1 hit",
    "( max {signed} )": "( up to a max of {1} )",
    "1 of those units": "1 of them",
    "weapons carried by this model": "this model's weapons",
    "all ranged weapons carried by this model": "this model's ranged weapons",
    "all melee weapons carried by this model": "this model's melee weapons",
    "once each round": "once per round",
    "target enemy unit within": "1 enemy unit within",
    "target friendly unit within": "1 friendly unit within",
    ", except against spells": "against hits not from spells",
    "except against spells": "against hits not from spells",
    "except those from spells": "against hits not from spells",
    "set up via Ambush": "using Ambush",
    "that deploy via Ambush": "using Ambush",
    "that arrive via Ambush": "using Ambush",
    "that use Ambush": "using Ambush",
    "enemy Ambush units": "enemies using Ambush",
    "must be placed over": "must be set up over",
    "must be deployed more than": "must be set up over",
    "must be set up more than": "must be set up over",
    "must be placed more than": "must be set up over",
    # who, in other words
    "this special rule": "this rule",
    "^ [a|an|any] charging <model|unit> with this rule": "when charging , models with this rule",
    "^ hits [made|scored|dealt] <with|from|by> this weapon": "this weapon",
    "if <all|all the|all of the|each> <model|models> in <a|the|its> unit <have|has> this rule ,"
    " <the unit|that unit|it|they>": "units where all models have this rule",
    "if <most|most of the> models in <a|the|its> unit have this rule , <the unit|that unit|it|they>": (
        "units where most models have this rule"
    ),
    "if <most|most of|most models of|the majority of> <a|the> unit's models have this rule ,"
    " <the unit|that unit|it|they>": "units where most models have this rule",
    "<made up|consisting|composed> only of models with this rule": "where all models have this rule",
    "only <made up|composed> of models with this rule": "where all models have this rule",
    "the unit <it is|this model is> <with|in>": "its unit",
    "the unit <this model|it> joins": "this model's unit",
    "in the same unit as this model": "in this model's unit",
    "<as long as|while> <this model|it> is in a unit , [all] models in <that|the> unit": (
        "models in this model's unit"
    ),
    "units <of|in|from> your army": "friendly units",
    "your units": "friendly units",
    "^ [this model] give {some} to <its unit|the unit>": "this model's unit get {1}",
    "^ [this model] give its unit {some}": "this model's unit get {1}",
    # charges and other actions
    "<in|on|during> <a|the|any> <turn|round|activation> [in which|that|when|where] <it|this model|they>"
    " <charges|charged>": "when it charges",
    "when <they|it> shoots at this": "when shooting at this",
    "when <they|it> attacks this": "when attacking this",
    "when <they|it> charges this": "when charging this",
    "when <it is|they are> charged": "when charged",
    "when <an enemy|enemies|an enemy unit> charges <it|this model|this unit>": "when charged",
    "strikes before <the charging unit|the charger|its attackers|the attacker|the enemy|its enemies>": (
        "strikes first"
    ),
    "<attacks|fights> first": "strikes first",
    "may strike first": "strikes first",
    # numbers that grow and shrink
    "increase {some} by {num}": "add {2} to {1}",
    "increase {some} by {inch}": "add {2} to {1}",
    "^ {some} <is|are> increased by {num}": "add {2} to {1}",
    "^ {some} <is|are> increased by {inch}": "add {2} to {1}",
    "<reduce|decrease> {some} by {num}": "subtract {2} from {1}",
    "to the result of": "to",
    "must subtract": "subtract",
    "<is|are> at {signed}": "get {1}",
    "a bonus of {signed} on": "{1} to",
    "a {signed} bonus on": "{1} to",
    "a {signed} penalty on": "{1} to",
    "a penalty of {signed} on": "{1} to",
    "hits on 1 better": "gets +1 to hit",
    **{f"{action} <distance|range>": f"{action} move" for action in ("charge", "advance", "rush")},
    "adds {inch} when <it charges|charging>": "adds {1} to its charge moves",
    "the distance <it|this model|this unit> may charge": "its charge moves",
    "may shoot {inch} farther": "shoots {1} farther",
    "may ignore": "ignores",
    "may charge up to {inch} farther": "charges {1} farther",
    "counts as if <it|they> had": "counts as having",
    "is <treated|considered|counted> as having": "counts as having",
    "is <treated|considered> to have": "counts as having",
    # morale
    "when {some} takes a morale test , <it|they> gets {signed} [to the roll|to the result]": (
        "{1} gets {2} to morale tests"
    ),
    "when taking <morale tests|a morale test> , {some} gets {signed} [to the roll|to the result]": (
        "{1} gets {2} to morale tests"
    ),
    # natural faces
    "unmodified {face} rolled to hit": "unmodified {1} to hit",
    "hits scored <with|by|on> [an] unmodified {face}": "hits from unmodified {1} to hit",
    "if you roll [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    "if [an|a] unmodified {face} <is|are> rolled to hit": "on unmodified {1} to hit",
    "when rolling [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    "when this weapon rolls [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    **{
        f"{word} <its|the> bearer {does}": f"{word} it {does}"
        for word in ("when", "if", "while", "unless")
        for does in ("charges", "attacks", "shoots", "fights", "is", "holds", "moves")
    },
    ", add {num} hits": ", it deals {1} extra hits",
    "deal {num} hits instead of 1 [with this weapon]": "count as {1} hits",
    "unmodified {face} rolled to block": "unmodified {1} to block",
    "to block [hits] <against|from> this weapon": "to block",
    "if <the target|the enemy|an enemy> rolls [an|a] unmodified {face} to block"
    " [hits|hits from this weapon|against this weapon]": "on unmodified {1} to block",
    "when <the target|the enemy|enemies> rolls [an|a] unmodified {face} to block"
    " [hits|hits from this weapon|against this weapon]": "on unmodified {1} to block",
    "extra wound from this weapon": "extra wound",
    # cover, terrain, wounds
    "<targets|enemies|enemy units|the target> <don't get|get no|get no benefit from|don't benefit from|may not use"
    "|can't use|can't benefit from> cover against {some}": "{1} ignores cover",
    "cover <has no effect|doesn't apply|gives no bonus> <against|for> {some}": "{1} ignores cover",
    "may move through difficult terrain without <being slowed|penalty|penalties>": (
        "ignores difficult terrain"
    ),
    "treats difficult terrain as <open ground|open terrain|clear ground>": "ignores difficult terrain",
    "roll 1 die for each wound {some} takes": "when {1} takes wounds , roll 1 die for each",
    "for each wound taken by {some} ,": "when {1} takes a wound ,",
    "when {some} takes [a|1] wound , it is ignored on [a] {need}": "{1} ignores wounds on a {2}",
    "ignore <that|the> wound": "it is ignored",
    "ignores each wound <it takes|they take> on": "ignores wounds on",
    # the other side
    ", the <attacker|attackers|attacking unit> <get|has|have|take> {signed}": ", attackers get {1}",
    "its attacker takes": "the attacker takes",
    "ranged attacks <against|on|at>": "shots at",
    "shooting attacks <against|on|at>": "shots at",
    "enemy shooting <against|at>": "shots at",
    "that <has|have> {some} or <higher|more|better>": "with {1} or higher",
    "those hits have": "those hits get",
    "when being killed in melee , <this model|it> deals {num} hits to the <attacker|attacking unit>": (
        "when this model is killed in melee , the attacker takes {1} hits"
    ),
    "<arrive|deploy|be deployed|be set up|be placed> from Ambush": "be deployed via Ambush",
    "<deploying|arriving> via Ambush": "using Ambush",
    "must stay more than": "must be set up over",
    "must stay over": "must be set up over",
    # picks
    **{f"target <a|an|1> {side}": f"pick 1 {side}" for side in ("enemy", "friendly")},
    "mark <a|an> <enemy unit|enemy>": "pick 1 enemy unit",
    "<the caster|this model|it> deals {num} hits": "deals {1} hits",
    "once ( [the] next time the effect would apply )": "once",
    "the next time the effect would apply": "once",
    "the next friendly unit to attack it": "the next friendly unit attacking it",
    "the next friendly unit to shoot at it": "the next friendly unit shooting at it",
    "the next time a friendly unit attacks it , <that unit|it> gets": (
        "the next friendly unit attacking it gets"
    ),
    "{need} , that unit": "{1} , it",
    "must pass a morale test or <become|be> {some}": "must take a morale test . if it fails , it becomes {1}",
    "give {num} friendly unit within {inch} {some} once": (
        "pick {1} friendly unit within {2} , which get {3} once"
    ),
    "if <charged|it is charged|this model is charged|this unit is charged>": "when charged",
    **{
        f"^ {{num}} {side} {what} within {{inch}} {verb}": (
            f"pick {{1}} {side} {what} within {{2}} , which {verb}"
        )
        for side in ("enemy", "friendly")
        for what in ("unit", "model")
        for verb in ("recovers", "may")
    },
    **{f"to <its|their> {roll}": f"to {roll}" for roll in ("hit rolls", "defense rolls", "block rolls")},
    # words that change nothing
    "immediately": "",
    "<right|straight> away": "",
    "at once": "",
    "instantly": "",
    "automatically": "",
    "always strikes": "strikes",
    "an extra AP": "AP",
    **{
        f"all of {whose} moves": f"{whose} moves" for whose in ("this unit's", "this model's", "its", "their")
    },
    "get both": "get",
    ". both": ". they",
    "^ all attacks": "attacks",
    "or <greater|above>": "or higher",
    # the same in another order
    "when blocking [hits] , {some} gets {signed}": "{1} gets {2} to block",
    "at more than {inch} [away]": "over {1} away",
    "once <in|during> the game": "once per game",
    "once per game , when {some} attacks , it gets": "once per game , when {1} attacks , it may get",
    "after a rush [action]": "after rushing",
    "^ after rushing , {some} may shoot": "{1} may shoot after rushing",
    "may shoot [even] if it <rushed|rushes|has rushed>": "may shoot after rushing",
    "its killer takes": "the attacker takes",
    "you may move {num} friendly unit within {inch} [by] up to {inch}": (
        "pick {1} friendly unit within {2} , which may move up to {3}"
    ),
    **{f"{who}'s moves is {{inch}} longer": f"{who} moves {{1+}}" for who in ("this model", "this unit")},
    **{f"add {{inch}} to {who}'s moves": f"{who} moves {{1+}}" for who in ("this model", "this unit")},
    **{
        f"^ <a|an> {side} {what} within {{inch}} {verb}": f"pick 1 {side} {what} within {{1}} , which {verb}"
        for side in ("enemy", "friendly")
        for what in ("unit", "model")
        for verb in ("recovers", "may")
    },
    ", then": ",",
    "which then": "which",
    "a {signed} <bonus|penalty>": "{1}",
    "when <it|they|this unit|this model> takes <a morale test|morale tests>": "when taking morale tests",
    "test results": "tests",
    "roll results": "rolls",
    **{
        f"[all] {what} <of|by|from|made by> {who}": f"{who}'s {what}"
        for what in (
            "attacks",
            "melee attacks",
            "ranged attacks",
            "charges",
            "charge moves",
            "morale tests",
            "weapons",
            "ranged weapons",
            "moves",
        )
        for who in ("this model", "this unit", "the bearer")
    },
    **{
        f"^ {who}'s {roll} get {{signed}}": f"{who} gets {{1}} to {roll}"
        for roll in ("hit rolls", "morale tests", "defense rolls", "block rolls", "casting rolls")
        for who in ("this model", "this unit", "the bearer")
    },
    **{
        f"when <{doing}|it {does}|this model {does}|it uses an {action} action>"
        f" , {who} moves {{sinch}} $": f"{who} moves {{1}} when using {action} actions"
        for who in (*_THIS, "this unit", "they", "models with this rule")
        for action, doing, does in (
            ("advance", "advancing", "advances"),
            ("rush", "rushing", "rushes"),
            ("charge", "charging", "charges"),
        )
    },
    **{
        f"when this unit {does} , <it|this unit> moves {{sinch}} $": (
            f"this unit moves {{1}} when using {action} actions"
        )
        for action, does in (("advance", "advances"), ("rush", "rushes"), ("charge", "charges"))
    },
    **{
        f"{does} {{inch}} <farther|more>": f"moves {{1+}} when using {action} actions"
        for action, does in (("advance", "advances"), ("rush", "rushes"), ("charge", "charges"))
    },
    "may move {inch} <more|farther|extra>": "moves {1+}",
    "moves {inch} <more|farther|extra>": "moves {1+}",
    "on <a|a roll of|a result of|rolls of> {num} or <more|higher|better|above>": "on a {1n}",
    "^ {some} gets {signed} to be hit <by shooting|by shots|by ranged attacks|when shot|when shot at>": (
        "shots at {1} get {2} to hit"
    ),
    "^ {some} gets {signed} to be hit in melee": "melee attacks against {1} get {2} to hit",
    "attacks targeting": "attacks against",
    **{
        f"<anyone|any unit|any model|any enemy> {doing}": f"enemies {doing}"
        for doing in ("shooting", "attacking", "charging")
    },
    "give {some} to [all] friendly units within {inch} [of this model|of it]": (
        "friendly units within {2} get {1}"
    ),
    "when {some} attacks , once per game , it": "once per game , when {1} attacks , it",
    "within {inch} to get": "within {1} , which get",
    **{f"{what} in {{inch}}": f"{what} within {{1}}" for what in ("unit", "model", "enemy", "friend")},
    **{
        f"give {{some}} once to {{num}} {side} unit within {{inch}}": (
            f"pick {{2}} {side} unit within {{3}} , which get {{1}} once"
        )
        for side in ("friendly", "enemy")
    },
    "count double": "count as 2 hits",
    "per unmodified": "for each unmodified",
    "when [an|a] unmodified {face} is rolled to hit": "on unmodified {1} to hit",
    "against wounds from": "against",
    "wounds from {some} can't be ignored with regeneration": "{1} ignores regeneration",
    "regeneration <may not|can't> be used against {some}": "{1} ignores regeneration",
    ", <it|this model> deals {some} to <its|the> <attacker|attacking unit|enemy unit|enemy>": (
        ", the attacker takes {1}"
    ),
    "hits at AP": "hits with AP",
    "after a charge": "after charging",
    "add {bonus} to": "add {1u} to",
    "reduce the AP of hits <against|on> {some} by {num}": "hits on {1} get AP ( {2-} )",
    # feats, nerve, moves out of turn
    "once per game [,] this unit may get {some} <when attacking|when it attacks|for 1 attack>": (
        "once per game , when this unit attacks , you may use this rule to get {1}"
    ),
    "when a round <begins|starts>": "at the start of the round",
    "may make a move of up to": "may move up to",
    "after it <has shot|has fired>": "after it shoots",
    "may move {inch}": "may move up to {1}",
    **{f"{who} uses a charge action": f"{who} charges" for who in _THIS},
    **{f"{who} makes a charge action": f"{who} charges" for who in _THIS},
    # what somebody is given
    "<is|are> <granted|given>": "get",
    "benefits from": "get",
    "is treated as if <it|they> had": "counts as having",
    "^ {some} <is|are> <granted|given> to {some}": "{2} get {1}",
    "^ [this model|the bearer|it] <give|confer|bestow|lend|provide> {some} <to|on> <its unit|the unit>": (
        "this model's unit get {1}"
    ),
    "^ <this model|the bearer|it> <give|confer|bestow|lend|provide> {some} <to|on> [all] {some} within {inch}"
    " [of this model|of it|of the bearer]": "{2} within {3} get {1}",
    "^ {some} <is|are> ignored by {some}": "{2} ignores {1}",
    "must roll again": "must re-roll",
    "has to": "must",
    "have to": "must",
    # charges
    "on [all] [its|their] [melee] attacks made <when|while|after>": "when",
    "<when|if|while|after> <it|they|this model|this unit|the bearer> has charged": "when it charges",
    "after <it|they> <charged|charges>": "when it charges",
    "having charged": "when charging",
    "when an enemy <charge> <them|it>": "when charged",
    "when enemies charge <them|it>": "when charged",
    "may charge an extra {inch}": "charges {1} farther",
    "{inch} <shorter|less>": "{1-}",
    # rolls
    "{signed} when <rolling|it rolls|they roll> to hit": "{1} to hit rolls",
    "{signed} when <rolling|it rolls|they roll> to block": "{1} to block",
    "when <rolling|it rolls|they roll> to hit , {some} gets {signed}": "{1} gets {2} to hit rolls",
    "when rolling to block , {some} gets {signed}": "{1} gets {2} to block",
    "<shoots|shoot> <at|with> {signed} to hit": "gets {1} to hit rolls when shooting",
    "<fights|fight|strikes|strike> <at|with> {signed} to hit": "gets {1} to hit rolls in melee",
    "<attacks|attack> <at|with> {signed} to hit": "gets {1} to hit rolls when attacking",
    "<charges|charge> <at|with> {signed} to hit": "gets {1} to hit rolls when charging",
    "<take|takes> [all|its|their] <morale tests|a morale test> <at|with> [a] {signed} [to the roll|to the result]": (
        "gets {1} to morale tests"
    ),
    "testing morale": "taking morale tests",
    "<test|tests> [for] morale": "takes morale tests",
    "adds {num} to the <roll|result>": "gets {1+} to the roll",
    "adds {num} to the result of": "adds {1} to",
    "<cast|casts> [spells|its spells] <with|at> {signed} [to the roll|to the result|to its rolls]": (
        "gets {1} to casting rolls"
    ),
    "^ <this model's|its|the bearer's> spells is cast <with|at> {signed} [to the roll|to the result]": (
        "this model gets {1} to casting rolls"
    ),
    "to the casting roll": "to casting rolls",
    "to its rolls to cast": "to casting rolls",
    "to cast spells": "to casting rolls",
    **{
        f"subtract {{num}} from [the|all] {roll} of {{some}}": f"{{2}} get {{1-}} to {roll}"
        for roll in ("morale tests", "hit rolls", "defense rolls", "block rolls", "casting rolls")
    },
    **{
        f"add {{num}} to [the|all] {roll} of {{some}}": f"{{2}} get {{1+}} to {roll}"
        for roll in ("morale tests", "hit rolls", "defense rolls", "block rolls", "casting rolls")
    },
    # who, and which of their attacks
    "<shots|attacks> fired by": "shots by",
    "shots <by|of|from> <this model|the bearer>": "this model's shots",
    "shots <by|of|from> this unit": "this unit's shots",
    "<if|when|while|as long as> each model in <a|the|this|its> unit has this rule ,"
    " <the unit|that unit|this unit|it|they>": "units where all models have this rule",
    "<when|while|as long as> all [of the|the|of its|its] models in <a|the|this|its> unit have this rule ,"
    " <the unit|that unit|this unit|it|they>": "units where all models have this rule",
    "<when|while|as long as> most [of the|the|of its|its] models in <a|the|this|its> unit have this rule ,"
    " <the unit|that unit|this unit|it|they>": "units where most models have this rule",
    **{
        f"<with|if|where> {many} [of its|its|of the|of their|their] models having this rule": (
            f"where {many} models have this rule"
        )
        for many in ("all", "most")
    },
    **{
        f"[all] {kind}weapons <carried by|wielded by|held by|used by|of> <this model|the bearer>": (
            f"this model's {kind}weapons"
        )
        for kind in ("", "ranged ", "melee ")
    },
    "{inch} of range": "{1+} range",
    "is extended by": "is increased by",
    "<while|when|as long as> <the bearer|this model|it> is part of a unit ,"
    " all [other] models in <it|that unit|the unit>": ("models in this model's unit"),
    "<picked|chosen> at the start of the game": "picked before the game",
    "^ pick up to {num} friendly units before the game": "before the game , pick up to {1} friendly units",
    # natural faces
    "to hit <made|rolled|scored> <by|with> <this model|this weapon|it|the bearer>": "to hit",
    "count as {num} hits for <this model|this weapon|it>": "count as {1} hits",
    "^ hits <from|on|of|with> [each|an] unmodified {face} get": "hits from unmodified {1} to hit get",
    "to block this weapon's hits": "to block",
    "to block <its|their|this model's> hits": "to block",
    "rolled to block": "to block",
    "don't generate <more|farther|extra> attacks": "bring no more",
    "don't generate <more|farther|any more>": "bring no more",
    "extra attacks don't trigger this rule": "extra attacks bring no more",
    "which can't <bring|generate> <farther|more|extra> attacks": "which brings no more attacks",
    # wounds
    "roll 1 die <per|for each> wound <taken by|dealt to|inflicted on|on> {some} .": (
        "when {1} takes wounds , roll 1 die for each ."
    ),
    "each <result|roll> of {need} <ignores|negates|prevents> <1|a|that|the> wound": "on a {1} it is ignored",
    "for each {need} , <ignore|negate> <1|a> wound": "on a {1} it is ignored",
    "each {need} <ignores|negates|prevents> <1|a|that|the> wound": "on a {1} it is ignored",
    "<negate|prevent> <that|the> wound": "it is ignored",
    "ignores wounds on [a] {need} , and on [a] {need} against spells": "ignores wounds on {1} ( {2} against spells )",
    "wounds <caused|dealt|inflicted> by": "wounds from",
    "wounds from {some} can't be ignored <by|using|via|through> regeneration": "{1} ignores regeneration",
    "regeneration <has no effect|doesn't work|can't be used|may not be used> against [wounds from] {some}": (
        "{1} ignores regeneration"
    ),
    # armour piercing of hits taken
    "get their AP reduced by {num}": "get AP ( {1-} )",
    "^ the AP of <attacks|hits|weapons|all attacks|all hits> <against|on|attacking> {some} is reduced by {num}": (
        "hits on {1} get AP ( {2-} )"
    ),
    "( to a min of 0 )": "( to a min of AP ( 0 ) )",
    ", to a min of 0": ", to a min of AP ( 0 )",
    "^ enemy <attacks|hits> <against|on> {some} <get|count>": "hits on {1} get",
    "^ weapons attacking {some} lose": "hits on {1} lose",
    "lose AP ( {num} )": "get AP ( {1-} )",
    "lose AP ( {bonus} )": "get AP ( {1-} )",
    "lose {num} AP": "get AP ( {1-} )",
    # cover and ground
    "<targets|enemies|enemy units|the target> <don't get|get no|get no benefit from|don't benefit from> cover"
    " <from|when attacked by> {some}": "{1} ignores cover",
    "^ targets of {some} <get no benefit from|get no|don't get|don't benefit from> cover": "{1} ignores cover",
    "rushing doesn't <prevent|stop> {some} from shooting": "{1} may shoot after rushing",
    "may rush and [still] shoot": "may shoot after rushing",
    "may shoot [even] after": "may shoot after",
    "may pass through": "may move through",
    "may move through {some} when moving": "may move through {1}",
    # picks in another order
    **{
        f"^ pick {{some}} once per {often} before attacking": f"once per {often} , before attacking , pick {{1}}"
        for often in ("activation", "round", "game")
    },
    **{
        "^ <before attacking|before it attacks|before this model attacks> ,"
        " [you may|it may|this model may|the bearer may]"
        f" pick {{some}} once per {often}": f"once per {often} , before attacking , pick {{1}}"
        for often in ("activation", "round", "game")
    },
    "may target <an|1> enemy": "may pick 1 enemy",
    "may target <a|1> friendly": "may pick 1 friendly",
    "the next time <it|this|they> would apply": "once",
    "<on a failure|on a fail|if it fails [the|that] test|if the test is failed|if they fail>": "if failed",
    "give up to {num} friendly unit within {inch} {some} once": (
        "pick up to {1} friendly unit within {2} , which get {3} once"
    ),
    "recover {num} wounds from <it|them>": "remove {1} wounds from it",
    # activations, feats and effects
    "this unit activates": "this unit is activated",
    "this model activates": "this model is activated",
    "it activates": "it is activated",
    "<it|this unit|this model> picks 1 effect : [it|this unit|this model] [either]": "pick 1 effect : it",
    "once per game , you may give this unit {some} when <it attacks|attacking>": (
        "once per game , when this unit attacks , it may get {1}"
    ),
    "once per game , you may give this model {some} when <it attacks|attacking>": (
        "once per game , when this model attacks , it may get {1}"
    ),
    "may make a {inch} move": "may move up to {1}",
    "within {inch} of where <it is|it stands|they are|they stand>": "within {1} of its position",
    "<wholly|completely> within": "fully within",
    # ambush
    "enemy ambushers": "enemies using Ambush",
    "that be deployed via Ambush": "using Ambush",
    # struck in melee
    "is wounded in melee": "takes a wound in melee",
    "^ when being killed in melee": "when this model is killed in melee",
    ", <it|this model|the bearer> deals {some} <on|to> <its|the> <attacker|attacking unit|enemy unit|enemy>": (
        ", the attacker takes {1}"
    ),
    # short words for long ones
    "it's": "it is",
    "as well as": "and",
    "^ charging <grants|gives> <this model|it|the bearer>": "when charging , this model get",
    "on <a roll of|a result of> 6": "on a 6+",
    **{
        f"^ [all] units {doing} {who}": f"enemies {doing} {who}"
        for doing in ("attacking", "charging", "shooting at")
        for who in ("this unit", "this model")
    },
    "^ enemy hit rolls <against|on>": "hit rolls against",
    "^ neither {some} nor {some} <work|works|apply|applies> against {some}": "{3} ignores {1} and {2}",
    "^ <penalties|negative modifiers> to hit don't affect {some}": "{1} ignores penalties to hit",
    "<used|uses|took|takes> a hold action": "holds",
    "using <a hold action|hold actions>": "holding",
    "when activation": "when activated",
    # picks
    "that <this model|it|the bearer|the caster> may see": "in line of sight",
    "pick {num} visible enemy unit within {inch}": "pick {1} enemy unit within {2} in line of sight",
    **{
        f"<you|this model|it|the bearer> may give {{num}} {side} unit within {{inch}} [of this model|of it]": (
            f"pick {{1}} {side} unit within {{2}} , which get"
        )
        for side in ("friendly", "enemy")
    },
    ". if it fails a morale test ,": ". it must take a morale test . if it fails ,",
    "is <treated|considered|counted> as being in": "counts as being in",
    "counts as if [it is|it were|being] in": "counts as being in",
    "when <an enemy|enemies> charge <this unit|this model|it> , they <move|get> {sinch}": (
        "enemies charging this unit move {1}"
    ),
    "when <an enemy|enemies> charge <this unit|this model|it> , they <move|get> {inch} <less|fewer>": (
        "enemies charging this unit move {1-}"
    ),
    "the range of <enemies|enemy units> shooting at {some} is <reduced|shortened> by {inch}": (
        "enemies get {2-} range when shooting at {1}"
    ),
    "strikes before <chargers|charging units|charging enemies|enemies that charge it>": "strikes first when charged",
    "<moves|acts> as if it had": "counts as having",
    "when {some} takes wounds in melee , it ignores <them|those> on [a] {need}": "{1} ignores wounds on a {2} in melee",
    "ignores each wound from": "ignores wounds from",
    "when {some} casts [a spell|spells] , it gets {signed} to the roll": "{1} gets {2} to casting rolls",
    "^ when <this model|it> moves <over|through> enemy units , once per {some} ,": (
        "once per {1} , when it moves through enemy units ,"
    ),
    "pick 1 of those units": "pick 1 of them",
    "it may make 1 more attack": "it may make 1 extra attack",
    "; extra attacks bring no more": ". extra attacks bring no more",
    "charges into <melee|combat>": "charges",
    "{signed} to <its|their> shooting": "{1} to hit rolls when shooting",
    "attacks that target": "attacks targeting",
    **{
        f"^ {{some}} imposes {{signed}} to hit [rolls] on enemies {doing} <it|them>": (
            f"enemies {doing} {{1}} get {{2}} to hit rolls"
        )
        for doing in ("shooting at", "attacking", "charging")
    },
    "when targeting <this unit|this model> with <ranged attacks|shooting>": "when shooting at this unit",
    "moves an extra {inch}": "moves {1+}",
    "^ {need} to ignore wounds": "ignores wounds on {1}",
    "^ wounds from {some} are ignored by {some} on [a] {need}": "{2} ignores wounds from {1} on a {3}",
    "ignores spell wounds": "ignores wounds from spells",
    "{face} to hit ( unmodified )": "unmodified {1} to hit",
    "unmodified {face} ( to hit )": "unmodified {1} to hit",
    "<this model|it|you|the bearer> may give up to {num} friendly unit within {inch}": (
        "pick up to {1} friendly unit within {2} , which get"
    ),
    ", deal {some} to <its|the> <attacker|attacking unit>": ", the attacker takes {1}",
    "may use Rush actions and [still] shoot": "may shoot after rushing",
    "at over {inch} range": "over {1} away",
    "at <ranges|distances|a range|a distance> <over|beyond|above|of over|of more than> {inch}": "over {1} away",
    "^ over {inch} away , <this model's|its> shooting": "when shooting over {1} away , this model",
    "<ignores|ignore> any wound": "ignores wounds",
    "for the melee in which <it|they> <charged|charges>": "when it charges",
    "blocks <with|at> {signed}": "gets {1} to block",
    "<attempting|trying> to shoot [at]": "shooting at",
    "<attempting|trying> to charge": "charging",
    "may only be <shot at|shot> with {signed} to hit": "is shot at with {1} to hit",
    "^ {some} is shot at with {signed} to hit": "shots at {1} get {2} to hit",
    "^ <this model's|its|the bearer's> movement is increased by {inch}": "this model moves {1+}",
    "^ this unit's movement is increased by {inch}": "this unit moves {1+}",
    "to all <its|their> moves": "to its moves",
    "those hits count as having": "those hits get",
    "to hit count as having": "to hit get",
    "^ <this model|the bearer|it> give {some} when shooting to {some} within {inch}": (
        "{2} within {3} get {1} when shooting"
    ),
    "^ <this model|the bearer|it> give {some} in melee to {some} within {inch}": "{2} within {3} get {1} in melee",
    **{
        f"may <curse|hex|bless|mark|target|command> {{num}} {side}": f"may pick {{1}} {side}"
        for side in ("enemy", "friendly")
    },
    "once per game [,] this model may get {some} for 1 attack": (
        "once per game , when this model attacks , you may use this rule to get {1}"
    ),
    "once per game , you may use this rule when {some} attacks to get": (
        "once per game , when {1} attacks , you may use this rule to get"
    ),
    "roll 1 die for {num} enemy unit within {inch} .": "pick {1} enemy unit within {2} and roll 1 die .",
    "<while|when|as long as> <this model|the bearer|it> is in a unit , <that unit|the unit|it>": (
        "this model's unit"
    ),
    "^ this weapon's wounds": "wounds from this weapon",
    # time, in other words
    "until <this|the> round is over": "until the end of the round",
    "up to {inch} in any direction": "up to {1}",
    **{
        f"after {who} has {done}": f"after {who} {does}"
        for who in ("this unit", "this model", "it", "the bearer")
        for done, does in (("shot", "shoots"), ("attacked", "attacks"), ("fought", "fights"))
    },
    **{
        f"to <its|their|the> next {roll}": f"to {roll} once"
        for roll in ("casting roll", "morale test", "hit roll", "defense roll")
    },
    "to <its|their> next move": "to its moves once",
    "{sinch} on <its|their> next {some} and {sinch} on <its|their> next {some}": "{1} on {2} and {3} on {4} once",
    "once ( [the] next time <it|they> <attack|attacks|take hits|takes hits|moves> )": "once",
    "once ( [the] next time <it|they> {some} )": "the next time it {1}",
    **{
        f"^ its next {deed} gets {{some}}": f"the next time it {does} , it gets {{1}}"
        for deed, does in (("attack", "attacks"), ("shooting", "shoots"), ("melee", "fights"))
    },
    **{
        f"taking [a|an] {action} action": f"using {action} action"
        for action in ("advance", "rush", "charge", "move")
    },
    "must take a morale test <at|with> [a] {signed} [to the roll|to the result]": "must take a morale test ( {1} )",
    "for all <its|their> attacks": "for that attack",
}
