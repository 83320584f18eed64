"""Rules about units that ride inside others."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.rules.hooks import SpecialRule


class Transport(SpecialRule):
    """Has X spaces for units that ride inside."""

    stacks: ClassVar[bool] = True

    def carries(self) -> int:
        return self.value
