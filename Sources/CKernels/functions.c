// Render thread. The same steps in the same order as `Math`, four numbers at a time.
#include "functions.h"

#include "lanes.h"

typedef double double4 __attribute__((ext_vector_type(4)));
typedef long long4 __attribute__((ext_vector_type(4)));

// Adding 1.5 * 2^52 rounds to a whole number and leaves that in the low bits of the sum.
#define ROUNDING 6755399441055744.0

INLINE double4 chosen(long4 mask, double4 yes, double4 no) {
  return (double4)((mask & (long4)yes) | (~mask & (long4)no));
}

// The nearest quarter of a turn of an angle, and the sine and cosine of the rest.
INLINE void quarter(double4 x, double4 *sine, double4 *cosine, long4 *quadrant) {
  double4 n = (x * 0.6366197723675814 + ROUNDING) - ROUNDING;
  double4 r =
      ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  double4 t = r * r;
  double4 s = 1.0 / 355687428096000;
  s = s * t - 1.0 / 1307674368000;
  s = s * t + 1.0 / 6227020800;
  s = s * t - 1.0 / 39916800;
  s = s * t + 1.0 / 362880;
  s = s * t - 1.0 / 5040;
  s = s * t + 1.0 / 120;
  s = s * t - 1.0 / 6;
  *sine = s * t * r + r;
  double4 c = 1.0 / 20922789888000;
  c = c * t - 1.0 / 87178291200;
  c = c * t + 1.0 / 479001600;
  c = c * t - 1.0 / 3628800;
  c = c * t + 1.0 / 40320;
  c = c * t - 1.0 / 720;
  c = c * t + 1.0 / 24;
  c = c * t - 0.5;
  *cosine = c * t + 1;
  *quadrant = (long4)(n + ROUNDING) & 3;
}

INLINE double4 turned_sine(double4 sine, double4 cosine, long4 quadrant) {
  double4 part = chosen(-(quadrant & 1), cosine, sine);
  return (double4)((long4)part ^ (quadrant & 2) << 62);
}

INLINE double4 sine_of(double4 x) {
  double4 sine, cosine;
  long4 quadrant;
  quarter(x, &sine, &cosine, &quadrant);
  return turned_sine(sine, cosine, quadrant);
}

INLINE double4 cosine_of(double4 x) {
  double4 sine, cosine;
  long4 quadrant;
  quarter(x, &sine, &cosine, &quadrant);
  return turned_sine(sine, cosine, quadrant + 1);
}

INLINE double4 tangent_of(double4 x) {
  double4 sine, cosine;
  long4 quadrant;
  quarter(x, &sine, &cosine, &quadrant);
  return turned_sine(sine, cosine, quadrant) / turned_sine(sine, cosine, quadrant + 1);
}

INLINE double4 power_of_two(double4 x) {
  double4 n = (x + ROUNDING) - ROUNDING;
  double4 r = (x - n) * 0.6931471805599453;
  double4 p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  double4 rest = p * r * r + r + 1;
  double4 power = (double4)((long4)(n + 1023 + 4503599627370496.0) << 52);
  double4 infinity = __builtin_inf();
  double4 result = chosen(x >= 1023.5, infinity, rest * power);
  result = chosen(x < -1022.5, (double4)0, result);
  return chosen(x != x, x, result);
}

INLINE double4 square_root_of(double4 x) { return __builtin_elementwise_sqrt(x); }

#define DEFINE_FUNCTION(NAME, ONE)                                                             \
  INLINE void ONE##s(double *numbers, long count) {                                            \
    long i = 0;                                                                                \
    for (; i + 4 <= count; i += 4) {                                                           \
      double4 part;                                                                            \
      memcpy(&part, numbers + i, sizeof part);                                                 \
      part = ONE(part);                                                                        \
      memcpy(numbers + i, &part, sizeof part);                                                 \
    }                                                                                          \
    if (i == count) return;                                                                    \
    double4 part = 0;                                                                          \
    for (long k = 0; i + k < count; k++) part[k] = numbers[i + k];                             \
    part = ONE(part);                                                                          \
    for (long k = 0; i + k < count; k++) numbers[i + k] = part[k];                             \
  }                                                                                            \
  LEVELS(void, ONE##s, (double *numbers, long count), numbers, count)                          \
  void NAME(int level, double *numbers, long count) { CALL(level, ONE##s, numbers, count); }

DEFINE_FUNCTION(fx_sines, sine_of)
DEFINE_FUNCTION(fx_cosines, cosine_of)
DEFINE_FUNCTION(fx_tangents, tangent_of)
DEFINE_FUNCTION(fx_powers_of_two, power_of_two)
DEFINE_FUNCTION(fx_square_roots, square_root_of)
