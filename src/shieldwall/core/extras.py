"""Optional packages: charts, DataFrames, clusters."""

import importlib
from types import ModuleType

from shieldwall.core.errors import ShieldwallError


class MissingPackageError(ShieldwallError):
    """A feature needs a package that is not installed."""


def extra_package(name: str, purpose: str, extra: str = "lab") -> ModuleType:
    """The package of that name, or an error that says how to install it; `purpose` begins the error's sentence."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackageError(
            f"{purpose} needs the package {name!r}, which is not installed. Install it with "
            f"`python3 dev.py lab` in a checkout, or with `pip install 'shieldwall[{extra}]'`."
        ) from error
