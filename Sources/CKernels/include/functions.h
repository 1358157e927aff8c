// Functions of double precision over arrays, in place: the bits are those of `Math` in FxAudio, and
// do not depend on `level` (see `fx_vector_level`). Ranges and errors as there.
#pragma once

#define FX_FUNCTION __attribute__((swift_attr("@_noLocks")))

/// Sines of angles in radians.
FX_FUNCTION void fx_sines(int level, double *_Nonnull numbers, long count);

/// Cosines of angles in radians.
FX_FUNCTION void fx_cosines(int level, double *_Nonnull numbers, long count);

/// Tangents of angles in radians.
FX_FUNCTION void fx_tangents(int level, double *_Nonnull numbers, long count);

/// Powers of 2.
FX_FUNCTION void fx_powers_of_two(int level, double *_Nonnull numbers, long count);

/// Square roots.
FX_FUNCTION void fx_square_roots(int level, double *_Nonnull numbers, long count);
