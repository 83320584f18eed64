"""Why a bot did what it did: the alternatives it considered, their scores, and a sentence for players."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from msgspec import Struct


class Considered(Struct, frozen=True):
    """One alternative: a description for players, its score, and the parts of the score."""

    what: str
    score: float
    parts: tuple[tuple[str, float], ...] = ()


class Explanation(Struct, frozen=True):
    """The reasons for one answer. `considered` is sorted, the best first; the second is the runner-up."""

    why: str
    considered: tuple[Considered, ...] = ()


@runtime_checkable
class ExplainsItself(Protocol):
    """A policy that can explain its latest answer."""

    @property
    def thought(self) -> Explanation | None:
        """The reasons for the latest answer; None if there was nothing to consider."""
        ...


def thought_of(policy: object) -> Explanation | None:
    """The reasons for a policy's latest answer; None for policies that do not explain themselves."""
    return policy.thought if isinstance(policy, ExplainsItself) else None
