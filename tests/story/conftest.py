"""The toy ruleset of the replay tests serves here too."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "replay"))
