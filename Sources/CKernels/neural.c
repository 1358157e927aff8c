// Render thread. A matrix is multiplied with many frames at once: each of its weights is loaded once for
// a whole vector of frames.
#include "neural.h"

#include "lanes.h"

typedef float float16 __attribute__((ext_vector_type(16)));
typedef float float32 __attribute__((ext_vector_type(32)));

// A tile: `COUNT` outputs for one vector of frames.
#define DEFINE_TILE(NAME, VECTOR, COUNT)                                                       \
  INLINE void NAME(                                                                            \
      const float *weights, const float *const *rows, long row_count, const float *bias,       \
      const float *added, long added_stride, float *output, long stride, long frame) {         \
    VECTOR sum[COUNT];                                                                         \
    UNROLLED for (int k = 0; k < COUNT; k++) sum[k] = (VECTOR)(bias ? bias[k] : 0.0f);         \
    for (long row = 0; row < row_count; row++) {                                               \
      VECTOR x;                                                                                \
      memcpy(&x, rows[row] + frame, sizeof x);                                                 \
      UNROLLED for (int k = 0; k < COUNT; k++) sum[k] += x * weights[row * COUNT + k];         \
    }                                                                                          \
    UNROLLED for (int k = 0; k < COUNT; k++) {                                                 \
      if (added) {                                                                             \
        VECTOR x;                                                                              \
        memcpy(&x, added + k * added_stride + frame, sizeof x);                                \
        sum[k] += x;                                                                           \
      }                                                                                        \
      memcpy(output + k * stride + frame, &sum[k], sizeof(VECTOR));                            \
    }                                                                                          \
  }

// All frames of `COUNT` outputs, first in vectors of `WIDE` frames.
#define DEFINE_OUTPUTS(NAME, WIDE, NARROW, COUNT)                                              \
  DEFINE_TILE(NAME##_wide_tile, WIDE, COUNT)                                                   \
  DEFINE_TILE(NAME##_tile, NARROW, COUNT)                                                      \
  INLINE void NAME(                                                                            \
      const float *weights, const float *const *rows, long row_count, const float *bias,       \
      const float *added, long added_stride, float *output, long stride, long frame_count) {   \
    const long wide = sizeof(WIDE) / sizeof(float), narrow = sizeof(NARROW) / sizeof(float);   \
    long frame = 0;                                                                            \
    for (; frame + wide <= frame_count; frame += wide)                                         \
      NAME##_wide_tile(                                                                        \
          weights, rows, row_count, bias, added, added_stride, output, stride, frame);         \
    for (; frame < frame_count; frame += narrow)                                               \
      NAME##_tile(weights, rows, row_count, bias, added, added_stride, output, stride, frame); \
  }

#define PARAMETERS                                                                             \
  (const float *weights, const float *const *rows, long row_count, const float *bias,          \
   const float *added, long added_stride, float *output, long stride, long output_count,       \
   long frame_count)

#define TILES(NAME)                                                                            \
  NAME(weights, rows, row_count, own, other, added_stride, to, stride, frame_count)

#define DEFINE_PRODUCT(NAME, WIDE, NARROW, ATTRIBUTES)                                         \
  DEFINE_OUTPUTS(NAME##4, WIDE, NARROW, 4)                                                     \
  DEFINE_OUTPUTS(NAME##3, WIDE, NARROW, 3)                                                     \
  DEFINE_OUTPUTS(NAME##2, WIDE, NARROW, 2)                                                     \
  DEFINE_OUTPUTS(NAME##1, WIDE, NARROW, 1)                                                     \
  ATTRIBUTES static void NAME PARAMETERS {                                                     \
    long first = 0;                                                                            \
    for (; first < output_count; first += FX_NEURAL_OUTPUTS) {                                 \
      const float *own = bias ? bias + first : 0;                                              \
      const float *other = added ? added + first * added_stride : 0;                           \
      float *to = output + first * stride;                                                     \
      switch (output_count - first) {                                                          \
      case 1: TILES(NAME##1); break;                                                           \
      case 2: TILES(NAME##2); break;                                                           \
      case 3: TILES(NAME##3); break;                                                           \
      default: TILES(NAME##4);                                                                 \
      }                                                                                        \
      weights += FX_NEURAL_OUTPUTS * row_count;                                                \
    }                                                                                          \
  }

DEFINE_PRODUCT(product_baseline, float8, float8, )
#if defined(__x86_64__)
DEFINE_PRODUCT(product_avx2, float16, float16, __attribute__((target("arch=x86-64-v3"))))
DEFINE_PRODUCT(product_avx512, float32, float16, __attribute__((target("arch=x86-64-v4"))))
#endif

void fx_neural_product(
    int level, const float *weights, const float *const *rows, long row_count, const float *bias,
    const float *added, long added_stride, float *output, long stride, long output_count,
    long frame_count) {
#if defined(__x86_64__)
  if (level >= 3)
    return product_avx512(
        weights, rows, row_count, bias, added, added_stride, output, stride, output_count,
        frame_count);
  if (level > 0)
    return product_avx2(
        weights, rows, row_count, bias, added, added_stride, output, stride, output_count,
        frame_count);
#else
  (void)level;
#endif
  product_baseline(
      weights, rows, row_count, bias, added, added_stride, output, stride, output_count,
      frame_count);
}

// Beyond this, tanh differs from 1 by less than 1e-7.
#define FLAT 8.5f

INLINE float8 within(float8 x, float low, float high) {
  x = x > low ? x : (float8)low;
  return x < high ? x : (float8)high;
}

// x * P(x²) / Q(x²), fitted to tanh(x) with the smallest relative error: 1.2e-8, and 3.4e-7 with the
// rounding of floats. NaN gives -1. At most 1, so that no sum of a recurrent layer grows.
INLINE float8 tanh_of(float8 x) {
  x = within(x, -FLAT, FLAT);
  float8 u = x * x;
  float8 p = 1.4269259226963873e-08f;
  p = p * u + 2.1251066920910145e-05f;
  p = p * u + 0.0035340282654712668f;
  p = p * u + 0.13413248133834227f;
  p = p * u + 1.0f;
  float8 q = 8.145136176477935e-07f;
  q = q * u + 0.00033488670752196756f;
  q = q * u + 0.0260227567648496f;
  q = q * u + 0.4674657087188005f;
  q = q * u + 1.0f;
  return within(x * p / q, -1, 1);
}

INLINE float8 sigmoid_of(float8 x) { return 0.5f + 0.5f * tanh_of(0.5f * x); }

INLINE float8 value_of(int function, float slope, float8 x) {
  switch (function) {
  case FX_NEURAL_HARD_TANH: return within(x, -1, 1);
  case FX_NEURAL_RELU: return x > 0 ? x : (float8)0;
  case FX_NEURAL_LEAKY_RELU: return x > 0 ? x : slope * x;
  case FX_NEURAL_SIGMOID: return sigmoid_of(x);
  case FX_NEURAL_SILU: return x * sigmoid_of(x);
  case FX_NEURAL_HARD_SWISH: return x * within(x + 3.0f, 0, 6) * (1.0f / 6);
  case FX_NEURAL_SOFTSIGN: return x / (1.0f + __builtin_elementwise_abs(x));
  default: return tanh_of(x);
  }
}

INLINE void activate_all(
    int function, float slope, float *rows, const float *gates, int gate_function,
    float gate_slope, long stride, long row_count, long frame_count) {
  for (long row = 0; row < row_count; row++) {
    float *values = rows + row * stride;
    const float *gate = gates ? gates + row * stride : 0;
    for (long frame = 0; frame < frame_count; frame += 8) {
      float8 x = value_of(function, slope, load(values + frame));
      if (gate) x *= value_of(gate_function, gate_slope, load(gate + frame));
      store(x, values + frame);
    }
  }
}

INLINE void activate(
    int function, float slope, float *rows, const float *gates, int gate_function,
    float gate_slope, long stride, long row_count, long frame_count) {
  // The usual function, without a choice in the loop.
  if (function == FX_NEURAL_TANH && !gates)
    return activate_all(
        FX_NEURAL_TANH, 0, rows, 0, FX_NEURAL_TANH, 0, stride, row_count, frame_count);
  activate_all(
      function, slope, rows, gates, gate_function, gate_slope, stride, row_count, frame_count);
}

LEVELS(
    void, activate,
    (int function, float slope, float *rows, const float *gates, int gate_function,
     float gate_slope, long stride, long row_count, long frame_count),
    function, slope, rows, gates, gate_function, gate_slope, stride, row_count, frame_count)
void fx_neural_activate(
    int level, int function, float slope, float *rows, const float *gates, int gate_function,
    float gate_slope, long stride, long row_count, long frame_count) {
  CALL(
      level, activate, function, slope, rows, gates, gate_function, gate_slope, stride, row_count,
      frame_count);
}

INLINE void add_gates(float8 *gates, const float *weights, float input) {
  UNROLLED for (int gate = 0; gate < 4; gate++) gates[gate] += load(weights + 8 * gate) * input;
}

INLINE void lstm(
    const float *weights, long group_count, const float *inputs, long input_count, float *cells,
    float *units, float *next, float *outputs, long frame_count) {
  const long unit_count = group_count * FX_NEURAL_UNITS;
  for (long frame = 0; frame < frame_count; frame++) {
    const float *from = weights;
    for (long group = 0; group < group_count; group++) {
      float8 gates[4];
      UNROLLED for (int gate = 0; gate < 4; gate++) gates[gate] = load(from + 8 * gate);
      from += 32;
      for (long i = 0; i < input_count; i++, from += 32) add_gates(gates, from, inputs[i]);
      for (long i = 0; i < unit_count; i++, from += 32) add_gates(gates, from, units[i]);
      float *cell = cells + group * FX_NEURAL_UNITS;
      float8 c = sigmoid_of(gates[1]) * load(cell) + sigmoid_of(gates[0]) * tanh_of(gates[2]);
      store(c, cell);
      store(sigmoid_of(gates[3]) * tanh_of(c), next + group * FX_NEURAL_UNITS);
    }
    memcpy(units, next, (size_t)unit_count * sizeof(float));
    memcpy(outputs, next, (size_t)unit_count * sizeof(float));
    inputs += input_count;
    outputs += unit_count;
  }
}

LEVELS(
    void, lstm,
    (const float *weights, long group_count, const float *inputs, long input_count, float *cells,
     float *units, float *next, float *outputs, long frame_count),
    weights, group_count, inputs, input_count, cells, units, next, outputs, frame_count)
void fx_neural_lstm(
    int level, const float *weights, long group_count, const float *inputs, long input_count,
    float *cells, float *units, float *next, float *outputs, long frame_count) {
  CALL(
      level, lstm, weights, group_count, inputs, input_count, cells, units, next, outputs,
      frame_count);
}

INLINE void sum_units(
    const float *weights, float bias, const float *units, long group_count, float *output,
    long frame_count) {
  for (long frame = 0; frame < frame_count; frame++, units += FX_NEURAL_UNITS * group_count) {
    float8 sum = 0;
    for (long group = 0; group < group_count; group++)
      sum += load(weights + 8 * group) * load(units + 8 * group);
    float4 half = sum.lo + sum.hi;
    output[frame] = bias + ((half[0] + half[2]) + (half[1] + half[3]));
  }
}

LEVELS(
    void, sum_units,
    (const float *weights, float bias, const float *units, long group_count, float *output,
     long frame_count),
    weights, bias, units, group_count, output, frame_count)
void fx_neural_sum(
    int level, const float *weights, float bias, const float *units, long group_count,
    float *output, long frame_count) {
  CALL(level, sum_units, weights, bias, units, group_count, output, frame_count);
}
