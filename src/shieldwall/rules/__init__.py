"""The trunk: steps, hooks and special rules from which editions are built. Not playable by itself."""
