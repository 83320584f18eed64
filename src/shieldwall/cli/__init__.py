"""The command line: translates between a terminal and the engine, and knows no rules."""
