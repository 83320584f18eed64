"""Phrases for the targets of the bearer's attacks as nouns, and what happens to them: blocks, cover, Regeneration."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, DefenseIs, Ignores, Modifier
from shieldwall.rules.reading.grammar import Caught, Phrases
from shieldwall.rules.reading.meaning import ENEMIES, Cond, Subject, fill, join, open_block
from shieldwall.rules.reading.strikes import pierces

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# the targets
HIT = "(hit|attacked|targeted|shot|shot at|struck|charged|wounded)"
ANY = "[any|all|each|the|an|a]"


def _of(subject: Subject, more: Cond | None = None) -> Cond:
    whens = Cond(subject.whens, subject.who, True)
    return join((whens, more)) if more is not None else whens


add(
    "victims",
    f"{ANY} ({ENEMIES}|unit|model|target) [that (is|are)] {HIT} by ({{s:byarms}}|{{s:struck}}) [{{c:conds}}]",
    f"{ANY} ({ENEMIES}|unit|target) (that|who|which) {{s:byarms}} (hits|attacks|shoots at|strikes) [{{c:conds}}]",
    f"{ANY} ({ENEMIES}|unit|target) that takes hits from {{s:byarms}} [{{c:conds}}]",
    "[the] (target|enemy) (of|blocking|facing|hit by) ({s:struck}|{s:arms}) [{c:conds}]",
    f"{ANY} ({ENEMIES}|unit|target) (blocking|that blocks|defending against) [hits from] ({{s:struck}}|{{s:byarms}})",
    "{o:owns} target",
    build=lambda m: _of(m["s"] if "s" in m else Subject(m["o"]), m.get("c")),
)
AGAINST = "[(against|from|when blocking|when attacked by|when blocking hits from) {b:blockfacts}]"
TARGET = f"({ANY} [enemy] target|[the] (enemy|defender)|it|they|the unit)"
SUFFERS = "(get|take|suffer|is at|has)"
BLOCKS = "[its|their|all|the] (defense|block|blocking) [roll|test]"


def _defends(m: Caught) -> Blocks:
    number = m["n"] if "n" in m else -m["less"]
    told = [m[key] for key in ("v", "b", "c") if key in m]
    cond = join(told)
    return fill((open_block(Modifier, "block", number, of="enemy"),), cond, cond.who)


add(
    "enemies",
    f"{{v:victims}} {SUFFERS} {{n:signed}} (to|on) {BLOCKS} {AGAINST} [{{c:conds}}]",
    f"{{v:victims}} [must] (subtract|subtracts) {{less:num}} from {BLOCKS} {AGAINST} [{{c:conds}}]",
    f"{{v:victims}} (blocks|block|defends|rolls to block) (at|with) {{n:signed}} {AGAINST} [{{c:conds}}]",
    f"{BLOCKS} (against|versus|from) {{b:blockfacts}} (get|is made at|is made with|is at|suffer|take) {{n:signed}}",
    f"(subtract|take) {{less:num}} from {BLOCKS} (against|from) {{b:blockfacts}}",
    build=_defends,
)

# cover and Regeneration
BENEFIT = "(get|receive|benefit from|claim|use|have|gain)"
NONE = "(do not|don't|does not|doesn't|can't|may not|never)"
COVERED = "[the benefits of|any benefit from|benefits from|any] cover"
NOTHING = "[benefit from|benefits from|bonus from|bonuses from]"
NO_COVER = f"({NONE} {BENEFIT} {COVERED}|get no {NOTHING} (cover|it)|get [its|their] cover ignored)"


def _ignored(what: str, m: Caught) -> Blocks:
    told = [m[key] for key in ("v", "b", "c", "d") if key in m]
    by: Subject | None = m.get("s")
    cond = join([*told, *([Cond(by.whens, by.who)] if by is not None else [])])
    return fill((open_block(Ignores, what),), Cond(cond.whens, "", cond.others), cond.who)


add(
    "enemies",
    f"{{v:victims}} {NO_COVER} [{{c:conds}}]",
    f"{TARGET} [in cover] {NO_COVER} [(against|from) {{b:blockfacts}}] [{{c:conds}}]",
    "cover (has no effect|get no effect|doesn't help|does not help|doesn't apply|does not count|doesn't count|gives no"
    " bonus|is ignored) [(against|for|by|when attacked by) {b:blockfacts}] [{c:conds}]",
    "cover (gives|grants|give) [no protection|no benefit|nothing] [(against|from) {b:blockfacts}] [{c:conds}]",
    build=lambda m: _ignored("cover", m),
)
add(
    "verb",
    "(is not|isn't|aren't|is never|is un) (affected|hindered|hampered) by (cover|it)",
    "disregard (cover|any cover)",
    "ignore [any|all|the] cover [(bonuses|bonus|bonuses of)] [of|from] [its|their|the] [target]",
    build=lambda m: (open_block(Ignores, "cover"),),
)
add(
    "enemies",
    f"{{v:victims}} {NONE} (use|regenerate with|roll for|benefit from) Regeneration [{{c:conds}}]",
    f"{TARGET} {NONE} (use|roll for|benefit from) Regeneration [(against|from|for) {{b:blockfacts}}] [{{c:conds}}]",
    "[the] Regeneration [rule] (has no effect|get no effect|doesn't work|can't be used|may not be used|doesn't apply)"
    " [(against|for|on) {b:blockfacts}] [{c:conds}]",
    build=lambda m: _ignored("Regeneration", m),
)


# what they are hit with
add(
    "enemies",
    f"{ANY} ({ENEMIES}|unit|model|target) {{far}} is {HIT} (with|at) {{p:piercing}}",
    build=lambda m: fill(pierces(m["p"]), Cond(m["far"], "", True)),
)
add(
    "enemies",
    "{t:foes} is (hit|struck|attacked) (with|at) {p:piercing} [by (this weapon|this model|it)]",
    build=lambda m: fill(pierces(m["p"]), Cond(m["t"], "", True)),
)


# Defense that counts as another one
def _defense(m: Caught) -> Blocks:
    block = open_block(DefenseIs, m["n"])
    conds = [m[key] for key in ("c",) if key in m]
    who = m.get("o", "") or m.get("who", "")
    return fill((block,), join(conds), who)


PROFILE = "[its|their|the] profile"
NO_MATTER = f"[[,] (no matter what|whatever|regardless of what) {PROFILE} say|[,] regardless of {PROFILE}]"
add(
    "clause",
    "{o:owns} Defense [value|rolls] (is|counts as|is treated as|count as) {n:need} [{c:conds}]",
    "{who:named} (counts|count|treats|treat) [its|their] Defense as [being] {n:need} [{c:conds}]",
    "{who:named} (blocks|block|defends) [hits|wounds] on [a] {n:need} [{c:conds}]",
    f"{{who:named}} [always] (get|count as having|count as) [a] Defense [of] {{n:need}} {NO_MATTER} [{{c:conds}}]",
    build=_defense,
)
add("verb", "(block|blocks|defends) [hits] on [a] {n:need}", build=_defense)
