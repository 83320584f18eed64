"""Procedures, step by step, in the order of a rulebook."""
