"""Scenario files: a situation, what is tried and what must come of it, in one readable file.

`schema` is what a file may hold, `load` reads it, `build` makes a state of it, `choices` turns short steps
into answers, `play` drives the engine, `measure` and `expect` compare, `runner` does it all for many files.
"""
