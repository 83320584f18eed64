"""The base of every error that a caller may cause and can fix."""


class ShieldwallError(Exception):
    """Base of every error that is shown to a person as one message, without a traceback."""
