"""The fixtures of the everyday browser and server tests, shared with the long ones."""

from tests.browser.conftest import browser, built_page, server, visit

__all__ = ["browser", "built_page", "server", "visit"]
