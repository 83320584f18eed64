"""What the arrays of compiled modules are called: by their numbers and by how many indices they take.

All of them lie in memory row by row without gaps, as NumPy makes them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]  # one index
Matrix = npt.NDArray[np.float64]  # two
Cube = npt.NDArray[np.float64]  # three
Ints = npt.NDArray[np.int64]  # one
IntMatrix = npt.NDArray[np.int64]  # two
Marks = npt.NDArray[np.uint8]  # one; 0 or 1
MarkMatrix = npt.NDArray[np.uint8]  # two
