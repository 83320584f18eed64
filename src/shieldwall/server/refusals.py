"""Refusals: typed, with every reason, and without side effects."""

from __future__ import annotations

from shieldwall.core.errors import MalformedError, RefusedError
from shieldwall.server.messages import Code
from shieldwall.server.views import Reason


class NotNowError(Exception):
    """A command or request that is refused; nothing has changed."""

    def __init__(self, code: Code, *reasons: Reason | str) -> None:
        self.code: Code = code
        self.reasons = tuple(reason if isinstance(reason, Reason) else Reason(reason) for reason in reasons)
        super().__init__("; ".join(reason.text for reason in self.reasons))


def from_engine(error: RefusedError) -> NotNowError:
    """The rules' reasons against an answer."""
    return NotNowError("illegal", *(Reason(text, cite) for text, cite in error.refusals))


def from_malformed(error: MalformedError, code: Code = "malformed") -> NotNowError:
    """What is wrong with the shape of a message."""
    return NotNowError(code, *(Reason(problem) for problem in error.problems))
