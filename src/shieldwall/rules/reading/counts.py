"""Phrases for effects that count something: `+1 attack for each enemy within 6"`.

Such an effect is read as several equal ones, of which the first holds from one on, the second from two on, and so on.
"""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.core.blocks import Block, Blocks, Gets, HitsTaken, Inches, Modifier, MoreAttacks, When
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, Subject, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

MOST = 12  # that count where the text names no limit
Counted = Callable[[int], When]

# what is counted
OF_IT = "[(of|from) (it|them|this model|this unit|the bearer)]"
ITS = "(it|they|this model|this unit|the bearer)"
WITHIN = f"[that is] within {{d:inch}} [away] {OF_IT}"


def _friends(m: Caught) -> Counted:
    return lambda many: When(by_friend=m["d"], near=many, friend_rule=m.get("rule", ""))


def _enemies(m: Caught) -> Counted:
    return lambda many: When(by_enemy=m["d"], near=many)


def _models(m: Caught) -> Counted:
    return lambda many: When(models=(m.get("n", 1) * many, 0))


add("counted", f"[other] friendly unit [with {{rule:rulename}}] {WITHIN}", build=_friends)
add("counted", f"other (friendly|friend) {WITHIN}", build=_friends)
add("counted", f"enemy [unit] {WITHIN}", build=_enemies)
add("counted", f"{{n:num}} models (in (this unit|its unit|the unit|it)|{ITS} get)", build=_models)
add("counted", "model in (this unit|its unit|the unit)", build=_models)
TAKEN = "(taken|lost|suffered|received)"
add(
    "counted",
    f"wound [that] {ITS} (get [already] {TAKEN}|get on it|took|lost|takes|is missing)",
    f"wound [already] {TAKEN} by {ITS}",
    f"(lost wound|wound on {ITS})",
    build=lambda m: lambda many: When(lost=many),
)


# effects that are had several times
def _amount(block: Block) -> int:
    match block:
        case Modifier() | Inches():
            return abs(block.amount)
        case MoreAttacks(doubled=False):
            return block.attacks
        case HitsTaken():
            return abs(block.piercing)
        case Gets(rule) if rule.plus:
            return rule.value
    raise ReadingRefused


def _for_each(m: Caught, who: str = "") -> Blocks:
    """The effects once for each that is counted, up to the number that the text allows."""
    blocks = fill(m["v"], m.get("c", Cond()), who)
    limit = m["most"] // max(map(_amount, blocks)) if "most" in m else MOST
    if not 0 < limit <= MOST or any(_amount(block) == 0 for block in blocks):
        raise ReadingRefused
    found = [fill(blocks, Cond((m["k"](many),))) for many in range(1, limit + 1)]
    return tuple(block for one in found for block in one)


def _of_subject(m: Caught) -> Blocks:
    subject: Subject = m["s"]
    found = _for_each(m, subject.who)
    return fill(found, Cond(subject.whens))


EACH = "(for each|per)"
LIMIT = "[[,] {most}]"
GET = "[always] (get|have|has)"
add(
    "vps",
    f"{GET} {{v:objs}} [{{c:conds}}] {EACH} {{k:counted}} {LIMIT}",
    f"{GET} {{v:objs}} {EACH} {{k:counted}} {LIMIT} {{c:conds}}",
    build=_for_each,
)
add("vps", f"moves {{v:steps}} {EACH} {{k:counted}} {LIMIT}", build=_for_each)
add(
    "bareclause",
    f"{{v:objs}} [{{c:conds}}] {EACH} {{k:counted}} {LIMIT}",
    f"{{v:objs}} {EACH} {{k:counted}} {LIMIT} {{c:conds}}",
    build=_for_each,
)
add("item", f"{EACH} {{k:counted}} [,] {{s:subject}} {{v:vps}} {LIMIT}", build=_of_subject)
add("item", f"{EACH} {{k:counted}} [,] {{v:objs}} {LIMIT}", build=_for_each)
