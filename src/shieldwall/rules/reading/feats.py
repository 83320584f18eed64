"""Phrases for what may be used once a game, or once a round: in an attack or for a move."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, Feat
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import CHARGE, Cond, Subject, all_of, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# when it is used
IN_MELEE = "[in melee]"
same(
    "featin",
    {
        f"(when|before) (attacking in melee|fighting {IN_MELEE})": "fights",
        "(when|before) attacking": "attacks",
        "(when|before) shooting": "shoots",
        "(for one melee|in one melee|during one melee|in melee)": "fights",
        "(for|in|on|during) (one attack|one of its attacks)": "attacks",
        "(for|in|during|when) (one shooting|one volley|one shooting attack)": "shoots",
    },
)
same(
    "featby",
    {
        "(attack in melee|attacks in melee|fight in melee|fights in melee|fight|fights|is in melee)": "fights",
        "(attack|attacks)": "attacks",
        "(shoot|shoots)": "shoots",
    },
)
same("feator", {"(this model|the bearer)": "model", "(this unit|its unit)": "unit", "(it|they)": "model"})
add("featat", "{at:featin}", build=lambda m: (m["at"], "model"))
add("featat", "(when|before|each time) {who:feator} {at:featby}", build=lambda m: (m["at"], m["who"]))

# what it does
YOU = "(you|it|they|this model|this unit|the bearer)"
USE = f"{YOU} [may] (use|declare|pick) [(it|this rule|this ability)] [(so that|that|and|to)]"
add("boon", "{v:vps}", "{v:clause}", "{v:objs}", build=lambda m: m["v"])
add("boon", f"{YOU} [may] {{v:vps}}", build=lambda m: m["v"])
add("boon", "{s:subject} may {v:vps}", build=lambda m: fill(m["v"], Cond(m["s"].whens)))
add("boon", f"{YOU} [may] give {{v:objs}} to {{s:given}}", build=lambda m: fill(m["v"], Cond(m["s"].whens)))
add("boon", f"{YOU} [may] give {{s:given}} {{v:objs}}", build=lambda m: fill(m["v"], Cond(m["s"].whens)))
same("given", {"(it|this model|this unit|itself|them)": Subject("")})
add("given", "[all [of]] {s:mine}", build=lambda m: m["s"])
add("boons", "{v:boon}", build=lambda m: m["v"])
add("boons", "{v:boon} , {w:boon}", "{v:boon} [,] and {w:boon}", build=lambda m: (*m["v"], *m["w"]))
FOR_THAT = (
    "[[,] (for|in|during|until the end of) (that|this|the) (attack|melee|shooting|volley|activation|fight|combat)"
    " [only]]"
)


def _feat(m: Caught) -> Blocks:
    at, who = m["at"]
    if m["o"] not in ("game", "round"):
        raise ReadingRefused
    return (Feat(fill(m["v"], Cond(), "unit"), at, m["o"], who),)


add(
    "item",
    f"{{o:often}} [,] {{at:featat}} , [{USE}] {{v:boons}} {FOR_THAT}",
    f"{{at:featat}} , {{o:often}} [,] [{USE}] {{v:boons}} {FOR_THAT}",
    build=_feat,
)


def _feat_of(m: Caught) -> Blocks:
    at, who = m["at"]
    named = m["who"] if m["who"] else who
    return _feat({**m, "at": (at, named)})


add(
    "item",
    f"{{o:often}} [,] {{who:bearer}} [may] {{v:vps}} {{at:featat}} {FOR_THAT}",
    f"{{who:named}} may {{o:often}} {{v:vps}} {{at:featat}} {FOR_THAT}",
    build=_feat_of,
)


# used first, and told afterwards what it does
def _used(m: Caught) -> Blocks:
    at, who = m["f"]
    cond = Cond(all_of((m["s"].whens, m.get("c", ()))))
    return _feat({**m, "v": fill(m["v"], cond, "unit"), "at": (at, who)})


USED = "(you|it|they|this model|this unit) may use (this rule|it)"
SO = "(, so that|so that|, and|and|. [then]|:|, to let|to let)"
add("item", f"{{o:often}} [,] {{f:feater}} , {USED} {SO} {{s:subject}} {{v:vps}} {FOR_THAT}", build=_used)
add(
    "item",
    f"{{o:often}} [,] {{who:bearer}} may use (this rule|it) {{at:featwhen}} {SO} {{s:subject}} {{v:vps}} {FOR_THAT}",
    build=lambda m: _used({**m, "f": (m["at"], m["who"] or "model")}),
)
add(
    "item",
    f"{{o:often}} [,] {{who:bearer}} may use (this rule|it) {{c:oncharge}} {SO} {{s:subject}} {{v:vps}} {FOR_THAT}",
    f"{{o:often}} [,] {{c:oncharge}} , {USED} {SO} {{s:subject}} {{v:vps}} {FOR_THAT}",
    build=lambda m: _used({**m, "f": ("fights", m.get("who") or "model")}),
)
same("oncharge", {"(when (charging|it charges|they charge)|on a charge)": (CHARGE,)})
