"""Why a bot did what it did: what it weighed, how each thing scored, and one sentence for people."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct


class Considered(Struct, frozen=True):
    """One thing a bot could have done: words for people, its score, and what the score is made of."""

    what: str
    score: float
    parts: tuple[tuple[str, float], ...] = ()


class Explanation(Struct, frozen=True):
    """What lies behind one answer. `considered` is sorted, the best first; the second is the runner-up."""

    why: str
    considered: tuple[Considered, ...] = ()


@runtime_checkable
class ExplainsItself(Protocol):
    """A policy that can say why it gave its latest answer; None where there was nothing to weigh."""

    @property
    def thought(self) -> Explanation | None:
        """What lies behind the latest answer."""
        ...


def thought_of(policy: object) -> Explanation | None:
    """What a policy thought when it last answered; None for policies that do not think."""
    return policy.thought if isinstance(policy, ExplainsItself) else None
