"""Lists and books in the formats players already own, both ways: Army Forge files, shares, resolved lists and text.

Nothing here fetches anything. Whatever a file holds, reading it gives a result and a report, or one clear error.
"""
