"""Many small files: a thousand take less than ten seconds on one core."""

import time
from pathlib import Path

import pytest

from shieldwall.scenario.runner import run_places

FILES = 200
SECONDS = 10.0 * FILES / 1000

TEXT = """
scenario: Shots {number}
edition: regiments-3.5
rows: [R35-SHOOT-15]
units:
  Archers: {{side: A, models: 4, equipment: 'Bow (24", A1)', front: [{x}, 10]}}
  Wolves: {{side: B, models: 10, front: [{x}, 20], facing: 180}}
dice: {{to_hit: [1, 3, 4, 6], block: [3, 4]}}
play: [{{activate: Archers, action: hold, shoot: {{Bow: Wolves}}}}]
expect: {{hits: 2, units: {{Wolves: {{models: 9}}}}}}
"""


@pytest.mark.slow
def test_many_small_files_are_fast(tmp_path: Path) -> None:
    for number in range(FILES):
        (tmp_path / f"{number}.yaml").write_text(TEXT.format(number=number, x=10 + number / 10))
    run_places([tmp_path / "0.yaml"])  # rulesets and tables are built once, not for each file
    began = time.process_time()  # a shared machine may be busy with something else
    report = run_places([tmp_path])
    assert report.exit_code == 0
    assert len(report.results) == FILES
    assert time.process_time() - began < SECONDS
