"""Errors that a caller may cause and can fix. Each says what was given, what was expected and what to do."""

from shieldwall.rulebook.errors import ShieldwallError

__all__ = ["MalformedError", "RefusedError", "ShieldwallError"]


class MalformedError(ShieldwallError):
    """The input has the wrong shape; `problems` holds every fault found, not only the first."""

    def __init__(self, what: str, problems: list[str]) -> None:
        self.what = what
        self.problems = problems
        lines = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(f"{what}: {len(problems)} problem{'s' if len(problems) != 1 else ''}\n{lines}")

    def __reduce__(self) -> tuple[type["MalformedError"], tuple[str, list[str]]]:
        # errors are pickled by their arguments, not by their message
        return type(self), (self.what, self.problems)


class RefusedError(ShieldwallError):
    """A well-formed answer that the rules forbid now. The state is unchanged."""

    def __init__(self, refusals: "tuple[tuple[str, str], ...]") -> None:
        self.refusals = refusals
        super().__init__("; ".join(f"{reason} ({cite})" if cite else reason for reason, cite in refusals))

    def __reduce__(self) -> tuple[type["RefusedError"], tuple[tuple[tuple[str, str], ...]]]:
        return type(self), (self.refusals,)
