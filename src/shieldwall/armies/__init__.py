"""Armies: profile texts, units built from them, and the states a game begins with."""
