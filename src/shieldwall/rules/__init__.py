"""The trunk: steps, hooks and special rules that editions put together. Not playable by itself."""
