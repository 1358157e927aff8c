// The fast Fourier transform of real samples.
#pragma once

#define FX_FFT_KERNEL __attribute__((swift_attr("@_noLocks")))

/// One radix-4 step of a complex, self-sorting transform (Stockham): `count` groups of four, each
/// over `stride` adjacent numbers, from one pair of arrays into another.
///
/// `twiddles` holds six rows of `count` numbers: the first, second and third power of each group's
/// twiddle, real and imaginary parts. The bits do not depend on `level` (see `fx_vector_level`).
FX_FFT_KERNEL void fx_fft_radix4(
    int level, long count, long stride, const float *_Nonnull twiddles,
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull real_out,
    float *_Nonnull imaginary_out);

/// The last step of a transform whose length is no power of 4: sums and differences of two halves
/// of `stride` numbers.
FX_FFT_KERNEL void fx_fft_radix2(
    int level, long stride, const float *_Nonnull real, const float *_Nonnull imaginary,
    float *_Nonnull real_out, float *_Nonnull imaginary_out);

/// Bins 1 to `count - 1` of `2 * count` real samples, from the transform of `count` complex numbers
/// that hold the even and the odd samples. With `is_inverse` the reverse, twice as large. In place.
/// `twiddles` holds the cosines and then the sines of the first half of the bins.
FX_FFT_KERNEL void fx_fft_split(
    int level, long count, int is_inverse, const float *_Nonnull twiddles, float *_Nonnull real,
    float *_Nonnull imaginary);
