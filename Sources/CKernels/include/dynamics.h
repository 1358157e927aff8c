// The calculations of limiters and compressors on a chunk of levels and gains. See `LimiterGain`,
// `SlidingMinimum`, `BoxSmoother` and `GainComputer` in FxUnits for the meaning of the numbers. No
// result depends on `level` (see `fx_vector_level`).
#pragma once

#define FX_DYNAMICS __attribute__((swift_attr("@_noLocks")))

/// 1 when all values are exactly 1, 0 otherwise.
FX_DYNAMICS int fx_are_all_one(int level, const float *_Nonnull values, long count);

/// Replaces each peak by the gain that reduces it to `share` times its ceiling; by 1 where it is
/// below that.
FX_DYNAMICS void fx_needed_gains(
    int level, const float *_Nonnull ceilings, float share, float *_Nonnull peaks, long count);

/// Multiplies samples by gains and limits them to the ceilings, ±. A product that is NaN, or beyond
/// FX_LOUDEST_SAMPLE, becomes silence.
FX_DYNAMICS void fx_apply_limit(
    int level, const float *_Nonnull gains, const float *_Nonnull ceilings,
    float *_Nonnull samples, long count);

/// The smallest value, or `least` where that is smaller.
FX_DYNAMICS float fx_least(int level, const float *_Nonnull values, float least, long count);

/// Copies values to `current`, and replaces each by the minimum of all values since the stretch
/// began and of its `previous` value. `minimum` holds the minimum of the stretch so far. No value
/// is NaN.
FX_DYNAMICS void fx_scan_minimum(
    int level, const float *_Nonnull previous, float *_Nonnull current, float *_Nonnull minimum,
    float *_Nonnull values, long count);

/// Writes for each position the minimum from there to the end.
FX_DYNAMICS void fx_least_to_end(
    int level, const float *_Nonnull values, float *_Nonnull least, long count);

/// Two moving sums in series, over values between 0 and 1 in steps of 2^-26. A double holds them
/// exactly, so they may be added in any order. `first` and `second` hold the values and the first
/// sums that leave the two windows, and receive those that enter. No window is shorter than
/// `count`. `sums` holds both sums.
FX_DYNAMICS void fx_smooth_twice(
    int level, const double *_Nonnull values, double *_Nonnull first, double *_Nonnull second,
    double *_Nonnull sums, double scale, float *_Nonnull output, long count);

/// A compressor's curve: the reduction above a threshold, in octaves.
typedef struct {
  float threshold;
  float slope;
  float half_knee;
  float knee_factor;
} fx_curve;

/// Replaces amplitudes, or with `are_powers` their squares, by reductions; NaN counts as silence.
FX_DYNAMICS void fx_reduce(
    int level, const fx_curve *_Nonnull curve, int are_powers, float *_Nonnull levels, long count);

/// Replaces reductions by gains, times `makeup`.
FX_DYNAMICS void fx_gains_of_reductions(
    int level, float makeup, float *_Nonnull reductions, long count);

/// Replaces levels by the magnitudes of samples, with `keeps_larger` only where the level is
/// smaller; NaN counts as 0.
FX_DYNAMICS void fx_magnitudes(
    int level, const float *_Nonnull samples, int keeps_larger, float *_Nonnull levels, long count);
