"""Phrases for natural faces of dice: extra hits, attacks and wounds, blocks rolled again, weapons that backfire."""

from __future__ import annotations

from shieldwall.core.blocks import (
    Backfires,
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
from shieldwall.rules.reading.meaning import FOE, Cond, fill, from_face, join, open_block, up_to_face

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

WEAPON = (
    "(this model's weapons|its weapons|their weapons|this weapon|this model|this unit|it|them|its attacks"
    "|this model's attacks|this unit's attacks|this unit's weapons|the bearer|its hits)"
)
CAUSE = "(deal|cause|score|count as|add|bring|generate|make|get)"
MORE = "(extra|additional|more)"
WHOSE = "[(this weapon's|its|their|this model's)]"
ONLY = "[\\( only the (original|first) hit counts as [a] {six:faces} [for rules] \\)]"

# faces to hit, from one up, and to block, up to one
add(
    "hitfaces",
    "[each|an|a] unmodified [hit] (result|roll) of {f:faces} to hit",
    "[each|an|a] unmodified {f:faces} to hit",
    "[successful] unmodified hit (result|roll) of {f:faces}",
    f"[each|an|a] unmodified {{f:faces}} to hit with {WEAPON}",
    f"[each|an|a] unmodified (result|roll) of {{f:faces}} to hit with {WEAPON}",
    "unmodified [hit] (result|roll) [to hit] of {f:faces}",
    "[each] (result|roll) of [an] unmodified {f:faces} to hit",
    f"[each|an|a] unmodified {{f:faces}} (on|for|in) (its|their|the|this model's|{WEAPON}'s) hit rolls",
    f"[each|an|a] unmodified {{f:faces}} to hit (rolled|made|scored) by {WEAPON}",
    f"[each|an|a] unmodified {{f:faces}} to hit (of|by) {WEAPON}",
    build=lambda m: from_face(m["f"]),
)
add(
    "hitfaces2",
    "{f:hitfaces} (from|by|with) {s:mine}",
    build=lambda m: (m["f"], Cond(m["s"].whens, m["s"].who)),
)
add("hitfaces2", "{f:hitfaces} {c:conds}", build=lambda m: (m["f"], m["c"]))
add("hitfaces2", "{f:hitfaces}", build=lambda m: (m["f"], Cond()))
UNBLOCKED = "(that aren't|that are not|which aren't|which are not) blocked"
add("hitfaces3", f"{{f:hitfaces2}} {UNBLOCKED}", build=lambda m: m["f"])
add(
    "blockfaces",
    "[each] unmodified (result|roll) of {f:faces} to block [hits]",
    "[each|an|a] unmodified {f:faces} to block [hits]",
    "[each] [successful|failed] unmodified defense (result|roll) of {f:faces}",
    "failed defense rolls of {f:faces}",
    f"[each|an|a] unmodified {{f:faces}} to block hits from {WEAPON}",
    f"[each|an|a] unmodified (result|roll) of {{f:faces}} to block hits from {WEAPON}",
    f"unmodified (block|defense) (roll|result) of {{f:faces}} against {WEAPON}",
    f"[each|an|a] unmodified {{f:faces}} to block (a|an|any|its|the) hit [from {WEAPON}]",
    "[each|an|a] unmodified {f:faces} (on|for|in) (its|their|the) (block|defense) rolls",
    build=lambda m: m["f"],
)
add(
    "blockfaces2",
    "each unmodified (result|roll) of {f:faces} [that they roll|they roll]",
    build=lambda m: m["f"],
)
add("clause", "{v:faced} {c:conds}", build=lambda m: fill(m["v"], m["c"]))


# extra hits
def _hits(m: Caught) -> Blocks:
    face, cond = m["f"]
    extra = m.get("all", 2) - 1 if "n" not in m else m["n"]
    if extra < 1:
        raise ReadingRefused
    return fill((open_block(ExtraHits, extra, face),), join((cond, m.get("c", Cond()))), m.get("who", ""))


HITS = f"{CAUSE} {{n:num}} {MORE} hit"
add(
    "faced",
    f"{WHOSE} {{f:hitfaces2}} {HITS} {ONLY}",
    f"{WHOSE} [on|for] {{f:hitfaces2}} count as {{all:num}} hits",
    f"(on|for) {{f:hitfaces2}} [,] {{who:bearer}} {HITS} {ONLY}",
    f"[it|they|this model|this weapon] {HITS} (on|for) {{f:hitfaces2}} {ONLY}",
    f"deals extra hits on {{f:hitfaces2}} {ONLY}",
    f"(when|if) {{who:bearer}} rolls {{f:hitfaces2}} , (it|they) {HITS}",
    "(when|if) {who:bearer} (rolls|scores) {f:hitfaces2} , (it|that roll|the roll|that hit) counts as {all:num} hits",
    f"(on|for) {{f:hitfaces2}} , {{n:num}} {MORE} hit is (scored|dealt|caused|made)",
    f"{{n:num}} {MORE} hit is (scored|dealt|caused|made) (on|for) {{f:hitfaces2}}",
    "(on|for) {f:hitfaces2} , {who:bearer} count as {all:num} hits",
    build=_hits,
)


# hits that get another rule
def _faces_get(m: Caught) -> Blocks:
    face, cond = m["f"]
    return fill(tuple(open_block(FacesGet, rule, face) for rule in m["rules"]), cond, m.get("who", ""))


GET = "(get|have|has|count as having) {rules}"
THAT = (
    "(those hits|that hit|the hit|these hits|such hits|(its|their|this model's|this weapon's) hits|it|they)"
)
add(
    "faced",
    f"(when|if) {{who:bearer}} (rolls|scores|makes) {{f:hitfaces2}} , {THAT} {GET}",
    f"(on|for) {{f:hitfaces2}} , (those hits|that hit|the hit|these hits|(its|this model's) hits) {GET}",
    f"for {{f:hitfaces2}} , (it|they) {GET}",
    f"on {{f:hitfaces2}} , {{who:bearer}} {GET}",
    f"{WHOSE} {{f:hitfaces2}} {GET}",
    f"[(this weapon's|its|their)] hits from {{f:hitfaces2}} {GET}",
    f"hits [scored|made|rolled] on {{f:hitfaces2}} {GET}",
    build=_faces_get,
)
add(
    "faced",
    f"hits (scored|made|rolled) on unmodified {{g:faces}} {GET}",
    build=lambda m: _faces_get({**m, "f": (from_face(m["g"]), Cond())}),
)


# hits that ignore something: the hit has a rule that does so
def _faces_ignore(m: Caught) -> Blocks:
    if m["r"].casefold() != "regeneration":
        raise ReadingRefused
    rule = RuleRef("Ignores Regeneration", blocks=(Ignores("Regeneration", "weapon"),))
    return _faces_get({**m, "rules": (rule,)})


IGNORE = "ignore [the] {r:rulename} [rule]"
add(
    "faced",
    f"(when|if) {{who:bearer}} (rolls|scores|makes) {{f:hitfaces2}} , {THAT} {IGNORE}",
    f"(on|for) {{f:hitfaces2}} , {THAT} {IGNORE}",
    f"{WHOSE} {{f:hitfaces2}} {IGNORE}",
    f"[(this weapon's|its|their)] hits (from|on|of) {{f:hitfaces2}} {IGNORE}",
    build=_faces_ignore,
)


# two things that the same hits do, or that happen for them
add(
    "facedoes",
    HITS,
    build=lambda m: lambda face: (open_block(ExtraHits, m["n"], face),),
)
add(
    "facedoes",
    GET,
    build=lambda m: lambda face: tuple(open_block(FacesGet, rule, face) for rule in m["rules"]),
)
add("facedoes", IGNORE, build=lambda m: lambda face: _faces_ignore({**m, "f": (face, Cond())}))
add(
    "facedoes",
    f"{CAUSE} {{n:num}} {MORE} wound (that is|if) not blocked",
    build=lambda m: lambda face: (open_block(ExtraWounds, m["n"], "hit", face),),
)


def _two_things(m: Caught) -> Blocks:
    face, cond = m["f"]
    return fill((*m["one"](face), *m["two"](face)), cond, m.get("who", ""))


add(
    "faced",
    f"{WHOSE} {{f:hitfaces2}} {{one:facedoes}} and {{two:facedoes}}",
    f"(on|for) {{f:hitfaces2}} , {THAT} {{one:facedoes}} and {{two:facedoes}}",
    build=_two_things,
)


# extra wounds
def _wounds(m: Caught) -> Blocks:
    block = open_block(ExtraWounds, m.get("n", 1), "block", up_to_face(m["f"]))
    return fill((block,), m.get("c", Cond()), m.get("who", ""))


WOUNDS = f"{{n:num}} {MORE} wound"
add(
    "faced",
    f"(on|for) {{f:blockfaces}} , {{who:bearer}} {CAUSE} {WOUNDS}",
    f"{FOE} take {WOUNDS} (on|for) {{f:blockfaces}}",
    f"{CAUSE} {WOUNDS} (on|for) {{f:blockfaces}} [{{c:conds}}]",
    f"{{f:blockfaces}} {CAUSE} {WOUNDS}",
    f"(when|if|for each time) {FOE} rolls {{f:blockfaces}} [{{c:conds}}] , (it|they|{FOE}) take {WOUNDS}",
    f"(when|if) {FOE} rolls {{f:blockfaces}} , {WOUNDS} is (dealt|caused|scored)",
    f"{{f:blockfaces}} (by|of) {FOE} {CAUSE} {WOUNDS}",
    f"(when|if) {FOE} rolls {{f:blockfaces}} , {{who:bearer}} {CAUSE} {WOUNDS}",
    f"(for|on) {{f:blockfaces}} , (it|they|{FOE}) take {WOUNDS}",
    f"{FOE} that roll {{f:blockfaces}} take {WOUNDS} [for each]",
    f"{FOE} that roll to block hits from {WEAPON} [{{c:conds}}] take {WOUNDS} for {{f:blockfaces2}}",
    f"{FOE} taking wounds from (it|this model) take extra wounds on {{f:blockfaces}}",
    f"when blocking hits from {WEAPON} , unmodified (result|roll) of {{f:faces}} {CAUSE} {WOUNDS}",
    build=_wounds,
)


def _wounds_for_hits(m: Caught) -> Blocks:
    face, cond = m["f"]
    return fill((open_block(ExtraWounds, m["n"], "hit", face),), cond, m.get("who", ""))


add(
    "faced",
    f"(on|for) {{f:hitfaces3}} , {{who:bearer}} {CAUSE} {WOUNDS}",
    f"{CAUSE} {WOUNDS} (on|for) {{f:hitfaces3}}",
    f"{{f:hitfaces3}} {CAUSE} {WOUNDS}",
    f"{{f:hitfaces2}} {CAUSE} {WOUNDS} {UNBLOCKED}",
    f"(when|if) {{who:bearer}} rolls {{f:hitfaces2}} , (it|that hit|the hit) {CAUSE} {WOUNDS} {UNBLOCKED}",
    build=_wounds_for_hits,
)


# blocks rolled again
def _again(m: Caught) -> Blocks:
    return fill((open_block(BlocksAgain, from_face(m["f"])),), m.get("c", Cond()))


MUST = "must re-roll [successful]"
add(
    "faced",
    f"{FOE} {MUST} {{f:blockfaces}} [when blocking hits from {WEAPON}] [{{c:conds}}]",
    f"{FOE} {MUST} {{f:blockfaces}} from {WEAPON}",
    f"{FOE} taking hits from (it|this model) {MUST} {{f:blockfaces}}",
    f"{FOE} [must] re-roll [successful] blocks of {{f:faces}} [against {WEAPON}]",
    f"{FOE} [must] re-roll unmodified [(result|roll) of] {{f:faces}} when blocking hits from {WEAPON}",
    f"when blocking hits from {WEAPON} , {FOE} {MUST} unmodified [(result|roll) of] {{f:faces}}",
    f"[successful] {{f:blockfaces}} must be re-rolled [against [hits from] {WEAPON}] [{{c:conds}}]",
    f"unmodified {{f:faces}} to block {WEAPON} must be re-rolled",
    build=_again,
)


# extra attacks
def _attacks(m: Caught) -> Blocks:
    face, cond = m["f"]
    return fill((open_block(ExtraAttacks, m.get("n", 1), "hit", face),), cond, m.get("who", ""))


def _attacks_for_blocks(m: Caught) -> Blocks:
    block = open_block(ExtraAttacks, m["n"], "block", up_to_face(m["f"]))
    return fill((block,), m.get("c", Cond()), m.get("who", ""))


NEW = "(newly generated|extra|the new|new|those) attacks"
same(
    "nomore",
    {
        f"(this rule|this|it) (doesn't|does not) (apply to|count for) {NEW}": None,
        f"{NEW} [do not|don't] bring [no] more [attacks]": None,
    },
)
NO_MORE = "[, which (brings|bring) no more [attack]] [. {x:nomore}]"
MAKE = "(get|make|may make|may roll)"
MAY = "{who:bearer} [may] roll {n:signed} attack with that weapon"
ATTACKS = f"{{n:num}} {MORE} attack [with that weapon] {NO_MORE}"
add(
    "faced",
    f"[may] (roll|make|get) {{n:num}} {MORE} attack [with that weapon] [{{c:conds}}] (for|on) {{f:hitfaces2}}"
    f" {NO_MORE}",
    build=lambda m: fill(_attacks(m), m.get("c", Cond())),
)
add(
    "faced",
    "get extra attacks on {f:hitfaces2}",
    f"(on|for) {{f:hitfaces2}} , {MAY} {NO_MORE}",
    f"(on|for) {{f:hitfaces2}} [,] {{who:bearer}} (get|make|may make|may roll) {ATTACKS}",
    f"{{f:hitfaces2}} lets {{who:bearer}} (make|roll) {ATTACKS}",
    f"{{f:hitfaces2}} (bring|generate|give|grant|get|cause) [it|{{who:bearer}}] {ATTACKS}",
    f"(when|if) {{who:bearer}} (rolls|scores|makes) {{f:hitfaces2}} , (it|they) (get|make|may make|may roll) {ATTACKS}",
    build=_attacks,
)
add(
    "faced",
    f"for each unmodified (result|roll) of {{f:faces}} that {FOE} roll when blocking hits from {WEAPON}"
    f" [{{c:conds}}] , {MAY} {NO_MORE}",
    f"(on|for) {{f:blockfaces}} [{{c:conds}}] , {MAY} {NO_MORE}",
    f"(on|for) {{f:blockfaces}} [{{c:conds}}] [,] {{who:bearer}} {MAKE} {ATTACKS}",
    f"[{{who:bearer}}] {MAKE} {ATTACKS} (on|for) {{f:blockfaces}} [{{c:conds}}] {NO_MORE}",
    f"{{f:blockfaces}} [{{c:conds}}] (bring|generate|give|grant|get|cause) [it|{{who:bearer}}] {ATTACKS}",
    f"(when|if|for each time) {FOE} rolls {{f:blockfaces}} [{{c:conds}}] , {{who:bearer}} {MAKE} {ATTACKS}",
    f"(when|if|for each time) {FOE} rolls {{f:blockfaces}} [{{c:conds}}] , {MAY} {NO_MORE}",
    build=_attacks_for_blocks,
)

# weapons that backfire
same("ownunit", {"(this model's unit|its unit|this unit|the bearer's unit)": None})
add(
    "faced",
    "(on|for) [each] unmodified [(roll|result) of] {f:faces} to hit , {x:ownunit} takes {n:num} wound",
    "[but] {x:ownunit} takes {n:num} wound (on|for) [each] (unmodified (roll|result) of|natural) {f:faces} to hit",
    build=lambda m: (open_block(Backfires, m["n"], up_to_face(m["f"])),),
)
