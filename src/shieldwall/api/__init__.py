"""The Python API. Import it as `import shieldwall as sw`; `docs/python.md` is its manual."""
