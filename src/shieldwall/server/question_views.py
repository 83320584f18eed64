"""The question at hand as data: one sentence, and a form that says which answers are possible.

`default` is the answer that Enter gives. Every form names the answer it wants: options are answered by
`pick`, moves by `march` or `walk`, and so on; the codec of the engine spells them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.answers import Aim, AnyAnswer
from shieldwall.core.forms import ModelsForm, PointForm, RouteForm, TokensForm
from shieldwall.server.views import ModView, Point, Reason, ZoneView


class Outcome(Struct, frozen=True):
    """Exact odds of one attack: what to expect and the chances of its outcomes (0 to 1).

    `bars` are the chances of 0, 1, 2, ... models lost, `wound_bars` those of wounds. `back` says what a charger has to
    expect in its turn, in words; it is empty for shots.
    """

    words: str
    expected: float
    low: int
    high: int
    breaks: float
    destroyed: float
    bars: tuple[float, ...] = ()
    exact: bool = True
    wound_bars: tuple[float, ...] = ()
    back: str = ""


class NeededRoll(Struct, frozen=True):
    """One needed roll of an attack: "to hit", 4, the rule that asks for it, and the reasons that change it."""

    title: str
    dice: int
    base: int
    needed: int
    mods: tuple[ModView, ...]
    cite: str = ""


class TargetView(Struct, frozen=True):
    """One enemy as a target of one weapon group: distance, sight, cover, odds, and why not where it is none.

    The target of a charge is one, too: nobody shoots then, and `odds` are those of the melee. `aims` declare every
    weapon that bears on it.
    """

    unit: int
    legal: bool
    distance: int
    reach: int
    shooters: int
    cover: bool
    reasons: tuple[Reason, ...] = ()
    steps: tuple[NeededRoll, ...] = ()
    odds: Outcome | None = None
    blocker: str = ""
    picks: tuple[int, ...] = ()
    aims: tuple[Aim, ...] = ()


class OptionView(Struct, frozen=True):
    """One option. A refused one is shown greyed with its reasons and cannot be picked.

    `odds_later`: there was no time for its odds, or for the chance of its spell; a patient preview of the option has
    them.
    """

    key: str
    label: str
    unit: int = -1
    legal: bool = True
    reasons: tuple[Reason, ...] = ()
    odds: Outcome | None = None
    hint: str = ""
    odds_later: bool = False


class ActionView(Struct, frozen=True):
    """One action a unit may take: how far it goes, and why not where it is barred."""

    key: str
    label: str
    legal: bool
    allowance: int = 0
    reasons: tuple[Reason, ...] = ()
    hint: str = ""


class PlannedAnswer(Struct, frozen=True):
    """One answer of a plan, and the kind of question that it is meant for."""

    kind: str
    answer: AnyAnswer


class PlanView(Struct, frozen=True):
    """A unit's activation as it would be played from here: nothing of it has happened yet.

    `actions` are open to the unit, `action` is the one that was judged. `target` is whom it would charge, or shoot at
    afterwards (-1: nobody). `answers` carry it out, in order. Where dice or other questions come before the unit can
    move, `moves` is false and the answers lead up to those.
    """

    unit: int
    action: str
    actions: tuple[ActionView, ...]
    answers: tuple[PlannedAnswer, ...]
    moves: bool = False
    how: Literal["block", "loose"] = "loose"
    pivot: int = 0
    target: int = -1
    reach: tuple[tuple[Point, ...], ...] = ()
    leaps: bool = False
    sentence: str = ""


class PickForm(Struct, frozen=True, tag_field="form", tag="pick"):
    """Answer `{"answer": "pick", "option": key}`."""

    options: tuple[OptionView, ...]


class MoveForm(RouteForm, frozen=True, tag_field="form", tag="move"):
    """Drag the unit and ask for previews; their `answer` is what to send.

    `how` is "block" (answer `march`) or "loose" (answer `walk`). `reach` outlines where the unit can go.
    `leaps`: ledges are near, and a preview may ask to leap between them.
    """


class PlaceForm(Struct, frozen=True, tag_field="form", tag="place"):
    """Put the unit down inside the zones; previews solve a dragged spot into the answer `placed`."""

    unit: int
    how: Literal["block", "loose"]
    zones: tuple[ZoneView, ...]
    enemy_over: int
    words: str
    models: tuple[int, ...] = ()


class SpotForm(PointForm, frozen=True, tag_field="form", tag="spot"):
    """Answer `{"answer": "spot", "x":, "y":}`; `spots` are legal proposals, previews judge any other."""


class GroupView(Struct, frozen=True):
    """One weapon group of the shooting unit and what it may be fired at."""

    key: str
    label: str
    attacks: int
    reach: int
    bearers: int
    targets: tuple[TargetView, ...]
    picks_model: bool = False


class AimForm(Struct, frozen=True, tag_field="form", tag="aims"):
    """Answer `{"answer": "aims", "aims": [{"group": key, "target": unit}]}`; no aims hold fire."""

    unit: int
    groups: tuple[GroupView, ...]
    most_targets: int


class ChooseForm(ModelsForm, frozen=True, tag_field="form", tag="choose"):
    """Answer `{"answer": "chosen", "ids": [...]}` with exactly `count` models out of `ids`."""

    labels: tuple[str, ...]


class BidForm(TokensForm, frozen=True, tag_field="form", tag="bid"):
    """Answer `{"answer": "bid", "tokens": n}` from `low` to `high`; the sign says whether it helps or hinders.

    `chances` are those of the spell to succeed with each bid from `low` on, if no other model spends more tokens.
    """

    chances: tuple[float, ...] = ()


class SpellChance(Struct, frozen=True):
    """What a spell comes to: its chance to work, that in words, its dice, and what its target has to expect."""

    works: float
    chance: str
    needs: str = ""
    odds: Outcome | None = None


class SpellView(Struct, frozen=True):
    """One spell a caster may try, and on whom.

    `works` is its chance to work as things stand (-1 where there was no time; a patient preview has it), `chance` says
    it in words with what others can do about it, and `needs` which dice decide. `odds` are what each of the targets
    has to expect, in their order; it is empty for spells that hurt nobody.
    """

    caster: int
    caster_name: str
    spell: str
    cost: int
    reach: int
    text: str
    targets: tuple[int, ...]
    most_targets: int
    works: float = -1.0
    chance: str = ""
    needs: str = ""
    odds: tuple[Outcome | None, ...] = ()


class CastForm(Struct, frozen=True, tag_field="form", tag="cast"):
    """Answer `{"answer": "cast", "model":, "spell":, "targets": [...]}`, or pick "back"."""

    unit: int
    spells: tuple[SpellView, ...]


Form = PickForm | MoveForm | PlaceForm | SpotForm | AimForm | ChooseForm | BidForm | CastForm


class Question(Struct, frozen=True):
    """What the game waits for. `form` and `default` come only to the seat that is asked (`mine`).

    `plans`: a preview may name a unit, and shows its whole activation before anything of it is answered.
    """

    kind: str
    seat: int
    side: int
    mine: bool
    sentence: str
    cite: str
    unit: int = -1
    form: Form | None = None
    default: AnyAnswer | None = None
    default_label: str = ""
    can_undo: bool = False
    can_do_for_me: bool = False
    plans: bool = False
