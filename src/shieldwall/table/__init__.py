"""The table: bases, blocks, terrain, distance, arcs, sight and movement. Knows no edition and no special rule."""
