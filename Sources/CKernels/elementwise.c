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
