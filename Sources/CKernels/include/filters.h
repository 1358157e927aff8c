// A cascade of second-order filters over two channels, several filters and both channels to a
// vector. See `FilterCascade` in FxDSP for what the numbers mean.
#pragma once

#define FX_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Filters that one call runs at most; the samples between them stay in double precision.
#define FX_FILTERS_PER_PASS 12

/// What lies beyond, and what is no number, counts as silence: it would stay in the states.
#define FX_LOUDEST_SAMPLE 1e18f

/// Runs `count` (1...FX_FILTERS_PER_PASS) filters one after the other over two channels.
///
/// `coefficients` holds five rows (a, c, d, p, q) and `states` two, each row of
/// 2 * FX_FILTERS_PER_PASS numbers: filter by filter, the two channels side by side. Filters from
/// `count` up pass the signal on (d is 1, the rest 0). An output may be its input, and both
/// channels may be the same one. The bits do not depend on `level` nor on how a signal is cut
/// into calls.
FX_KERNEL void fx_filter_pass(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count);

/// The filters of one of several units that a call runs, with rows as in `fx_filter_pass`.
typedef struct {
  const double *coefficients;
  double *states;
  long count;
  /// Where the last sample of each channel that the unit gives is put; not of the last unit.
  float *last;
} fx_filter_unit;

/// Runs the filters of several units one after the other, as a call of `fx_filter_pass` for each would:
/// bit by bit, what each unit hears being single precision. Only what the last one gives is written.
///
/// All units but the last have two filters at most. The last one has two at most as well where it is
/// the third or a later one, and `FX_FILTERS_PER_PASS` less two for each before it.
FX_KERNEL void fx_filter_pass_joined(
    int level, const fx_filter_unit *units, long unit_count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count);

/// `fx_filter_pass` with numbers that move: `coefficients` holds the six rows a, b, c, d, p and q (see
/// filters.c) where a line starts, none of them -0, and then six rows of what each frame adds;
/// `position` is the first sample's frame on the line. The first row of the states is unscaled.
FX_KERNEL void fx_filter_glide(
    int level, const double *coefficients, double *states, long count, const float *left,
    const float *right, float *left_out, float *right_out, long frame_count, long position);
