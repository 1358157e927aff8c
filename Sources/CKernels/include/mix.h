// Weighted sums of channels.
#pragma once

#define FX_MIX_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Writes `(0 + gains[0] * inputs[0] + gains[1] * inputs[1] + …) * gain`, added in that order, in
/// one pass over memory. `output` is none of the inputs. The bits do not depend on `level` (see
/// `fx_vector_level`).
FX_MIX_KERNEL void fx_mix(
    int level, const float *const *inputs, const float *gains, long input_count, float gain,
    float *output, long frame_count);
