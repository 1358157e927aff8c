// Weighted sums of channels, and of past samples.
#pragma once

#define FX_MIX_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Writes `(0 + gains[0] * inputs[0] + gains[1] * inputs[1] + …) * gain`, added in that order, in
/// one pass over memory. `output` differs from all inputs. The bits do not depend on `level` (see
/// `fx_vector_level`).
FX_MIX_KERNEL void fx_mix(
    int level, const float *const *inputs, const float *gains, long input_count, float gain,
    float *output, long frame_count);

/// Writes for each of `frame_count` frames the sum of `pair_count` taps, each multiplied by the sum
/// of the two samples at the same distance from the middle: tap 0 uses the newest and the oldest of
/// `2 * pair_count` samples. `input` points to the first frame and has `2 * pair_count - 1` samples
/// before it; `output` is separate memory. Sums are added in the order of the taps; the bits do not
/// depend on `level` (see `fx_vector_level`).
FX_MIX_KERNEL void fx_fir_symmetric(
    int level, const float *taps, long pair_count, const float *input,
    float *output, long frame_count);
