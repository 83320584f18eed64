"""The same meanings in other words, as people write them who do not follow the wording of any book."""

from __future__ import annotations

from shieldwall.core.blocks import (
    BY_VALUE,
    Blocks,
    BlocksAgain,
    DefenseIs,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Feat,
    HitDice,
    IgnoresWounds,
    Inches,
    KeepsAway,
    Lend,
    MayMove,
    Modifier,
    PickedEffect,
    Picks,
    Range,
    Recovers,
    TakeHits,
    When,
)
from shieldwall.rules.reading.conditions import ATTACK, CHARGE, MELEE, SHOOT, Cond, Subject, all_of, join
from shieldwall.rules.reading.effects import fill, from_face, open_block, up_to_face
from shieldwall.rules.reading.grammar import Caught, Grammar, ReadingRefused

MOVES = ("advance", "rush", "charge")
ENEMIES = "(enemy|enemy unit|attacker|attacking enemy|attacking unit|enemy model)"


def add_other_words(grammar: Grammar) -> None:
    """All these phrases."""
    _add_conditions(grammar)
    _add_subjects(grammar)
    _add_rolls(grammar)
    _add_enemies(grammar)
    _add_inches(grammar)
    _add_faces(grammar)
    _add_wounds(grammar)
    _add_picks(grammar)
    _add_feats(grammar)
    _add_moments(grammar)


def _add_conditions(grammar: Grammar) -> None:
    add = grammar.add
    add(
        "cond", "if {who:bearer} (charged|has charged) [this round|this activation|this turn]", build=_charged
    )
    state = {"shaken": When(target_shaken=True), "fatigued": When(target_fatigued=True)}
    for word, when in state.items():
        add(
            "cond",
            f"(if|when|while) (the target|its target|the enemy) is {word}",
            build=lambda m, when=when: Cond((when,), "", True),  # type: ignore[misc]
        )
    add("cond", "over {d:inch} [away]", "beyond {d:inch} [away]", build=_beyond)
    add("cond", "(at|from) more than {d:inch} [away]", "at over {d:inch}", build=_beyond)
    add(
        "cond",
        "(if|when|while|as long as) [most of] {who:bearer} (is|are) within {d:inch} of terrain",
        build=lambda m: Cond((When(by_terrain=m["d"]),), m["who"]),
    )
    add(
        "cond",
        "(if|when|while) {who:bearer} (hasn't|has not|haven't|have not) moved [in|during] [this|the] round",
        "(if|when|while) {who:bearer} (didn't|did not) move [in|during] [this|the] round",
        build=lambda m: Cond((When(still=True),), m["who"]),
    )
    held = When(attack="shoot", held=True)
    add(
        "cond",
        "(when|if) {who:bearer} shoots after (a Hold|a Hold action|using Hold actions|using a Hold action|holding)",
        "(when|if) {who:bearer} (uses a Hold action|holds) and shoots",
        build=lambda m: Cond((held,), m["who"], voice="active"),
    )
    add(
        "cond",
        "when shooting after (a Hold|a Hold action|holding)",
        build=lambda m: Cond((held,), voice="active"),
    )
    add("cond", "with (its|their|the) (melee weapon|blow|melee attack)", build=lambda m: Cond((MELEE,)))
    add(
        "cond",
        "with (its|their|the) (ranged weapon|shot|shooting|shooting attack)",
        build=lambda m: Cond((SHOOT,)),
    )


def _charged(m: Caught) -> Cond:
    return Cond((CHARGE,), m["who"], voice="active")


def _beyond(m: Caught) -> Cond:
    return Cond((When(over=m["d"]),))


def _add_subjects(grammar: Grammar) -> None:
    whose = "(this model's|its|their|this unit's|the bearer's)"
    attacks = {
        f"{whose} attacks": (ATTACK,),
        "attacks [made] (by|of|from) (this model|this unit|it|them)": (ATTACK,),
        f"{whose} melee attacks": (MELEE,),
        f"{whose} (ranged|shooting) attacks": (SHOOT,),
        f"{whose} shots": (SHOOT,),
        f"{whose} blows": (MELEE,),
    }
    grammar.same("subject", {pattern: Subject("model", whens) for pattern, whens in attacks.items()})
    grammar.same("subject", {"this caster": Subject("model"), "this hero": Subject("model")})
    grammar.same(
        "possessor", {"(this model's|the bearer's)": "model", "(this unit's)": "unit", "(its|their)": ""}
    )


def _add_rolls(grammar: Grammar) -> None:
    add = grammar.add
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
        "add {n:num} to {who:possessor} {roll}",
        build=lambda m: fill(_rolled(m, 1), Cond(), m["who"]),
    )
    add(
        "clause",
        "add {n:num} to {who:possessor} {roll} {c:conds}",
        build=lambda m: fill(_rolled(m, 1), m["c"], m["who"]),
    )
    add("verb", "count as Defense {n:need}", build=_defense)


def _defense(m: Caught) -> Blocks:
    if m["n"] == BY_VALUE:  # a rule with a number behind its name is written out
        raise ReadingRefused
    return (open_block(DefenseIs, m["n"]),)


def _rolled(m: Caught, sign: int) -> Blocks:
    return (open_block(Modifier, m["roll"], sign * m["n"]),)


def _add_enemies(grammar: Grammar) -> None:
    add = grammar.add

    def worse(m: Caught) -> Blocks:
        number = m["n"] if "n" in m else -m["less"]
        whens = [m[key].whens for key in ("c", "d") if key in m] + [
            m[key] for key in ("how", "far") if key in m
        ]
        cond = Cond(all_of(whens), next((m[key].who for key in ("c", "d") if key in m and m[key].who), ""))
        return fill((open_block(Modifier, "hit", number, of="enemy"),), cond, m["who"])

    suffer = "(get|have|has|take) {n:signed} to hit [roll]"
    grammar.same(
        "how",
        {"attacking": (ATTACK,), "shooting [at]": (SHOOT,), "charging": (CHARGE,), "fighting": (MELEE,)},
    )
    grammar.same("how", {"(that attack|who attack)": (ATTACK,), "(that shoot|who shoot) [at]": (SHOOT,)})
    grammar.same("how", {"(that charge|who charge)": (CHARGE,), "(that fight|who fight)": (MELEE,)})
    grammar.same("thisone", {"this unit": "unit", "this model": "model"})
    add("enemies", f"{ENEMIES} {suffer} {{who:thisone}} [{{c:conds}}]", build=worse)
    add("enemies", f"{ENEMIES} {suffer} when {{how}} {{who:named}} [{{far}}]", build=worse)
    add(
        "enemies",
        f"{ENEMIES} {{how}} {{who:named}} [{{far}}] [{{c:conds}}] {suffer} [{{d:conds}}]",
        build=worse,
    )
    add(
        "enemies",
        f"(attack|hit roll) (against|on) {{who:named}} [{{c:conds}}] {suffer} [{{d:conds}}]",
        build=worse,
    )
    add(
        "enemies",
        "(attack|hit roll) (against|on) {who:named} [{c:conds}] (get|have|has|take) {n:signed} [{d:conds}]",
        build=worse,
    )
    add(
        "enemies",
        f"{ENEMIES} {{how}} {{who:named}} [{{far}}] subtract {{less:num}} from [their] hit rolls",
        f"subtract {{less:num}} from [the] hit rolls of {ENEMIES} {{how}} {{who:named}} [{{far}}]",
        "subtract {less:num} from hit rolls (against|on) {who:named}",
        build=worse,
    )
    add(
        "enemies",
        f"{ENEMIES} charging {{who:named}} move {{n:sinch}}",
        f"{ENEMIES} get {{n:sinch}} to their charge [move] (against|on) {{who:named}}",
        f"{ENEMIES} move {{n:sinch}} when charging {{who:named}}",
        build=lambda m: fill((open_block(Inches, m["n"], ("charge",), of="enemy"),), Cond(), m["who"]),
    )
    add(
        "enemies",
        f"{ENEMIES} shooting [at] {{who:named}} get {{n:sinch}} range",
        build=lambda m: fill((open_block(Range, m["n"], of="enemy"),), Cond(), m["who"]),
    )
    add(
        "enemies",
        "(enemy|enemy unit) (can't|may not) be (deployed|set up) within {d:inch} of {who:bearer} (by|via|using|with)"
        " Ambush",
        "enemy ambushers (can't|may not) (arrive|deploy|be deployed|be set up) within {d:inch} of {who:bearer}",
        build=lambda m: (KeepsAway(m["d"]),),
    )


def _add_inches(grammar: Grammar) -> None:
    add = grammar.add
    add("more", "{n:sinch}", build=lambda m: m["n"])
    add("more", "[an] (extra|additional) {n:inch}", "{n:inch} (more|extra|farther)", build=lambda m: m["n"])
    using = "[(when using|on|with|when|for|using)] [a|an|its|their]"
    add("step", f"{{n:more}} {using} {{a:action}}", build=lambda m: (open_block(Inches, m["n"], m["a"]),))
    add("steps", "{n:more}", build=lambda m: (open_block(Inches, m["n"], MOVES),))
    add(
        "verb",
        "(get|has|have) {n:more} (movement|move)",
        build=lambda m: (open_block(Inches, m["n"], MOVES),),
    )
    add(
        "verb",
        "(get|has|have) {n:more} (to|on) [its|their] {a:action} [move]",
        "add {n:more} to [its|their] {a:action} [move]",
        build=lambda m: (open_block(Inches, m["n"], m["a"]),),
    )
    add(
        "verb",
        "add {n:inch} to [its|their] {a:action} [move]",
        build=lambda m: (open_block(Inches, m["n"], m["a"]),),
    )
    add(
        "verb",
        "add {n:inch} to [its|their] {a:action} [move] [,] and {k:inch} to [its|their] {b:action} [move]",
        build=lambda m: (open_block(Inches, m["n"], m["a"]), open_block(Inches, m["k"], m["b"])),
    )
    add(
        "clause",
        "{who:possessor} {a:action} [move] are {n:inch} longer",
        build=lambda m: fill((open_block(Inches, m["n"], m["a"]),), Cond(), m["who"]),
    )
    add("obj", "{n:inch} (more|extra) range", build=lambda m: (open_block(Range, m["n"]),))
    add("verb", "(shoot|fire) {n:inch} (farther|further)", build=lambda m: (open_block(Range, m["n"]),))


def _add_faces(grammar: Grammar) -> None:
    add = grammar.add
    whose = "[(this weapon's|its|their|this model's)]"
    cause = "(deal|cause|score|add|bring|generate)"

    def hits(m: Caught) -> Blocks:
        face, cond = m["f"]
        extra = m["n"] if "n" in m else m["all"] - 1
        if extra < 1:
            raise ReadingRefused
        return fill((open_block(ExtraHits, extra, face),), join((cond, m.get("c", Cond()))), m.get("who", ""))

    more = "(extra|additional|more)"
    add("faced", f"{whose} {{f:hitfaces2}} {cause} {{n:num}} {more} hit", build=hits)
    add("faced", f"{whose} {{f:hitfaces2}} count as {{all:num}} hits", build=hits)
    add("faced", f"(on|for) {{f:hitfaces2}} [,] {{who:bearer}} {cause} {{n:num}} {more} hit", build=hits)
    add("faced", f"{cause} {{n:num}} {more} hit for {{f:hitfaces2}}", build=hits)
    add(
        "faced",
        f"(on|for) {{f:hitfaces2}} [,] {{who:bearer}} (get|make|may make) {{n:num}} {more} attack [with that weapon]"
        " [{x:onlyonce}]",
        build=lambda m: fill((open_block(ExtraAttacks, m["n"], "hit", m["f"][0]),), m["f"][1], m["who"]),
    )
    grammar.same("onlyonce", {", which bring no more [attacks]": None})
    add(
        "faced",
        f"{whose} {{f:hitfaces2}} (get|have) {{rules}}",
        build=lambda m: fill(tuple(open_block(FacesGet, rule, m["f"][0]) for rule in m["rules"]), m["f"][1]),
    )
    foe = "(enemy|enemy unit|target|the target)"
    weapon = "[(this model's weapons|its weapons|this weapon|this model|it)]"
    add(
        "faced",
        f"{{f:blockfaces}} {cause} {{n:num}} {more} wound",
        f"when {foe} rolls {{f:blockfaces}} , (it|they) take {{n:num}} {more} wound",
        f"on {{f:blockfaces}} [,] (it|they|{foe}) take {{n:num}} {more} wound",
        build=lambda m: (open_block(ExtraWounds, m["n"], "block", up_to_face(m["f"])),),
    )
    add(
        "faced",
        f"{foe} must re-roll [successful] {{f:blockfaces}} [from {weapon}]",
        f"{foe} [must] re-roll [successful] blocks of {{g:faces}} [against {weapon}]",
        build=lambda m: (open_block(BlocksAgain, from_face(m["f"] if "f" in m else m["g"])),),
    )


def _add_wounds(grammar: Grammar) -> None:
    add = grammar.add
    gone = "(it is|that wound is|the wound is|they are) ignored"
    roll = "roll (a|one) die [for it]"

    def ignoring(m: Caught) -> Blocks:
        return fill((open_block(IgnoresWounds, m["on"]),), m.get("c", Cond()), m["who"])

    times = "(when|each time)"
    add(
        "item",
        f"{times} {{who:bearer}} (takes|would take) [a|each|1] wound , {roll} (:|,|.) on [a] {{on:need}} [,] {gone}",
        f"{times} {{who:bearer}} (takes|would take) [a|each|1] wound , on [a] {{on:need}} {gone}",
        build=ignoring,
    )
    on = "on [a] (roll of|result of)"
    add(
        "verb",
        f"ignore [each|their|its|all] wound {on} {{on:need}}",
        build=lambda m: (open_block(IgnoresWounds, m["on"]),),
    )
    add(
        "verb",
        "ignore wounds from spells on [a|rolls of] {on:need}",
        build=lambda m: (open_block(IgnoresWounds, m["on"], when=(When(attack="spell"),)),),
    )
    kinds = {"(melee|melee attacks)": "melee", "(shooting|shots|ranged attacks)": "shoot"}
    for pattern, kind in kinds.items():
        add(
            "verb",
            f"ignore wounds from {pattern} on [a|rolls of] {{on:need}}",
            build=lambda m, kind=kind: (  # type: ignore[misc]
                open_block(IgnoresWounds, m["on"], when=(When(attack=kind),)),
            ),
        )


def _add_picks(grammar: Grammar) -> None:
    add = grammar.add
    add("start", "{at:moment} [,]", build=lambda m: ("activation", m["at"]))
    seen = "[and] in [its] line of sight [of (it|this model|the caster|the bearer)]"
    add(
        "picked",
        f"pick {{n:count}} [{{o:others}}] {{side:party}} within {{d:inch}} {seen}",
        build=lambda m: {
            "n": m["n"],
            "side": m["side"],
            "what": "unit",
            "d": m["d"],
            "rule": "",
            "sight": True,
            "others": m.get("o", False),
        },
    )

    def against(m: Caught) -> tuple[Blocks, int]:
        cond = Cond(m["how"])
        return (Lend(fill(m["v"], cond, "unit"), m.get("u", "round"), against=True),), 0

    add(
        "then",
        "[and|.] friendly units (get|have) {v:objs} when {how} (it|them) [{u:until}]",
        "[and|.] {u:until} friendly units (get|have) {v:objs} when {how} (it|them)",
        build=against,
    )

    which = "(. each|. each of them|, it|, they)"
    add(
        "then",
        f"{which} {{v:vps}} [{{u:until}}]",
        build=lambda m: ((Lend(fill(m["v"], Cond(), "unit"), m.get("u", "round")),), 0),
    )
    add(
        "then",
        f"{which} take {{n:num}} hit [with {{rules}}]",
        build=lambda m: ((TakeHits(m["n"], m.get("rules", ())),), 0),
    )
    add("then", f"{which} take {{n:num}} wound", build=lambda m: ((TakeHits(0, (), m["n"]),), 0))
    add(
        "then",
        "(and|.) roll (a|one) die (.|:|,) on a {need} [,] (it|each of them) take {n:num} wound",
        build=lambda m: ((TakeHits(0, (), m["n"]),), m["need"]),
    )
    add(
        "then",
        "(and|.) roll (a|one) die (.|:|,) on a {need} [,] (it|each of them) take {n:num} hit [with {rules}]",
        build=lambda m: ((TakeHits(m["n"], m.get("rules", ())),), m["need"]),
    )

    def struck(m: Caught) -> Blocks:
        often, at = m.get("s", ("", ""))
        hits = TakeHits(m["n"], m.get("rules", ()))
        return (Picks((hits,), m["side"], "unit", m["k"], m["d"], at=at, often=often),)

    add(
        "item",
        "[{s:start}] {k:count} {side} unit within {d:inch} take {n:num} hit [with {rules}]",
        build=struck,
    )

    def given(m: Caught) -> Blocks:
        often, at = m["s"]
        lent = Lend(fill(m["v"], Cond(), "unit"), m.get("u", "round"))
        return (Picks((lent,), m["side"], "unit", m["n"], m["d"], at=at, often=often),)

    add("item", "{s:start} {n:count} {side} unit within {d:inch} {v:vps} [{u:until}]", build=given)


def _add_feats(grammar: Grammar) -> None:
    add = grammar.add
    grammar.same(
        "feating", {"attacking": "attacks", "shooting": "shoots", "fighting": "fights", "moving": "moves"}
    )
    add("feater", "when {at:feating}", build=lambda m: (m["at"], "model"))
    add(
        "item",
        "{o:often} [,] {f:feater} , (it|they|this unit|this model) may (get|use) {v:objs}",
        "{o:often} [,] {f:feater} , (it|they|this unit|this model) may get {v:objs} for that attack",
        build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), m["f"][0], m["o"], m["f"][1]),),
    )
    add(
        "item",
        "{o:often} [,] {who:bearer} may (get|move) {v:steps} [once]",
        build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), "moves", m["o"], m["who"] or "unit"),),
    )

    def choice(m: Caught) -> Blocks:
        at, who = m["at"]
        effects = tuple(fill(one, Cond(), "" if who == "unit" else who) for one in (m["a"], m["b"]))
        return (PickedEffect(effects, at, m["u"], "unit" if who == "model" else who),)

    picks = "(pick one|it picks one|this unit picks one|choose one) [effect|of these] :"
    add(
        "item",
        f"{{at}} , {picks} {{a:objs}} [,] or {{b:objs}} [,] {{u:until}}",
        f"{{at}} , {picks} {{u:until}} [,] {{a:objs}} [,] or {{b:objs}}",
        build=choice,
    )
    add(
        "effects",
        "{one:effect} [,] or (it|they|this unit) {two:effect}",
        build=lambda m: (m["one"], m["two"]),
    )


def _add_moments(grammar: Grammar) -> None:
    add = grammar.add
    add(
        "item",
        "[{o:often} [,]] {at:after} [,] {who:bearer} may move [by] up to {d:inch}",
        build=lambda m: (MayMove(m["d"], m["at"], m.get("o", "round"), m["who"] or "model"),),
    )
    add(
        "item",
        "(when|if) killed in melee , [the] (attacker|enemy|enemy unit|attacking unit) takes {dealt}",
        build=lambda m: (HitDice("killed in melee", 0, 0, **m["dealt"]),),
    )
    add(
        "item",
        "{x:myturn} , roll {n:dice} (.|:|,) [for] each {need} (deals|causes) {dealt}",
        build=lambda m: (HitDice("fights", m["need"], m["n"], **m["dealt"]),),
    )
    ends = "(it stops being shaken|it is no longer shaken|it recovers)"
    add(
        "item",
        f"(if|when) {{who:bearer}} is shaken at the start of (the|a|each) round , on a {{on:need}} {ends}",
        build=lambda m: (Recovers(m["on"], m["who"] or "unit"),),
    )
    add("grows", "{at:growth} [,] {on:bearer} gets (a|1) marker", build=lambda m: m["at"])
    add(
        "growth",
        "(when|each time) {who:bearer} [fully] destroys [an] enemy unit",
        build=lambda m: ("destroys a unit", False),
    )
