"""The browser and the server of the everyday tests, once for all long ones."""

from tests.browser.conftest import browser, built_page, server, visit

__all__ = ["browser", "built_page", "server", "visit"]
