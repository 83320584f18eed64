"""Phrases for wounds that are ignored on a roll."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, IgnoresWounds, When
from shieldwall.rules.reading.grammar import Caught, Phrases
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
