// A cascade of second-order filters over two channels; a vector holds several filters and both
// channels. See `FilterCascade` in FxUnits for the meaning of the numbers.
#pragma once

#define FX_KERNEL __attribute__((swift_attr("@_noLocks")))

/// The largest number of filters per call; the samples between them stay in double precision.
#define FX_FILTERS_PER_PASS 12

/// Samples beyond this, and NaN, count as silence: they would stay in the states.
#define FX_LOUDEST_SAMPLE 1e18f

/// Runs `count` (1...FX_FILTERS_PER_PASS) filters in series over two channels.
///
/// `coefficients` holds five rows (a, c, d, p, q) and `states` two, each row of 2 *
/// FX_FILTERS_PER_PASS numbers: filter by filter, with the two channels next to each other. Filters
/// from `count` on pass the signal through (d is 1, the rest 0). An output may be its input, and
/// both channels may be the same one. The bits do not depend on `level`, nor on how a signal is
/// split into calls.
FX_KERNEL void fx_filter_pass(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count);

/// The filters of one of several units that a call runs, with rows as in `fx_filter_pass`.
typedef struct {
  const double *coefficients;
  double *states;
  long count;
  /// Receives the last output sample of each channel of the unit; not used for the last unit.
  float *last;
} fx_filter_unit;

/// Runs the filters of several units in series. The bits are the same as with one call of
/// `fx_filter_pass` per unit: the input of each unit is in single precision. Only the output of the
/// last unit is written.
///
/// Each unit except the last has at most two filters. The last one has at most
/// `FX_FILTERS_PER_PASS` minus two for each unit before it, and at most two where it is the third
/// or a later unit.
FX_KERNEL void fx_filter_pass_joined(
    int level, const fx_filter_unit *units, long unit_count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count);

/// `fx_filter_pass` with changing coefficients: `coefficients` holds the six rows a, b, c, d, p and
/// q (see filter_glide.c) at the start of a line, none of them -0, and then six rows with the
/// increments per frame. `position` is the first sample's frame on the line. The first row of the
/// states is unscaled.
FX_KERNEL void fx_filter_glide(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count, long position);
