"""Phrases for wounds that are ignored on a roll."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, IgnoresWounds, When
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, fill, join, open_block

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

GONE = "(ignore it|(it is|that wound is|the wound is|they are) ignored)"
ON = "on [a|rolls of] {on:need}"


def _ignoring(m: Caught) -> Blocks:
    block = open_block(IgnoresWounds, m["on"], m.get("spells", 0))
    cond = join((m.get("c", Cond()), Cond((m["by"],) if "by" in m else ())))
    return fill((block,), cond, m.get("who", ""))


# one die for each wound
same(
    "againstspell", {"against (spells|wounds from spells)": None, "if (it|they) (is|came) from a spell": None}
)
same("fromspell", {"(the|those) wounds (were|are|came) from (a spell|spells)": None, "from spells": None})
FOR_EACH = f"roll one die (per wound|for each [wound|of them]) . [,] {ON} [,] {GONE}"
SPELLS = (
    "[. (if {x:fromspell}|{x:againstspell}) , [then] (they are|it is) ignored on [a] {spells:need} [instead]]"
)
add("wounds", f"{FOR_EACH} {SPELLS}", build=lambda m: (m["on"], m.get("spells", 0)))
TAKES = "(when|each time) {who:bearer} (takes|would take) (a|each|1|any) wound [(from|by) {by:woundsof}]"
add(
    "item",
    f"when {{who:bearer}} takes wounds [(from|by) {{by:woundsof}}] , roll one die for each . {ON} [,] {GONE} {SPELLS}",
    f"(when|each time) {{who:bearer}} takes wounds [{{c:conds}}] , {FOR_EACH} {SPELLS}",
    f"{{c:conds}} , when (they|it) take wounds [,] {FOR_EACH} {SPELLS}",
    f"{TAKES} , roll (a|one) die [for it] . {ON} [,] {GONE}",
    f"{TAKES} , {ON} {GONE}",
    f"{TAKES} , (it|you) [may] ignore it {ON}",
    f"for each wound [that] {{who:bearer}} takes [,] roll one die . {ON} [,] {GONE}",
    build=_ignoring,
)

# wounds that are simply ignored
IGNORES = "ignore [each|their|its|all] wound [it takes|they take]"
SPELL_ROLL = "on [a] {spells:need}"
add(
    "verb",
    f"{IGNORES} on [a] (roll of|result of) {{on:need}}",
    build=lambda m: (open_block(IgnoresWounds, m["on"]),),
)
add(
    "item",
    f"{{who:bearer}} {IGNORES} {ON} [,] and [ignore] [wounds|those] from [a] spell {SPELL_ROLL}",
    f"{{who:bearer}} {IGNORES} {ON} \\( [or] {{spells:need}} (against|for wounds from) spell \\)",
    f"{{who:bearer}} {IGNORES} {ON} [,] or {SPELL_ROLL} if they are from [a] spell",
    build=_ignoring,
)
same(
    "woundsof",
    {
        "spells": When(attack="spell"),
        "(melee|melee attacks)": When(attack="melee"),
        "(shooting|shots|ranged attacks)": When(attack="shoot"),
    },
)
add(
    "verb",
    f"ignore wounds from {{when:woundsof}} {ON}",
    build=lambda m: (open_block(IgnoresWounds, m["on"], when=(m["when"],)),),
)

# the same with the wounds as a noun: whose they are, and where they come from
EACH = "[each|any|all|a|the|those|every|per]"
SPELL = "(a|any|all|enemy|an enemy|the)"
same(
    "woundsfrom",
    {
        f"[hits from] [{SPELL}] spell": When(attack="spell"),
        "(melee|melee attacks|blows|melee weapons|attacks in melee|a melee attack)": When(attack="melee"),
        "(shooting|shots|ranged attacks|ranged weapons|shooting attacks|a ranged attack|a shot)": When(
            attack="shoot"
        ),
        "(attacks|weapons)": When(attack="attack"),
        "anything but spells": When(attack="not spell"),
    },
)
INFLICTED = "(caused|dealt|inflicted|done)"


def _wounds_of(m: Caught) -> Cond:
    by = (Cond((m["by"],)),) if "by" in m else ()
    return join((Cond((), m.get("who", "")), *by, *([m["c"]] if "c" in m else [])))


FROM_WHAT = "[[that] (from|by|of|caused by|dealt by|inflicted by|coming from|that come from) {by:woundsfrom}]"
add(
    "woundnoun",
    f"{EACH} wound [that] {{who:bearer}} (takes|take|would take|loses|receives) {FROM_WHAT} [{{c:conds}}]",
    f"{EACH} wound [(taken by|{INFLICTED} (to|on)|on|against|to)] {{who:bearer}} {FROM_WHAT} [{{c:conds}}]",
    f"{EACH} wound {FROM_WHAT} [{INFLICTED}] (to|on) {{who:bearer}} [{{c:conds}}]",
    f"{{o:owns}} wounds {FROM_WHAT} [{{c:conds}}]",
    build=lambda m: _wounds_of(
        {**m, "who": m.get("who", "") or {"its": ""}.get(m.get("o", ""), m.get("o", ""))}
    ),
)
add(
    "barewounds",
    f"{EACH} wound {FROM_WHAT} [(it|they) (takes|take)] [{{c:conds}}]",
    "(spell|spells) wounds",
    build=_wounds_of,
)
UPON = "[(on|for|with)] [a|an|each|any] [roll|rolls|result|results|die roll] [of] {on:need}"
NEED = "on [a|an] [roll|result|die roll] [of] [unmodified] {on:need}"
SPENT = (
    "(is|are|may be|get) (ignored|shrugged off|discarded|prevented|saved|negated|cancelled|undone|discounted|lost"
    "|warded off|removed|wasted)"
)
LOST_ON = f"({SPENT}|has no effect|get no effect|don't count|doesn't count|is lost|may be ignored)"
WERE = "(is|are|came|come|was|were|comes)"
IT_WAS = f"(if|when) [the|that] [wound|it|they] {WERE} [caused by|dealt by|from|inflicted by] [{SPELL}] spell"
WOUNDS_BY = f"[wounds from|wounds by|those from|the wounds of] [{SPELL}] spell"
AGAINST = f"(against|for|if from|if caused by) {WOUNDS_BY}"
BUT = "(or|and|but)"
IGNORED = "(it is|they are) ignored"
add(
    "betteronspells",
    f"[,] [{BUT}] [on] [a] {{spells:need}} [instead] ({IT_WAS}|{AGAINST}|from {WOUNDS_BY}) [instead]",
    f"\\( [{BUT}] [on] [a] {{spells:need}} [instead] ({IT_WAS}|{AGAINST}|from {WOUNDS_BY}) [instead] \\)",
    f"[.|,] [{BUT}] ({IT_WAS}|{AGAINST}) [,] (on|{IGNORED} on) [a] {{spells:need}} [instead]",
    build=lambda m: m["spells"],
)


def _noun_ignored(m: Caught) -> Blocks:
    """Wounds of some kind that are ignored, and what else was said of them."""
    told = [m[key] for key in ("w", "c", "d") if key in m]
    cond = join([Cond((), m["who"]), *told] if m.get("who") else told)
    spells = m.get("s", 0)
    if spells and any(when.attack for when in cond.whens):
        raise ReadingRefused
    return fill((open_block(IgnoresWounds, m["on"], spells),), cond, cond.who)


DOES = "[may|always] (ignore|disregard|discard|shrug off|negate|prevent|shake off)"
add(
    "clause",
    f"{{who:named}} {DOES} {{w:barewounds}} {NEED} [{{s:betteronspells}}] [{{d:conds}}]",
    f"[it|they] {DOES} {{w:barewounds}} {NEED} [{{s:betteronspells}}] [{{d:conds}}]",
    f"{{w:woundnoun}} [,] {LOST_ON} {NEED} [{{s:betteronspells}}] [{{d:conds}}]",
    f"{{w:barewounds}} {LOST_ON} [by {{who:bearer}}] {NEED} [{{s:betteronspells}}] [{{d:conds}}]",
    f"{NEED} [,] {{w:woundnoun}} {LOST_ON} [{{s:betteronspells}}]",
    f"{NEED} [,] {{who:named}} {DOES} {{w:barewounds}} [{{s:betteronspells}}]",
    build=_noun_ignored,
)
IF = "(when|each time|if|for each time)"
TAKES_IT = "(takes|take|would take|loses|lose)"
add("onewound", f"(a|an|each|any|1) wound {FROM_WHAT} [{{c:conds}}]", build=_wounds_of)
IT = "(it|that wound|the wound|each|them|those wounds|that one|the wounds|they)"
SAVES = "(prevents|ignores|negates|saves|cancels|prevent|ignore)"
SAVED = (
    f"({IT} {LOST_ON}|(it|this model|this unit) (does not|doesn't)|it is ignored|ignore"
    f" {IT}|{DOES} {IT}|{SAVES} {IT})"
)
ROLLED = "(.|,|and|;|:)"
ON_IT = "[and] on [a|an|each] [roll|result] [of] {on:need}"
SCORE = f"({ON_IT}|[each|any|a|all] [result|roll] [of] {{on:need}}|if {IT} is {{on:need}})"
add(
    "item",
    f"roll [1 die] for {{w:woundnoun}} {ROLLED} {SCORE} [,] {SAVED} [{{s:betteronspells}}]",
    f"{IF} {{who:bearer}} {TAKES_IT} {{w:barewounds}} [,] roll [1 die] for (each|each of them|each wound) {ROLLED}"
    f" {SCORE} [,] {SAVED} [{{s:betteronspells}}]",
    f"{IF} {{who:bearer}} {TAKES_IT} {{w:onewound}} [,] roll 1 [die] [for (it|that wound)] {ROLLED} {SCORE} [,] {SAVED}"
    " [{s:betteronspells}]",
    f"for {{w:woundnoun}} [,] roll 1 [die] {ROLLED} {SCORE} [,] {SAVED} [{{s:betteronspells}}]",
    f"roll [1 die] for {{w:woundnoun}} {ROLLED} {IT} {LOST_ON} {NEED} [{{s:betteronspells}}]",
    build=_noun_ignored,
)
