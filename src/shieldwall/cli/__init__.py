"""The command line; it contains no rules."""
