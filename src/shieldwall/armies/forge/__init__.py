"""Lists and books in the formats players already own, read and written: Army Forge files, shares, resolved lists, text.

Nothing here downloads anything. Reading a file gives a result and a report, or one clear error.
"""
