"""Phrases for dice that are rolled again: to hit, to block and in morale tests."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, RollsAgain, Whens
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ENEMIES, Cond, fill, from_face, join, open_block, up_to_face

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

ALL = "[all|any] [of] [its|their|the]"
FAILED = "(failed|missed)"
FAIL = "(that|which) (fail|miss|failed|missed)"
OF_FACES = "(roll|result|dice) of [an|a] [unmodified] {f:faces}"
FACES = "[unmodified] [(result|roll) of] [an|a] [unmodified] {f:faces}"
TO_HIT = (
    "(to hit|when rolling to hit|when it rolls to hit|on (its|their) hit rolls|for (its|their) hit rolls)"
)
TO_BLOCK = "(to block [hits]|when blocking|when rolling to block|on (its|their) defense rolls)"

# which dice: the highest natural face of the failures
same(
    "misses",
    {
        f"{ALL} {FAILED} (hit|hit roll|attack|attack roll|attempt to hit|roll to hit|dice to hit)": 6,
        f"{ALL} (miss|misses)": 6,
        f"{ALL} [(hit roll|dice to hit|attack|roll to hit)] {FAIL}": 6,
    },
)
add(
    "misses",
    f"{ALL} [failed] [unmodified] hit {OF_FACES}",
    f"{ALL} [failed] [unmodified] roll to hit of [an|a] [unmodified] {{f:faces}}",
    f"{ALL} {FACES} {TO_HIT}",
    build=lambda m: up_to_face(m["f"]),
)
same(
    "failedblocks",
    {
        f"{ALL} failed (block|defense|block roll|defense roll|roll to block|defense dice|defense test)": 6,
        f"{ALL} (block|defense|block roll|defense roll) {FAIL}": 6,
    },
)
add(
    "failedblocks",
    f"{ALL} [failed] [unmodified] (block|defense) {OF_FACES}",
    f"{ALL} [failed] block of [an|a] [unmodified] {{f:faces}}",
    f"{ALL} {FACES} {TO_BLOCK}",
    build=lambda m: up_to_face(m["f"]),
)
TEST = "(morale test|morale roll|morale test roll)"
same("failedtests", {f"{ALL} [a] [failed] {TEST}": 6, f"{ALL} {TEST} {FAIL}": 6})
same(
    "theirhits",  # the lowest natural face of the successes
    {f"{ALL} (successful|successfull) (hit|hit roll|attack|roll to hit)": 2, "[all] hits": 2},
)
add(
    "theirhits",
    f"{ALL} [successful] [unmodified] hit {OF_FACES}",
    f"{ALL} [successful] [unmodified] roll to hit of [an|a] [unmodified] {{f:faces}}",
    f"{ALL} [successful] {FACES} to hit",
    build=lambda m: from_face(m["f"]),
)


def _own(m: Caught) -> Blocks:
    return (open_block(RollsAgain, m["roll"], m["face"]),)


# what the bearer does
DO = "[(may|must|always)] (re-roll|roll again)"
add("verb", f"{DO} {{face:misses}}", build=lambda m: _own({**m, "roll": "hit"}))
add("verb", f"{DO} {{face:failedblocks}}", build=lambda m: _own({**m, "roll": "block"}))
add("verb", f"{DO} {{face:failedtests}}", build=lambda m: _own({**m, "roll": "morale"}))
add("verb", "[(may|must|always)] roll {face:misses} again", build=lambda m: _own({**m, "roll": "hit"}))
add(
    "verb", "[(may|must|always)] roll {face:failedblocks} again", build=lambda m: _own({**m, "roll": "block"})
)
add(
    "verb", "[(may|must|always)] roll {face:failedtests} again", build=lambda m: _own({**m, "roll": "morale"})
)
TRIED = "(re-roll (it|the test|that test)|take (it|the test|that test) again|roll again)"
add(
    "clause",
    f"(when|if) {{who:bearer}} fails a morale test , (it|this model|this unit|they) may {TRIED}",
    f"{{who:named}} may {TRIED} (when|if) (it|they) fails a morale test",
    build=lambda m: fill((open_block(RollsAgain, "morale"),), Cond(), m["who"]),
)


# what enemies must do
def _theirs(m: Caught) -> Blocks:
    whens: list[Whens] = [m[key] for key in ("how", "far", "blow") if key in m]
    told = [m[key] for key in ("c", "d") if key in m]
    cond = join((*told, *(Cond(one) for one in whens)))
    block = open_block(RollsAgain, "hit", m["face"], succeeded=True, of="enemy")
    return fill((block,), cond, m["who"])


MUST = "must re-roll {face:theirhits}"
add(
    "enemies",
    f"{ENEMIES} {MUST} [{{c:conds}}] (attacking|when attacking|against|targeting) {{who:named}} [{{d:conds}}]",
    f"{ENEMIES} {MUST} when {{how}} {{who:named}} [{{far}}]",
    f"{ENEMIES} {{how}} {{who:named}} [{{far}}] {MUST} [{{c:conds}}]",
    f"when {{how}} {{who:named}} [{{far}}] , {ENEMIES} {MUST}",
    f"{{blow:blows}} (against|at|on) {{who:named}} [{{far}}] {MUST} [{{c:conds}}]",
    "{face:theirhits} (against|on) {who:named} [{c:conds}] must be re-rolled [{d:conds}]",
    build=_theirs,
)


# the dice as a noun: whose they are, against what, and that they are rolled again
AGAIN = "(re-rolled|rolled again|rolled a second time|rolled 1 more time)"
same("mayagain", {f"(may|must|can|is) [always] be {AGAIN}": None, f"is {AGAIN}": None, f"get {AGAIN}": None})
BY = "[by {who:bearer}]"
for dice, roll in (("misses", "hit"), ("failedblocks", "block"), ("failedtests", "morale")):

    def _passive(m: Caught, roll: str = roll) -> Blocks:
        """Dice of somebody that may be rolled again."""
        told = [m[key] for key in ("c", "d") if key in m]
        by = m.get("s")
        cond = join([*told, *([Cond(by.whens, by.who)] if by is not None else [])])
        return fill(_own({"roll": roll, "face": m["face"]}), cond, m.get("who") or m.get("o") or cond.who)

    add(
        "clause",
        f"[{{o:owns}}] {{face:{dice}}} [,] [{{c:conds}}] {{x:mayagain}} {BY} [{{d:conds}}]",
        f"{{face:{dice}}} (of|by|for|made by|from) {{s:byarms}} [{{c:conds}}] {{x:mayagain}} [{{d:conds}}]",
        f"{{who:bearer}} may have {{face:{dice}}} [{{c:conds}}] {AGAIN} [{{d:conds}}]",
        build=_passive,
    )
    add(
        "clause",
        f"you may re-roll {{face:{dice}}} (of|for|made by|taken by|from) {{who:bearer}} [{{c:conds}}]",
        f"you may re-roll {{face:{dice}}} (of|for|made by|from|with) {{s:byarms}} [{{c:conds}}]",
        f"you may re-roll {{o:owns}} {{face:{dice}}} [{{c:conds}}]",
        build=_passive,
    )
    add(
        "verb",
        f"[(may|must|always|can)] (re-roll|roll again) [its|their] {{face:{dice}}} {{c:conds}}",
        f"[(may|must|always|can)] roll [its|their] {{face:{dice}}} [{{c:conds}}] (again|a second time)",
        f"get to re-roll {{face:{dice}}}",
        build=_passive,
    )
add(
    "item",
    "(when|if|each time) {who:bearer} fails a morale test [,] (it|you|they) may re-roll (it|that"
    " test|the test|the roll) [once]",
    "(when|if|each time) {who:bearer} fails a morale test [,] (it|that test|the test) may be re-rolled [once]",
    build=lambda m: fill(_own({"roll": "morale", "face": 6}), Cond(), m["who"]),
)
add(
    "cond",
    "when blocking {c:blockfacts}",
    build=lambda m: replace(m["c"], voice="passive") if not m["c"].who else _no(),
)


def _no() -> Cond:
    raise ReadingRefused
