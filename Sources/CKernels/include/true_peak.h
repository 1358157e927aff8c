// True peaks: the peaks of the signal between samples.
#pragma once

#define FX_PEAK_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Samples on each side of an interval, from which the wave is computed.
#define FX_PEAK_TAPS 10
/// Samples that `fx_true_peaks` reads after the last one that it needs.
#define FX_PEAK_OVERREAD 16

/// Writes for each of `frame_count` frames the largest magnitude of the wave from that frame to the
/// next.
///
/// The wave is computed at quarters of a frame. A parabola through the largest of them and its
/// neighbours finds the peak between. `taps` holds three rows of FX_PEAK_TAPS, from the inner to
/// the outer pair of samples: for the sums and for the differences of a pair at a quarter, and for
/// the sums at a half. `input` points to the first frame; there are FX_PEAK_TAPS samples before it
/// and FX_PEAK_TAPS + FX_PEAK_OVERREAD after the last frame. With `keeps_larger` a frame keeps its
/// old peak if that is larger. The bits do not depend on `level` (see `fx_vector_level`), nor on
/// how a signal is split into calls.
FX_PEAK_KERNEL void fx_true_peaks(
    int level, const float *_Nonnull taps, const float *_Nonnull input, float *_Nonnull peaks,
    long frame_count, int keeps_larger);
