"""HTTP messages of the rules, odds and army pages, and proof of dice."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from shieldwall.armies.lists import ArmyList
from shieldwall.server.pages import Body
from shieldwall.server.question_views import Outcome
from shieldwall.server.views import Reason, RuleTextView, RuleView, WeaponView

# --- rules ---


class RowView(Struct, frozen=True):
    """One rule, our ruling if the book is silent, and how the other editions differ."""

    id: str
    edition: str
    title: str
    section: str
    kind: str
    rule: str
    checks: tuple[str, ...]
    ruling: str
    differs: dict[str, str]


class RulesFound(Struct, frozen=True):
    """Search results, best first."""

    words: str
    rows: tuple[RowView, ...]


class SideBySide(Struct, frozen=True):
    """The same subject in every edition, one column each."""

    words: str
    columns: tuple[RuleColumn, ...]


class RuleColumn(Struct, frozen=True):
    """One edition's rows about a subject."""

    edition: str
    title: str
    rows: tuple[RowView, ...]


# --- armies ---


class OptionOffer(Struct, frozen=True):
    """One thing that can be bought for a unit. Pick it by `id` and its section's id."""

    id: str
    label: str
    cost: int
    gains: tuple[str, ...]


class SectionView(Struct, frozen=True):
    """A heading with its options; `most` is how many of them a unit of the usual size may buy (0: no limit)."""

    id: str
    label: str
    replaces: bool
    most: int
    options: tuple[OptionOffer, ...]


class BookUnitView(Struct, frozen=True):
    """One unit of a book."""

    id: str
    name: str
    cost: int
    size: int
    quality: int
    defense: int
    kind: str
    hero: bool
    about: str
    equipment: tuple[str, ...]
    rules: tuple[RuleView, ...]
    sections: tuple[SectionView, ...]


class SpellCard(Struct, frozen=True):
    """A spell of a book."""

    name: str
    cost: int
    text: str
    played: bool = True


class BookView(Struct, frozen=True):
    """An army book in one edition."""

    id: str
    name: str
    edition: str
    version: str
    about: str
    units: tuple[BookUnitView, ...]
    spells: tuple[SpellCard, ...]
    rules: tuple[RuleTextView, ...] = ()


class BookCard(Struct, frozen=True):
    """A book to choose; `own` ones were imported by the player and can be deleted."""

    id: str
    name: str
    edition: str
    about: str
    units: int
    own: bool = False


class UnitCard(Struct, frozen=True):
    """One entry of a list as a card: its price, stats and weapons; `wounds` is the number per model."""

    entry: str
    name: str
    unit: str
    cost: int
    models: int
    quality: int
    defense: int
    weapons: tuple[WeaponView, ...]
    rules: tuple[RuleView, ...]
    upgrades: tuple[str, ...]
    joined: str
    problems: tuple[Reason, ...]
    wounds: tuple[int, ...] = ()


class ArmyFinding(Struct, frozen=True):
    """A finding about a list: an error, a warning or a note, with its rule."""

    level: str
    text: str
    cite: str


class ArmyReport(Struct, frozen=True):
    """A list with live points and all findings."""

    id: str
    army: ArmyList
    cost: int
    points: int
    legal: bool
    findings: tuple[ArmyFinding, ...]
    cards: tuple[UnitCard, ...]
    spells: tuple[SpellCard, ...]
    rules: tuple[RuleTextView, ...] = ()
    coverage: str = ""


class ArmyRepair(Struct, frozen=True):
    """A change that fixes a problem of a list: what to do, and the resulting list."""

    problem: str
    words: str
    army: ArmyList


class ArmyBody(Body, frozen=True):
    """A list to check or to save."""

    army: ArmyList


class ArmyFileText(Body, frozen=True):
    """A list as text: our own file, an Army Forge file, or text shared from it."""

    text: Annotated[str, Meta(max_length=200_000)]
    edition: Annotated[str, Meta(max_length=40)] = ""
    name: Annotated[str, Meta(max_length=80)] = ""


class ArmyFile(Struct, frozen=True):
    """A list as the text of a file."""

    name: str
    text: str


# --- odds ---


class Fighter(Body, frozen=True):
    """One side of an attack: card number `unit` (from 0) of a ready-made or own army, with heroes who joined it."""

    army: Annotated[str, Meta(max_length=80)]
    unit: Annotated[int, Meta(ge=0, le=200)]
    models: Annotated[int, Meta(ge=0, le=200)] = 0


class OddsRequest(Body, frozen=True):
    """The odds of an attack across open ground: shooting at a distance, or a charge."""

    edition: Annotated[str, Meta(max_length=40)]
    attacker: Fighter
    target: Fighter
    action: Annotated[str, Meta(pattern="^(hold|advance|charge)$")] = "hold"
    distance: Annotated[int, Meta(ge=0, le=72_000)] = 6_000
    cover: bool = False
    arc: Annotated[str, Meta(pattern="^(front|flank|rear)$")] = "front"


class OddsAnswer(Struct, frozen=True):
    """What the target can expect and, in melee, the attacker."""

    words: str
    target: Outcome
    own: Outcome
    exact: bool
    ms: float


# --- dice ---


class ThrowView(Struct, frozen=True):
    """One roll: its number in the game, its purpose, and the natural faces."""

    number: int
    purpose: str
    faces: tuple[int, ...]


class DiceProof(Struct, frozen=True):
    """Everything needed to check every die: the commitment, the parts of the key, all rolls, and our verdict.

    `key` and `throws` are revealed when the game is over. docs/server.md has a program that checks them.
    """

    game: str
    commitment: str
    nonces: tuple[str, ...]
    key: str
    rolls: int
    dice: int
    verified: bool | None
    words: str
    throws: tuple[ThrowView, ...] = ()
