"""Checks of output paths before any work is done, and writing of files with clear errors."""

from __future__ import annotations

from pathlib import Path

from shieldwall.core.errors import ShieldwallError


def require_file_path(path: Path | None, what: str) -> None:
    """Refuse a path where no file can be written for `what` ("the chart"); None is allowed."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise ShieldwallError(f"there is no folder {str(path.parent)!r} for {what}; create it first")
    if path.is_dir():
        raise ShieldwallError(f"{str(path)!r} is a folder; name a file for {what}")


def require_folder_path(path: Path | None, what: str) -> None:
    """Refuse a path for `what` that is a file; a missing folder will be created."""
    if path is not None and path.exists() and not path.is_dir():
        raise ShieldwallError(f"{str(path)!r} is a file; name a folder for {what}")


def write_text(path: Path, text: str, what: str) -> None:
    """Write a file, or raise an error that says why it cannot be written."""
    require_file_path(path, what)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ShieldwallError(f"{str(path)!r} cannot be written: {error.strerror or error}") from error
