"""Names and other text that people typed, cleaned of control characters and the like."""

from __future__ import annotations

import unicodedata

# Control characters, marks that change the writing direction, and joiners that hide in names.
_DROPPED_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
NAME_LENGTH = 60


def clean(words: str, most: int = NAME_LENGTH) -> str:
    """One line of visible text in normal form; not escaped here, because pages show it as text."""
    normal = unicodedata.normalize("NFC", words)
    spaced = "".join(" " if char in "\t\n\r" else char for char in normal)
    visible = "".join(char for char in spaced if unicodedata.category(char) not in _DROPPED_KINDS)
    return " ".join(visible.split())[:most].strip()
