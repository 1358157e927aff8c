// Operations on one or two arrays, number by number. An output may be one of the inputs; the bits
// do not depend on `level` (see `fx_vector_level`).
#pragma once

#define FX_ELEMENTWISE __attribute__((swift_attr("@_noLocks")))

/// `output = input * factor`.
FX_ELEMENTWISE void fx_scale(
    int level, const float *_Nonnull input, float factor, float *_Nonnull output, long count);

/// `output = input * factors`, frame by frame.
FX_ELEMENTWISE void fx_multiply(
    int level, const float *_Nonnull input, const float *_Nonnull factors, float *_Nonnull output,
    long count);

/// `output = output + input * factor`.
FX_ELEMENTWISE void fx_add_scaled(
    int level, const float *_Nonnull input, float factor, float *_Nonnull output, long count);

/// `output = output + input`.
FX_ELEMENTWISE void fx_add(
    int level, const float *_Nonnull input, float *_Nonnull output, long count);

/// `output = first * factor + second * share`.
FX_ELEMENTWISE void fx_blend(
    int level, const float *_Nonnull first, float factor, const float *_Nonnull second, float share,
    float *_Nonnull output, long count);
