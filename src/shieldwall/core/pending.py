"""What the game waits for: a `Roll` or a `Decision`.

Legality lives in the decision: the same object serves people, bots, the server and the log. It says what may be
answered (`form`), what an answer would do (`preview`) and why it may be illegal (`check`). What is pending is derived
from the state and never stored in it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.forms import AnswerPreview, Form, OptionForm, Wish
from shieldwall.core.state import Pose, Unit
from shieldwall.core.values import Pool


class Refusal(Struct, frozen=True, array_like=True):
    """Why an answer is not allowed, and the row that says so."""

    reason: str
    cite: str = ""


class Numbers(Protocol):
    """A bot's own source of random integers, never the game's dice."""

    def below(self, limit: int) -> int:
        """A number from 0 up to but not including `limit`."""
        ...


class Roll:
    """Dice to be rolled: one or more pools, in order, for one purpose."""

    __slots__ = ("cite", "dice", "pools", "purpose", "seat")

    def __init__(self, purpose: str, seat: int, pools: tuple[Pool, ...], cite: str) -> None:
        self.purpose = purpose
        self.seat = seat
        self.pools = pools
        self.cite = cite
        self.dice = sum([pool.dice for pool in pools])  # how many are rolled in total

    def __repr__(self) -> str:
        return f"<Roll of {self.dice} for {self.purpose}, seat {self.seat}>"


class Decision:
    """A question to one seat. Subclasses know the legal answers."""

    __slots__ = ("cite", "kind", "prompt", "seat")

    def __init__(self, kind: str, seat: int, prompt: str, cite: str) -> None:
        self.kind = kind
        self.seat = seat
        self.prompt = prompt
        self.cite = cite

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.kind}, seat {self.seat}: {self.sentence()}>"

    @abstractmethod
    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        """Every reason against this answer; empty when it is legal."""

    @abstractmethod
    def default(self) -> AnyAnswer:
        """A sensible legal answer."""

    @abstractmethod
    def sample(self, numbers: Numbers) -> AnyAnswer:
        """A random legal answer, drawn with the caller's own numbers."""

    def forced(self) -> AnyAnswer | None:
        """The only legal answer, if there is just one; the engine then gives it automatically."""
        return None

    @property
    def about(self) -> int:
        """The unit that the question is about; -1 for none."""
        return -1

    @property
    def kinds(self) -> tuple[str, ...]:
        """The keywords that answer the question: its kind, and another one if it covers two things."""
        return (self.kind,)

    def sentence(self) -> str:
        """The question in words."""
        return self.prompt

    @abstractmethod
    def form(self) -> Form:
        """What may be answered, as data."""

    def dropped(self, spot: Pose) -> AnyAnswer | None:
        """The answer for dragging something to a point; None if nothing is dragged."""
        return None

    def onto(self, unit: int) -> AnyAnswer | None:
        """The answer for dragging something onto a unit, legal or not; None if that means nothing here."""
        return None

    def preview(self, wish: Wish) -> AnswerPreview:
        """What an answer would do: whether it is legal and, for moves, where it would end."""
        answer = wish.answer
        if answer is None and wish.drag is not None:
            answer = self.dropped(wish.drag)
        if answer is None:
            return AnswerPreview(refusals=(Refusal(f"{self.kind} is not answered by dragging"),))
        return AnswerPreview(answer, self.check(answer))


class Option(Struct, frozen=True):
    """One legal answer of a choice: its key, its label and the unit it is about."""

    key: str
    label: str
    unit: int = -1


class Choice(Decision):
    """A question with a list of options, computed only when read."""

    __slots__ = ("_built", "_options", "default_key", "refusals")

    def __init__(
        self,
        kind: str,
        seat: int,
        prompt: str,
        cite: str,
        options: tuple[Option, ...] | Callable[[], tuple[Option, ...]] = (),
        default_key: str = "",
        refusals: Callable[[str], tuple[Refusal, ...]] | None = None,
    ) -> None:
        self.kind, self.seat, self.prompt, self.cite = (
            kind,
            seat,
            prompt,
            cite,
        )  # made very often: no call above
        self._options = options
        self._built: tuple[Option, ...] | None = options if options and isinstance(options, tuple) else None
        self.default_key = default_key
        self.refusals = refusals

    @property
    def options(self) -> tuple[Option, ...]:
        """All legal options."""
        if self._built is None:
            self._built = self.write()
        return self._built

    def write(self) -> tuple[Option, ...]:
        """Compute the list of options; called once, when it is first read."""
        return self._options if isinstance(self._options, tuple) else self._options()

    def barred(self) -> tuple[Option, ...]:
        """Options that players may expect but that are not available now."""
        return ()

    def form(self) -> OptionForm:
        return OptionForm(self.options, self.barred())

    def why_not(self, option: str) -> tuple[Refusal, ...]:
        """Why an option is not available; empty if there is no particular reason."""
        return self.refusals(option) if self.refusals is not None else ()

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Pick):
            return (Refusal(f"{self.kind} needs one of its options, not {type(answer).__name__.lower()}"),)
        if answer.option in [option.key for option in self.options]:
            return ()
        reasons = self.why_not(answer.option)
        if reasons:
            return reasons
        known = ", ".join(f"{option.key} ({option.label})" for option in self.options)
        return (Refusal(f"{answer.option!r} is not possible here; possible: {known}", self.cite),)

    def default(self) -> Pick:
        return Pick(self.default_key or self.options[0].key)

    def sample(self, numbers: Numbers) -> Pick:
        options = self.options
        return Pick(options[numbers.below(len(options))].key)

    def forced(self) -> Pick | None:
        if self._built is None and self.default_key:
            return None  # lazily built options are known to hold more than one
        return Pick(self.options[0].key) if len(self.options) == 1 else None


class ChoiceAbout(Choice):
    """A choice about one unit, put to its owner."""

    __slots__ = ("unit",)

    def __init__(
        self,
        unit: Unit,
        kind: str,
        prompt: str,
        cite: str,
        options: tuple[Option, ...] = (),
        default_key: str = "",
        refusals: Callable[[str], tuple[Refusal, ...]] | None = None,
    ) -> None:
        super().__init__(kind, unit.seat, prompt, cite, options, default_key, refusals)
        self.unit = unit

    @property
    def about(self) -> int:
        return self.unit.id


Pending = Roll | Decision
