"""Phrases for natural faces as events: which dice show them, whose and when, and what follows from each.

`hitface` is a natural face to hit, `blockface` one to block, each with the condition under which it counts. An event
(`for each natural 6 to hit`, `when it rolls a natural 6 to hit`) may stand before or behind what follows from it.
"""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.core.blocks import (
    Blocks,
    BlocksAgain,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Ignores,
    RuleRef,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, Subject, fill, from_face, join, open_block, up_to_face

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

Face = tuple[tuple[int, int], Cond]
Follows = Callable[[tuple[int, int]], Blocks]

EACH = "[each|an|a|any|all|every|per]"
DIE = "(roll|result|die|dice|face)"
ITS = "[(its|their|the|a|this model's|this unit's)]"
TO_HIT = (
    f"(to hit|when rolling to hit|when attacking|on {ITS} hit roll|for {ITS} hit roll|on {ITS} roll to hit)"
)
TO_BLOCK = (
    "(to block|when blocking|when rolling to block|when rolling defense|when rolling for defense|to defend|for defense"
    f"|on {ITS} (block|defense) [roll|test]|for {ITS} (block|defense) [roll|test])"
)
SHOWN = "[that is] [(rolled|made|scored)]"
SCORED = "(from|of|on|with|scored with|scored on|made with|rolled with)"
IF = "(when|if|each time|for each time|every time)"

# ---------------------------------------------------------------- natural faces to hit
add(
    "hitdie",
    f"{EACH} [successful] unmodified {DIE} of {{f:faces}} {SHOWN} [{TO_HIT}]",
    f"{EACH} {DIE} of [an|a] [unmodified] {{f:faces}} {SHOWN} {TO_HIT}",
    f"{EACH} [successful] [unmodified] (hit {DIE}|roll to hit) of [an|a] [unmodified] {{f:faces}}",
    f"{EACH} unmodified {{f:faces}} {SHOWN} [{TO_HIT}]",
    f"{EACH} {{f:faces}} (rolled|made|scored) {TO_HIT}",
    f"{EACH} [successful] hit {SCORED} [a|an] [unmodified] {DIE} of [an|a] [unmodified] {{f:faces}} [{TO_HIT}]",
    f"{EACH} [successful] hit {SCORED} [an|a] unmodified {{f:faces}} [{TO_HIT}]",
    "{f:faces} to hit \\( before modifier \\)",
    build=lambda m: m["f"],
)
add(
    "facefact",
    "[made|rolled|scored] (by|from|with|of) {s:byarms}",
    build=lambda m: Cond(m["s"].whens, m["s"].who),
)
add("facefact", "[made|rolled|scored] (by|with) {s:struck}", build=lambda m: Cond(m["s"].whens, m["s"].who))
add("facefact", "{c:cond}", build=lambda m: m["c"])
same("facefact", {"\\( before modifier \\)": Cond(), "before modifiers": Cond()})
add("facefacts", "{one:facefact}", build=lambda m: m["one"])
add("facefacts", "{one:facefact} [,] {more:facefacts}", build=lambda m: join((m["one"], m["more"])))


def _known_face(m: Caught) -> Face:
    """A face and all that was said of it; whoever was named first is meant."""
    told = [Cond((), m["o"])] if m.get("o") else []
    return m["f"], join([*told, *([m["c"]] if "c" in m else [])])


add(
    "hitface",
    "{f:hitdie}",
    "{f:hitdie} [,] {c:facefacts}",
    "{o:owns} {f:hitdie}",
    "{o:owns} {f:hitdie} [,] {c:facefacts}",
    build=_known_face,
)


def _rolled_by(m: Caught) -> Face:
    faces, cond = m["n"]
    by: Subject = m["s"]
    if cond.who not in ("", "its", by.who):
        raise ReadingRefused
    return faces, join((Cond(by.whens, by.who), Cond(cond.whens, "", cond.others, cond.voice), *_more(m)))


def _more(m: Caught) -> list[Cond]:
    return [m[key] for key in ("c", "d") if key in m]


ROLLS = "(rolls|roll|scores|score|makes|make|gets)"
add("hitevent", "(for|on|with|upon) {n:hitface}", build=lambda m: m["n"])
add(
    "hitevent",
    f"{IF} {{s:byarms}} {ROLLS} {{n:hitface}} [{{c:facefacts}}]",
    build=_rolled_by,
)
add(
    "hitface",
    f"{EACH} unmodified [{DIE} of] {{f:faces}} [that] {{s:byarms}} {ROLLS} [{TO_HIT}] [{{c:facefacts}}]",
    f"{EACH} {DIE} of {{f:faces}} [that] {{s:byarms}} {ROLLS} {TO_HIT} [{{c:facefacts}}]",
    build=lambda m: _rolled_by({**m, "n": (m["f"], Cond())}),
)
add(
    "hitevent",
    f"{IF} {{n:hitface}} is (rolled|made|scored) [{TO_HIT}] [{{c:facefacts}}]",
    f"{IF} {{c:deed}} and rolls {{n:hitface}}",
    build=lambda m: (m["n"][0], join((m["n"][1], *_more(m)))),
)

# ---------------------------------------------------------------- what follows from a face to hit
CAUSE = (
    "(deal|cause|score|count as|is worth|add|bring|generate|make|get|give|result in|produce|become|inflict|do|mean"
    "|yield|cost it|cost|cost them|lead to|earn|cost the target|net)"
)
MORE = "(extra|additional|more|farther)"
INSTEAD = "[(instead of|rather than) [just|only|a] [single] [1] [each]]"


def _one_more(m: Caught) -> int:
    """How many come on top of the first one."""
    extra: int = m["all"] - 1 if "all" in m else m["n"]
    if extra < 1:
        raise ReadingRefused
    return extra


def _hits(m: Caught) -> Follows:
    extra = _one_more(m)
    return lambda faces: (open_block(ExtraHits, extra, from_face(faces)),)


same("onlyfirst", {"\\( only the (original|first) hit counts as [a] 6 [for rules] \\)": None})
add(
    "hitdoes",
    f"[each] {CAUSE} {{n:num}} {MORE} hit [each] [{{x:onlyfirst}}]",
    "[each] (count|is worth|count as|become|deal|cause|score|result in) {all:num} hits [each] " + INSTEAD,
    build=_hits,
)


def _attacks(m: Caught) -> Follows:
    return lambda faces: (open_block(ExtraAttacks, _one_more(m), "hit", from_face(faces)),)


ONES = "(that|the same|this|its|the) weapon"
add(
    "attacksof",
    f"[may] [each] (bring|generate|give|grant|get|cause|make|roll|lets|produce|let) [it|{{x:bearer}}] [to] [make|roll]"
    f" {{n:num}} {MORE} attack [with {ONES}] [each]",
    build=_attacks,
)
THIS_WAY = "[(this way|in this way|from this rule|by this rule|like this)]"
GAINED = f"[(gained|made|generated|granted|won|given|produced) {THIS_WAY}]"
NO = "(do not|don't|doesn't|does not|can't|may not|never)"
BRING = "(bring|generate|produce|trigger|cause|give|grant|earn|create|get)"
MORE_OF_THEM = f"[any] ({MORE}|new|{MORE} attack|new attack|{MORE} ones|attack) [themselves]"
same(
    "attacksend",
    {
        f"[.|;|,] [(but|and)] [these|those|the|such] [{MORE}|new|bonus] (attack|attacks|they) {GAINED} {NO} {BRING}"
        f" {MORE_OF_THEM}": None,
        f"[.|;|,] [(but|and)] [these|those|the|such] [{MORE}|new|bonus] (attack|attacks|they) {GAINED} bring no more"
        " [attack]": None,
        f", which {NO} {BRING} {MORE_OF_THEM}": None,
        ", which (bring|brings) no more [attack]": None,
        f"[.|;|,] (this|this rule|it) {NO} (apply to|count for|work on) [these|those|the] [{MORE}|new] attack"
        f" {GAINED}": None,
    },
)


def _get(m: Caught) -> Follows:
    return lambda faces: tuple(open_block(FacesGet, rule, from_face(faces)) for rule in m["r"])


add(
    "hitdoes",
    "(get|count as having|is resolved at|is resolved with|is made at|is made with|strike at|hit at|hit with) {r:rules}",
    build=_get,
)
add(
    "hitdoes",
    "(get|count as having|is resolved at|is resolved with) {n:piercing}",
    build=lambda m: _get({"r": (RuleRef("AP", m["n"], True),)}) if m["n"] > 0 else _refused(),
)


def _refused() -> Follows:
    raise ReadingRefused


def _unstoppable(m: Caught) -> Follows:
    if m["r"].casefold() != "regeneration":
        raise ReadingRefused
    return _get({"r": (RuleRef("Ignores Regeneration", blocks=(Ignores("Regeneration", "weapon"),)),)})


add("hitdoes", "give (the hit|that hit|it|those hits|the hits|them) {r:rules}", build=_get)
add("hitdoes", "ignore [the] {r:rulename} [rule]", build=_unstoppable)
ITSELF = "(it|they|that|the hit|that hit|those hits|the hits|those)"
UNBLOCKED = (
    f"([if|when] not blocked|that (aren't|isn't|are not|is not) blocked|which (aren't|are not) blocked"
    f"|if {ITSELF} (aren't|isn't|are not|is not) blocked|unless {ITSELF} (is|are) blocked|unless blocked"
    "|that get through [the (target's|enemy's) defense]|that goes through [the target's defense]"
    "|if [the target|the enemy] (fails to block|can't block|doesn't block) [it|them]|that the target fails to block)"
)
WOUNDS = f"([the target] {{n:num}} {MORE} wound|{{n:bonus}} wound)"
add("bonus", "{n:signed}", build=lambda m: m["n"] if m["n"] > 0 else _refused())


def _hit_wounds(m: Caught) -> Follows:
    extra = _one_more(m)
    return lambda faces: (open_block(ExtraWounds, extra, "hit", from_face(faces)),)


add(
    "hitwounds",
    f"[each] {CAUSE} {WOUNDS} [each]",
    f"[each] {CAUSE} {{all:num}} wounds [each] (instead of|rather than) [just|only|a] [single] [1]",
    build=_hit_wounds,
)
add("hitdoes", f"{{d:hitwounds}} {UNBLOCKED}", build=lambda m: m["d"])
add("hitdoes2", "{one:hitdoes}", build=lambda m: m["one"])
add(
    "hitdoes2",
    "{one:hitdoes} and [also] {two:hitdoes2}",
    build=lambda m: lambda faces: (*m["one"](faces), *m["two"](faces)),
)
THAT = (
    "(it|they|that roll|the roll|that hit|the hit|those hits|these hits|the hits|such hits|this counts|its hits"
    "|this model's hits|this weapon's hits|each of them)"
)
add("hithappens", "[it|they] {d:hitdoes2}", build=lambda m: (m["d"], ""))
add("hithappens", f"{THAT} {{d:hitdoes2}}", build=lambda m: (m["d"], ""))
add("hithappens", "{who:named} {d:hitdoes}", build=lambda m: (m["d"], m["who"]))
DONE = "(scored|dealt|caused|made|gained|added|inflicted|generated)"
add("hithappens", f"{{n:num}} {MORE} hit is {DONE}", build=lambda m: (_hits(m), ""))
add(
    "hithappens",
    f"[the|its] (target|enemy|enemy unit) take {{n:num}} {MORE} hit",
    build=lambda m: (_hits(m), ""),
)
add(
    "hithappens",
    f"{{n:num}} {MORE} attack (is|may be) {DONE} [with {ONES}] [{{y:attacksend}}]",
    build=lambda m: (_attacks(m), ""),
)
add("barehits", f"{{n:num}} {MORE} hit", build=_hits)


def _faced(m: Caught) -> Blocks:
    """What follows from a face, with the conditions under which it counts."""
    faces, cond = m["e"]
    does, who = m["d"] if isinstance(m["d"], tuple) else (m["d"], "")
    if who and cond.who not in ("", "its", who):
        raise ReadingRefused
    return fill(does(faces), cond, who or cond.who)


add(
    "faced",
    "{e:hitface} [,] {d:hitdoes2}",
    "{e:hitevent} [,] {d:hithappens}",
    "{d:hithappens} {e:hitevent}",
    "{d:newattacks} {e:hitevent} {y:attacksend}",
    build=_faced,
)
add("bareclause", "{d:barehits} {e:hitevent}", "{e:hitevent} [,] {d:barehits}", build=_faced)
add("newattacks", "[it|they] {d:attacksof}", build=lambda m: m["d"])
add("newattacks", "{who:named} {d:attacksof}", build=lambda m: (m["d"], m["who"]))
add("hitdoes", "{d:attacksof} [{y:attacksend}]", build=lambda m: m["d"])
add(
    "faced",
    f"{{e:hitface}} [,] {UNBLOCKED} [,] {{d:hitwounds}}",
    f"(for|on) {{e:hitface}} [,] {UNBLOCKED} [,] [it|they|{{x:named}}] {{d:hitwounds}}",
    f"{{d:hitwounds}} (for|on) {{e:hitface}} [,] {UNBLOCKED}",
    build=_faced,
)

# ---------------------------------------------------------------- natural faces to block
FOE = "([the|a|an|any|its|their] (enemy|enemy unit|target|target unit|defender|enemy model)|it|they|he|you)"
FAILED = "[failed|successful]"
add(
    "blockdie",
    f"{EACH} {FAILED} unmodified {DIE} of {{f:faces}} {SHOWN} {TO_BLOCK}",
    f"{EACH} {FAILED} [unmodified] (defense|block) [{DIE}|test] of [an|a] [unmodified] {{f:faces}} {SHOWN}",
    f"{EACH} [unmodified] (defense|block) {DIE} of [unmodified] {{f:faces}} {SHOWN}",
    f"{EACH} {DIE} of [an|a] [unmodified] {{f:faces}} {SHOWN} {TO_BLOCK}",
    f"{EACH} [failed] unmodified {{f:faces}} {SHOWN} {TO_BLOCK}",
    f"{EACH} {{f:faces}} (rolled|made) {TO_BLOCK}",
    f"{EACH} unmodified (defense|block) {{f:faces}}",
    build=lambda m: m["f"],
)
HITS = "[hits|a hit|any hit|each hit|the hits|the hit]"
add(
    "blockfact",
    f"{HITS} [made] (against|from|by|of) {{s:byarms}}",
    build=lambda m: Cond(m["s"].whens, m["s"].who),
)
add(
    "blockfact",
    "[made] [against|from|when blocking] {s:struck}",
    build=lambda m: Cond(m["s"].whens, m["s"].who),
)
add("blockfact", "{c:cond}", build=lambda m: m["c"])
same(
    "blockfact",
    {
        "\\( before modifier \\)": Cond(),
        "before modifiers": Cond(),
        "(hits|a hit|any hit|each hit)": Cond(),
        "(that|which) fail [to block]": Cond(),
        f"[made] (by|of) {FOE}": Cond(),
    },
)
add("blockfacts", "{one:blockfact}", build=lambda m: m["one"])
add("blockfacts", "{one:blockfact} [,] {more:blockfacts}", build=lambda m: join((m["one"], m["more"])))
add("blockface", "{f:blockdie}", "{f:blockdie} {c:blockfacts}", build=_known_face)
add(
    "blockface",
    "[the|an] (target's|enemy's|defender's|enemy) {f:blockdie} [{c:blockfacts}]",
    build=_known_face,
)
add(
    "blockevent",
    "(for|on|with|upon) {n:blockface}",
    f"{IF} {FOE} {ROLLS} {{n:blockface}}",
    build=lambda m: m["n"],
)
add(
    "blockevent",
    f"{IF} {{n:blockface}} is (rolled|made|scored) [{TO_BLOCK}] [{{c:blockfacts}}]",
    build=lambda m: (m["n"][0], join((m["n"][1], *_more(m)))),
)
ROLLED_BY = f"{EACH} [unmodified] [{DIE} of] {{f:faces}} [that] {FOE} {ROLLS}"
add(
    "blockface",
    f"{ROLLED_BY} {TO_BLOCK} [{{c:blockfacts}}]",
    f"{ROLLED_BY} when blocking {{c:blockfacts}}",
    build=_known_face,
)


# what follows from a face to block
def _block_wounds(m: Caught) -> Follows:
    extra = _one_more(m)
    return lambda faces: (open_block(ExtraWounds, extra, "block", up_to_face(faces)),)


PER_ONE = "[(each|for each|for each of them|for each 1|per 1) [rolled]]"
RATHER = "(instead of|rather than) [just|only|a] [single] [1] [wound]"
SUFFERS = "(take|takes|loses|lose)"
add("blockwounds", f"[each] {CAUSE} {WOUNDS} {PER_ONE}", build=_block_wounds)
add(
    "blockwounds",
    f"[each] ({CAUSE}|count as) {{all:num}} wounds [each] {RATHER} {PER_ONE}",
    build=_block_wounds,
)
add("takenwounds", f"{FOE} {SUFFERS} {WOUNDS} {PER_ONE}", build=_block_wounds)
add("takenwounds", f"{FOE} {SUFFERS} {{all:num}} wounds {RATHER} {PER_ONE}", build=_block_wounds)
add("takenwounds", f"{WOUNDS} is (dealt|caused|scored|taken|inflicted|suffered)", build=_block_wounds)
add("blockhappens", "{d:takenwounds}", build=lambda m: (m["d"], ""))
add("blockhappens", "[it|this|that|they] {d:blockwounds}", build=lambda m: (m["d"], ""))
add("blockhappens", "{who:named} {d:blockwounds}", build=lambda m: (m["d"], m["who"]))
add(
    "faced",
    "{e:blockface} [,] {d:blockwounds}",
    "{e:blockevent} [,] {d:blockhappens}",
    "{d:blockhappens} {e:blockevent}",
    build=_faced,
)
add(
    "faced",
    f"{{t:rollers}} (that|which|who) {ROLLS} {{e:blockface}} {SUFFERS} {WOUNDS} {PER_ONE}",
    build=lambda m: fill(_faced({**m, "d": _block_wounds(m)}), m["t"]),
)
add("rollers", f"{FOE}", build=lambda m: Cond())
add("rollers", "{t:foes}", build=lambda m: Cond(m["t"], "", True))


# its own blocks
def _on_itself(m: Caught) -> Blocks:
    faces, cond = m["e"]
    block = open_block(ExtraWounds, _one_more(m), "block", up_to_face(faces), of="enemy")
    told = m["p"] if "p" in m else Cond((), m["who"] if "who" in m else m["o"])
    if cond.who:
        raise ReadingRefused  # hits of somebody else are meant
    return fill((block,), join((told, cond)), told.who)


IS_HIT = "(when|if|while)"
add(
    "clause",
    f"{IS_HIT} {{p:passive}} [,] [its|their] {{e:blockface}} {CAUSE} {WOUNDS} [to it|to them]",
    f"{{o:owns}} {{e:blockface}} {CAUSE} {WOUNDS} [to it|to them]",
    f"{{who:named}} {SUFFERS} {WOUNDS} (for|on) [its|their] {{e:blockface}}",
    f"(for|on) [its|their] {{e:blockface}} [,] {{who:named}} {SUFFERS} {WOUNDS}",
    f"{IF} {{who:named}} {ROLLS} {{e:blockface}} , (it|they) {SUFFERS} {WOUNDS}",
    f"[when {{p:passive}} ,] {{who:named}} {SUFFERS} {WOUNDS} (for|on) {{e:blockown}}",
    build=_on_itself,
)
add(
    "blockown",
    f"{EACH} [unmodified] [{DIE} of] {{f:faces}} [that] (it|they) {ROLLS} {TO_BLOCK}",
    build=_known_face,
)


# ---------------------------------------------------------------- blocks rolled again
def _again(m: Caught) -> Blocks:
    faces, cond = m["e"]
    return fill((open_block(BlocksAgain, from_face(faces)),), join((cond, *_more(m))))


MUST = "(must re-roll|must roll again|re-roll|re-rolls) [any|all|its|their|successful|all successful]"
AGAIN = "must be (re-rolled|rolled again|rolled a second time)"
same(
    "allblocks",
    {
        "[all] [(its|their|any)] successful (blocks|block rolls|defense rolls|rolls to block)": (
            (2, 6),
            Cond(),
        )
    },
)
ONCE_MORE = "(must re-roll|must roll again|re-rolls|re-roll)"
add(
    "faced",
    f"{FOE} {ONCE_MORE} {{e:allblocks}} [{{c:blockfacts}}]",
    f"{{v:victims}} {ONCE_MORE} {{e:allblocks}}",
    f"{{v:victims}} {MUST} {{e:blockface}}",
    f"{{e:allblocks}} (of|by) (enemies|the target) {AGAIN} [{{c:blockfacts}}]",
    build=lambda m: fill(_again(m), m["v"]) if "v" in m else _again(m),
)
add(
    "faced",
    f"{FOE} {MUST} {{e:blockface}} [{{c:blockfacts}}]",
    f"when blocking {{c:blockfacts}} , {FOE} {MUST} {{e:blockface}}",
    f"(against|when blocking) {{c:blockfacts}} [,] {{e:blockface}} {AGAIN}",
    f"{{e:blockface}} {AGAIN} [{{c:blockfacts}}]",
    build=_again,
)
