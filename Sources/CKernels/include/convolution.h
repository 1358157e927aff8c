// Convolution of a channel: directly and in the frequency domain.
#pragma once

#define FX_CONVOLUTION_KERNEL __attribute__((swift_attr("@_noLocks")))

/// `output[i] = taps[0] * newest[i] + taps[1] * newest[i - 1] + …`, added in this order. The bits
/// do not depend on `level` (see `fx_vector_level`).
FX_CONVOLUTION_KERNEL void fx_convolve_directly(
    int level, const float *_Nonnull taps, long tap_count, const float *_Nonnull newest,
    float *_Nonnull output, long frame_count);

/// Adds the products of spectra and responses to a sum, partition `first` to `end - 1` in order.
///
/// All arrays hold spectra of `bin_count` real and then as many imaginary parts. `spectra` is a
/// ring of `ring_count`: partition p uses entry `newest - p`, modulo `ring_count`.
FX_CONVOLUTION_KERNEL void fx_add_products(
    int level, long bin_count, long first, long end, const float *_Nonnull spectra, long newest,
    long ring_count, const float *_Nonnull responses, float *_Nonnull sum);

/// Splits `2 * count` numbers into those at even and those at odd positions.
FX_CONVOLUTION_KERNEL void fx_deinterleave(
    int level, const float *_Nonnull both, float *_Nonnull evens, float *_Nonnull odds, long count);

/// Interleaves the numbers of two arrays, multiplied by `scale`.
FX_CONVOLUTION_KERNEL void fx_interleave(
    int level, const float *_Nonnull evens, const float *_Nonnull odds, float scale,
    float *_Nonnull both, long count);
