"""Turns of phrase that say the same as shorter ones, put into the words that the grammar knows.

Each line is a turn of phrase and what it stands for. `<a|b>` is one of several, `[a]` may be missing, `^` is the start
of a sentence or of what stands behind a comma. `{signed}`, `{bonus}`, `{num}`, `{inch}`, `{need}` and `{face}` stand
for a word of that kind, `{some}` for a few words of any kind. They come back by their numbers: `{1}` is the first that
was caught; `{1+}`, `{1-}`, `{1u}` and `{1n}` give a number a sign, take it away or make it the roll that is needed.
Words are compared in their plain form. Turns of phrase are put into others until nothing changes, so that short ones
serve in many places; nothing that was written is ever left out.
"""

from __future__ import annotations

import re
from functools import cache

from msgspec.structs import replace

from shieldwall.rules.reading.words import Word, words_of

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
    "charging models with this rule": "when charging , models with this rule",
    "shooting models with this rule": "when shooting , models with this rule",
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
    "[a|an|any] charging <model|unit> with this rule": "when charging , models with this rule",
    "attacks <with|from|by> this weapon": "this weapon",
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
    "unmodified hit roll of {face}": "unmodified {1} to hit",
    "unmodified {face} rolled to hit": "unmodified {1} to hit",
    "hits scored <with|by|on> [an] unmodified {face}": "hits from unmodified {1} to hit",
    "if you roll [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    "if [an|a] unmodified {face} <is|are> rolled to hit": "on unmodified {1} to hit",
    "when rolling [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    "when this weapon rolls [an|a] unmodified {face} to hit": "on unmodified {1} to hit",
    "to hit with this weapon": "to hit",
    ", add {num} hits": ", it deals {1} extra hits",
    "deal {num} hits instead of 1 [with this weapon]": "count as {1} hits",
    "unmodified <block|defense> roll of {face}": "unmodified {1} to block",
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
    "wounds <on|against|taken by> {some} are ignored on [a] {need}": "{1} ignores wounds on a {2}",
    "ignore <that|the> wound": "it is ignored",
    "ignores each wound <it takes|they take> on": "ignores wounds on",
    # the other side
    ", the <attacker|attackers|attacking unit> <get|has|have|take> {signed}": ", attackers get {1}",
    "its attacker takes": "the attacker takes",
    "ranged attacks <against|on|at>": "shots at",
    "shooting attacks <against|on|at>": "shots at",
    "enemy shooting <against|at>": "shots at",
    "that <has|have> {some} or <higher|more|better>": "with {1} or higher",
    "<if|when> <the|its> target has": "against targets with",
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
        for verb in ("must", "recovers", "may")
    },
    **{f"to <its|their> {roll}": f"to {roll}" for roll in ("hit rolls", "defense rolls", "block rolls")},
    # words that change nothing
    "immediately": "",
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
        for verb in ("must", "recovers", "may")
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
            "hit rolls",
            "morale tests",
            "defense rolls",
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
        f"when <{doing}|it {does}|this model {does}|this unit {does}|it uses an {action} action>"
        " , {some} moves {sinch}": f"{{1}} moves {{2}} when using {action} actions"
        for action, doing, does in (
            ("advance", "advancing", "advances"),
            ("rush", "rushing", "rushes"),
            ("charge", "charging", "charges"),
        )
    },
    **{
        f"{does} {{inch}} <farther|more>": f"moves {{1+}} when using {action} actions"
        for action, does in (("advance", "advances"), ("rush", "rushes"), ("charge", "charges"))
    },
    "may move {inch} <more|farther|extra>": "moves {1+}",
    "moves {inch} <more|farther|extra>": "moves {1+}",
    "^ on a {need} , {some} ignores <a wound|wounds|each wound|the wound>": "{2} ignores wounds on a {1}",
    "each wound [that] {some} takes is ignored on [a] {need}": "{1} ignores wounds on a {2}",
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
}


def in_known_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a text with its turns of phrase put into the words of the grammar, again until nothing changes."""
    for _ in range(PASSES):
        before = words
        words = _put(words)
        if words == before:
            break
    return words


def _put(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """One pass from the first word to the last; at each the longest turn of phrase that stands there counts."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        hit = _turn_at(words, at)
        if hit is None:
            found.append(words[at])
            at += 1
        else:
            new, at = hit
            found += new
    return tuple(found)


def _turn_at(words: tuple[Word, ...], at: int) -> tuple[list[Word], int] | None:
    table = _table()
    starts = at == 0 or words[at - 1].plain in STARTERS
    for pattern, parts in table.get(words[at].plain, ()) + table[ANY] + (table[START] if starts else ()):
        caught: list[tuple[Word, ...]] = []
        end = _match(pattern, words, at, caught)
        if end is not None:
            span = words[at:end]
            return [word for part in parts for word in _placed(part, span, caught)], end
    return None


PASSES = 6
LONGEST = 10  # words that `{some}` may stand for
ANY, START = "{}", "^"
PAUSES = frozenset({",", ";", ":"})
STARTERS = frozenset({".", ",", ";", ":", "!"})
Phrase = tuple[tuple[str, ...], tuple[Word | tuple[int, str], ...]]


@cache
def _table() -> dict[str, tuple[Phrase, ...]]:
    """Turns of phrase by their first word, the longest first; those that begin with a slot under a sign."""
    table: dict[str, list[Phrase]] = {ANY: [], START: []}
    spelled = [(one, meaning) for turn, meaning in TURNS.items() for one in _spelled_out(turn)]
    for turn, meaning in sorted(spelled, key=lambda item: -len(item[0].split())):
        written = turn.split()
        first = START if written[0] == START else ""
        pattern = tuple(_token(word) for word in written if word != START)
        first = first or (ANY if pattern[0].startswith("{") else pattern[0])
        table.setdefault(first, []).append((pattern, tuple(_part(word) for word in meaning.split())))
    return {first: tuple(phrases) for first, phrases in table.items()}


_CHOICE = re.compile(r"<([^<>\[\]]*)>|\[([^<>\[\]]*)\]")


def _spelled_out(turn: str) -> list[str]:
    """A turn of phrase with its choices, `<a|b>`, and with and without what may be missing, `[a|b]`."""
    found = _CHOICE.search(turn)
    if found is None:
        return [turn]
    ways = found[1].split("|") if found[1] is not None else ["", *found[2].split("|")]
    before, behind = turn[: found.start()], turn[found.end() :]
    return [one for way in ways for one in _spelled_out(before + way + behind)]


def _token(written: str) -> str:
    return written if written.startswith("{") else words_of(written)[0].plain


def _part(written: str) -> Word | tuple[int, str]:
    """A word of a meaning, or the number of a slot with a sign that its number shall have."""
    if not written.startswith("{"):
        return words_of(written)[0]
    return int(written[1]) - 1, written[2:-1]


def _match(
    pattern: tuple[str, ...], words: tuple[Word, ...], at: int, caught: list[tuple[Word, ...]]
) -> int | None:
    """Where a turn of phrase that stands at a word ends, with what its slots catch; none where it does not."""
    if not pattern:
        return at
    if at >= len(words):
        return None
    token, word = pattern[0], words[at]
    if token == "," and word.plain not in PAUSES:
        return _match(pattern[1:], words, at, caught)  # a pause may be missing
    if token == ",":
        return _match(pattern[1:], words, at + 1, caught)
    if token == "{some}":
        return _match_some(pattern, words, at, caught)
    if token.startswith("{"):
        if token not in _kinds(word):
            return None
        caught.append((word,))
        end = _match(pattern[1:], words, at + 1, caught)
        if end is None:
            caught.pop()
        return end
    return _match(pattern[1:], words, at + 1, caught) if word.plain == token else None


def _match_some(
    pattern: tuple[str, ...], words: tuple[Word, ...], at: int, caught: list[tuple[Word, ...]]
) -> int | None:
    """`{some}` stands for as few words as possible, at the end for as many; none of them is a stop."""
    if len(pattern) == 1:
        ends = (end for end in range(at, len(words)) if words[end].plain in STARTERS)
        end = next(ends, len(words))
        caught.append(words[at:end])
        return end if at < end <= at + LONGEST else None
    for end in range(at + 1, min(at + LONGEST, len(words)) + 1):
        if words[end - 1].plain in STARTERS:
            return None
        if pattern[1] == "," and (end == len(words) or words[end].plain not in PAUSES):
            continue  # without the pause nobody can tell where the words end
        caught.append(words[at:end])
        found = _match(pattern[1:], words, end, caught)
        if found is not None:
            return found
        caught.pop()
    return None


def _signed(word: Word, sign: str) -> Word:
    """A number with another sign: a bonus (`+`), a penalty (`-`), none (`u`), or as the roll that is needed (`n`)."""
    number = word.plain.lstrip("+-")
    written = {"+": f"+{number}", "-": f"-{number}", "u": number, "n": f"{number}+"}[sign]
    return replace(word, text=written, plain=written, kind="need" if sign == "n" else word.kind)


def _kinds(word: Word) -> tuple[str, ...]:
    """The slots that a word may fill."""
    sign = word.text[:1] in ("+", "-")
    match word.kind:
        case "number" if sign:
            return ("{signed}", "{bonus}") if word.text[0] == "+" else ("{signed}",)
        case "number":
            return ("{num}", "{face}")
        case "inches":
            return ("{sinch}",) if sign else ("{inch}",)
        case "need":
            return ("{need}", "{face}")
        case "faces":
            return ("{face}",)
        case _:
            return ()


def _placed(
    part: Word | tuple[int, str], span: tuple[Word, ...], caught: list[tuple[Word, ...]]
) -> tuple[Word, ...]:
    """A word of the meaning, at the place of the turn of phrase that it stands for."""
    if isinstance(part, tuple):
        number, sign = part
        return (_signed(caught[number][0], sign),) if sign else caught[number]
    same = next((word for word in span if word.plain == part.plain), None)
    return (same or replace(part, start=span[0].start, end=span[-1].end),)
