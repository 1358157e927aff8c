// What limiters and compressors do to a chunk of levels and gains. See `LimiterGain`,
// `SlidingMinimum`, `BoxSmoother` and `GainComputer` in FxDSP for what the numbers mean. No result
// depends on `level` (see `fx_vector_level`).
#pragma once

#define FX_DYNAMICS __attribute__((swift_attr("@_noLocks")))

/// 1 when all values are exactly 1, 0 otherwise.
FX_DYNAMICS int fx_are_all_one(int level, const float *_Nonnull values, long count);

/// Replaces each peak by the gain that brings it down to `share` times its ceiling, 1 where it is
/// below.
FX_DYNAMICS void fx_needed_gains(
    int level, const float *_Nonnull ceilings, float share, float *_Nonnull peaks, long count);

/// Multiplies samples by gains and keeps them within the ceilings, ±; a product that is no number, or
/// beyond FX_LOUDEST_SAMPLE, becomes silence.
FX_DYNAMICS void fx_apply_limit(
    int level, const float *_Nonnull gains, const float *_Nonnull ceilings,
    float *_Nonnull samples, long count);

/// The smallest value, or `least` where that is smaller.
FX_DYNAMICS float fx_least(int level, const float *_Nonnull values, float least, long count);

/// Keeps a copy of values in `current` and replaces each by the least of all since the stretch began,
/// of which `minimum` is the least so far, and of `previous`. Values are numbers.
FX_DYNAMICS void fx_scan_minimum(
    int level, const float *_Nonnull previous, float *_Nonnull current, float *_Nonnull minimum,
    float *_Nonnull values, long count);

/// Writes for each place the least value from there to the end.
FX_DYNAMICS void fx_least_to_end(
    int level, const float *_Nonnull values, float *_Nonnull least, long count);

/// Two moving sums in a row, over values between 0 and 1 in steps of 2^-26, which a double holds
/// exactly; so they may be added in any order. `first` and `second` hold the values and the first
/// sums that leave the two windows, and are given those that come; no window is shorter than `count`.
/// `sums` holds both sums.
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

/// Replaces amplitudes, or with `are_powers` their squares, by reductions; not-a-number counts as
/// silence.
FX_DYNAMICS void fx_reduce(
    int level, const fx_curve *_Nonnull curve, int are_powers, float *_Nonnull levels, long count);

/// Replaces reductions by gains, times `makeup`.
FX_DYNAMICS void fx_gains_of_reductions(
    int level, float makeup, float *_Nonnull reductions, long count);

/// Replaces levels by the magnitudes of samples, or with `keeps_larger` only those that are smaller;
/// not-a-number counts as 0.
FX_DYNAMICS void fx_magnitudes(
    int level, const float *_Nonnull samples, int keeps_larger, float *_Nonnull levels, long count);
