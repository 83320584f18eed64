"""The engine's heart: frozen state, pending questions, events, and the loop that joins them.

Nothing in this package knows an edition or the name of a special rule.
"""
