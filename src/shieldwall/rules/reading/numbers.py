"""Phrases for numbers of a profile that change: attacks, Quality; and for nerve and fatigue that never fail."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, MoreAttacks, PassesTests, QualityIs, Untiring
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ATTACK, MELEE, SHOOT, Cond, fill, open_block

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


# attacks
def _attacks(m: Caught, who: str = "", *, each: bool = False) -> Blocks:
    if m["n"] < 1:
        raise ReadingRefused
    blocks = (open_block(MoreAttacks, m["n"], each=each),)
    return fill(blocks, Cond(m.get("how", ())), who)


same("strikesof", {"melee": (MELEE,), "(shooting|ranged)": (SHOOT,)})
COUNT = "[{how:strikesof}] attack [(in total|per model|for each model)]"
EACH = "(with|for) (each|all) [of] [its|their] [{how:strikesof}] (weapon|weapons)"
add("obj", f"{{n:signed}} {COUNT}", f"{{n:num}} extra {COUNT}", build=_attacks)
add(
    "obj",
    f"{{n:signed}} attack {EACH}",
    f"{{n:num}} extra attack {EACH}",
    "{n:signed} [{how:strikesof}] attack (per|for each|with each) [{how:strikesof}] weapon",
    build=lambda m: _attacks(m, each=True),
)
add(
    "obj",
    "{n:signed} attack with this weapon",
    "{n:num} extra attack with this weapon",
    build=lambda m: _attacks(m, "weapon"),
)
add("verb", f"(make|makes|strike with|may make) {{n:num}} extra {COUNT}", build=_attacks)
TWICE = "(double [the|its|their] [number of] attack|twice as many attack|twice [the|its|their] [number of] attack)"
add(
    "verb",
    f"(get|has|make|makes|strike with) {TWICE}",
    "double [the number of] [its|their] [number of] attack",
    build=lambda m: (open_block(MoreAttacks, 0, doubled=True),),
)
add(
    "clause",
    "{who:possessor} [number of] attack is doubled",
    build=lambda m: fill((open_block(MoreAttacks, 0, doubled=True),), Cond(), m["who"]),
)


# Quality to attack with
def _quality(m: Caught) -> Blocks:
    return fill((open_block(QualityIs, m["q"]),), Cond(m.get("how", (ATTACK,))))


same("attacksat", {"(attacks|attack|hits|hit)": (ATTACK,), "(shoots|shoot)": (SHOOT,)})
same("attacksat", {"(fights|fight|strikes|strike)": (MELEE,)})
same(
    "attackswhen",
    {
        "(in melee|to hit in melee|(when|while) fighting [in melee])": (MELEE,),
        "(when shooting|to hit when shooting)": (SHOOT,),
        "(when attacking|to hit|for hit rolls)": (ATTACK,),
    },
)
add(
    "verb",
    "[always] {how:attacksat} (at|with) [a] Quality [of] {q:need}",
    "[always] (hits|hit) on [a|rolls of] {q:need}",
    "(get|has|count as having|count as) [a] Quality [of] {q:need} {how:attackswhen}",
    build=_quality,
)

add(
    "clause",
    "{who:possessor} Quality (is|counts as|count as) {q:need} {how:attackswhen}",
    "{who:possessor} Quality (is|counts as|count as) {q:need} (when|while) (it attacks|it|they attack)",
    build=lambda m: fill(_quality(m), Cond(), m["who"]),
)

# nerve and fatigue
TEST = "[(all|any)] [of] [(its|their)] (morale test|morale roll)"
add(
    "verb",
    f"[(always|automatically)] (pass|passes) {TEST} [automatically]",
    f"(may not|can't|never) fails [a] {TEST}",
    build=lambda m: (open_block(PassesTests),),
)
add(
    "verb",
    "(is never|may not be|can't be|never count as) fatigued [(by|from) (fighting|striking|charging|melee)]",
    "(never become|does not become|doesn't become|never get) fatigued [(by|from) (fighting|melee)]",
    "ignore fatigue",
    build=lambda m: (open_block(Untiring),),
)
