"""The core of the engine: frozen state, pending questions, events, and the loop that connects them.

Nothing in this package knows an edition or the name of a special rule.
"""
