"""The command line. It knows no rules."""
