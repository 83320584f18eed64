"""The current question as data: one sentence, and a form with the possible answers.

`default` is the answer that Enter gives. Every form names the answer it expects: options are answered by
`pick`, moves by `march` or `walk`, and so on; the engine's codec defines them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shieldwall.core.answers import Aim, AnyAnswer
from shieldwall.core.forms import ModelsForm, PointForm, RouteForm, TokensForm
from shieldwall.server.views import ModView, Point, Reason, ZoneView


class Outcome(Struct, frozen=True):
    """Exact odds of one attack: the expected result and the chances of its outcomes (0 to 1).

    `bars` are the chances of losing 0, 1, 2, ... models, `wound_bars` those of wounds. `back` says in words what a
    charger can expect in return; it is empty for shots.
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
    """One roll of an attack: "to hit", 4, the rule that calls for it, and the modifiers with their reasons."""

    title: str
    dice: int
    base: int
    needed: int
    mods: tuple[ModView, ...]
    cite: str = ""


class TargetView(Struct, frozen=True):
    """One enemy as a target of one weapon group: distance, sight, cover, odds, and the reasons if it is not allowed.

    The target of a charge uses it, too: there are no shots then, and `odds` are those of the melee. `aims` declares
    every weapon that can reach it.
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
    """One option. An illegal one is greyed out with its reasons and cannot be picked.

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
    """One action of a unit: how far it goes, and why not if it is not allowed."""

    key: str
    label: str
    legal: bool
    allowance: int = 0
    reasons: tuple[Reason, ...] = ()
    hint: str = ""


class PlannedAnswer(Struct, frozen=True):
    """One answer of a plan, and the kind of question it is meant for."""

    kind: str
    answer: AnyAnswer


class PlanView(Struct, frozen=True):
    """A unit's activation as it would be played from here; nothing of it has happened yet.

    `actions` are open to the unit, `action` is the one that was judged. `target` is the unit it would charge, or shoot
    at afterwards (-1: none). `answers` carry it out, in order. If dice or other questions come before the unit can
    move, `moves` is false and the answers lead up to them.
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
    `leaps`: there are ledges nearby, and a preview may ask to leap between them.
    """


class PlaceForm(Struct, frozen=True, tag_field="form", tag="place"):
    """Place the unit inside the zones; previews turn a dragged spot into the answer `placed`."""

    unit: int
    how: Literal["block", "loose"]
    zones: tuple[ZoneView, ...]
    enemy_over: int
    words: str
    models: tuple[int, ...] = ()


class SpotForm(PointForm, frozen=True, tag_field="form", tag="spot"):
    """Answer `{"answer": "spot", "x":, "y":}`; `spots` are legal suggestions, previews judge any other."""


class GroupView(Struct, frozen=True):
    """One weapon group of the shooting unit and its targets."""

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

    `chances` are the spell's chances with each bid from `low` on, if no other model spends more tokens.
    """

    chances: tuple[float, ...] = ()


class SpellChance(Struct, frozen=True):
    """A spell's chance to work, as a number and in words, its dice, and what its target can expect."""

    works: float
    chance: str
    needs: str = ""
    odds: Outcome | None = None


class SpellView(Struct, frozen=True):
    """One spell a caster may try, and its targets.

    `works` is its current chance to work (-1 if there was no time; a patient preview has it), `chance` says
    it in words with what others can do about it, and `needs` which dice decide. `odds` is what each of the targets
    can expect, in their order; it is empty for spells that hurt nobody.
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
    """What the game is waiting for. `form` and `default` are sent only to the seat that is asked (`mine`).

    `plans`: a preview may name a unit, and shows its whole activation before any of it is answered.
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
