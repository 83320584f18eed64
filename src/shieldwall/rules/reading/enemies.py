"""Phrases for what changes for those who attack the bearer."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, HitsTaken, Inches, KeepsAway, Modifier, Range, Whens
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import (
    ATTACK,
    CHARGE,
    ENEMIES,
    MELEE,
    SHOOT,
    Cond,
    fill,
    join,
    open_block,
)

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

LESS = "subtract {less:num} from [the|their|its|all] hit rolls"
HIT = f"([always] (get|take|(is|are) [made] (at|with)) {{n:signed}} to hit [rolls]|{LESS})"
HOW = ("attacking", "shooting [at]", "charging", "fighting")
same("how", dict(zip(HOW, ((ATTACK,), (SHOOT,), (CHARGE,), (MELEE,)), strict=True)))
same("how", {"(that attack|who attack)": (ATTACK,), "(that shoot|who shoot) [at]": (SHOOT,)})
same("how", {"(that charge|who charge)": (CHARGE,), "(that fight|who fight)": (MELEE,)})
same("blows", {"(melee attack|blow)": (MELEE,), "(ranged attack|shooting attack|shot)": (SHOOT,)})
same("shotsat", {"(shot|ranged attack|shooting attack)": None})
same("shothits", {"hits": (SHOOT,)})
same("meleehits", {"hits": (MELEE,)})
same("thisone", {"this unit": "unit", "this model": "model"})


# rolls to hit the bearer
def _worse(m: Caught) -> Blocks:
    """Everything that was said of the attack must hold; the enemies are those who act."""
    told = [m[key] for key in ("e", "c", "d") if key in m]
    whens: list[Whens] = [m[key] for key in ("how", "far", "blow") if key in m]
    cond = replace(join((*told, *(Cond(one) for one in whens))), voice="")
    number = m["n"] if "n" in m else -m["less"]
    return fill((open_block(Modifier, "hit", number, of="enemy"),), cond, m.get("who", ""))


FROM = "subtract {less:num} from [the|their] hit rolls"
add(
    "enemies",
    f"{ENEMIES} {HIT} [{{c:conds}}] (attacking|when attacking|against|targeting) {{who:bearer}} [{{d:conds}}]",
    f"{ENEMIES} [attacking {{who:bearer}}] {HIT} [{{c:conds}}]",
    f"[{{c:conds}} ,] (when|while) {{e:byenemy}} , (they|{ENEMIES}) {HIT}",
    f"{ENEMIES} {HIT} {{who:thisone}} [{{c:conds}}]",
    f"{ENEMIES} {HIT} when {{how}} {{who:named}} [{{far}}]",
    f"{ENEMIES} {{how}} {{who:named}} [{{far}}] [{{c:conds}}] {HIT} [{{d:conds}}]",
    f"{ENEMIES} {{how}} {{far}} {HIT} (against|on) {{who:named}}",
    f"{ENEMIES} {{how}} {{who:bearer}} [{{far}}] {HIT}",
    f"{ENEMIES} {HIT} on {{who:named}} [{{c:conds}}]",
    f"when {{how}} {{who:named}} [{{far}}] [{{c:conds}}] , {ENEMIES} {HIT}",
    f"[any|all|each] (attack|hit roll) (against|on) {{who:named}} [{{c:conds}}] {HIT} [{{d:conds}}]",
    "(attack|hit roll) (against|on) {who:named} [{c:conds}] (get|take) {n:signed} [{d:conds}]",
    f"{{blow:blows}} (against|at|on) {{who:named}} [{{far}}] {HIT}",
    "{who:named} is (attacked|hit) (with|at) {n:signed} [to hit [roll]]",
    f"{ENEMIES} {{how}} {{who:named}} [{{far}}] {FROM}",
    f"{FROM} of {ENEMIES} {{how}} {{who:named}} [{{far}}]",
    f"{FROM} (against|on) {{who:named}}",
    "{n:signed} to hit [rolls] [for enemies] when {how} {who:named} [{far}]",
    f"(if|when) the {{how:foe}} is {{far}} , (it|they|{ENEMIES}) {HIT} [(against|on|to)] {{who:named}}",
    f"{{how:strikes}} {{far}} {HIT} [against|on] {{who:named}}",
    build=_worse,
)
same("foe", {"(shooter|shooting unit)": (SHOOT,), "(attacker|attacking unit)": (ATTACK,)})


def _worse_then(m: Caught) -> Blocks:
    """What an enemy does, and a pronoun behind it: whose roll is meant, the roll tells."""
    number = m["n"] if "n" in m else -m["less"]
    return fill((open_block(Modifier, "hit", number, of="enemy"),), replace(m["e"], voice=""))


add("enemies", f"(when|while|if) {{e:byenemy}} , it {HIT}", build=_worse_then)
add(
    "enemies",
    "(when|while|if) {e:byenemy} , it gets {n:signed} to {roll:blocking}",
    build=lambda m: fill((open_block(Modifier, "block", m["n"]),), replace(m["e"], voice="passive")),
)
same("blocking", {"(block|defense) [rolls]": None, "(block|defense) tests": None})
add(
    "enemies",
    f"{ENEMIES} {{far}} {HIT} when shooting [at] {{who:named}}",
    build=lambda m: _worse({**m, "how": (SHOOT,)}),
)
add(
    "enemies",
    "(when|while|if) {e:byenemy} , that unit {v:vps} [against (the charger|the attacker|that enemy|it)] [{c:conds}]",
    build=lambda m: fill(
        m["v"], join((replace(m["e"], voice="passive"), *([m["c"]] if "c" in m else []))), m["e"].who
    ),
)
add(
    "enemies",
    "(when|while) {e:byenemy} , {who:named} {v:vps}",
    build=lambda m: fill(m["v"], m["e"], m["who"]),
)


# blocks of those whom the bearer hits
MY_HITS = (
    "(this weapon|this model|this unit|it|its weapons|this model's weapons|its attacks|their attacks|its hits"
    "|this model's attacks|this unit's attacks|this weapon's hits|this weapon's attacks)"
)
TARGETS = "([the|its|their] target|[the] enemies (hit|attacked|targeted) by it|[the] enemy [unit])"
BLOCK = "(block|block roll|defense|defense roll|blocking|defense test)"
FACED = f"(against|from|when blocking hits from|when attacked by|when hit by) [hits from] {MY_HITS}"


def _blocked_worse(m: Caught) -> Blocks:
    number = m["n"] if "n" in m else -m["less"]
    return fill((open_block(Modifier, "block", number, of="enemy"),), m.get("c", Cond()))


add(
    "enemies",
    f"[the|its|their] target (get|take) {{n:signed}} to [its|their] {BLOCK} [hits] [{{c:conds}}]",
    f"[the|its|their] target subtract {{less:num}} from [its|their] {BLOCK} [{{c:conds}}]",
    f"{TARGETS} (get|take) {{n:signed}} to [its|their] {BLOCK} [hits] {FACED} [{{c:conds}}]",
    f"{TARGETS} subtract {{less:num}} from [its|their] {BLOCK} {FACED} [{{c:conds}}]",
    f"{BLOCK} {FACED} (get|take|is made at) {{n:signed}} [{{c:conds}}]",
    build=_blocked_worse,
)


add(
    "enemies",
    f"{ENEMIES} fighting {{who:named}} [{{c:conds}}] (get|take) {{n:signed}} to [their] {BLOCK} [{{c:conds}}]",
    build=lambda m: fill(_blocked_worse(m), Cond((MELEE,)), m["who"]),
)


# ranges and charges
def _shorter(m: Caught) -> Blocks:
    """Inches on the range (`n`) of those who shoot at the bearer, and on the moves (`k`) of those who charge it."""
    found: Blocks = ()
    if "m" in m:
        m = {**m, "n": -m["m"]}
    if "n" in m:
        found += fill((open_block(Range, m["n"], of="enemy"),), Cond(), m.get("who", ""))
    if "k" in m:
        inches = open_block(Inches, m["k"], ("charge",), of="enemy")
        found += fill((inches,), Cond(), m.get("more", "") or m.get("who", ""))
    return found


def _shorter_when(m: Caught) -> Blocks:
    by = m["e"]
    if by.whens != ((SHOOT,) if "n" in m else (CHARGE,)):
        raise ReadingRefused
    return _shorter({**m, "who": by.who})


TRYING = "(when|while) [trying to] (shoot|shooting) [at] [{who:bearer}]"
CHARGING = "(when|while) [trying to] (charge|charging) [{more:bearer}]"
add(
    "enemies",
    f"{ENEMIES} get {{n:sinch}} range {TRYING} [[,] and {{k:sinch}} movement {CHARGING}]",
    f"{ENEMIES} get {{k:sinch}} movement {CHARGING}",
    f"{ENEMIES} shooting [at] {{who:named}} get {{n:sinch}} range",
    f"{ENEMIES} charging {{who:named}} (move|get) {{k:sinch}} [movement|to their charge moves]",
    f"{ENEMIES} (that|who) charge {{who:named}} (move|get) {{k:sinch}} [movement|to their charge moves]",
    f"{ENEMIES} get {{k:sinch}} when charging {{who:named}}",
    "{blow:shotsat} (against|at|on) {who:named} get {n:sinch} range",
    f"when shooting [at] {{who:named}} , ({ENEMIES}|enemy weapons) get {{n:sinch}} range",
    f"the range of {ENEMIES} shooting [at] {{who:named}} is reduced by {{m:inch}}",
    "weapons shooting [at] {who:named} get {n:sinch} range",
    f"{ENEMIES} get {{k:sinch}} to their charge [move] (against|on) {{who:named}}",
    f"{ENEMIES} move {{k:sinch}} when charging {{who:named}}",
    "[enemy] charges (against|on) {who:named} (get|is) {k:sinch} [movement]",
    build=_shorter,
)
add(
    "enemies",
    "(when|while) {e:byenemy} , they get {k:sinch} movement",
    "(when|while) {e:byenemy} , (they|it) move {k:sinch}",
    "(when|while) {e:byenemy} , they get {n:sinch} range",
    build=_shorter_when,
)


# hits taken
def _hits_taken(m: Caught) -> Blocks:
    if m["n"] >= 0:
        raise ReadingRefused
    told = [m[key] for key in ("c", "e") if key in m]
    told += [Cond(m[key]) for key in ("blow", "far") if key in m]
    cond = replace(join(told), voice="")
    return fill((open_block(HitsTaken, m["n"]),), cond, m.get("who", ""))


FLOOR = (
    "[[,] (to a min of|to min|but never below|but not below|but never less than|but not less than|to no less than"
    "|though never below|though not below|down to) [AP] [\\(] 0 [\\)] [at (the|its) lowest]]"
    " [\\( (min|min of|to a min of|but not below|never below|not below|not less than) [AP] [\\(] 0 [\\)] \\)]"
    " [\\( AP (can't|may not|never) (go|be|drop|fall|goes) (below|lower than) 0 \\)]"
)
COUNT = f"[always] (count as having|get) AP \\( {{n:signed}} \\) {FLOOR}"
add(
    "enemies",
    f"(those|these|enemy|the) hits {COUNT}",
    f"(hits|attacks) (on|against) {{who:bearer}} {COUNT} [{{c:conds}}]",
    f"{ENEMIES} attacking {{who:bearer}} {COUNT}",
    f"{{blow:blows}} (on|against|at) {{who:named}} {COUNT}",
    f"(shooting|ranged) {{blow:shothits}} (on|against) {{who:named}} [{{far}}] {COUNT}",
    f"melee {{blow:meleehits}} (on|against) {{who:named}} {COUNT}",
    f"when {{who:named}} takes hits , (they|these) {COUNT}",
    f"(when|while|if) {{e:byenemy}} , (its|their|those|these|the) hits {COUNT}",
    f"{{who:named}} counts hits as having AP \\( {{n:signed}} \\) {FLOOR}",
    build=_hits_taken,
)

# ambushers kept off
KEPT = "within {d:inch} of {who:bearer}"
NOT = "(can't|may not)"
SET_UP = "be (deployed|set up|placed)"
add(
    "enemies",
    "[enemies|enemy units] using Ambush must (deploy|be deployed|be set up) over {d:inch} [away] from {who:bearer}",
    f"{ENEMIES} {NOT} (use|deploy via|be set up via|be deployed via) Ambush {KEPT}",
    f"{ENEMIES} using Ambush {NOT} {SET_UP} {KEPT}",
    f"{ENEMIES} {NOT} {SET_UP} {KEPT} ((by|via|using|with) Ambush|(when|by) using Ambush)",
    f"{ENEMIES} {NOT} (arrive|deploy) {KEPT} (by|via|using|with) Ambush",
    f"enemy ambushers {NOT} (arrive|deploy|be deployed|be set up) {KEPT}",
    build=lambda m: (KeepsAway(m["d"]),),
)
