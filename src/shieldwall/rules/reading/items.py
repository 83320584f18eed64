"""Phrases for whole rules of one or more sentences: auras, picks, boosts, feats, dice out of turn, deployment."""

from __future__ import annotations

from typing import Any, Literal

from shieldwall.core.blocks import (
    BY_VALUE,
    Aura,
    BeFatigued,
    Blocks,
    Boost,
    Feat,
    Gets,
    Heal,
    HitsTaken,
    IgnoresWounds,
    InTerrain,
    Lend,
    MayMove,
    MayPlace,
    Modifier,
    MoveThem,
    PickedEffect,
    Picks,
    PutMarkers,
    RolledEffect,
    RuleRef,
    TakeHits,
    TakeTest,
)
from shieldwall.rules.reading.conditions import ATTACK, Cond
from shieldwall.rules.reading.effects import OPEN, fill
from shieldwall.rules.reading.grammar import Caught, Grammar, ReadingRefused
from shieldwall.rules.reading.other_orders import add_other_orders
from shieldwall.rules.reading.other_words import add_other_words
from shieldwall.rules.reading.own_words import add_own_words

ONCE = "once [\\( [the] next time [(the effect|this effect|it|they) would apply] \\)]"


def add_items(grammar: Grammar) -> None:
    """All phrases for whole rules; `item` is one of them or a plain sentence."""
    _add_wounds(grammar)
    _add_auras(grammar)
    _add_picks(grammar)
    _add_choices(grammar)
    _add_feats(grammar)
    _add_boosts(grammar)
    add_own_words(grammar)
    add_other_words(grammar)
    add_other_orders(grammar)
    grammar.add("item", "{v:sentence}", build=lambda m: m["v"])


def _add_wounds(grammar: Grammar) -> None:
    """Wounds that are ignored on a roll."""
    add = grammar.add
    each = "roll one die for each [wound|of them]"
    gone = "(it is ignored|ignore it|that wound is ignored|the wound is ignored)"
    plain = f"{each} . on a {{on:need}} {gone}"
    joined = f"roll one die (per wound|for each wound|for each) , and on a {{on:need}} {gone}"
    spell = "[. if {x:fromspell} , [then] (they are|it is) ignored on [a] {spells:need} [instead]]"
    grammar.same(
        "fromspell", {"(the|those) wounds (were|are|came) from (a spell|spells)": None, "from spells": None}
    )
    add("wounds", f"{plain} {spell}", f"{joined} {spell}", build=lambda m: (m["on"], m.get("spells", 0)))

    def ignoring(m: Caught) -> Blocks:
        on, spells = m["w"]
        block = IgnoresWounds(on, spells, who=OPEN)  # type: ignore[arg-type]
        return fill((block,), m.get("c", Cond()), m.get("who", ""))

    add("item", "when {who:bearer} takes wounds [{c:conds}] , {w:wounds}", build=ignoring)
    add("item", "{c:conds} , when (they|it) take wounds [,] {w:wounds}", build=ignoring)


def _add_auras(grammar: Grammar) -> None:
    """Rules that a model lends to its unit or to friends picked before the game."""
    add = grammar.add
    verbs = "{v:vps}"
    add(
        "item",
        f"(this model|the bearer) and its unit {verbs}",
        f"(this model's unit|the bearer's unit) {verbs}",
        f"[all] models in (this model's unit|its unit|the bearer's unit) {verbs}",
        build=lambda m: (Aura(fill(m["v"], Cond(), "unit")),),
    )
    picked = "picked before the [{x:startof}] game"
    grammar.same("startof", {"start of the": None})
    killed = "(this model|the bearer|it) is killed"
    lost = f"[. if {killed} , (picked (model|unit) [that are deployed]|they) lose (it|the rule|this rule)]"
    add(
        "item",
        f"(this model|the bearer) and up to {{n:num}} (friendly units|friends) {picked} {verbs} {lost}",
        build=lambda m: (Aura(fill(m["v"], Cond(), "unit"), "picked", m["n"]),),
    )
    _add_near_auras(grammar)


def _add_near_auras(grammar: Grammar) -> None:
    """Rules that a model lends to units near it."""
    add = grammar.add
    add("nearby", "[that (is|are)] within {d:inch} [away] [(of|from) {b:bearer}]", build=lambda m: m["d"])
    all_of_them = "[all|each|any|a|an] [{o:others}]"
    kinds = ("{side} unit", "{side:party}")
    with_bearer = "[(this model|the bearer|it) and]"
    staying = "(if|when|while|as long as) [it is|they are]"
    for kind in kinds:
        crowd = f"{all_of_them} {kind}"
        add(
            "crowd",
            f"{with_bearer} {crowd} {{d:nearby}} [with {{rule:rulename}}]",
            f"{with_bearer} {crowd} with {{rule:rulename}} {{d:nearby}}",
            f"{staying} {{d:nearby}} , {crowd} [with {{rule:rulename}}]",
            build=dict,
        )
        add("item", f"{crowd} [with {{rule:rulename}}] {{v:vps}} {staying} {{d:nearby}}", build=_near_aura)
    add("item", "{a:crowd} {v:vps}", build=lambda m: _near_aura({**m["a"], "v": m["v"]}))
    add(
        "item",
        "{c:front} {a:crowd} {v:vps}",
        build=lambda m: _near_aura({**m["a"], "v": m["v"], "c": m["c"]}),
    )


def _near_aura(m: Caught) -> Blocks:
    blocks = fill(m["v"], m.get("c", Cond()), "unit")
    others = m.get("o", False)
    return (Aura(blocks, "unit", 0, m["d"], m["side"], others, m.get("rule", "")),)


def _add_picks(grammar: Grammar) -> None:
    """Units that are picked, and what happens to them. Spells are picks, too."""
    add = grammar.add
    grammar.same(
        "often",
        {
            "once (per|each|an|in each|during each|during its) activation": "activation",
            "once (per|each|a|in each) round": "round",
            "once (per|each|a|in each) game": "game",
        },
    )
    grammar.same(
        "moment",
        {
            "before attacking": "before attacking",
            "before (it|this model|this unit) attacks": "before attacking",
            "when (this model|it|this unit) is activated": "activated",
            "when (this model|it|this unit) is activated , before attacking": "before attacking",
            "during (this model's|its|this unit's) activation": "activation",
        },
    )
    add("start", "{o:often} [,] {at:moment} [,]", build=lambda m: (m["o"], m["at"]))
    add(
        "start",
        "{o:often} [,]",
        build=lambda m: (m["o"], "activation"),
    )
    add("count", "{n:num}", build=lambda m: m["n"])
    add("count", "(a|an)", build=lambda m: 1)
    add("count", "up to {n:num}", build=lambda m: m["n"])
    grammar.same("others", {"other": True})
    grammar.same("side", {"friendly": "friend", "enemy": "enemy"})
    grammar.same("piece", {"unit": "unit", "model": "model", "hero": "hero"})
    add(
        "picked",
        "pick {n:count} [{o:others}] {side} {what:piece} within {d:inch} [of (it|this model|the"
        " caster)] [with {rule:rulename}]",
        "pick {n:count} [{o:others}] {side} {what:piece} with {rule:rulename} within {d:inch}",
        build=lambda m: {
            "n": m["n"],
            "side": m["side"],
            "what": m["what"],
            "d": m["d"],
            "rule": m.get("rule", ""),
            "others": m.get("o", False),
        },
    )
    seen = "[and] in line of sight [of (it|this model|the caster|the bearer)]"
    add(
        "picked",
        f"pick {{n:count}} [{{o:others}}] {{side}} {{what:piece}} within {{d:inch}} {seen}",
        build=lambda m: {
            "n": m["n"],
            "side": m["side"],
            "what": m["what"],
            "d": m["d"],
            "rule": "",
            "sight": True,
            "others": m.get("o", False),
        },
    )
    grammar.same("party", {"friend": "friend", "enemy": "enemy"})
    add(
        "picked",
        "pick {n:count} [other] {side:party} within {d:inch} [of (it|this model|the caster)]",
        build=lambda m: {
            "n": m["n"],
            "side": m["side"],
            "what": "unit",
            "d": m["d"],
            "rule": "",
            "others": m.get("o", False),
        },
    )
    _add_thens(grammar)

    def picks(m: Caught) -> Blocks:
        p = m["p"]
        often, at = m.get("s", ("", ""))
        then, need = m["then"]
        what: Literal["unit", "model"] = "unit" if p["what"] == "unit" else "model"
        rule = "Hero" if p["what"] == "hero" else p["rule"]
        sight, others = p.get("sight", False), p["others"]
        return (Picks(then, p["side"], what, p["n"], p["d"], sight, rule, need, at, often, others),)

    may = "[(you|this model|it|the bearer|this unit) may]"
    add("item", f"{{s:start}} {may} {{p:picked}} [,] {{then}}", build=picks)
    add("item", f"{may} {{p:picked}} [,] {{then}}", build=picks)


def _add_thens(grammar: Grammar) -> None:
    add = grammar.add
    until = {
        ONCE: "once",
        "until the end of the round": "round",
        "until the end of this round": "round",
        "[for] this round": "round",
        "for (the|one) round": "round",
        "until the end of (the|its|this) activation": "activation",
        "until (its|their|the unit's|the unit) next activation": "next activation",
        "until the end of the game": "game",
        "for the rest of the game": "game",
        "the next time [(it|they) (attack|moves|shoot|fight)]": "once",
    }
    grammar.same("until", until)

    def one(block: Any) -> tuple[Blocks, int]:
        return (block,), 0

    which = "(which|who|that|and it|and they|and each [of them]|. it|. they)"
    add(
        "then",
        f"{which} {{v:vps}} [{{u:until}}]",
        build=lambda m: one(Lend(fill(m["v"], Cond(), "unit"), m.get("u", "round"))),
    )
    add(
        "then",
        f"{{u:until}} {which} {{v:vps}}",
        build=lambda m: one(Lend(fill(m["v"], Cond(), "unit"), m["u"])),
    )
    add(
        "then",
        "which friendly units (get|have|gets) {v:objs} [{c:conds}] against [it|them] [{u:until}]",
        "which friendly units (get|have|gets) {v:objs} against [it|them] [{c:conds}] [{u:until}]",
        build=lambda m: one(
            Lend(fill(m["v"], m.get("c", Cond()), "unit"), m.get("u", "round"), against=True)
        ),
    )
    add(
        "then",
        "[and|.] friendly units (get|have|gets) {v:objs} [{c:conds}] (against|when attacking)"
        " (it|them) [{u:until}]",
        build=lambda m: one(
            Lend(fill(m["v"], m.get("c", Cond()), "unit"), m.get("u", "round"), against=True)
        ),
    )
    grammar.same("permits", {"(as many dice as hits|one die per hit|one die for each hit)": None})
    add("checked", "roll {p:permits} (to see|and see) if it triggers", build=lambda m: None)
    add(
        "checked",
        "roll {p:permits} (to see|and see) if on rolls of {f:faces} effects trigger",
        build=lambda m: None,
    )
    dice = "[. {k:checked}]"
    dice2 = "[\\( {k:checked} \\)]"
    add(
        "then",
        f"{which} take {{n:num}} hit [with {{rules}}] [each] {dice} {dice2}",
        build=lambda m: one(TakeHits(m["n"], m.get("rules", ()))),
    )
    add(
        "then",
        f"{which} [each] take {{n:num}} hit [with {{rules}}] {dice}",
        build=lambda m: one(TakeHits(m["n"], m.get("rules", ()))),
    )
    add("then", f"{which} take {{n:num}} wound [each]", build=lambda m: one(TakeHits(0, (), m["n"])))
    grammar.same("anywhere", {"in any direction": None})
    grammar.same("test", {"morale": "morale", "dangerous terrain": "dangerous"})
    grammar.same(
        "fate",
        {
            "(it becomes|they become|it counts as|they count as|it is|they are) fatigued": (
                BeFatigued("fatigued"),
            ),
            "(it becomes|they become|it is|they are) shaken": (BeFatigued("shaken"),),
        },
    )
    add(
        "fate",
        "you may move (it|them) [by] up to {d:inch} in a straight line [{x:anywhere}]",
        build=lambda m: (MoveThem(m["d"], True),),
    )
    add(
        "fate",
        "you may move (it|them) [by] up to {d:inch} [{x:anywhere}]",
        build=lambda m: (MoveThem(m["d"]),),
    )
    add(
        "fate",
        "(it|they) (take|takes) {n:num} hit [with {rules}]",
        build=lambda m: (TakeHits(m["n"], m.get("rules", ())),),
    )
    add("fate", "(it|they) (take|takes) {n:num} wound", build=lambda m: (TakeHits(0, (), m["n"]),))
    add(
        "fate",
        "(it|they) {v:vps} [{u:until}]",
        build=lambda m: (Lend(fill(m["v"], Cond(), "unit"), m.get("u", "round")),),
    )
    add(
        "then",
        f"{which} must [immediately] take a {{test}} test . if [it is|it|they|the test is]"
        f" (failed|fail|fails) [,] {{fate}}",
        build=lambda m: one(TakeTest(m["test"], m["fate"])),
    )
    add("then", f"{which} must [immediately] take a {{test}} test", build=_plain_test)
    add(
        "then",
        f"{which} count as being in difficult terrain [{{u:until}}]",
        build=lambda m: one(Lend((InTerrain("difficult"),), m.get("u", "round"))),
    )
    add(
        "then",
        f"{which} count as being in dangerous terrain [{{u:until}}]",
        build=lambda m: one(Lend((InTerrain("dangerous"),), m.get("u", "round"))),
    )
    add(
        "then", f"{which} may [immediately] move [by] up to {{d:inch}}", build=lambda m: one(MoveThem(m["d"]))
    )
    add("then", "and remove {n:die} wounds from (it|them)", build=lambda m: one(Heal(*m["n"])))
    add(
        "then",
        "and remove [up to] {n:num} wounds from (it|them|each [of them])",
        build=lambda m: one(Heal(m["n"])),
    )
    add(
        "then",
        "and roll one die [,|.] on a {need} {then}",
        build=lambda m: (m["then"][0], m["need"]),
    )
    mark = "place (a|1|one) marker on it . {use:markuse}"
    add("then", f"[and] {mark}", build=lambda m: one(PutMarkers(1, *m["use"])))
    add(
        "then",
        "[and] place {n:num} markers on it . {use:markuse}",
        build=lambda m: one(PutMarkers(m["n"], *m["use"])),
    )
    _add_mark_uses(grammar)


def _plain_test(m: Caught) -> tuple[Blocks, int]:
    if m["test"] == "morale":
        raise ReadingRefused  # a morale test without a word on what failing does
    return (TakeTest(m["test"]),), 0


def _add_mark_uses(grammar: Grammar) -> None:
    add = grammar.add
    add(
        "per",
        "{n:signed} to hit rolls [when attacking]",
        build=lambda m: (_by(m["n"], Modifier("hit", 1, who="unit", when=(ATTACK,))),),
    )
    add(
        "per",
        "+ AP \\( {n:num} \\) [when attacking]",
        build=lambda m: (_by(m["n"], Gets(RuleRef("AP", 1, True), who="unit", when=(ATTACK,))),),
    )
    spend = "friendly units may (spend|remove) {x:markers} to get {per}"
    grammar.same(
        "markers", {"(markers|its markers|any of its markers|markers on it) [when attacking it]": None}
    )
    add("markuse", spend, build=lambda m: (m["per"], True))
    add("markuse", "friendly units get {per} it", build=lambda m: (m["per"], False))
    add("markuse", "friendly units get {per} against it", build=lambda m: (m["per"], False))


def _by(number: int, block: Any) -> Any:
    """A block for each marker, where the text gives as many as there are markers."""
    if number != BY_VALUE:
        raise ReadingRefused
    return block


def _add_choices(grammar: Grammar) -> None:
    """One of several effects, picked or rolled for."""
    add = grammar.add
    add("effect", "{v:vps}", build=lambda m: m["v"])
    add("effect", "{v:enemies}", build=lambda m: m["v"])
    add("effects", "{one:effect} , {two:effects}", build=lambda m: (m["one"], *m["two"]))
    add("effects", "{one:effect} [,] or {two:effect}", build=lambda m: (m["one"], m["two"]))
    add("at", "(when|each time) {who:bearer} is activated", build=lambda m: ("activated", m["who"]))
    add(
        "at",
        "when {who:bearer} is deployed or activated",
        build=lambda m: ("deployed or activated", m["who"]),
    )
    add("at", "when {who:bearer} is deployed", build=lambda m: ("deployed", m["who"]))
    add(
        "at",
        "at the start of (its|this model's|this unit's) activation",
        build=lambda m: ("activated", "unit"),
    )
    pick = "pick one [of the following] [effect] :"

    def choice(m: Caught) -> Blocks:
        at, who = m["at"]
        effects = m["e"]
        if len(effects) < 2:
            raise ReadingRefused
        inner = m.get("inner", "") or who
        given = tuple(
            fill(effect, m.get("c", Cond()), "" if inner == "unit" else inner) for effect in effects
        )
        return (PickedEffect(given, at, m["u"], "unit" if who == "model" else who),)

    add("item", f"{{at}} , {pick} {{u:until}} [,] {{inner:bearer}} [either] {{e:effects}}", build=choice)
    add(
        "item",
        f"{{at}} , {pick} {{c:conds}} , {{inner:bearer}} [either] {{e:effects}} . this effect lasts"
        f" {{u:until}}",
        f"{{at}} , {pick} {{inner:bearer}} [either] {{e:effects}} [{{c:conds}}] . this effect lasts"
        f" {{u:until}}",
        build=choice,
    )
    add("item", f"{{at}} , {pick} {{inner:bearer}} [either] {{e:effects}} [,] {{u:until}}", build=choice)
    _add_chances(grammar)


def _add_chances(grammar: Grammar) -> None:
    add = grammar.add
    grammar.same(
        "rolledat",
        {
            "(when|whenever) in melee": "fights",
            "when fighting": "fights",
            "when attacking": "attacks",
            "when shooting": "shoots",
        },
    )
    die = "roll one die and apply (one effect|one of these) to {x:bearer} :"

    def chance(m: Caught) -> Blocks:
        faces = (m["f"], m["g"])
        if m["f"][1] + 1 != m["g"][0] or m["f"][0] != 1 or m["g"][1] != 6:
            raise ReadingRefused
        effects = (fill(m["a"], Cond(), "model"), fill(m["b"], Cond(), "model"))
        return (RolledEffect(faces, effects, m["at"]),)

    they = "(they|it)"
    add(
        "item",
        f"{{at:rolledat}} , {die} on a {{f:faces}} {they} {{a:vps}} [,] and on a {{g:faces}} {they}"
        f" {{b:vps}} [instead]",
        f"{{at:rolledat}} , {die} on a {{f:faces}} {they} {{a:vps}} [,] on a {{g:faces}} {they}"
        f" {{b:vps}} [instead]",
        f"{{at:rolledat}} , roll (one|a) die : on [a] {{f:faces}} {they} {{a:vps}} [,] [and] on [a] {{g:faces}}"
        f" {they} {{b:vps}} [instead]",
        build=chance,
    )

    def reckless(m: Caught) -> Blocks:
        at, who = m["at"]
        low = m["n"][0]
        if low != m["n"][1] or low + 1 != m["on"]:
            raise ReadingRefused
        worse = tuple(
            HitsTaken(block.rule.value, who="all", when=block.when)
            if isinstance(block, Gets) and block.rule.name == "AP"
            else _refuse()
            for block in m["b"]
        )
        effects = (worse, fill(m["a"], Cond(), who))
        return (RolledEffect(((1, low), (m["on"], 6)), effects, at, m["u"], True, who),)

    good = "on a {on:need} they {a:vps} {u:until}"
    add(
        "item",
        f"{{at}} , [you may] roll one die . {good} , but on a {{n:faces}} enemy units {{b:vps}}"
        f" [them] [instead]",
        build=reckless,
    )


def _refuse() -> Any:
    raise ReadingRefused


def _add_feats(grammar: Grammar) -> None:
    """Effects that may be used once in a game."""
    add = grammar.add
    grammar.same(
        "feat",
        {
            "attack": "attacks",
            "move": "moves",
            "shoot": "shoots",
            "(fight|is in melee)": "fights",
            "takes wounds": "takes wounds",
        },
    )
    use = "you may use this rule"
    grammar.same("whole", {"all [of] its models have this rule": None})
    add(
        "feater",
        "when (this unit|it) {at:feat} and {x:whole}",
        build=lambda m: (m["at"], "all"),
    )
    add("feater", "when {who:bearer} {at:feat}", build=lambda m: (m["at"], m["who"] or "model"))

    def feat(m: Caught) -> Blocks:
        at, who = m["f"]
        subject = m["s"]
        blocks = fill(m["v"], Cond(subject.whens), "unit")
        return (Feat(blocks, at, m["o"], who),)

    add("item", f"{{o:often}} [,] {{f:feater}} , {use} so that {{s:subject}} {{v:vps}}", build=feat)
    add(
        "item",
        f"{{o:often}} [,] {{f:feater}} , {use} to get {{v:objs}}",
        build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), m["f"][0], m["o"], m["f"][1]),),
    )

    def wounds(m: Caught) -> Blocks:
        at, who = m["f"]
        if at != "takes wounds":
            raise ReadingRefused
        on, spells = m["w"]
        return (Feat((IgnoresWounds(on, spells, who="unit"),), at, m["o"], who),)

    add("item", f"{{o:often}} [,] {{f:feater}} , {use} and {{w:wounds}}", build=wounds)
    add(
        "item",
        "{o:often} [,] against wounds on {who:bearer} , you may throw one die for each and ignore those of a {on:need}",
        build=lambda m: (
            Feat((IgnoresWounds(m["on"], who="unit"),), "takes wounds", m["o"], m["who"] or "model"),
        ),
    )


def _add_boosts(grammar: Grammar) -> None:
    """Rules that make another rule of the same bearer better."""
    add = grammar.add
    only = "[only]"
    add("old", f"{only} on {{n:need}}", f"{only} on {{n:faces}}", build=lambda m: None)
    add("old", f"{only} {{c:conds}}", build=lambda m: None)
    add("old", f"{only} when shooting {{f:far}} , or when charging", build=lambda m: None)
    add("old", f"{only} {{n:sinch}} [and {{k:sinch}}]", f"{only} {{n:signed}}", build=lambda m: None)
    add("old", f"{only} [within] {{n:inch}}", build=lambda m: None)
    add("old", "having to pick between {v:objs} or {w:objs}", build=lambda m: None)
    instead = "[\\( instead of {old} \\)]"
    add("has", "(this model|the bearer) has {rule:rulename}", build=lambda m: ("model", m["rule"]))
    add("has", "all models in this unit have {rule:rulename}", build=lambda m: ("all", m["rule"]))
    add("has", "most models in this unit have {rule:rulename}", build=lambda m: ("most", m["rule"]))
    add("better", "{s:subject} {v:vps}", build=lambda m: fill(m["v"], Cond(m["s"].whens), m["s"].who))
    add("better", "{s:subject} {v:faced}", build=lambda m: fill(m["v"], Cond(m["s"].whens), m["s"].who))
    add("better", "{v:faced}", build=lambda m: m["v"])
    add("better", "{v:enemies}", build=lambda m: m["v"])
    add(
        "better",
        "(it|they) may move by up to {d:inch}",
        build=lambda m: (MayMove(m["d"], "", "", OPEN),),  # type: ignore[arg-type]
    )
    add(
        "better",
        "(it|they) may be placed [anywhere] [fully] within {d:dinch}",
        build=lambda m: (MayPlace(m["d"][0], "", m["d"][1], "", OPEN),),  # type: ignore[arg-type]
    )

    def boost(m: Caught) -> Blocks:
        who, rule = m["has"]
        if m["again"] != rule:
            raise ReadingRefused
        return (Boost(rule, fill(m["b"], Cond(), who), who),)

    add("item", f"if {{has}} , {{b:better}} from {{again:rulename}} {instead}", build=boost)
