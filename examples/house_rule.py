"""The effect of a house rule: do markers stay yours once you have left them?"""

import shieldwall as sw

if __name__ == "__main__":
    found = sw.compare_rules("control-lasts", ["off", "on"], edition="aof-1.6", games=40, workers=2)
    for change in found.differences[0]:
        print(f"{change.what:26} {change.difference:+8.2f}   95 %: {change.low:+.2f} to {change.high:+.2f}")
