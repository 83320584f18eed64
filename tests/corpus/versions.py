"""Which tables a version of the rules leads to: a fingerprint of the frozen random games, kept with its number.

A change of the rules shows in the frozen games first (`python -m tests.corpus record`). Then either the version of
the edition is raised, or the change is settled (`python -m tests.corpus settle`): no release has that version yet, or
the same answers and dice still lead to the same tables and only other answers were drawn.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FOLDER = Path(__file__).parent
SETTLED = FOLDER / "versions.json"


def tables_of(edition: str) -> str:
    """A fingerprint of the tables in the frozen random games of an edition."""
    text = (FOLDER / "frozen" / f"everyday-{edition}.json").read_text(encoding="utf-8")
    games = {name: record["states"] for name, record in json.loads(text).items() if "game random" in name}
    assert games, f"no games of {edition} are frozen"
    return hashlib.sha256(json.dumps(games, sort_keys=True).encode()).hexdigest()[:16]


def outdated(edition: str, version: int) -> str:
    """What has to be done about the version of an edition; "" if nothing."""
    settled = json.loads(SETTLED.read_text(encoding="utf-8"))[edition]
    if version > settled["version"] or tables_of(edition) == settled["tables"]:
        return ""
    return (
        f"{edition} leads to other tables than version {version} did: raise `version` of its RULESET "
        "(docs/decisions/0028-logs-record-events.md); if the same answers and dice lead to the same tables as "
        f"before, or no release has version {version} yet: python -m tests.corpus settle edition={edition}"
    )


def settle(editions: dict[str, int]) -> None:
    """Record which tables belong to the versions of these editions from now on."""
    known = json.loads(SETTLED.read_text(encoding="utf-8")) if SETTLED.is_file() else {}
    for edition, version in editions.items():
        known[edition] = {"version": version, "tables": tables_of(edition)}
    SETTLED.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")
