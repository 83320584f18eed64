"""How databases of older versions are brought up to date, step by step."""
