"""The front door for programs. Import it as `import shieldwall as sw`; `docs/python.md` is its manual."""
