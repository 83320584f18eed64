"""Phrases for what somebody gets: bonuses to rolls, other rules, what is ignored."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import (
    BY_VALUE,
    Blocks,
    ChargeHits,
    Crosses,
    DefenseIs,
    Gets,
    Hides,
    Ignores,
    IgnoresWounds,
    Inches,
    InCover,
    Modifier,
    Range,
    RuleRef,
    ShootsAfter,
    StrikeOrder,
    When,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import CHARGE, MELEE, SHOOT, Cond, fill, open_block

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


def _plain(rule: RuleRef) -> RuleRef:
    if rule.value < 0:
        raise ReadingRefused
    return rule


def _defense(m: Caught) -> Blocks:
    if m["n"] == BY_VALUE:  # a rule with a number behind its name is written out
        raise ReadingRefused
    return (open_block(DefenseIs, m["n"]),)


def _rolled(m: Caught, sign: int) -> Blocks:
    return (open_block(Modifier, m["roll"], sign * m["n"]),)


def _same_roll(m: Caught) -> Blocks:
    roll = m["r"]
    if m.get("x", roll) != roll:
        raise ReadingRefused
    return fill((open_block(Modifier, roll, m["n"]),), Cond(), m["who"])


# What somebody gets
same(
    "roll",
    {
        "hit [roll]": "hit",
        "(hitting|attack roll|hit rolls)": "hit",
        "defense [roll]": "block",
        "(block|blocking) [roll]": "block",
        "defense test": "block",
        "(its|their) defense [roll]": "block",
        "(morale test roll|morale test|morale roll|morale)": "morale",
        "(casting roll|casting|cast)": "casting",
        "(casting test|its casting roll)": "casting",
    },
)
add("obj", "{n:signed} to {roll}", build=lambda m: (open_block(Modifier, m["roll"], m["n"]),))
add(
    "obj",
    "{n:signed} to {roll} [rolls] and [to] {other:roll}",
    build=lambda m: (open_block(Modifier, m["roll"], m["n"]), open_block(Modifier, m["other"], m["n"])),
)
add("obj", "{n:sinch} [shooting] range", build=lambda m: (open_block(Range, m["n"]),))
add("obj", "{n:sinch} to (its|their|shooting) range", build=lambda m: (open_block(Range, m["n"]),))
add("obj", "{n:sinch} range {c:shootcond}", build=lambda m: (open_block(Range, m["n"]),))
same("shootcond", {"(when|while) shooting": None, "when (it|they) shoots": None})
add("obj", "the {rule} [special] rule", build=lambda m: (open_block(Gets, _plain(m["rule"])),))
add(
    "obj",
    "the {rules} [special] rules",
    "the [special] rules {rules}",
    build=lambda m: tuple(open_block(Gets, _plain(rule)) for rule in m["rules"]),
)
add("obj", "{rule}", build=lambda m: (open_block(Gets, _plain(m["rule"])),))
add("obj", "{rule} {c:innercond}", build=lambda m: fill((open_block(Gets, _plain(m["rule"])),), m["c"]))
add("obj", "+ {rule}", build=lambda m: (open_block(Gets, replace(m["rule"], plus=True)),))
add("innercond", "in melee", build=lambda m: Cond((MELEE,)))
add("innercond", "when (shooting|it shoots|they shoot)", build=lambda m: Cond((SHOOT,)))
add("objs", "{one:obj}", build=lambda m: m["one"])
add("objs", "[both] {one:obj} and {more:objs}", build=lambda m: (*m["one"], *m["more"]))
add("objs", "{one:obj} , [and] {more:objs}", build=lambda m: (*m["one"], *m["more"]))

# What somebody does: `vp` with its own conditions behind it
get = "[always] (get|have|has|may use)"
add("verb", f"{get} {{objs}}", build=lambda m: m["objs"])
same("quality", {"fearless": "Fearless", "furious": "Furious", "slow": "Slow", "fast": "Fast"})
same("quality", {"flying": "Flying", "immobile": "Immobile"})
add(
    "verb", "[always] (is|count as [being]) {q:quality}", build=lambda m: (open_block(Gets, RuleRef(m["q"])),)
)
add("verb", "[(may|always)] moves {steps}", build=lambda m: m["steps"])
add(
    "verb",
    "(get|has|have) {n:sinch} to [its|their] [move|movement] (speed|movement|move)",
    build=lambda m: (open_block(Inches, m["n"], ("advance", "rush", "charge")),),
)
add("verb", "(count|counts) as having {objs}", build=lambda m: m["objs"])
add(
    "verb",
    "(count as having|has|have|get) [a] Defense [of] {n:need}",
    build=lambda m: (open_block(DefenseIs, m["n"]),),
)
add(
    "verb",
    "count as [being] (in|behind|protected by) cover",
    "count as having cover",
    build=lambda m: (open_block(InCover),),
)
add(
    "verb",
    "count as having {rule} with hits that have {with:rule}",
    build=lambda m: (open_block(Gets, m["rule"]), open_block(ChargeHits, m["with"])),
)
add(
    "verb",
    "count as having [the] Ambush [rule] , (but|and) may (deploy|be deployed) up to {d:inch} [away] from"
    " [enemy units|enemies]",
    "may lie in ambush and come out up to {d:inch} from enemies",
    build=lambda m: (Hides(m["d"]),),
)
ignored = {
    "cover": "cover",
    "[all|any] (negative modifier|penalty) [to (this weapon|hit rolls|its hit rolls|hit|their hit"
    " rolls)]": "penalties",
    "the effects of difficult terrain [when moving]": "difficult terrain",
    "difficult terrain [when moving]": "difficult terrain",
    "[all] [the effects of] [all] terrain [effects] (while|when) (moving|it moves)": "terrain",
    "[the] (penalties|penalty) (from|for) shooting after moving [when using Indirect"
    " weapons]": "moving penalty",
}
same("ignored", ignored)
add("ignored", "[the] {rule:rulename} [rule]", build=lambda m: m["rule"])
add(
    "verb",
    "[may] ignore {what:ignored} , {other:ignored} [,] and {third:ignored}",
    build=lambda m: tuple(open_block(Ignores, m[key]) for key in ("what", "other", "third")),
)
add(
    "verb",
    "lose [the] {r:rulename} [[special] rule]",
    "(may not|can't) use [the] {r:rulename} [[special] rule]",
    build=lambda m: (open_block(Ignores, m["r"], lost=True),),
)
add("verb", "[may|always] ignore {what:ignored}", build=lambda m: (open_block(Ignores, m["what"]),))
add(
    "verb",
    "[may] ignore {what:ignored} and {other:ignored}",
    build=lambda m: (open_block(Ignores, m["what"]), open_block(Ignores, m["other"])),
)
add(
    "verb",
    "[may] ignore {what:ignored} and get {v:objs} instead",
    build=lambda m: (open_block(Ignores, m["what"]), *m["v"]),
)
add(
    "verb",
    "get [the] Regeneration [rule] on [a|rolls of] {on:need}",
    build=lambda m: (open_block(IgnoresWounds, m["on"]),),
)
ignore = (
    "ignore [each|their|its|all] wound [it takes|they take] on [a|an|rolls of|results of|unmodified rolls of]"
)
add("verb", f"{ignore} {{on:need}}", build=lambda m: (open_block(IgnoresWounds, m["on"]),))
add(
    "verb",
    "ignore non-spell wounds on [a|rolls of] {on:need}",
    build=lambda m: (open_block(IgnoresWounds, m["on"], when=(When(attack="not spell"),)),),
)
add(
    "verb",
    "strike first [with this weapon] when charged",
    build=lambda m: (open_block(StrikeOrder, True, when=(CHARGE,)),),
)
add(  # whoever was charged strikes last anyway, and whoever charges first
    "verb",
    "[always] (strike|attack) last [in melee]",
    build=lambda m: (open_block(StrikeOrder, False, when=(CHARGE,)),),
)
add(
    "verb",
    "[always] strike first [in melee] [[,] even when charged]",
    build=lambda m: (open_block(StrikeOrder, True, when=(CHARGE,)),),
)
add(
    "verb",
    "strike last [with this weapon] when charging",
    build=lambda m: (open_block(StrikeOrder, False, when=(CHARGE,)),),
)
add(
    "verb",
    "may shoot after (using Rush actions|rushing|using a Rush action|a Rush action)",
    build=lambda m: (open_block(ShootsAfter, "rush"),),
)
same(
    "crossed",  # friends, enemies, terrain
    {
        "friendly and enemy units": (True, True, False),
        "enemy and friendly units": (True, True, False),
        "[other] units": (True, True, False),
        "friendly units": (True, False, False),
        "enemy units": (False, True, False),
        "units and terrain": (True, True, True),
    },
)
add("verb", "may move through {x:crossed}", build=lambda m: (open_block(Crosses, *m["x"]),))
add("vp", "{verb}", build=lambda m: m["verb"])  # first, so that a verb takes what belongs to it
add("vp", "{verb} , {c:conds}", build=lambda m: fill(m["verb"], m["c"]))
add(
    "vps",
    f"{get} {{objs}} {{c:conds}} [,] (and|but) {{o:objs}} {{d:conds}}",
    build=lambda m: (*fill(m["objs"], m["c"]), *fill(m["o"], m["d"])),
)
add(
    "vps",
    f"{get} {{objs}} {{c:conds}} [,] and {{o:objs}}",
    build=lambda m: (*fill(m["objs"], m["c"]), *m["o"]),
)
# behind a comma and `and`, a condition at the end goes for the last verb alone, but for one behind a comma of its own
add(
    "vps",
    "{one:verbs} {x:pause} (and|but) {more:verb} {y:pause} {c:conds}",
    build=lambda m: fill((*m["one"], *m["more"]), m["c"]),
)
add(
    "vps",
    "{one:verbs} {x:pause} (and|but) {more:verb} [,] {c:conds}",
    build=lambda m: (*m["one"], *fill(m["more"], m["c"])),
)
# otherwise it goes for all verbs before it that have none of their own
add("verbs", "{one:verb} [,] (and|but) {more:verbs}", build=lambda m: (*m["one"], *m["more"]))
add("verbs", "{one:verb}", build=lambda m: m["one"])
add(
    "vps",
    "{one:verbs} , {c:conds} [,] (and|but) {more:vps}",
    build=lambda m: (*fill(m["one"], m["c"]), *m["more"]),
)
add("vps", "{one:verbs} , {c:conds}", build=lambda m: fill(m["one"], m["c"]))
add("vps", "{one:verbs}", build=lambda m: m["one"])
add("vps", "{one:vp}", build=lambda m: m["one"])

# bonuses in other words
add(
    "obj",
    "{n:signed} (to|on) (its|their|all|all its|all their) {roll}",
    "{n:signed} on {roll}",
    build=lambda m: (open_block(Modifier, m["roll"], m["n"]),),
)
add(
    "verb",
    "add {n:signed} to [its|their|all] {roll}",
    build=lambda m: (open_block(Modifier, m["roll"], m["n"]),),
)
add("verb", "add {n:num} to [its|their|all] {roll}", build=lambda m: _rolled(m, 1))
add("verb", "subtract {n:num} from [its|their|all] {roll}", build=lambda m: _rolled(m, -1))
add(
    "clause",
    "subtract {n:num} from {who:possessor} {roll} [{c:conds}]",
    build=lambda m: fill(_rolled(m, -1), m.get("c", Cond()), m["who"]),
)
add(
    "clause",
    "add {n:num} to {who:possessor} {roll}",
    build=lambda m: fill(_rolled(m, 1), Cond(), m["who"]),
)
add(
    "clause",
    "add {n:num} to {who:possessor} {roll} {c:conds}",
    build=lambda m: fill(_rolled(m, 1), m["c"], m["who"]),
)
add("verb", "count as Defense {n:need}", build=_defense)
add(
    "verb",
    "(hit|hits) (on|at|with) {n:signed}",
    "(rolls|roll) to hit (at|with) {n:signed}",
    build=lambda m: (open_block(Modifier, "hit", m["n"]),),
)

same("rolling", {"taking [a] morale test": "morale", "casting [a|its] [spell]": "casting"})
add(
    "clause",
    "when {r:rolling} , {who:bearer} get {n:signed} [to (the|its|their|that) [{x:roll}] [roll]]",
    build=_same_roll,
)
add(
    "clause",
    "{who:possessor} Defense (is|counts as) {n:need}",
    build=lambda m: fill((open_block(DefenseIs, m["n"]),), Cond(), m["who"]),
)
add(
    "verb",
    "ignore [the] effects of [the] {rule:rulename}",
    build=lambda m: (open_block(Ignores, m["rule"]),),
)


def _wound_saver(rule: str) -> str:
    if rule.casefold() != "regeneration":
        raise ReadingRefused
    return "Regeneration"


# What is ignored, in other words
add(
    "clause",
    "difficult terrain (doesn't|does not) (affect|slow) {who:possessor} movement",
    "{who:named} (isn't|is not) (affected|slowed) by difficult terrain",
    build=lambda m: fill((open_block(Ignores, "difficult terrain"),), Cond(), m["who"]),
)
add(
    "clause",
    "wounds from (this weapon|it|its weapons|this model's weapons) (ignore|can't use) {rule:rulename}",
    "(targets|enemies|the target) (can't|may not) use {rule:rulename} against (this weapon|its weapons|it)",
    "wounds from (this weapon|it|its weapons|this model's weapons) (can't|may not) be regenerated",
    build=lambda m: (open_block(Ignores, _wound_saver(m.get("rule", "Regeneration"))),),
)
