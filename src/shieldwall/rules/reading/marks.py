"""Phrases for what friends get against units that were picked, and for markers on them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core.blocks import BY_VALUE, Blocks, Gets, Lend, Modifier, PutMarkers, RuleRef
from shieldwall.rules.reading.fates import Then, lend, then_of
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.lasting import Lasting
from shieldwall.rules.reading.meaning import ATTACK, MELEE, SHOOT, Cond, all_of, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

FRIENDS = "[all] [(your|other)] (friendly units|friends|friendly models)"
DOES = "{how:does} [at] {x:them} [{i:where}]"
BY_FRIENDS = "[all] [friendly] (attacks|hits)"


def marked(m: Caught) -> Then:
    """What friends have against them."""
    then = lend({**m, "how": all_of((m.get("how", ()), m.get("i", ())))}).blocks[0]
    if not isinstance(then, Lend):
        raise ReadingRefused
    return then_of(replace(then, against=True))


def _next_marked(m: Caught) -> Then:
    return marked({**m, "l": Lasting("once")})


# friends, as long as it is said
UNTIL = "[[,] {l:lasting}]"
add(
    "then",
    f"which {FRIENDS} get {{v:objs}} [{{c:conds}}] against [it|them] {UNTIL}",
    f"which {FRIENDS} get {{v:objs}} against [it|them] [{{c:conds}}] {UNTIL}",
    f"against which {FRIENDS} get {{v:objs}} [{{c:conds}}] {UNTIL}",
    build=marked,
)
add("then", "{d:against}", build=lambda m: m["d"])
add("fate", "{d:against}", build=lambda m: m["d"])
AT_THEM = "(against|when attacking) {x:them}"
add(
    "against",
    f"[and|.] {FRIENDS} {{v:vps}} {AT_THEM} {UNTIL}",
    f"[and|.] {FRIENDS} get {{v:objs}} [{{c:conds}}] {AT_THEM} {UNTIL}",
    f"[and|.] {FRIENDS} {{v:vps}} (when|while) {{how}} {{x:them}} {UNTIL}",
    f"[and|.] {{l:lasting}} [,] {FRIENDS} {{v:vps}} (when|while) {{how}} {{x:them}}",
    f"[and|.] {{l:lasting}} [,] {FRIENDS} {{v:vps}} {AT_THEM}",
    f"[and|.] {{l:lasting}} [,] {FRIENDS} get {{v:objs}} [{{c:conds}}] {AT_THEM}",
    f"(.|and|,|;) {FRIENDS} {{how}} {{x:them}} {{v:vps}} {UNTIL}",
    f"(.|and|,|;) {{l:lasting}} [,] {FRIENDS} {{how}} {{x:them}} {{v:vps}}",
    f"(.|and|,|;) {FRIENDS} [(when|while)] {{how}} {{x:them}} {UNTIL} {{v:vps}}",
    f"(.|and|,|;) when {FRIENDS} {DOES} , they {{v:vps}} {UNTIL}",
    f"(.|and|,|;) {{l:lasting}} , when {FRIENDS} {DOES} , they {{v:vps}}",
    build=marked,
)
add(
    "against",
    f"[.|and|,|;] [{{l:lasting}} ,] {BY_FRIENDS} (against|on) {{x:them}} {{v:vps}}",
    f"[.|and|,|;] {BY_FRIENDS} (against|on) {{x:them}} {{v:vps}} {UNTIL}",
    build=lambda m: marked({**m, "how": (ATTACK,)}),
)

# the next friend, once
NEXT = "[the] (next|first) [other] friendly unit"
same("where", {"in melee": (MELEE,), "(when|while|by) shooting": (SHOOT,)})
add(
    "nextfriend",
    f"{NEXT} {{how}} {{x:them}} [{{i:where}}]",
    f"{NEXT} (that|which|who|to) {{how:does}} [at] {{x:them}} [{{i:where}}]",
    build=lambda m: all_of((m["how"], m.get("i", ()))),
)
FOR_IT = (
    "[[,] (against (it|them|{y:them})|for that attack|for that melee|in that melee|when doing so|for it)]"
)
ANY = "(a|1|any) friendly unit"
ONE = "(it|they|that unit|that friendly unit|those units)"
add(
    "nextmark",
    f"{{how:nextfriend}} {{v:vps}} {FOR_IT}",
    f"[the] (next|first) time [that] {ANY} {DOES} , {ONE} {{v:vps}} {FOR_IT}",
    f"(when|if) {ANY} next {DOES} , {ONE} {{v:vps}} {FOR_IT}",
    f"[the] (next|first) time [that] {FRIENDS} {DOES} , they {{v:vps}} {FOR_IT}",
    f"{FRIENDS} {{v:vps}} [against (it|them)] [the] (next|first) time [that] they {DOES}",
    f"{FRIENDS} {{v:vps}} when they next {DOES}",
    "[the] next [friendly] {how:strikes} [by a friendly unit|made] (against|on|at) {x:them} {v:vps}",
    build=_next_marked,
)
add("then", "(.|and|,|;|:) {d:nextmark}", build=lambda m: m["d"])
add("fate", "{d:nextmark}", build=lambda m: m["d"])


# markers that friends use
def _by(number: int, block: Any) -> Any:
    """A block for each marker, where the text gives as many as there are markers."""
    if number != BY_VALUE:
        raise ReadingRefused
    return block


PUT = "(place|put)"
add("marks", "(a|1) marker", build=lambda m: 1)
add("marks", "{n:num} markers", build=lambda m: m["n"])
add(
    "fate",
    f"{PUT} {{n:marks}} on {{x:them}} . {{use:markuse}}",
    build=lambda m: then_of(PutMarkers(m["n"], *m["use"])),
)
add(
    "per",
    "{n:signed} to hit [rolls] [when attacking]",
    build=lambda m: (_by(m["n"], Modifier("hit", 1, who="unit", when=(ATTACK,))),),
)
add(
    "per",
    "+ AP \\( {n:num} \\) [when attacking]",
    build=lambda m: (_by(m["n"], Gets(RuleRef("AP", 1, True), who="unit", when=(ATTACK,))),),
)
EACH_ONE = "(per|for each) [of them|marker] [removed|spent|on it]"
add("per", f"{{v:objs}} {EACH_ONE}", build=lambda m: fill(m["v"], Cond((ATTACK,)), "unit"))
same("markers", {"(markers|its markers|any of its markers|markers on it) [when attacking it]": None})
same("markers", {"markers from (it|their target) [(before|when) attacking [it]]": None})
add(
    "markuse",
    "friendly units may (spend|remove) {x:markers} to get {per}",
    build=lambda m: (m["per"], True),
)
add("markuse", "friendly units get {per} [against] it", build=lambda m: (m["per"], False))


def _for_each(m: Caught) -> tuple[Blocks, bool]:
    return fill(m["v"], Cond((ATTACK,)), "unit"), False


add(
    "markuse",
    "friendly units get {v:objs} against {x:them} (per|for each) [of its|of the] marker [on it]",
    "friendly units {how:attackers} {x:them} get {v:objs} (per|for each) [of its|of the] marker [on it]",
    build=_for_each,
)
add(
    "markuse",
    f"{FRIENDS} [that attack it] may (spend|remove) {{x:markers}} to get {{per}}",
    build=lambda m: (m["per"], True),
)
same("attackers", {"(attacking|that attack|when attacking)": None})
