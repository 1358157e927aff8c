"""NumPy arrays as samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Samples: TypeAlias = npt.NDArray[np.float32]

_MOST_CHANNELS = 256


def planar(samples: Any, name: str) -> Samples:
    """Samples as channels × frames of little-endian 32-bit floats."""
    import numpy as np

    array = np.asarray(samples)
    if array.dtype.kind in "iu":
        raise TypeError(
            f"{name} has whole numbers: divide them by their full scale first, 32768 for 16 bits"
        )
    if array.dtype.kind != "f":
        raise TypeError(f"{name} must be an array of floats, not of {array.dtype}")
    if array.ndim == 1:
        array = array[np.newaxis]
    if array.ndim != 2:
        raise ValueError(f"{name} has {array.ndim} dimensions: channels × frames have two")
    if not 1 <= array.shape[0] <= _MOST_CHANNELS:
        raise ValueError(
            f"{name} has {array.shape[0]} channels, and 1 to {_MOST_CHANNELS} are possible: "
            "an array is channels × frames, so an array of frames × channels needs .T"
        )
    return np.ascontiguousarray(array, "<f4")
