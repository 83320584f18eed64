"""Scenario files: a situation, what is tried and what must happen, in one readable file.

`schema` is what a file may hold, `load` reads it, `build` makes a state of it, `steps` turns short steps into
answers, `play` drives the engine, `measure` and `expect` compare, `runner` does all this for many files.
"""
