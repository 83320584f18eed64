"""Procedures, step by step, in the order a rulebook tells them."""
