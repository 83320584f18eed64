"""The same meanings with their clauses in another order, or with what the books leave out."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core.blocks import (
    Aura,
    Backfires,
    Blocks,
    BlocksAgain,
    Crosses,
    DefenseIs,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Feat,
    Grows,
    Heal,
    Hides,
    HitDice,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    InTerrain,
    KeepsAway,
    Lend,
    MayMove,
    MayPlace,
    Modifier,
    MoveThem,
    Picks,
    Range,
    Recovers,
    RolledEffect,
    ShootsAfter,
    StrikeOrder,
    TakeHits,
    TakeTest,
    When,
)
from shieldwall.rules.reading.conditions import CHARGE, MELEE, SHOOT, Cond, all_of
from shieldwall.rules.reading.effects import fill, open_block, up_to_face
from shieldwall.rules.reading.grammar import Caught, Grammar, ReadingRefused

ENEMIES = "(enemy|enemy unit|attacker|attacking enemy|attacking unit|enemy model)"
FOE = "(enemy|enemy unit|target|the target)"


def add_other_orders(grammar: Grammar) -> None:
    """All these phrases."""
    _add_conditions(grammar)
    _add_rolls(grammar)
    _add_inches(grammar)
    _add_enemies(grammar)
    _add_faces(grammar)
    _add_wounds(grammar)
    _add_auras(grammar)
    _add_picks(grammar)
    _add_feats(grammar)
    _add_chances(grammar)
    _add_dice(grammar)
    _add_moments(grammar)


def _add_conditions(grammar: Grammar) -> None:
    add = grammar.add
    for word in ("all", "most"):
        add(
            "cond",
            f"if {word} [of] [the|its] models (in|of) (this unit|a unit|the unit|it) have this rule",
            f"if {word} [of its] models have this rule",
            build=lambda m, word=word: Cond((), word),  # type: ignore[misc]
        )
    add("cond", "against spells", build=lambda m: Cond((When(attack="spell"),)))
    add("cond", "against hits not from spells", build=lambda m: Cond((When(attack="not spell"),)))
    add("far", "at (over|more than) {d:inch}", build=lambda m: (When(over=m["d"]),))
    add(
        "band",
        "Defense {low:need} - {high:need}",
        build=lambda m: When(target_defense=(m["low"], m["high"])),
    )
    add(
        "clause",
        "{who:named} {v:vps} if {t:targetis}",
        build=lambda m: fill(m["v"], Cond((m["t"],), "", True), m["who"]),
    )
    add("cond", "if (the|its) target is {far}", build=lambda m: Cond(m["far"], "", True))
    add("cond", "(shooting|when shooting) [at] {plain:anyenemy} {far}", build=_far_shots)
    add("target", "[an] enemy that (is|are) shaken", build=lambda m: When(target_shaken=True))
    add("target", "[an] enemy that (is|are) fatigued", build=lambda m: When(target_fatigued=True))
    add(
        "cond",
        "if most [of] [their|its] models are within {d:inch} of terrain",
        build=lambda m: Cond((When(by_terrain=m["d"]),)),
    )
    add("targetis", "(the|its) target (has|have) {band}", build=lambda m: m["band"])
    add("targetis", "most models in the target have {band}", build=lambda m: m["band"])


def _far_shots(m: Caught) -> Cond:
    return Cond(all_of(((SHOOT,), m["far"])), "", True, "active")


def _add_rolls(grammar: Grammar) -> None:
    add = grammar.add
    kinds = {"taking [a] morale test": "morale", "casting [a|its] [spell]": "casting"}
    for pattern, roll in kinds.items():
        add(
            "clause",
            f"when {pattern} , {{who:bearer}} get {{n:signed}} [to (the|its|their|that) [{{x:roll}}] [roll]]",
            build=lambda m, roll=roll: _same_roll(m, roll),  # type: ignore[misc]
        )
    add(
        "clause",
        "{who:possessor} Defense (is|counts as) {n:need}",
        build=lambda m: fill((open_block(DefenseIs, m["n"]),), Cond(), m["who"]),
    )
    add("verb", "ignore [the] effects of [the] {rule:rulename}", build=_ignored)


def _same_roll(m: Caught, roll: str) -> Blocks:
    if m.get("x", roll) != roll:
        raise ReadingRefused
    return fill((open_block(Modifier, roll, m["n"]),), Cond(), m["who"])


def _ignored(m: Caught) -> Blocks:
    return (open_block(Ignores, m["rule"]),)


def _add_inches(grammar: Grammar) -> None:
    add = grammar.add
    to = "(to|on) [its|their|all|all its] {a:action} [move]"
    add("stepto", f"{{n:sinch}} {to}", build=lambda m: (open_block(Inches, m["n"], m["a"]),))
    using = "(when using|on|using|with) [a|an|its|their]"
    add("stepto", f"{{n:sinch}} {using} {{a:action}}", build=lambda m: (open_block(Inches, m["n"], m["a"]),))
    add("stepsto", "{one:stepto}", build=lambda m: m["one"])
    add("stepsto", "{one:stepto} [,] and {more:stepsto}", build=lambda m: (*m["one"], *m["more"]))
    add("verb", "(get|has|have) {v:stepsto}", build=lambda m: m["v"])
    add(
        "steps",
        "{one:step} [,] and {n:inch} [(when using|on|with|when|for|using)] [a|an|its|their] {a:action}",
        build=lambda m: (*m["one"], open_block(Inches, m["n"], m["a"])),
    )
    add(
        "clause",
        "when using [a|an] {a:action} [,] {who:bearer} moves {n:more}",
        build=lambda m: fill((open_block(Inches, m["n"], m["a"]),), Cond(), m["who"]),
    )
    add("verb", "[may] (charge|charges) {n:more} [farther]", build=_charges)
    add("verb", "add {n:inch} to [its|their] charge (distance|range)", build=_charges)
    add(
        "clause",
        "add {n:inch} to {who:possessor} {a:action} [move] [and {k:inch} to [its|their] {b:action} [move]]",
        build=_added,
    )
    weapons = "[(ranged|shooting)] weapon"
    add(
        "clause",
        f"the range of {{who:possessor}} {weapons} is increased by {{n:inch}}",
        "{who:possessor} [shooting] range is increased by {n:inch}",
        "add {n:inch} to {who:possessor} [shooting] range",
        f"add {{n:inch}} to the range of {{who:possessor}} {weapons}",
        "increase {who:possessor} [shooting] range by {n:inch}",
        build=lambda m: fill((open_block(Range, m["n"]),), Cond(), m["who"]),
    )
    add(
        "verb",
        "may [still] shoot (when|after) using [a] Rush [action]",
        "may [still] shoot (when|after) (rushing|it rushes)",
        build=lambda m: (open_block(ShootsAfter, "rush"),),
    )
    add(
        "clause",
        "(when|after) (using [a] Rush [action]|rushing) , {who:bearer} may [still] shoot",
        build=lambda m: fill((open_block(ShootsAfter, "rush"),), Cond(), m["who"]),
    )
    first = "(strike|attack|fight) first"
    add(
        "clause",
        f"when charged , {{who:bearer}} {first}",
        f"when {{w:bearer}} is charged , {{who:bearer}} {first}",
        f"when enemies charge {{w:bearer}} , {{who:bearer}} {first}",
        build=lambda m: fill(
            (open_block(StrikeOrder, True, when=(CHARGE,)),), Cond(), m["who"] or m.get("w", "")
        ),
    )
    add(
        "clause",
        "when (charging|it charges) , {who:bearer} (strike|attack|fight) last",
        build=lambda m: fill((open_block(StrikeOrder, False, when=(CHARGE,)),), Cond(), m["who"]),
    )
    grammar.same("everyunit", {"(all units|all other units|any unit|other models|all models)": None})
    add("verb", "may move through {x:everyunit}", build=_through)


def _charges(m: Caught) -> Blocks:
    return (open_block(Inches, m["n"], ("charge",)),)


def _added(m: Caught) -> Blocks:
    blocks: Blocks = (open_block(Inches, m["n"], m["a"]),)
    if "k" in m:
        blocks = (*blocks, open_block(Inches, m["k"], m["b"]))
    return fill(blocks, Cond(), m["who"])


def _through(m: Caught) -> Blocks:
    return (open_block(Crosses),)


def _add_enemies(grammar: Grammar) -> None:
    add = grammar.add
    suffer = "(get|have|has) {n:signed} to hit [roll]"

    def worse(m: Caught, *whens: Any) -> Blocks:
        told = [*whens, *(m[key].whens for key in ("c", "d") if key in m)]
        told += [m[key] for key in ("how", "far") if key in m]
        return fill((open_block(Modifier, "hit", m["n"], of="enemy"),), Cond(all_of(told)), m["who"])

    add(
        "enemies",
        f"{ENEMIES} {{how}} {{far}} {suffer} (against|on) {{who:named}}",
        f"when {{how}} {{who:named}} [{{far}}] [{{c:conds}}] , {ENEMIES} {suffer}",
        f"{ENEMIES} {suffer} (against|on) {{who:named}} [{{c:conds}}]",
        f"{ENEMIES} {{how}} {{who:bearer}} {suffer}",
        build=worse,
    )
    add(
        "enemies",
        f"{ENEMIES} {{far}} {suffer} when shooting [at] {{who:named}}",
        build=lambda m: worse(m, (SHOOT,)),
    )
    kinds = {"(melee attack|blow)": MELEE, "(ranged attack|shooting attack|shot)": SHOOT}
    for pattern, when in kinds.items():
        add(
            "enemies",
            f"{pattern} (against|at|on) {{who:named}} [{{far}}] {suffer}",
            build=lambda m, when=when: worse(m, (when,)),  # type: ignore[misc]
        )
    add(
        "enemies",
        "{who:named} (is|are) (attacked|hit) with {n:signed} to hit [roll]",
        build=worse,
    )
    add("enemies", "(when|while) {e:byenemy} , they get {n:sinch} movement", build=_charged_less)
    add("enemies", "(when|while) {e:byenemy} , they get {n:sinch} range", build=_shot_less)
    add(
        "enemies",
        "enemy charges (against|on) {who:named} get {n:sinch} [movement]",
        build=lambda m: fill((open_block(Inches, m["n"], ("charge",), of="enemy"),), Cond(), m["who"]),
    )
    count = "(count as having|get|have) AP \\( {n:signed} \\)"
    floor = "[[,] (to a min of|but never below) AP \\( 0 \\)] [\\( (min|to a min of) AP \\( 0 \\) \\)]"
    add(
        "clause",
        f"when {{who:named}} takes hits , (they|these) {count} {floor}",
        f"{{who:named}} counts hits as having AP \\( {{n:signed}} \\) {floor}",
        f"hits (on|against) {{who:named}} {count} {floor}",
        build=lambda m: fill((open_block(HitsTaken, _less(m["n"])),), Cond(), m["who"]),
    )
    kept = "within {d:inch} of {who:bearer}"
    add(
        "enemies",
        f"{ENEMIES} using Ambush (can't|may not) be (deployed|set up|placed) {kept}",
        f"{ENEMIES} (can't|may not) be (deployed|set up|placed) {kept} (when|by) using Ambush",
        f"{ENEMIES} (can't|may not) (arrive|deploy) {kept} (by|via|using|with) Ambush",
        "enemies using Ambush must be set up over {d:inch} [away] from {who:bearer}",
        build=lambda m: (KeepsAway(m["d"]),),
    )


def _less(number: int) -> int:
    if number >= 0:
        raise ReadingRefused
    return number


def _charged_less(m: Caught) -> Blocks:
    if m["e"].whens != (CHARGE,):
        raise ReadingRefused
    return fill((open_block(Inches, m["n"], ("charge",), of="enemy"),), Cond(), m["e"].who)


def _shot_less(m: Caught) -> Blocks:
    if m["e"].whens != (SHOOT,):
        raise ReadingRefused
    return fill((open_block(Range, m["n"], of="enemy"),), Cond(), m["e"].who)


def _add_faces(grammar: Grammar) -> None:
    add = grammar.add
    weapon = "(this weapon|its weapons|their weapons|this model's weapons|it)"
    add(
        "hitfaces",
        f"[each|an] unmodified {{f:faces}} to hit with {weapon}",
        f"[each|an] unmodified (result|roll) of {{f:faces}} to hit with {weapon}",
        "unmodified [hit] (result|roll) [to hit] of {f:faces}",
        build=lambda m: _up(m["f"]),
    )
    add(
        "blockfaces",
        f"[each|an] unmodified {{f:faces}} to block hits from {weapon}",
        f"[each|an] unmodified (result|roll) of {{f:faces}} to block hits from {weapon}",
        f"unmodified (block|defense) (roll|result) of {{f:faces}} against {weapon}",
        build=lambda m: m["f"],
    )
    add("clause", "{v:faced} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
    cause = "(deal|cause|score|add)"
    more = "(extra|additional|more)"
    rolls = "when {who:bearer} rolls {f:hitfaces2} , (it|they)"
    add(
        "faced",
        f"{rolls} {cause} {{n:num}} {more} hit",
        build=lambda m: fill((open_block(ExtraHits, m["n"], m["f"][0]),), m["f"][1], m["who"]),
    )
    those = "(those hits|that hit|the hit|these hits|it|they)"
    piercing = "(get|have|has) {rules}"
    add(
        "faced",
        f"for {{f:hitfaces2}} , {those} {piercing}",
        f"on {{f:hitfaces2}} , {{who:bearer}} {piercing}",
        f"hits (scored|made|rolled) on {{f:hitfaces2}} {piercing}",
        build=lambda m: fill(
            tuple(open_block(FacesGet, rule, m["f"][0]) for rule in m["rules"]), m["f"][1], m.get("who", "")
        ),
    )
    add(
        "faced",
        f"hits (scored|made|rolled) on unmodified {{g:faces}} {piercing}",
        build=lambda m: tuple(open_block(FacesGet, rule, _up(m["g"])) for rule in m["rules"]),
    )
    add(
        "faced",
        f"(for|on) {{f:blockfaces}} , {FOE} takes {{n:num}} {more} wound",
        f"{FOE} that roll {{f:blockfaces}} take {{n:num}} {more} wound [for each]",
        build=lambda m: (open_block(ExtraWounds, m["n"], "block", up_to_face(m["f"])),),
    )
    add(
        "faced",
        f"when blocking hits from {weapon} , unmodified (result|roll) of {{g:faces}} {cause} {{n:num}} {more} wound",
        build=lambda m: (open_block(ExtraWounds, m["n"], "block", up_to_face(m["g"])),),
    )
    add(
        "faced",
        f"{FOE} must re-roll unmodified (result|roll) of {{g:faces}} when blocking hits from {weapon}",
        build=lambda m: (open_block(BlocksAgain, _up(m["g"])),),
    )
    again = "[, which (brings|bring) no more [attack]] [. {x:nomore}]"
    add(
        "faced",
        f"{{f:hitfaces2}} lets {{who:bearer}} (make|roll) {{n:num}} {more} attack [with that weapon] {again}",
        f"for {{f:hitfaces2}} [,] {{who:bearer}} may (make|roll) {{n:num}} {more} attack [with that weapon] {again}",
        build=lambda m: fill((open_block(ExtraAttacks, m["n"], "hit", m["f"][0]),), m["f"][1], m["who"]),
    )


def _up(faces: tuple[int, int]) -> int:
    if faces[1] != 6:
        raise ReadingRefused
    return faces[0]


def _add_wounds(grammar: Grammar) -> None:
    add = grammar.add
    gone = "(it is|that wound is|the wound is|they are) ignored"
    each = "roll one die for each [wound|of them]"

    def ignoring(m: Caught) -> Blocks:
        block = open_block(IgnoresWounds, m["on"], m.get("spells", 0))
        return fill((block,), m.get("c", Cond()), m["who"])

    add(
        "item",
        f"when {{who:bearer}} takes wounds [{{c:conds}}] , {each} (,|:|.) [and] on a {{on:need}} [,] {gone}",
        f"for each wound [that] {{who:bearer}} takes [,] roll one die (,|:|.) [and] on a {{on:need}} [,] {gone}",
        build=ignoring,
    )
    wounds = "ignore [each|their|its|all] wound [it takes|they take] on [a] {on:need}"
    spells = "on [a] {spells:need}"
    add(
        "item",
        f"{{who:bearer}} {wounds} [,] and [ignore] [wounds|those] from [a] spell {spells}",
        f"{{who:bearer}} {wounds} \\( [or] {{spells:need}} (against|for wounds from) spell \\)",
        f"{{who:bearer}} {wounds} [,] or {spells} if they are from [a] spell",
        build=ignoring,
    )


def _add_auras(grammar: Grammar) -> None:
    add = grammar.add
    both = "(they and this model|this model and (those|the picked|they|these) [unit])"
    grammar.same("startingof", {"start of the": None})
    add(
        "item",
        f"before the [{{x:startingof}}] game , pick up to {{n:num}} friendly unit (,|.|;) [and] {both} {{v:vps}}",
        build=lambda m: (Aura(fill(m["v"], Cond(), "unit"), "picked", m["n"]),),
    )


def _add_picks(grammar: Grammar) -> None:
    add = grammar.add
    add("start", "{at:moment} , {o:often} [,]", build=lambda m: (m["o"], m["at"]))
    which = (
        "(. that unit|. those units|. the unit|. that model|. the picked unit|. each of those units|; it|; they"
        "|, that unit|each of which|and that unit|and those units|; that unit|; each of them)"
    )

    def lent(m: Caught) -> tuple[Blocks, int]:
        cond = Cond(m.get("how", ()))
        return (Lend(fill(m["v"], cond, "unit"), m.get("u", "round")),), 0

    def struck(m: Caught) -> tuple[Blocks, int]:
        return (TakeHits(m["n"], m.get("rules", ())),), 0

    add("then", f"{which} {{v:vps}} [{{u:until}}]", build=lent)
    add("then", "(. it|. they|. that unit|; it) {u:until} {v:vps}", build=lent)
    add("then", "[.|and|,|;] {u:until} , (it|they|that unit|those units) {v:vps}", build=lent)
    add("nextdeed", "the next time (it|that unit|they) {does}", build=lambda m: m["does"])
    add(
        "then",
        "(.|and) {how:nextdeed} [,] (it|they) {v:vps}",
        build=lambda m: lent({**m, "u": "once"}),
    )
    for terrain in ("difficult", "dangerous"):
        being = f"counts as being in {terrain} terrain"
        add(
            "then",
            f". the next time it moves , it {being}",
            build=lambda m, terrain=terrain: ((Lend((InTerrain(terrain),), "once"),), 0),  # type: ignore[misc]
        )
        add(
            "then",
            f"{which} {being} [{{u:until}}]",
            build=lambda m, terrain=terrain: (  # type: ignore[misc]
                (Lend((InTerrain(terrain),), m.get("u", "round")),),
                0,
            ),
        )
    add("then", ". you may move (it|them) [by] up to {d:inch}", build=lambda m: ((MoveThem(m["d"]),), 0))
    add("then", "(which|. it) take a dangerous terrain test", build=lambda m: ((TakeTest("dangerous"),), 0))
    add("then", f"{which} [each] take {{n:num}} hit [with {{rules}}] [each]", build=struck)
    add("then", "and deal {n:num} hit [with {rules}] to (it|each [of them]|them)", build=struck)
    add("then", f"{which} take {{n:num}} wound", build=lambda m: ((TakeHits(0, (), m["n"]),), 0))
    healed = "(which|. it|and it|. that model) recover"
    add("then", f"{healed} {{n:die}} wounds", build=lambda m: ((Heal(*m["n"]),), 0))
    add("then", f"{healed} [up to] {{n:num}} wounds", build=lambda m: ((Heal(m["n"]),), 0))

    def marked(m: Caught) -> tuple[Blocks, int]:
        cond = m["c"] if "c" in m else Cond(m.get("how", ()))
        return (Lend(fill(m["v"], cond, "unit"), m.get("u", "round"), against=True),), 0

    add(
        "then",
        "against which friendly units (get|have) {v:objs} [{c:conds}] [{u:until}]",
        "(.|and|,) friendly units {how} (it|them) (get|have) {v:objs} [{u:until}]",
        build=marked,
    )
    add(
        "then",
        "(.|and) the next friendly unit {how} it (get|have) {v:objs}",
        build=lambda m: marked({**m, "u": "once"}),
    )
    tested = "[immediately] take a {test} test"
    failed = "(.|,|;) [and] if [it is|it|they|the test is] (failed|fail|fails) [,] {fate}"
    add(
        "then",
        f"(which|. it|. that unit|and it) must {tested} {failed}",
        f"(which|. it|. that unit) {tested} {failed}",
        build=lambda m: ((TakeTest(m["test"], m["fate"]),), 0),
    )
    _add_whole_picks(grammar)


def _add_whole_picks(grammar: Grammar) -> None:
    """Picks where what happens comes first, or where nobody is said to pick."""
    add = grammar.add

    def struck(m: Caught) -> Blocks:
        often, at = m.get("s", ("", ""))
        hits = TakeHits(m["n"], m.get("rules", ()))
        return (Picks((hits,), m["side"], "unit", m["k"], m["d"], at=at, often=often),)

    units = "{k:count} {side} unit within {d:inch}"
    add(
        "item",
        "[{s:start}] {k:count} {side} model within {d:inch} [each] take {n:num} hit [with {rules}] [each]",
        build=lambda m: (replace(struck(m)[0], what="model"),),
    )
    add(
        "item",
        f"[{{s:start}}] deal {{n:num}} hit [with {{rules}}] (to|on) {units}",
        f"[{{s:start}}] {units} [each] take {{n:num}} hit [with {{rules}}] [each]",
        build=struck,
    )

    def given(m: Caught) -> Blocks:
        often, at = m.get("s", ("", ""))
        lent = Lend(fill(m["v"], Cond(), "unit"), m["u"])
        return (Picks((lent,), m["side"], "unit", m["k"], m["d"], at=at, often=often),)

    add("item", f"{{s:start}} give {{v:objs}} to {units} {{u:until}}", build=given)
    add(
        "item",
        f"{units} {{v:vps}} {{u:until}}",
        f"[{{s:start}}] {{u:until}} , {units} {{v:vps}}",
        build=given,
    )


def _add_feats(grammar: Grammar) -> None:
    add = grammar.add
    for word in ("all", "most"):
        whole = f"if {word} [of its] models [in (this unit|it)] have this rule"
        add(
            "feater",
            f"when {{at:feating}} , {whole}",
            f"when (this unit|it) {{at:feat}} , {whole}",
            f"{whole} , when {{at:feating}}",
            build=lambda m, word=word: (m["at"], word),  # type: ignore[misc]
        )
        add(
            "item",
            f"{{o:often}} [,] {whole} , you may use (it|this rule) when {{at:feating}} to get {{v:objs}}",
            build=lambda m, word=word: (  # type: ignore[misc]
                Feat(fill(m["v"], Cond(), "unit"), m["at"], m["o"], word),
            ),
        )
    add(
        "item",
        "{o:often} [,] {f:feater} , {who:bearer} may (get|use) {v:objs} [for that attack]",
        build=lambda m: (Feat(fill(m["v"], Cond(), "unit"), m["f"][0], m["o"], m["f"][1]),),
    )
    add("bare", "{v:objs}", build=lambda m: m["v"])  # the verb of the first effect goes for all of them
    add("bare", "{v:objs} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
    add("effects", "{one:effect} [,] or {two:bare}", build=lambda m: (m["one"], m["two"]))


def _add_chances(grammar: Grammar) -> None:
    """Effects that one die settles, with those who have them named along the way."""
    add = grammar.add

    def chance(m: Caught) -> Blocks:
        low, high = m["f"], m["g"]
        if low[0] != 1 or low[1] + 1 != high[0] or high[1] != 6:
            raise ReadingRefused
        effects = (fill(m["a"], Cond(), "model"), fill(m["b"], Cond(), "model"))
        return (RolledEffect((low, high), effects, m["at"]),)

    add("item", *_chances(), build=chance)


def _chances() -> tuple[str, ...]:
    who = "(they|it|this model|models with this rule|all models with this rule|this unit)"
    rolled = "{at:rolledat} , roll 1 die (.|:|,)"
    return tuple(
        f"{rolled} on [a] {{f:faces}} [,] {who} {{a:vps}} {joint} on [a] {{g:faces}} [,] {who} {{b:vps}} [instead]"
        for joint in ("[,] [and|but]", ".", ";")
    )


def _add_dice(grammar: Grammar) -> None:
    """Dice for hits or wounds, and hits for wounds taken."""
    add = grammar.add
    grammar.same(
        "myturn",
        {
            "when (this model|it) attacks in melee": None,
            "when attacking in melee": None,
            "in melee": None,
            "before attacking in melee": None,
            "when (this model|it) strikes in melee": None,
        },
    )
    roll = "{x:myturn} , [(this model|it)] [may] roll {n:dice} (.|,|:) [and] for each {need} [,]"
    rolled = "{x:myturn} , [(this model|it)] [may] roll {n:dice}"
    add(
        "item",
        f"{roll} (the|its) (target|enemy) takes {{dealt}}",
        f"{roll} it deals {{dealt}} to (the|its) (target|enemy)",
        f"{rolled} . [the|its] (target|enemy) takes {{dealt}} for each {{need}}",
        f"{rolled} . each [result of] {{need}} (deals|is) {{dealt}}",
        build=lambda m: (HitDice("fights", m["need"], m["n"], **m["dealt"]),),
    )
    one = "(one enemy unit|an enemy unit|one enemy|one enemy model)"

    def burst(m: Caught) -> Blocks:
        (reach, sight), (often, at) = m["near"], m["s"]
        return (HitDice(at, m["need"], 1, **m["dealt"], reach=reach, sight=sight, often=often),)

    add(
        "item",
        f"{{s:start}} [you may] roll 1 die (.|:|,) on a {{need}} [,] {one} {{near}} takes {{dealt}}",
        build=burst,
    )
    attacker = "[the] (attacker|attacking unit|enemy|enemy unit) takes {dealt}"
    add(
        "item",
        f"for each wound [that] (this model|it) takes in melee , {attacker}",
        f"when (this model|it) takes a wound in melee , {attacker}",
        build=lambda m: (HitDice("wounded in melee", 0, 0, **m["dealt"]),),
    )
    add(
        "item",
        f"(if|when) (this model|it) is killed in melee , {attacker}",
        build=lambda m: (HitDice("killed in melee", 0, 0, **m["dealt"]),),
    )


def _add_moments(grammar: Grammar) -> None:
    add = grammar.add
    _add_moves(grammar)
    place = "place (1|a) marker on {on:bearer}"
    add("grows", f"{{at:growth}} [,] {place}", build=lambda m: m["at"])
    add("grows", f"at the end of each round , {place} {{x:ontable}}", build=lambda m: ("round ends", False))
    given = "[{s:bearer}] get {v:objs} [{c:conds}]"

    def grows(m: Caught) -> Blocks:
        at, after = m["g"]
        blocks = fill(m["v"], m.get("c", Cond()), "model")
        return (Grows(blocks, at, m.get("most", 0), m.get("lost", False), after, "unit"),)

    add("item", f"{{g:grows}} . for each marker , {given} [{{most}}] [{{lost}}]", build=grows)
    ends = "(it stops being shaken|it is no longer shaken|it recovers)"
    begins = "at the start of (the|a|each) round"
    add(
        "item",
        f"{begins} , if {{who:bearer}} is shaken , roll 1 die (.|,|:) [and] on a {{on:need}} [,] {ends}",
        f"{begins} , roll 1 die for a shaken {{who:named}} . on a {{on:need}} [,] {ends}",
        f"(if|when) {{who:bearer}} is shaken {begins} , {ends} on a {{on:need}}",
        f"{begins} , if {{who:bearer}} is shaken , {ends} on a {{on:need}}",
        build=lambda m: (Recovers(m["on"], m["who"] or "unit"),),
    )
    deeds = {
        "(shoots or fights|attacks|shoots or attacks)": "after attacking",
        "shoots": "after shooting",
        "fights": "after melee",
    }
    for pattern, at in deeds.items():
        add(
            "item",
            f"[{{o:often}} [,]] (after|when) {{who:bearer}} [has] {pattern} [in melee] ,"
            " it may move [by] up to {d:inch}",
            build=lambda m, at=at: (MayMove(m["d"], at, m.get("o", "round"), m["who"] or "model"),),  # type: ignore[misc]
        )
    add("at", "when activated", build=lambda m: ("activated", "unit"))
    anywhere = "[anywhere] fully within {d:dinch} of (its|their) position"
    add(
        "item",
        f"(when|after|once) {{w:bearer}} is deployed , (it|they|{{who:named}}) may be placed {anywhere}",
        f"after deployment , {{who:named}} may be placed {anywhere}",
        f"(when|after|once) {{w:bearer}} is deployed , you may place (it|{{who:named}}) {anywhere}",
        build=lambda m: (
            MayPlace(m["d"][0], "deployed", m["d"][1], "game", m.get("who", "") or m.get("w", "") or "model"),
        ),
    )


def _add_moves(grammar: Grammar) -> None:
    """Moves out of turn, and what is struck on the way."""
    add = grammar.add
    crossing = "{o:often} , (when|if) ((this model|it) moves|moving) (over|through) enemy units , [you may]"
    picks = "pick one of them [,] and roll {n:dice}"
    add(
        "item",
        f"{crossing} {picks} (.|:|,) for each {{need}} [,] it takes {{dealt}}",
        f"{crossing} {picks} . it takes {{dealt}} for each {{need}}",
        build=lambda m: (HitDice("crosses", m["need"], m["n"], **m["dealt"], often=m["o"]),),
    )
    add(
        "verb",
        "has Ambush , (but|and) may (deploy|be deployed|be set up) up to {d:inch} [away] from [enemy units|enemies]",
        "count as having Ambush , (but|and) may be (deployed|set up) as close as {d:inch} to (enemy units|enemies)",
        build=lambda m: (Hides(m["d"]),),
    )
    add(
        "item",
        "{at:after} [,] {who:bearer} may move [by] up to {d:inch} , {o:often}",
        "{o:often} [,] {who:bearer} may move [by] [up to] {d:inch} after (it|they) {did:deeds}",
        build=lambda m: (MayMove(m["d"], m["at"] if "at" in m else m["did"], m["o"], m["who"] or "model"),),
    )
    grammar.same("deeds", {"shoots": "after shooting", "fights [in melee]": "after melee"})
    grammar.same("deeds", {"attacks": "after attacking", "shoots or fights [in melee]": "after attacking"})
    anywhere = "[anywhere] fully within {d:dinch} of (its|their) position"
    add(
        "item",
        f"{{s:start}} (this model|it|the bearer) may be placed {anywhere}",
        build=lambda m: (MayPlace(m["d"][0], m["s"][1], m["d"][1], m["s"][0], "model"),),
    )
    add(
        "clause",
        "difficult terrain (doesn't|does not) (affect|slow) {who:possessor} movement",
        "{who:named} (isn't|is not) (affected|slowed) by difficult terrain",
        build=lambda m: fill((open_block(Ignores, "difficult terrain"),), Cond(), m["who"]),
    )
    add(
        "clause",
        "[but] the bearer's unit takes {n:num} wound (on|for) {f:ones}",
        build=lambda m: (open_block(Backfires, m["n"], up_to_face(m["f"])),),
    )
    add(
        "ones",
        "[each|an] unmodified {f:faces} to hit",
        "[each] unmodified (roll|result) of {f:faces} to hit",
        build=lambda m: m["f"],
    )
    add(
        "clause",
        "wounds from (this weapon|it|its weapons|this model's weapons) (ignore|can't use) {rule:rulename}",
        "(targets|enemies|the target) (can't|may not) use {rule:rulename} against (this weapon|its weapons|it)",
        "wounds from (this weapon|it|its weapons|this model's weapons) (can't|may not) be regenerated",
        build=lambda m: (open_block(Ignores, _wound_saver(m.get("rule", "Regeneration"))),),
    )


def _wound_saver(rule: str) -> str:
    if rule.casefold() != "regeneration":
        raise ReadingRefused
    return "Regeneration"
