// Layers of neural networks, for `neuralAmp`. A row holds one channel, sample by sample. All counts of
// frames are multiples of `FX_NEURAL_FRAMES`; rows have room for that many. The bits do not depend on
// `level` (see `fx_vector_level`).
#pragma once

#define FX_NEURAL_KERNEL __attribute__((swift_attr("@_noLocks")))

/// Frames of the widest vector.
#define FX_NEURAL_FRAMES 16
/// Outputs that share one pass over the inputs.
#define FX_NEURAL_OUTPUTS 4
/// Units of a recurrent layer that are computed together.
#define FX_NEURAL_UNITS 8

typedef enum {
  FX_NEURAL_TANH,
  FX_NEURAL_HARD_TANH,
  FX_NEURAL_RELU,
  FX_NEURAL_LEAKY_RELU,
  FX_NEURAL_SIGMOID,
  FX_NEURAL_SILU,
  FX_NEURAL_HARD_SWISH,
  FX_NEURAL_SOFTSIGN,
} fx_neural_function;

/// Writes for each output `bias + weights * rows`, added in the order of the rows, and then the row of
/// `added`, unless it is null. `bias` may be null.
///
/// `weights` holds `FX_NEURAL_OUTPUTS` outputs (the last time the rest) after one another: for each of
/// the `row_count` rows one weight for each of these outputs. `added` and `output` have rows at a
/// distance of `added_stride` and `stride`.
FX_NEURAL_KERNEL void fx_neural_product(
    int level, const float *weights, const float *const *rows, long row_count, const float *bias,
    const float *added, long added_stride, float *output, long stride, long output_count,
    long frame_count);

/// Applies a function to rows at a distance of `stride`, and multiplies each with a function of its row
/// of `gates`, unless that is null. `slope` is that of `FX_NEURAL_LEAKY_RELU` below zero.
FX_NEURAL_KERNEL void fx_neural_activate(
    int level, int function, float slope, float *rows, const float *gates, int gate_function,
    float gate_slope, long stride, long row_count, long frame_count);

/// One layer of long short-term memory, any number of frames.
///
/// `group_count` groups of `FX_NEURAL_UNITS` units have these weights one after another: four vectors
/// (input, forget, cell and output gate) of bias, then four for each of `input_count` inputs, then four
/// for each unit of the layer. `inputs` and `outputs` hold the inputs or the units of one frame after
/// those of the frame before. `cells` and `units` are the state; `next` has room for the units.
FX_NEURAL_KERNEL void fx_neural_lstm(
    int level, const float *weights, long group_count, const float *inputs, long input_count,
    float *cells, float *units, float *next, float *outputs, long frame_count);

/// Writes for each of any number of frames the bias and the sum of its units, times their weights.
FX_NEURAL_KERNEL void fx_neural_sum(
    int level, const float *weights, float bias, const float *units, long group_count, float *output,
    long frame_count);
