"""Phrases for attacks, shots, hits and weapons as nouns: whose they are, how they are made and against whom."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, Gets, Modifier, RuleRef, When
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import (
    ATTACK,
    MELEE,
    SHOOT,
    STRUCK_BACK,
    Cond,
    Subject,
    all_of,
    fill,
    join,
    open_block,
)

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

ALL = "[all|any|each|every|the] [of]"

# whose: of a model, a unit, a weapon, or of those a pronoun means
same(
    "owns",
    {
        "(this model's|the bearer's|this caster's|this hero's|its bearer's)": "model",
        "(this unit's|its unit's|the bearer's unit's)": "unit",
        "(this weapon's|the weapon's)": "weapon",
        "(its|their)": "its",
    },
)

# weapons
same(
    "armskind",
    {
        "weapon": (),
        "(melee|close combat|hand weapon) weapon": (MELEE,),
        "(ranged|shooting) weapon": (SHOOT,),
    },
)
CARRIED = "(carried by|wielded by|held by|used by|borne by|belonging to|of|in|on)"
CARRIES = "(carries|carry|wields|wield|uses|use|get|shoots with|shoot with|fights with|fight with|bears|bear)"


def _arms(m: Caught) -> Subject:
    who = m["o"] if "o" in m else m["w"] or "its"
    if who == "weapon" and m["k"]:
        raise ReadingRefused
    return Subject(who, m["k"])


add("arms", f"{ALL} {{o:owns}} {{k:armskind}}", build=_arms)
add(
    "arms",
    f"{ALL} {{k:armskind}} [that (is|are)] {CARRIED} {{w:bearer}}",
    f"{ALL} {{k:armskind}} [that] {{w:bearer}} {CARRIES}",
    f"{ALL} {{k:armskind}} {{w:bearer}} is (armed|equipped) with",
    build=_arms,
)
same(
    "arms",
    {"(this weapon|the weapon|attacks with this weapon|this gun|this blade|this bow)": Subject("weapon")},
)
add("byarms", "{a:arms}", build=lambda m: m["a"])
add("byarms", "{w:bearer}", build=lambda m: Subject(m["w"] or "its"))
add("byarms", "[the] models (in|of) {w:bearer}", build=lambda m: Subject(m["w"] or "its"))
same("byarms", {"a charging model with this rule": Subject("model", (When(attack="melee", charging=True),))})

# attacks
same("strikes", {"[successful] hit": (), "(volley|shots fired)": (SHOOT,), "(strike|hit in melee)": (MELEE,)})
MADE = "(made|scored|dealt|caused|inflicted|fired|landed|struck|rolled|delivered|taken)"
BY = "(by|from|with|of|using)"
MAKES = "(makes|make|deals|deal|scores|score|inflicts|fires|fire|shoots|shoot|lands|land|causes|cause)"


def _struck(m: Caught) -> Subject:
    """Attacks of somebody, or with some weapons, by how they are made and against whom."""
    by: Subject = m["a"] if "a" in m else Subject(m["o"])
    is_plain = by.who == "weapon" and m["how"] == (ATTACK,)  # a weapon does nothing else
    conds = [Cond(by.whens), Cond(() if is_plain else m["how"]), *([m["c"]] if "c" in m else [])]
    cond = join(conds)
    if cond.who and cond.who != by.who:
        raise ReadingRefused
    return Subject(by.who, cond.whens)


add(
    "struck",
    f"{ALL} {{how:strikes}} [that (is|are)] [{MADE}] {BY} {{a:byarms}}",
    f"{ALL} {{how:strikes}} [that] {{a:byarms}} {MAKES}",
    "[all|any|each|every] [of] {o:owns} [successful] {how:strikes}",
    build=_struck,
)
add(
    "subject",
    "{s:struck}",
    "{s:struck} {c:conds}",
    build=lambda m: _struck({"a": m["s"], "how": (), **({"c": m["c"]} if "c" in m else {})}),
)
add("subject", "{s:arms}", build=lambda m: m["s"])
add("clause", "{s:subject} [,] {c:conds} [,] {v:vps}", build=lambda m: _with(m, m["v"]))
add("clause", "{s:subject} [,] {c:conds} [,] {v:faced}", build=lambda m: _with(m, m["v"]))


def _with(m: Caught, blocks: Blocks) -> Blocks:
    """What somebody does, with a condition right behind the subject."""
    subject: Subject = m["s"]
    return fill(fill(blocks, m["c"]), Cond(subject.whens), subject.who)


# rolls: those to hit, to block and of other kinds
ROLLED_WITH = "(get|is made at|is made with|is increased by) {n:signed}"


def _rolls_get(m: Caught) -> Blocks:
    by: Subject = m["s"] if "s" in m else Subject(m["o"])
    conds = join([Cond(by.whens), *[m[key] for key in ("c", "d") if key in m]])
    return fill((open_block(Modifier, m["roll"], m["n"]),), conds, by.who)


add(
    "clause",
    f"[all|any|the] {{roll}} [roll|rolls] (of|by|for|made by|made with|from) {{s:byarms}} [{{c:conds}}] {ROLLED_WITH}"
    " [{d:conds}]",
    f"{{o:owns}} {{roll}} [roll|rolls] [{{c:conds}}] {ROLLED_WITH} [{{d:conds}}]",
    build=_rolls_get,
)

add(
    "obj",
    "{n:signed} to {roll} (with|for|of|by) {s:arms}",
    "{n:signed} to {roll} (with|for|of|by) {s:struck}",
    build=lambda m: fill((open_block(Modifier, m["roll"], m["n"]),), Cond(m["s"].whens), m["s"].who),
)

# how much they pierce
POINTS = "[point] [of]"
add("piercing", "AP \\( {n:signed} \\)", build=lambda m: m["n"])
add(
    "piercing",
    f"{{n:num}} (more|extra) {POINTS} AP",
    f"[an|a] extra {{n:num}} {POINTS} AP",
    "{n:num} AP more",
    "{n:signed} (to|on) [its|their|the] AP",
    f"{{n:signed}} {POINTS} AP",
    build=lambda m: m["n"],
)
same("piercing", {"(better|more) AP": 1, "[an|a|1] extra (point of AP|AP)": 1})
add(
    "piercing",
    f"{{n:num}} (less|fewer) {POINTS} AP",
    f"{{n:num}} {POINTS} AP less",
    build=lambda m: -m["n"],
)


def pierces(number: int) -> Blocks:
    """Hits that pierce more; less would be somebody else's concern."""
    if number <= 0:
        raise ReadingRefused
    return (open_block(Gets, RuleRef("AP", number, True)),)


add("obj", "{n:piercing}", build=lambda m: pierces(m["n"]))
BETTER = "(improved|increased|raised|boosted)"
add(
    "verb",
    f"(get|have) [its|their] AP {BETTER} by {{n:num}}",
    "(add|adds) {n:num} to [its|their|the] AP",
    "(improve|increase|raise) [its|their|the] AP by {n:num}",
    "(is|are) [resolved|made] (at|with) {n:piercing}",
    "(strike|strikes|fight|fights|shoot|shoots|attack|attacks|hit|hits) [back] (at|with) {n:piercing}",
    build=lambda m: pierces(m["n"]),
)


def _arms_pierce(m: Caught) -> Blocks:
    by: Subject = m["s"] if "s" in m else Subject(m["o"])
    return fill(fill(pierces(m["n"]), m.get("c", Cond())), Cond(by.whens), by.who)


OF = "(of|for)"
add(
    "clause",
    "add {n:num} to {o:owns} AP [{c:conds}]",
    f"add {{n:num}} to the AP {OF} {{s:subject}} [{{c:conds}}]",
    "(improve|increase|raise) {o:owns} AP by {n:num} [{c:conds}]",
    f"(improve|increase|raise) the AP {OF} {{s:subject}} by {{n:num}} [{{c:conds}}]",
    f"{{o:owns}} AP is {BETTER} by {{n:num}} [{{c:conds}}]",
    f"the AP {OF} {{s:subject}} is {BETTER} by {{n:num}} [{{c:conds}}]",
    "{o:owns} AP is {n:num} (higher|better|greater) [{c:conds}]",
    build=_arms_pierce,
)


# blows struck back, and rolls
add(
    "cond",
    "(when|if|while) {who:bearer} (strikes|strike|fights) back [against|at] [a|any] [charging] [enemy|unit|charger]",
    "when striking back [against|at] [a|any] [charging] [enemy|unit|charger]",
    build=lambda m: Cond((STRUCK_BACK,), m.get("who", ""), voice="active"),
)
add(
    "cond",
    "(when|if) {who:bearer} (rolls|roll|is rolling) to block [hits]",
    build=lambda m: Cond((), m["who"], voice="passive"),
)
add(
    "clause",
    "({s:arms}|{s:struck}) [{c:conds}] (count as|is treated as) {rules} [{d:conds}]",
    build=lambda m: _with(
        {"s": m["s"], "c": join([m[key] for key in ("c", "d") if key in m])},
        tuple(open_block(Gets, rule) for rule in m["rules"]),
    ),
)

# what a weapon is used for
WIELDED = "(it|this weapon|the weapon|they)"
AS_LONG = "(if|when|while|as long as)"
same("usedfor", {"fired": (SHOOT,), "(used|aimed|directed|turned)": ()})
add(
    "cond",
    f"{AS_LONG} {WIELDED} is {{how:usedfor}} (at|against|on|upon) {{target:foes}}",
    f"[{AS_LONG}] {{how:usedfor}} (at|against|on|upon) {{target:foes}}",
    build=lambda m: Cond(all_of((m["how"], m["target"])), "", True, "active" if m["how"] else ""),
)
same("usedin", {"in melee": (MELEE,), "(for|when) shooting": (SHOOT,)})
add("cond", f"[{AS_LONG}] [{WIELDED} is] used {{how:usedin}}", build=lambda m: Cond(m["how"]))
