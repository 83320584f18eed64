"""Phrases for lists of effects, each behind its name or the faces of a die, of which one is picked or rolled for."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, Moment, PickedEffect, RolledEffect, Until, Who
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# one line of a list
BULLET = "[•|-|*]"
THEY = "(it|they|[the|this] unit|[the|this] model|the bearer)"
add("tabled", f"[{THEY}] {{v:vps}}", "{v:enemies}", "{v:objs}", build=lambda m: m["v"])
add("tabled", "{v:objs} {c:conds}", build=lambda m: fill(m["v"], m["c"]))
add("tabled", "{v:steps}", build=lambda m: m["v"])
add("namedline", f"{BULLET} {{x:title}} : {{e:tabled}}", build=lambda m: m["e"])
add("rolledline", f"{BULLET} {{f:faces}} : {{e:tabled}}", build=lambda m: (m["f"], m["e"]))
for kind in ("named", "rolled"):
    add(f"{kind}lines", f"{{one:{kind}line}} [.] {{two:{kind}line}}", build=lambda m: (m["one"], m["two"]))
    add(
        f"{kind}lines", f"{{one:{kind}line}} [.] {{more:{kind}lines}}", build=lambda m: (m["one"], *m["more"])
    )

# one of them is picked
OF_THESE = "(one of (the following|these) [{x:kindname}]|one {x:kindname})"
APPLY = "[[,] and apply (it|its effect|its bonus|the effect|the bonus)]"
GIVEN = f"[[.|,|:] [and] {THEY} get (it|one of these [rules|effects|bonuses]) {{u:until}}]"
add(
    "item",
    f"{{at}} , [you may] pick {OF_THESE} {APPLY} {GIVEN} [.|:] {{t:namedlines}}",
    build=lambda m: _picked(m["t"], m["at"][0], m.get("u", "round"), m["at"][1] or "unit"),
)
add(
    "item",
    f"{{when:rolledat}} , [you may] pick {OF_THESE} {APPLY} [.|:] {{t:namedlines}}",
    build=lambda m: _picked(m["t"], m["when"], "activation", "unit"),
)
LASTS = "(it|this|that|(the|this|that|its) (effect|bonus|choice|order|{x:kindname})) (last|apply)"
add(
    "item",
    f"{{at}} , [you may] pick {OF_THESE} [.|:] {{t:namedlines}} [.] {LASTS} {{u:until}}",
    build=lambda m: _picked(m["t"], m["at"][0], m["u"], m["at"][1] or "unit"),
)


def _picked(effects: tuple[Blocks, ...], at: Moment, until: Until, who: Who) -> Blocks:
    given = tuple(fill(effect, Cond(), "" if who == "unit" else who) for effect in effects)
    return (PickedEffect(given, at, until, "unit" if who == "model" else who),)


# one of them is rolled for
def _rolled(m: Caught) -> Blocks:
    faces = tuple(faces for faces, _ in m["t"])
    if [face for low, high in faces for face in range(low, high + 1)] != [1, 2, 3, 4, 5, 6]:
        raise ReadingRefused
    return (RolledEffect(faces, tuple(fill(effect, Cond(), "model") for _, effect in m["t"]), m["when"]),)


ONE = "(one (bonus|effect)|one of (these|the following) [effects|bonuses])"
add(
    "item",
    f"{{when:rolledat}} , roll one die and apply {ONE} [to {{x:bearer}}] [.|:] {{t:rolledlines}}",
    "{when:rolledat} , roll one die [before (it attacks|attacking|it strikes)] (.|:) {t:rolledlines}",
    build=_rolled,
)
