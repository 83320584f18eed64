"""The parts that a sentence about a rule is made of, each with the words in which the phrases know it.

`restating.py` divides sentences into such parts. A line has the kind of the part, the patterns that express it, and
the words that say the same; `None` keeps the words of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from shieldwall.core.blocks import BY_VALUE
from shieldwall.core.values import MILLI
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused


class ClausePart(Struct, frozen=True):
    """A part of a sentence: its kind, and the words that say the same, "" for the words of the text."""

    kind: str
    said: str = ""


PHRASES = Phrases()


def _part(kind: str, *patterns: str, said: str | Callable[[Caught], str] = "") -> None:
    def build(m: Caught) -> ClausePart:
        return ClausePart(kind, said if isinstance(said, str) else said(m))

    PHRASES.add("clausepart", *patterns, build=build)


def _number(value: Any) -> int:
    if value == BY_VALUE:
        raise ReadingRefused  # only the phrases know how to add such values up
    return int(value)


def _plus(key: str, sign: int = 1) -> Callable[[Caught], str]:
    return lambda m: f"{sign * _number(m[key]):+d}"


def _inches(length: int) -> str:
    return f'{length / MILLI:g}"'


def _faces(m: Caught, roll: str) -> str:
    low, high = m["f"]
    if low == BY_VALUE:
        raise ReadingRefused
    return f"on unmodified {low if low == high else f'{low}-{high}'} to {roll}"


ME = "(this model|the bearer|it|this unit|they)"
WHOSE = "(its|their|this model's|this unit's|the bearer's)"
WITH = "[,] (and|and also|plus|with|as well as|together with|along with) [all of] [to]"
ITS = f"[(all|any|each) [of]] [the] [{WHOSE}]"

# who gets it
_part("who", "{s:mine}")
_part("who", "{w:named}", "[all|each] [of] this unit's models", "it", "they")
_part("who", "(each model|all models|[all] the models) (in|of) this unit", said="this unit")
ATTACHED = (
    "(leads|joins|accompanies|is (with|in|part of|attached to)|get been attached to"
    "|belongs to|has joined|joined)"
)
_part(
    "aura",
    f"[the|any|whatever] unit [that|which] (this model|the bearer|it) {ATTACHED} [to]",
    "any unit (led|joined|accompanied) by (this model|the bearer|it)",
    said="this model's unit",
)
_part(
    "aura",
    f"(this model|the bearer|it) {WITH} [the|any|whatever] unit [that|which] (this model|it) {ATTACHED} [to]",
    said="this model and its unit",
)
_part("who", "this model (itself|alone|only)", said="this model")
_part(
    "who",
    f"{WHOSE} weapon",
    f"(all|each|any) [of] {WHOSE} weapon",
    "(any|each|all) weapon (of|used by|carried by) (this model|the bearer)",
    said="this model",
)
WHOLE = "(its|the|any|the rest of its|the rest of the|all models (in|of) its|each model (in|of) its|its own)"
JOINED = "[(that|which)] [(it|this model) (joined|belongs to|is part of|leads|is with|is in|has joined)]"
_part(
    "aura",
    f"[both] (this model|the bearer|it) {WITH} {WHOLE} [whole|entire|own] unit {JOINED}",
    said="this model and its unit",
)
_part(
    "aura",
    "[the] [whole|entire] unit (of|led by|joined by|containing|with|that contains|that includes|accompanied by)"
    " (this model|the bearer|it)",
    "(everyone|everybody|each model|all models|the models|models) (in|of) (its|the bearer's|this model's) unit",
    "(each model|all models|the models|models) (in|of) the unit (led by|joined by|containing|with|of) (this model|it)",
    "(everyone|everybody|[all] [the] models|each model) (in|of) [the] this model's unit",
    "(its|the bearer's|this model's) (whole|entire|own) unit",
    "(its|the bearer's|this model's) unit's models",
    "all (its|the bearer's|this model's) unit's models",
    said="this model's unit",
)
NEAR = "[(that|which|who)] [is] (within|inside|in|no more than|not more than|up to|at most|no farther than)"
CLOSE = "[away] [(of|from|to) (this model|the bearer|it|this unit)]"
for _side, _names in {
    "friendly units": "(friendly (unit|model)|friend)",
    "enemies": "[enemy] (enemy|enemy (unit|model))",
}.items():
    for _other in ("", "other "):
        _part(
            "crowd",
            f"[all|any|each|a|an|1] {_other} {_names} {NEAR} {{d:inch}} {CLOSE}",
            f"[all|any|each|a|an] {_other} {_names} [(that|which|who)] [is] {{d:inch}} [away] or (closer|less|nearer)"
            f" {CLOSE}",
            said=lambda m, who=f"{_other}{_side}": f"{who} within {_inches(m['d'])}",  # type: ignore[misc]
        )

_part(
    "lost",
    "(may not|can't|may no longer|never|don't) (benefit from|profit from|use|get|count as having)",
    "lose",
)

# who attacks
_part(
    "enemy",
    "[all|any|each|an|the] (enemy|enemy unit|enemy model|attacker|attacking unit|attacking enemy|attacking model)",
    "(whoever|anyone|anybody|units|those) (that|who|which)",
    "enemy (weapon|attack)",
    "[any|all|each] hits (on|against|taken by) (this unit|this model|the bearer|it)",
)
_part("spells", "[enemy] spells")
for _deed, _patterns in {
    "attacking": "(attack|attacks|attacking|target|targeting|aim at|aiming at|roll to hit|rolling to hit)",
    "shooting at": "(shoot|shoots|shooting|shoot at|shooting at)",
    "charging": "(charge|charging)",
    "fighting": "(fight|fighting|strike|attack in melee|fighting in melee)",
}.items():
    _part(
        "at",
        f"[when|while|if|that|who|which] [they|it] [is] {_patterns} [against]"
        " (this model|this unit|this model's unit|the bearer's unit|its unit|the bearer|it|them)",
        said=_deed,
    )
_part("at", "[made] (against|targeting|at) (this model|this unit|the bearer|it)", said="attacking")

_part(
    "at",
    "(to hit|on rolls to hit|off rolls to hit|rolls to hit) (this model|this unit|the bearer|it)",
    said="hitting",
)
_part("at", "on (this unit|this model|the bearer|it)", said="attacking")

# when
_part("when", "{c:cond}")
TURN = "(round|activation|turn)"
CHARGES = "(charge|charges|charged|make a charge|made a charge|has charged)"
_part(
    "when",
    f"(in|during|on) (any|the|a|each) {TURN} [(in which|that|when|where|it|in)]"
    f" (it|they|this model|this unit) {CHARGES}",
    "when making a charge",
    said="when charging",
)
_part(
    "when",
    "(if|when|while) (the|an) enemy (charged|has charged|charges) (it|this model|this unit|the bearer)",
    "(if|when) (it|this model|this unit|the bearer) (was|is) charged [this round|this turn|by enemies]",
    said="when charged",
)
_part(
    "when",
    "(if|when|after) (it|this model|this unit|the bearer) (use|used|took|take) [a] Hold [action]",
    "(if|when) (it|this model|this unit|the bearer) (stood|held) (its ground|still)",
    said="when holding",
)
_part("when", f"having not moved [(in|during) (its|this|the|that) [last] {TURN}]", said="if it has not moved")
_part("when", "(that come|coming|dealt|made) (from|by|with) (shooting|ranged attacks)", said="when shot at")
OBJECTIVE = "(an|any|the) (objective|objective marker|marker)"
_part(
    "when",
    f"[while|when|if|as long as] [it is] (within|inside|in) {{d:inch}} of {OBJECTIVE}",
    said=lambda m: f"while within {_inches(m['d'])} of a marker",
)
_part(
    "when",
    "against [enemy] (units|enemies) [(that number|that get|of|with|which number)] {n:num} [or more] models [or more]",
    "against [enemy] (units|enemies) (that number|that get|of|with) at least {n:num} models",
    said=lambda m: f"against units with at least {_number(m['n'])} models",
)
_part(
    "when",
    "(if|when|while|as long as) each model (in|of) (this unit|the unit|its unit|a unit) get this rule",
    said="if all models have this rule",
)
_part("when", "(in|on|during|with) (a|the|its|any|their|each) charge", said="when charging")
_part(
    "when",
    "having charged",
    "(after|once|if|when|as) (it|they|this model|this unit|the bearer) [has] (charged|charges)"
    " [this round|this activation]",
    said="when charging",
)
for _how, _plain in {"shooting": "when shot at", "melee": "in melee", "spells": "against spells"}.items():
    _part(
        "when",
        f"(when|if) (it|they|this model|this unit|the bearer) takes (wounds|hits|a wound|a hit) (from|in|by) {_how}",
        f"against (wounds|hits) from {_how}",
        said=_plain,
    )
_part(
    "when", "[used] (with|for|in|on|during) (shooting|shooting attacks|ranged attacks)", said="when shooting"
)
_part("when", "when (used|striking|attacking|fighting) in melee", "in [a|each|any] melee", said="in melee")
_part("band", "{b:band}")
_part(
    "band",
    "Tough \\( {n:num} \\) or (tougher|up|bigger)",
    said=lambda m: f"Tough({_number(m['n'])}) or higher",
)
_part(
    "lead",
    "(if|when|while|where|should) (the|its) (target|enemy|enemy unit) [is|be|stand|lie|get]",
    "when used",
    "[when] (fired|used|aimed) at (something|anything|targets|a target|enemies|units|a unit)",
    "(if|when) (the|its) target is of",
    "(lasting|which lasts|that lasts)",
)
_part("only", "[but|and] only")
_part("life", "{y:mylife}")
_part("life", "[,] (the bearer|itself|this model|it) (among them|included)")
# verbs that say no more than that somebody gets something
_part(
    "verb",
    "(benefit|profit) from",
    "(strike|attack|fight|shoot|hit|come) with",
    "(carry|possess|enjoy|incur|apply|add|use|cover|go|reach|walk|run)",
    "do so (at|with)",
    "(is|get) (made|taken|rolled) (at|with|on)",
    "(count|counts) as (having|being)",
    "is treated as (having|being)",
    "(is|get) (given|granted|lent|conferred|bestowed) [(to|on|upon)]",
)
_part("often", "{o:often}")
_part(
    "often",
    "[only] (once|1 time|1) (per|each|in|in each|in its|in an|an|during its) activation [only]",
    "once (each time|when) it acts",
    said="once per activation",
)
_part(
    "often",
    "[only] (1|once) [time] [only] (in|during|per|for) (the|a|each|1) [whole] game",
    "(single use|1 use only|once only)",
    said="once per game",
)
_part("moment", "{a:moment}")
_part(
    "moment",
    "(prior to|ahead of|before) [making] [its|any|their|the] [own] (attacking|attacks|attack)",
    said="before attacking",
)

# whom, and for how long
_part("whom", "{p:whom}")
_part(
    "picking",
    f"[[you|{ME}] [(may|must)]] {{w:pickword}}",
    "[(may|must)] (is|be) picked [now]",
    f"[[you|{ME}] (may|must)] (give|let|lend)",
    "(may|must) be given",
    f"[[you|{ME}] [(may|must)]] (single out|name|help|choose|have|aid|favour)",
)
_part("until", "{l:lasting}")
_part("until", "(for|against) the next attack against it", said="the next time it is attacked")
_part("until", "when next it charges", "when (it|they) next charges", said="the next time it charges")
for _next in ("shot at", "attacked", "charged"):
    _part("until", f"(until|till) (it|they) (is|are) next {_next}", said=f"the next time it is {_next}")

# what it gets
ROLLS = {
    "hit": ("hit|hitting", "hit roll|roll to hit|to hit|attack roll"),
    "block": (
        "block|blocking|defense",
        "defense roll|block roll|roll to block|to block|blocking roll|defense test",
    ),
    "morale": ("morale", "morale test|morale test roll|morale roll|roll for morale"),
    "casting": ("casting", "casting roll|roll to cast|casting test|to cast"),
}
for _roll, (_words, _rolls) in ROLLS.items():
    _part(
        "roll",
        f"(to|on|for|at|in|with) {ITS} ({_words}|{_rolls}) [(it|they) (makes|takes|make|take)]",
        f"{ITS} ({_rolls}) [(it|they) (makes|takes|make|take)]",
        "to that roll [to hit]" if _roll == "hit" else f"to that {_words.split('|')[0]} roll",
        f"({_rolls}) (of|by|made by|taken by) (this model|this unit|the bearer|it)",
        said=_roll,
    )
_part("amount", "[a] [bonus|penalty] [of] {n:signed}", said=_plus("n"))
_part("amount", "[a] bonus of {n:num}", "[is] (improved|increased|raised) by {n:num}", said=_plus("n"))
_part("amount", "{n:num} (better|higher)", said=_plus("n"))
_part("amount", "[a] penalty of {n:num}", "[is] (reduced|lowered|worsened) by {n:num}", said=_plus("n", -1))
_part("amount", "{n:num} (worse|lower)", said=_plus("n", -1))
_part("gets", "[an] [extra] AP \\( {n:signed} \\)", said=lambda m: _piercing(m, 1))
_part("softer", "[an] AP \\( {n:signed} \\)", said=lambda m: _piercing(m, -1))
_part(
    "softer",
    "(subtract|take) {n:num} (from|off) the AP [of (any|all|each|the) hits]",
    "(subtract|take) {n:num} (from|off) (any|all|each|the) hit's AP",
    said=lambda m: f"AP({-_number(m['n']):+d})",
)
_part(
    "softer",
    "(lose|get) {n:num} [point of] (AP|AP less|less AP)",
    f"(get|lose) {ITS} AP (is|get) (reduced|lowered|worsened) by {{n:num}}",
    "(treat|count) [the] (attacker's|enemy's|hit's) AP as {n:num} (lower|less|worse)",
    "AP as {n:num} (lower|less|worse)",
    said=lambda m: f"AP({-_number(m['n']):+d})",
)
_part(
    "floor",
    "[\\(] [[down] to] [a] min [of] [AP] [\\(] 0 [\\)] [\\)]",
    "[,] [down] to 0",
    "[,] down to AP \\( 0 \\) [at (the|its) lowest]",
    "[,] [but] never below 0",
    "\\( AP (can't|may not|never) (become|get|be) negative \\)",
)
_part(
    "gets",
    f"(improve|improves|raise|increase) {ITS} AP by {{n:num}}",
    f"{ITS} AP (is|get) (improved|raised|increased) by {{n:num}}",
    f"{ITS} AP by {{n:num}}",
    f"add {{n:num}} to ({ITS} AP|this weapon's AP|the AP [of (this weapon|its weapons)])",
    f"get {ITS} AP (raised|improved|increased) by {{n:num}}",
    "{n:num} (extra|more) [point of] AP",
    "{n:num} AP (better|higher|more)",
    said=lambda m: f"AP({_number(m['n']):+d})",
)
_part("gets", "{r:rules}", "the {r:rules} [special] rule")
_part("gets", "{n:num} (extra|more) attack", said=lambda m: f"+{_number(m['n'])} attacks")
_part(
    "gets",
    "{n:num} (extra|more) attack with (each|all|any) [of its] {x:weaponsort}",
    said=lambda m: f"+{_number(m['n'])} attacks with each {m['x']}",
)
PHRASES.same(
    "weaponsort", {"melee weapon": "melee weapon", "weapon": "weapon", "ranged weapon": "ranged weapon"}
)
_part("does", "{v:verb}")
_part("inch", "{n:sinch} [movement]", said=lambda m: _signed_inches(m["n"]))
_part(
    "inch", "{n:inch} (farther|more|extra|longer)", "an extra {n:inch}", said=lambda m: _signed_inches(m["n"])
)
_part("amount", "[get] {n:num} (taken off|subtracted from|deducted from)", said=_plus("n", -1))
_part("does", "hit (at|with|on) {n:signed} [to hit rolls]", said=lambda m: f"get {_number(m['n']):+d} to hit")
_part(
    "does",
    "block (at|with|on) {n:signed} [to defense rolls]",
    said=lambda m: f"get {_number(m['n']):+d} to block",
)
_part("inch", "(is|get) (lengthened|longer|farther) by {n:inch}", said=lambda m: _signed_inches(m["n"]))
_part("inch", "add {n:inch}", said=lambda m: _signed_inches(m["n"]))
_part("inch", "subtract {n:inch}", said=lambda m: _signed_inches(-m["n"]))
_part("amount", "add {n:num}", said=_plus("n"))
_part("amount", "subtract {n:num}", said=_plus("n", -1))
_part("inch", "{n:inch} (less|shorter|fewer)", said=lambda m: _signed_inches(-m["n"]))
_part("inch", "(is|get) (increased|extended|improved) by {n:inch}", said=lambda m: _signed_inches(m["n"]))
for _action in ("advance", "rush", "charge"):
    _part(
        "action",
        f"[(on|for|when|to|with|in|during|using|while|when using|if using)] {ITS} [a|an] {_action}"
        " [action|move|moves|distance]",
        said=f"when using {_action} actions",
    )
_part("action", f"[(on|for|to|in|with)] {ITS} (move|movement|moves) [actions]", said="")
_part(
    "range",
    f"[(to|in)] {ITS} [shooting] range [of (this weapon|its weapons|this model's weapons|it)]",
    f"range (with|for|of|on) {ITS} [(ranged|shooting)] weapons",
    "range when shooting",
)
_part(
    "does",
    "(disregard|is not affected by|is unaffected by|take no notice of) cover",
    said="ignores cover",
)
NO_USE = "(can't|may not|never|don't|doesn't|get no)"
_part(
    "does",
    f"regeneration {NO_USE} (be used|work|apply|help) [against (it|this weapon|its hits|its wounds)]",
    f"[the|its] (target|enemy|enemy unit) {NO_USE} (use|benefit from|roll) regeneration [against (it|this weapon)]"
    " [to ignore wounds [(caused by|from) (it|this weapon)]]",
    said="ignores regeneration",
)
_part(
    "does",
    "(ignore|negate|shrug off|disregard) [all] wounds on [a|any] [roll of|rolls of|die of] {n:need}",
    "roll [1 die] for (each|any|every) wound [taken] [,|:|.] on [a] {n:need} it is (ignored|disregarded|negated)",
    "[get] [a] {n:need} [roll] to ignore (wounds|each wound|each|them)",
    "(wounds|each wound|any wound) [taken] (is|may be|be) ignored on [a] [roll of] {n:need}",
    "(for each wound [it takes]|when it takes (a wound|wounds)) , roll 1 die [,|:|.] on [a] {n:need} it is ignored",
    "roll 1 die (for each wound|per wound) [(it|this unit|this model|the unit) (takes|would take)]"
    " (,|.|:|and) on [a] {n:need} (that|the) wound is (ignored|disregarded|negated)",
    "roll 1 die (for each wound|per wound) [it takes] [,|.|:|and]"
    " (on [a] {n:need} it is ignored|ignoring it on [a] {n:need})",
    said=lambda m: f"ignores wounds on a {_number(m['n'])}+",
)
_part(
    "does",
    "(treated as|counts as|is treated as|count as being) [(a|having)] Defense [of] {n:need}",
    said=lambda m: f"counts as having Defense {_number(m['n'])}+",
)
_part("again", "[may|can] re-roll", "may be re-rolled", said="re-rolls")
_part(
    "again",
    "must re-roll",
    "must be (re-rolled|rolled again|rolled anew)",
    "(have|has) to re-roll",
    said="must re-roll",
)
_part("failed", f"[{ITS}] failed morale tests", said="failed morale tests")
_part("failed", f"[{ITS}] failed (defense|block) rolls", f"[{ITS}] failed blocks", said="failed block rolls")
_part("failed", f"[{ITS}] failed hit rolls", said="failed hit rolls")
_part("foe", "(the|its) (target|defender)", "the enemy")
_part("fate", "{f:castfvs}")

# natural faces, and what comes of them
NATURAL = (
    "[an|a|any|each|all|1] [roll of|rolls of|result of|results of|die of] [(unmodified|plain)]"
    " [roll of|rolls of|result of]"
)
BARE = "[\\( (unmodified|before modifiers) \\)] [, (unmodified|before modifiers) [,]]"
ON = (
    "[(on|for|with|per|by|rolling|if it rolls|when rolling|if you roll|should it roll|each time it rolls"
    "|when a die shows)]"
)
FOE = "(the target|the enemy|the defender|an enemy|its target|enemies|it|that enemy)"
ROLLED = f"[(rolled|made|that {FOE} rolls|by {FOE}|of {FOE})]"
_part(
    "face",
    f"{ON} {NATURAL} {{f:faces}} {BARE} {ROLLED} (to hit|when rolling to hit|on hit rolls|on rolls to hit)",
    said=lambda m: _faces(m, "hit"),
)
_part("face", f"{ON} {NATURAL} {{f:faces}} to hit {BARE}", said=lambda m: _faces(m, "hit"))
_part(
    "face",
    f"[for|on] {NATURAL} {{f:faces}} [(that|which)] (the enemy|enemies|the target|the defender|they) rolls to block"
    f" [(it|this weapon|its hits|this weapon's hits|hits from (it|this model|this weapon))] {BARE}",
    f"(if|should|when) (the target|the defender|the enemy|an enemy) [roll] {NATURAL} {{f:faces}} (while|when) blocking",
    said=lambda m: _faces(m, "block"),
)
_part(
    "face",
    f"(hits|hit rolls|rolls to hit) of {NATURAL} {{f:faces}}",
    said=lambda m: _faces(m, "hit"),
)
_part(
    "face",
    f"unblocked hits (from|of|on|with) {NATURAL} {{f:faces}} [to hit] {BARE}",
    f"[for] each unblocked hit [of (this weapon|this model|it)] (that was|with) {NATURAL} {{f:faces}} to hit",
    f"{ON} {NATURAL} {{f:faces}} {BARE} to hit [which is not blocked|that is not blocked]",
    f"{ON} {NATURAL} {{f:faces}} {BARE} to hit (which|that) (the target|the enemy|it) (fails to|doesn't|don't) block",
    f"{ON} {NATURAL} {{f:faces}} to hit [with (this weapon|it)] (which|that) is not blocked",
    said=lambda m: f"{_faces(m, 'hit')} which are not blocked",
)
_part(
    "face",
    f"{ON} {NATURAL} {{f:faces}} {BARE} {ROLLED} [on]"
    " (to block|when blocking|on block|on block rolls|on defense rolls)",
    f"[when {FOE} rolls to block ,] {NATURAL} {{f:faces}} {ROLLED} to block",
    f"{NATURAL} {{f:faces}} (on|for|in) (blocks|block rolls|defense rolls)",
    f"(block|block rolls|blocks) (that fail with|of) {NATURAL} {{f:faces}}",
    said=lambda m: _faces(m, "block"),
)
CAUSE = (
    "[[it|this model|this weapon|they|that hit|that die|which] (deal|cause|score|is worth|get|mean"
    "|cost [it|them]|add|take|let (you|it) make|make|bring|yield|result in|become|produce|earn|roll|generate)]"
)
for _what in ("hit", "wound", "attack"):
    _does = "get" if _what == "attack" else "deals"
    _part(
        "out",
        f"{CAUSE} [an|a] {{n:num}} (extra|more) {_what} [each] [with this weapon]",
        f"{CAUSE} {{n:num}} {_what} (more|extra) [each]",
        f"{CAUSE} (an|a) (extra|additional|bonus) {_what} [each]",
        f"(the target|the enemy|that enemy|targets|enemies) (take|get) {{n:num}} (extra|more) {_what}",
        said=lambda m, text=_what, does=_does: f"{does} {_number(m.get('n', 1))} extra {text}",  # type: ignore[misc]
    )
    _part("out", f"extra {_what}", said=f"{_does} 1 extra {_what}")
_part(
    "out",
    "(count as|is|cause|deal|become) {n:num} hits [(instead of|rather than) 1]",
    said=lambda m: _rest(m, "hit"),
)
_part(
    "out",
    "(that hit|it|they|each|those hits) (count as|is|cause|deal|become) {n:num} wounds (instead of|rather than) 1",
    "(the target|the enemy) (takes|take) {n:num} wounds (instead of|rather than) 1",
    said=lambda m: _rest(m, "wound"),
)
_part(
    "nomore",
    "[which|such attacks|these attacks|these|the extra attack|extra attacks] (can't|don't|doesn't|bring|may not)"
    " [generate|bring|cause|trigger] (no more|more|farther|any more|any farther|farther ones|more of them) [attacks]",
    "extra attacks bring no more",
)


def _signed_inches(length: int) -> str:
    return f"{'+' if length > 0 else '-'}{_inches(abs(length))}"


def _piercing(m: Caught, sign: int) -> str:
    """Armour piercing of a weapon, or taken away from hits."""
    number = _number(m["n"])
    if number * sign <= 0:
        raise ReadingRefused
    return f"AP({number:+d})"


def _rest(m: Caught, what: str) -> str:
    number = _number(m["n"])
    if number < 2:
        raise ReadingRefused
    return f"deals {number - 1} extra {what}"
