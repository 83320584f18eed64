"""Phrases for what a rule does, and the plain sentence: somebody, under some condition, gets something."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core.blocks import (
    Aura,
    Backfires,
    Block,
    Blocks,
    BlocksAgain,
    ChargeHits,
    Crosses,
    DefenseIs,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Gets,
    Hides,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    KeepsAway,
    Lend,
    ListRule,
    Modifier,
    Range,
    RuleRef,
    ShootsAfter,
    StrikeOrder,
    When,
    Whens,
)
from shieldwall.rules.reading.conditions import ATTACK, CHARGE, MELEE, SHOOT, Cond, Subject, all_of, join
from shieldwall.rules.reading.grammar import Caught, Grammar, ReadingRefused

OPEN = "open"  # who a block speaks for while nobody was named
THEY = "they"  # the same where several were meant by a pronoun


def fill(blocks: Blocks, cond: Cond, who: str = "") -> Blocks:
    """Blocks with their bearer and a condition that holds for all of them."""
    return tuple(_fill(block, cond, who or cond.who) for block in blocks)


def _fill(block: Block, cond: Cond, who: str) -> Block:
    changed: dict[str, Any] = {}
    whens, others = cond.whens, cond.others
    if whens and _is_misplaced(block, cond.voice):
        raise ReadingRefused
    if getattr(block, "who", None) == THEY and others and who not in ("all", "most"):
        raise ReadingRefused  # it may be the others who are meant
    if who and getattr(block, "who", None) in (OPEN, THEY):
        changed["who"] = who
    if whens:
        block, whens = _natural(block, whens)
    if whens:
        if hasattr(block, "when"):
            changed["when"] = all_of((whens, block.when))
        elif isinstance(block, Aura | Lend):
            changed["blocks"] = tuple(_fill(inner, replace(cond, whens=whens), "") for inner in block.blocks)
        else:
            raise ReadingRefused
    return replace(block, **changed) if changed else block


def _is_misplaced(block: Block, voice: str) -> bool:
    """Whether a block of the bearer's own attacks has a condition about attacks on it, or the other way round."""
    if isinstance(block, Modifier) and block.roll in ("hit", "block"):
        defends = (block.roll == "block") == (block.of == "own")
    elif isinstance(block, HitsTaken | IgnoresWounds):
        defends = True
    elif isinstance(block, Gets | FacesGet | ExtraHits | ExtraWounds | BlocksAgain | Backfires | Ignores):
        defends = False
    else:
        return False
    return voice == ("active" if defends else "passive")


def _natural(block: Block, whens: Whens) -> tuple[Block, Whens]:
    """A block with a condition that it has by its nature: inches on a charge, the range of shots."""
    if isinstance(block, Inches) and all(when == CHARGE for when in whens):
        if "charge" not in block.actions:
            raise ReadingRefused
        return replace(block, actions=("charge",)), ()
    if isinstance(block, Range) and all(when in (SHOOT, ATTACK) for when in whens):
        return block, ()
    return block, whens


def settle(block: Block, who: str) -> Block:
    """A block with its bearer where none was named."""
    changed: dict[str, Any] = {"who": who} if getattr(block, "who", None) in (OPEN, THEY) else {}
    for name in ("blocks", "then", "failed"):
        inner = getattr(block, name, None)
        if inner:
            deeper = who if name == "blocks" and not isinstance(block, Aura | Lend) else "unit"
            changed[name] = tuple(settle(one, deeper) for one in inner)
    if hasattr(block, "effects"):
        changed["effects"] = tuple(tuple(settle(one, who) for one in effect) for effect in block.effects)
    return replace(block, **changed) if changed else block


def open_block(kind: Any, *values: Any, **named: Any) -> Block:
    """A block whose bearer is still open."""
    block: Block = kind(*values, who=OPEN, **named)
    return block


def add_effects(grammar: Grammar) -> None:
    """All phrases up to the plain sentence (`sentence`)."""
    _add_objects(grammar)
    _add_moves(grammar)
    _add_verbs(grammar)
    _add_faces(grammar)
    _add_enemies(grammar)
    _add_sentences(grammar)


def _add_objects(grammar: Grammar) -> None:
    """What somebody gets."""
    add = grammar.add
    grammar.same(
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
    grammar.same("shootcond", {"(when|while) shooting": None, "when (it|they) shoots": None})
    add("obj", "the {rule} [special] rule", build=lambda m: (open_block(Gets, _plain(m["rule"])),))
    add("obj", "{rule}", build=lambda m: (open_block(Gets, _plain(m["rule"])),))
    add("obj", "{rule} {c:innercond}", build=lambda m: fill((open_block(Gets, _plain(m["rule"])),), m["c"]))
    add("obj", "+ {rule}", build=lambda m: (open_block(Gets, replace(m["rule"], plus=True)),))
    add("innercond", "in melee", build=lambda m: Cond((MELEE,)))
    add("innercond", "when (shooting|it shoots|they shoot)", build=lambda m: Cond((SHOOT,)))
    add("objs", "{one:obj}", build=lambda m: m["one"])
    add("objs", "[both] {one:obj} and {more:objs}", build=lambda m: (*m["one"], *m["more"]))
    add("objs", "{one:obj} , [and] {more:objs}", build=lambda m: (*m["one"], *m["more"]))


def _plain(rule: RuleRef) -> RuleRef:
    if rule.value < 0:
        raise ReadingRefused
    return rule


def _add_moves(grammar: Grammar) -> None:
    """Inches on move actions."""
    add = grammar.add
    grammar.same(
        "action",
        {
            "advance [action]": ("advance",),
            "rush [action]": ("rush",),
            "charge [action]": ("charge",),
            "advancing": ("advance",),
            "rushing": ("rush",),
            "charging": ("charge",),
            "rush / charge [action]": ("rush", "charge"),
            "(rush or charge|rush and charge) [action]": ("rush", "charge"),
            "rush action or charge action": ("rush", "charge"),
            "(rushing or charging|rushing / charging|rushing and charging)": ("rush", "charge"),
            "[any|all|its|their] (move action|moves|move)": ("advance", "rush", "charge"),
            "(advance / rush / charge) [action]": ("advance", "rush", "charge"),
            "(advance , rush and charge|advance , rush or charge) [action]": ("advance", "rush", "charge"),
            "(advance or rush|advance / rush|advance and rush) [action]": ("advance", "rush"),
        },
    )
    using = "[(when using|on|with|when|for|using)] [a|an]"
    add("step", f"{{n:sinch}} {using} {{a:action}}", build=lambda m: (open_block(Inches, m["n"], m["a"]),))
    add("steps", "{one:step}", build=lambda m: m["one"])
    add("steps", "{one:step} [,] and {more:steps}", build=lambda m: (*m["one"], *m["more"]))
    add("steps", "{n:sinch}", build=lambda m: (open_block(Inches, m["n"], ("advance", "rush", "charge")),))


def _add_verbs(grammar: Grammar) -> None:
    """What somebody does: `vp` with its own conditions behind it."""
    add = grammar.add
    get = "[always] (get|have|has|may use)"
    add("verb", f"{get} {{objs}}", build=lambda m: m["objs"])
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
        "count as having {rule} with hits that have {with:rule}",
        build=lambda m: (open_block(Gets, m["rule"]), open_block(ChargeHits, m["with"])),
    )
    add(
        "verb",
        "count as having Ambush , (but|and) may (deploy|be deployed) up to {d:inch} [away] from"
        " [enemy units|enemies]",
        "may lie in ambush and come out up to {d:inch} from enemies",
        build=lambda m: (Hides(m["d"]),),
    )
    ignored = {
        "cover": "cover",
        "[all] (negative modifier|penalty) [to (this weapon|hit rolls|its hit rolls|hit|their hit"
        " rolls)]": "penalties",
        "the effects of difficult terrain [when moving]": "difficult terrain",
        "difficult terrain [when moving]": "difficult terrain",
        "[the effects of] terrain [effects] (while|when) moving": "terrain",
        "[the] (penalties|penalty) (from|for) shooting after moving [when using Indirect"
        " weapons]": "moving penalty",
    }
    grammar.same("ignored", ignored)
    add("ignored", "[the] {rule:rulename} [rule]", build=lambda m: m["rule"])
    add("verb", "[may] ignore {what:ignored}", build=lambda m: (open_block(Ignores, m["what"]),))
    add(
        "verb",
        "[may] ignore {what:ignored} and {other:ignored}",
        build=lambda m: (open_block(Ignores, m["what"]), open_block(Ignores, m["other"])),
    )
    ignore = "ignore [each|their|its|all] wound [it takes|they take] on [a|an|rolls of|results of|unmodified rolls of]"
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
    crossing = {
        "friendly and enemy units": (True, True, False),
        "enemy and friendly units": (True, True, False),
        "[other] units": (True, True, False),
        "friendly units": (True, False, False),
        "enemy units": (False, True, False),
        "units and terrain": (True, True, True),
    }
    for pattern, (friends, enemies, terrain) in crossing.items():
        add(
            "verb",
            f"may move through {pattern}",
            build=lambda m, f=friends, e=enemies, t=terrain: (  # type: ignore[misc]
                open_block(Crosses, friends=f, enemies=e, terrain=t),
            ),
        )
    add("vp", "{verb}", build=lambda m: m["verb"])  # first, so that a verb takes what belongs to it
    add("vp", "{verb} {c:conds}", build=lambda m: fill(m["verb"], m["c"]))
    add("vps", "{one:vp} [,] and {more:vps}", build=lambda m: (*m["one"], *m["more"]))
    add("vps", "{one:vp}", build=lambda m: m["one"])


def _add_faces(grammar: Grammar) -> None:
    """What natural faces bring."""
    add = grammar.add
    add("hitfaces", "[each] unmodified (result|roll) of {f:faces} to hit", build=lambda m: from_face(m["f"]))
    add(
        "hitfaces",
        "[each|an] unmodified [hit] (result|roll) of {f:faces} to hit",
        build=lambda m: from_face(m["f"]),
    )
    add("hitfaces", "[each|an] unmodified {f:faces} to hit", build=lambda m: from_face(m["f"]))
    add(
        "hitfaces",
        "[successful] unmodified hit (result|roll) of {f:faces}",
        build=lambda m: from_face(m["f"]),
    )
    add("blockfaces", "[each] unmodified (result|roll) of {f:faces} to block [hits]", build=lambda m: m["f"])
    add("blockfaces", "[each|an] unmodified {f:faces} to block [hits]", build=lambda m: m["f"])
    add(
        "blockfaces",
        "[each] [successful|failed] unmodified defense (result|roll) of {f:faces}",
        build=lambda m: m["f"],
    )
    add("blockfaces", "failed defense rolls of {f:faces}", build=lambda m: m["f"])
    only = "[\\( only the (original|first) hit counts as [a] {six:faces} [for special rules] \\)]"
    add("hitfaces2", "{f:hitfaces} {c:conds}", build=lambda m: (m["f"], m["c"]))
    add("hitfaces2", "{f:hitfaces}", build=lambda m: (m["f"], Cond()))
    add(
        "hitfaces3",
        "{f:hitfaces} (that aren't|that are not|which aren't|which are not) blocked",
        build=lambda m: m["f"],
    )

    def extra_hits(m: Caught) -> Blocks:
        face, cond = m["f"]
        return fill((open_block(ExtraHits, m["n"], face),), cond)

    deal = "(deal|cause|score|count as)"
    add("faced", f"{{f:hitfaces2}} {deal} {{n:num}} (extra|additional) hit {only}", build=extra_hits)
    add(
        "faced",
        f"on {{f:hitfaces2}} , {{who:bearer}} {deal} {{n:num}} (extra|additional) hit {only}",
        build=_with_who(extra_hits),
    )
    add(
        "faced",
        f"[it|they|this model|this weapon] {deal} {{n:num}} (extra|additional) hit on {{f:hitfaces2}} {only}",
        build=extra_hits,
    )
    add("faced", f"deals extra hits on {{f:hitfaces2}} {only}", build=lambda m: extra_hits({**m, "n": 1}))
    add(
        "faced",
        "on {f:hitfaces2} , (those hits|that hit|the hit|these hits) get {rules}",
        build=lambda m: fill(tuple(open_block(FacesGet, rule, m["f"][0]) for rule in m["rules"]), m["f"][1]),
    )
    add(
        "faced",
        "[(this weapon's|its|their)] hits from {f:hitfaces2} (get|have) {rules}",
        build=lambda m: fill(tuple(open_block(FacesGet, rule, m["f"][0]) for rule in m["rules"]), m["f"][1]),
    )
    add(
        "faced",
        f"on {{f:hitfaces3}} , {{who:bearer}} {deal} {{n:num}} extra wound",
        build=lambda m: fill((open_block(ExtraWounds, m["n"], "hit", m["f"]),), Cond(), m["who"]),
    )
    add(
        "faced",
        f"on {{f:blockfaces}} , {{who:bearer}} {deal} {{n:num}} extra wound",
        build=lambda m: fill(
            (open_block(ExtraWounds, m["n"], "block", up_to_face(m["f"])),), Cond(), m["who"]
        ),
    )
    add(
        "faced",
        f"{deal} {{n:num}} (extra|additional) wound (on|for) {{f:blockfaces}}",
        build=lambda m: (open_block(ExtraWounds, m["n"], "block", up_to_face(m["f"])),),
    )
    add(
        "faced",
        f"{deal} {{n:num}} (extra|additional) wound (on|for) {{f:hitfaces3}}",
        build=lambda m: (open_block(ExtraWounds, m["n"], "hit", m["f"]),),
    )
    enemies = "(enemy|enemy unit|target|the target)"
    weapons = "(this model's weapons|its weapons|this weapon|this model|it)"
    rolling = f"{enemies} that roll to block hits from {weapons}"
    add(
        "faced",
        f"{rolling} [{{c:conds}}] take {{n:num}} extra wound for {{f:blockfaces2}}",
        build=lambda m: fill(
            (open_block(ExtraWounds, m["n"], "block", up_to_face(m["f"])),), m.get("c", Cond())
        ),
    )
    add(
        "blockfaces2",
        "each unmodified (result|roll) of {f:faces} [that they roll|they roll]",
        build=lambda m: m["f"],
    )
    add(
        "faced",
        f"{enemies} taking wounds from (it|this model) take extra wounds on {{f:blockfaces}}",
        build=lambda m: (open_block(ExtraWounds, 1, "block", up_to_face(m["f"])),),
    )
    must = "must re-roll [successful]"
    blocking = f"[when blocking hits from {weapons}] [{{c:conds}}]"
    add(
        "faced",
        f"{enemies} {must} {{f:blockfaces}} {blocking}",
        build=lambda m: fill((open_block(BlocksAgain, from_face(m["f"])),), m.get("c", Cond())),
    )
    add(
        "faced",
        f"{enemies} taking hits from (it|this model) {must} {{f:blockfaces}}",
        build=lambda m: (open_block(BlocksAgain, from_face(m["f"])),),
    )
    add(
        "faced",
        "get extra attacks on {f:hitfaces2}",
        build=lambda m: fill((open_block(ExtraAttacks, 1, "hit", m["f"][0]),), m["f"][1]),
    )
    again = "[. {x:nomore}]"
    fresh = "(newly generated|extra|the new|new|those) attacks"
    no_more = f"(this rule|this|it) (doesn't|does not) (apply to|count for) {fresh}"
    grammar.same("nomore", {no_more: None, f"{fresh} [do not|don't] bring [no] more [attacks]": None})
    may = "{who:bearer} [may] roll {n:signed} attack with that weapon"
    add(
        "faced",
        f"for {{f:hitfaces2}} , {may} {again}",
        build=lambda m: fill((open_block(ExtraAttacks, m["n"], "hit", m["f"][0]),), m["f"][1], m["who"]),
    )
    add(
        "faced",
        f"for each unmodified (result|roll) of {{f:faces}} that {enemies} roll when blocking hits"
        f" from {weapons} [{{c:conds}}] , {may} {again}",
        build=lambda m: fill(
            (open_block(ExtraAttacks, m["n"], "block", up_to_face(m["f"])),), m.get("c", Cond()), m["who"]
        ),
    )
    add(
        "faced",
        "[but] (this model's unit|its unit|this unit) takes {n:num} wound (on|for) [each]"
        " (unmodified (roll|result) of|natural) {f:faces} to hit",
        build=lambda m: (open_block(Backfires, m["n"], up_to_face(m["f"])),),
    )


def from_face(faces: tuple[int, int]) -> int:
    """Faces from one up to 6."""
    if faces[1] != 6:
        raise ReadingRefused
    return faces[0]


def up_to_face(faces: tuple[int, int]) -> int:
    """Faces from 1 up to one."""
    if faces[0] != 1:
        raise ReadingRefused
    return faces[1]


def _with_who(build: Any) -> Any:
    return lambda m: fill(build(m), Cond(), m["who"])


def _add_enemies(grammar: Grammar) -> None:
    """What changes for those who attack the bearer."""
    add = grammar.add
    enemies = "(enemy|enemy unit|attacker|attacking enemy|attacking unit)"
    attacking = "(attacking|when attacking|against|targeting)"

    def worse(m: Caught) -> Blocks:
        cond = join(cond for cond in (m.get("c", Cond()), m.get("d", Cond())))
        cond = replace(cond, voice="")  # the enemies are those who act
        return fill((open_block(Modifier, "hit", m["n"], of="enemy"),), cond, m.get("who", ""))

    hit = "[always] get {n:signed} to hit [rolls]"
    add(
        "enemies",
        f"{enemies} {hit} [{{c:conds}}] {attacking} {{who:bearer}} [{{d:conds}}]",
        build=worse,
    )
    add("enemies", f"{enemies} [attacking {{who:bearer}}] {hit} [{{c:conds}}]", build=worse)
    add(
        "enemies",
        f"[{{c:conds}} ,] (when|while) {{e:byenemy}} , (they|{enemies}) {hit}",
        build=lambda m: fill(
            (open_block(Modifier, "hit", m["n"], of="enemy"),), join((m["e"], m.get("c", Cond())))
        ),
    )
    add(
        "enemies",
        "(when|while) {e:byenemy} , {who:named} {v:vps}",
        build=lambda m: fill(m["v"], m["e"], m["who"]),
    )
    trying = "(when|while) [trying to] (shoot|shooting) [at] [{who:bearer}]"
    charging = "(when|while) [trying to] (charge|charging) [{more:bearer}]"
    add(
        "enemies",
        f"{enemies} get {{n:sinch}} range {trying} [,] and {{k:sinch}} movement {charging}",
        build=lambda m: (
            *fill((open_block(Range, m["n"], of="enemy"),), Cond(), m.get("who", "")),
            *fill(
                (open_block(Inches, m["k"], ("charge",), of="enemy"),),
                Cond(),
                m.get("more", "") or m.get("who", ""),
            ),
        ),
    )
    add(
        "enemies",
        f"{enemies} get {{n:sinch}} range {trying}",
        build=lambda m: fill((open_block(Range, m["n"], of="enemy"),), Cond(), m.get("who", "")),
    )
    add(
        "enemies",
        f"{enemies} get {{k:sinch}} movement {charging}",
        build=lambda m: fill(
            (open_block(Inches, m["k"], ("charge",), of="enemy"),), Cond(), m.get("more", "")
        ),
    )
    floor = "[[,] (to a min of|but never below) AP \\( 0 \\)]"
    count = f"[always] (count as having|get|have) AP \\( {{n:signed}} \\) {floor}"
    add(
        "enemies",
        f"(those|these|enemy|the) hits {count}",
        build=lambda m: (open_block(HitsTaken, _below(m["n"])),),
    )
    add(
        "enemies",
        f"(hits|attacks) (on|against) {{who:bearer}} {count}",
        build=lambda m: fill((open_block(HitsTaken, _below(m["n"])),), Cond(), m["who"]),
    )
    add(
        "enemies",
        f"{enemies} attacking {{who:bearer}} {count}",
        build=lambda m: fill((open_block(HitsTaken, _below(m["n"])),), Cond(), m["who"]),
    )
    add(
        "enemies",
        "[enemies|enemy units] using Ambush must (deploy|be deployed|be set up) over {d:inch}"
        " [away] from {who:bearer}",
        "(enemy|enemy unit) (can't|may not) (use Ambush|be set up via Ambush|deploy via Ambush|be"
        " deployed via Ambush) within {d:inch} of {who:bearer}",
        build=lambda m: (KeepsAway(m["d"]),),
    )


def _below(number: int) -> int:
    if number >= 0:
        raise ReadingRefused
    return number


def _add_sentences(grammar: Grammar) -> None:
    """Subject, conditions and effects put together."""
    add = grammar.add

    def spoken(m: Caught) -> Blocks:
        subject: Subject = m.get("s", Subject())
        return fill(m["v"], Cond(subject.whens), subject.who)

    add("clause", "{s:subject} {v:vps}", build=spoken)
    add("clause", "{s:subject} {v:faced}", build=spoken)
    add("clause", "{v:vps}", build=spoken)
    add("clause", "{v:faced}", build=lambda m: m["v"])
    add("clause", "{v:enemies}", build=lambda m: m["v"])
    add("clause", "{v:objs}", build=lambda m: m["v"])  # +1 to hit, and nobody is named
    add("clause", "{v:objs} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
    add("front", "{c:conds} [,]", build=lambda m: m["c"])
    add("front", "{c:conds} , {more:front}", build=lambda m: join((m["c"], m["more"])))
    add("clauses", "{one:clause} [,] (and|but) {more:clauses}", build=lambda m: (*m["one"], *m["more"]))
    add("clauses", "{one:clause}", build=lambda m: m["one"])
    add("fronted", "{c:front} {v:clauses}", build=lambda m: fill(m["v"], m["c"]))  # holds for all of them
    add("fronts", "{one:fronted} [,] (and|but) {more:fronts}", build=lambda m: (*m["one"], *m["more"]))
    add("fronts", "{one:fronted}", build=lambda m: m["one"])
    add("parts", "{one:fronts}", build=lambda m: m["one"])
    add("parts", "{one:clauses} [,] (and|but) {more:fronts}", build=lambda m: (*m["one"], *m["more"]))
    add("parts", "{one:clauses}", build=lambda m: m["one"])
    grammar.same("onceper", {"once (per|in an|in each) army": None})
    add("sentence", "{parts}", build=lambda m: m["parts"])
    add(
        "sentence",
        "[(this unit|this model|it)] may (only be taken|be taken only) {o:onceper}",
        build=lambda m: (ListRule(1),),
    )
