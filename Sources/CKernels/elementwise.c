// Render thread. Written with vectors: the compiler does not vectorize a loop over floats that
// writes to its input.
#include "elementwise.h"

#include "lanes.h"

INLINE void scale(const float *input, float factor, float *output, long count) {
  long i = 0;
  long whole = count & -32;
  // Without more unrolling, short blocks start sooner.
  _Pragma("clang loop unroll(disable)") for (; i < whole; i += 32) {
    float8 part[4];
    UNROLLED for (int k = 0; k < 4; k++) part[k] = load(input + i + 8 * k);
    UNROLLED for (int k = 0; k < 4; k++) store(part[k] * factor, output + i + 8 * k);
  }
  if (whole == count) return;
  for (; i + 8 <= count; i += 8) store(load(input + i) * factor, output + i);
  for (; i < count; i++) output[i] = input[i] * factor;
}

// Zero times a finite number is zero, and the sum stays zero. Zero times anything else is NaN, and
// the sum stays NaN. Four sums, so that no step waits for the previous one.
typedef struct {
  float8 sums[4];
} number_marks;

// Multiplications may be fused here: these sums are not part of the signal.
INLINE void mark(number_marks *marks, int k, float8 samples) {
#pragma clang fp contract(fast)
  marks->sums[k] += samples * 0.0f;
}

INLINE int are_numbers(const number_marks *marks) {
  float8 sum = (marks->sums[0] + marks->sums[1]) + (marks->sums[2] + marks->sums[3]);
  return __builtin_reduce_or(sum != sum) == 0;
}

// The frames after the last whole stretch.
static __attribute__((noinline)) int scale_ends(
    const float *const *inputs, float factor, float *const *outputs, long channels, long from,
    long count) {
  number_marks marks = {0};
  float rest = 0;
  for (long channel = 0; channel < channels; channel++) {
    const float *input = inputs[channel];
    float *output = outputs[channel];
    long i = from;
    for (; i + 8 <= count; i += 8) {
      float8 part = load(input + i) * factor;
      store(part, output + i);
      mark(&marks, 0, part);
    }
    for (; i < count; i++) {
      output[i] = input[i] * factor;
      rest += output[i] * 0.0f;
    }
  }
  return are_numbers(&marks) & (rest == 0);
}

INLINE int scale_channels(
    const float *const *inputs, float factor, float *const *outputs, long channels, long count) {
  number_marks marks = {0};
  long whole = count & -32;
  for (long channel = 0; channel < channels; channel++) {
    const float *input = inputs[channel];
    float *output = outputs[channel];
    _Pragma("clang loop unroll(disable)") for (long i = 0; i < whole; i += 32) {
      float8 part[4];
      UNROLLED for (int k = 0; k < 4; k++) part[k] = load(input + i + 8 * k) * factor;
      UNROLLED for (int k = 0; k < 4; k++) {
        store(part[k], output + i + 8 * k);
        mark(&marks, k, part[k]);
      }
    }
  }
  int found = are_numbers(&marks);
  if (whole == count) return found;
  return scale_ends(inputs, factor, outputs, channels, whole, count) & found;
}

INLINE void multiply(const float *input, const float *factors, float *output, long count) {
  long i = 0;
  for (; i + 8 <= count; i += 8) store(load(input + i) * load(factors + i), output + i);
  for (; i < count; i++) output[i] = input[i] * factors[i];
}

INLINE void add_scaled(const float *input, float factor, float *output, long count) {
  long i = 0;
  for (; i + 8 <= count; i += 8) {
    store(load(output + i) + load(input + i) * factor, output + i);
  }
  for (; i < count; i++) output[i] = output[i] + input[i] * factor;
}

INLINE void add(const float *input, float *output, long count) {
  long i = 0;
  for (; i + 8 <= count; i += 8) store(load(output + i) + load(input + i), output + i);
  for (; i < count; i++) output[i] = output[i] + input[i];
}

INLINE void blend(
    const float *first, float factor, const float *second, float share, float *output, long count) {
  long i = 0;
  for (; i + 8 <= count; i += 8) {
    store(load(first + i) * factor + load(second + i) * share, output + i);
  }
  for (; i < count; i++) output[i] = first[i] * factor + second[i] * share;
}

LEVELS(
    void, scale, (const float *input, float factor, float *output, long count), input, factor,
    output, count)
void fx_scale(int level, const float *input, float factor, float *output, long count) {
  CALL(level, scale, input, factor, output, count);
}

LEVELS(
    int, scale_channels,
    (const float *const *inputs, float factor, float *const *outputs, long channels, long count),
    inputs, factor, outputs, channels, count)
int fx_scale_channels(
    int level, const float *const *inputs, float factor, float *const *outputs, long channels,
    long count) {
  CALL(level, scale_channels, inputs, factor, outputs, channels, count);
}

LEVELS(
    void, multiply, (const float *input, const float *factors, float *output, long count), input,
    factors, output, count)
void fx_multiply(
    int level, const float *input, const float *factors, float *output, long count) {
  CALL(level, multiply, input, factors, output, count);
}

LEVELS(
    void, add_scaled, (const float *input, float factor, float *output, long count), input, factor,
    output, count)
void fx_add_scaled(int level, const float *input, float factor, float *output, long count) {
  CALL(level, add_scaled, input, factor, output, count);
}

LEVELS(void, add, (const float *input, float *output, long count), input, output, count)
void fx_add(int level, const float *input, float *output, long count) {
  CALL(level, add, input, output, count);
}

LEVELS(
    void, blend,
    (const float *first, float factor, const float *second, float share, float *output, long count),
    first, factor, second, share, output, count)
void fx_blend(
    int level, const float *first, float factor, const float *second, float share, float *output,
    long count) {
  CALL(level, blend, first, factor, second, share, output, count);
}
