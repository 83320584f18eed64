"""A frozen corpus of behaviour: short fingerprints of games, forms, drag previews, odds and scenario files.

A rebuild that changes no rule leaves all of them alone. `python -m tests.corpus check` compares, `record` freezes
what the engine does now; see __main__.py.
"""
