"""Special rules: one small class each, bound to a printed name by the editions."""
