"""Settings shared by all tests."""

from hypothesis import settings

# A failing example prints what repeats it. A shared machine may be slow for a moment, which is no failure.
settings.register_profile("shieldwall", deadline=None, print_blob=True)
settings.load_profile("shieldwall")
