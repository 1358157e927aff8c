// Calls every kernel with the same random numbers, and prints a hash of what each computes: the bits must be
// the same for every instruction set and every processor.
//
//   vectors LEVEL    prints a line for each kernel
#include "convolution.h"
#include "dither.h"
#include "dynamics.h"
#include "eight_lines.h"
#include "elementwise.h"
#include "fft.h"
#include "filters.h"
#include "functions.h"
#include "guard.h"
#include "mix.h"
#include "neural.h"
#include "reverb.h"
#include "samples.h"
#include "shaper.h"
#include "sinc.h"
#include "true_peak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096 };

static int level;
static uint32_t state;
static uint64_t hash;

static uint32_t number(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static double between(double low, double high) {
  return low + (high - low) * (number() / 4294967296.0);
}

// A sample: mostly up to ±1, sometimes zero, tiny, or beyond full scale.
static float sample(void) {
  float value = (float)between(-1, 1);
  switch (number() & 31) {
  case 0: return 0;
  case 1: return value * 1e-40f;
  case 2: return value * 40;
  default: return value;
  }
}

static float *samples(long count) {
  float *made = malloc((unsigned long)count * sizeof(float));
  for (long i = 0; i < count; i++) made[i] = sample();
  return made;
}

static float *inside(long count, double low, double high) {
  float *made = malloc((unsigned long)count * sizeof(float));
  for (long i = 0; i < count; i++) made[i] = (float)between(low, high);
  return made;
}

static double *doubles(long count, double low, double high) {
  double *made = malloc((unsigned long)count * sizeof(double));
  for (long i = 0; i < count; i++) made[i] = between(low, high);
  return made;
}

// FNV-1a.
static void take(const void *bytes, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) {
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  }
}

static void floats(const float *values, long count) { take(values, (unsigned long)count * sizeof(float)); }

static void begin(void) {
  state = 2463534242u;
  hash = 0xcbf29ce484222325u;
}

static void end(const char *name) { printf("%-24s %016llx\n", name, (unsigned long long)hash); }

// Every length that a loop treats in its own way.
static const long lengths[] = {1, 3, 8, 31, 32, 33, 100, 257, 1000};
#define EACH_LENGTH(n) \
  for (unsigned long at = 0; at < sizeof lengths / sizeof *lengths; at++) \
    for (long n = lengths[at], once = 1; once; once = 0)

static void convolution(void) {
  begin();
  EACH_LENGTH(n) {
    float *taps = inside(64, -1, 1), *input = samples(n + 64), *output = samples(n);
    fx_convolve_directly(level, taps, 64, input + 63, output, n);
    floats(output, n);
  }
  end("fx_convolve_directly");
  begin();
  for (long bins = 8; bins <= 256; bins *= 2) {
    float *spectra = samples(5 * 2 * bins), *responses = samples(4 * 2 * bins), *sum = samples(2 * bins);
    fx_add_products(level, bins, 0, 4, spectra, 1, 5, responses, sum);
    floats(sum, 2 * bins);
  }
  end("fx_add_products");
  begin();
  for (long n = 8; n <= 512; n *= 2) {
    float *both = samples(2 * n), *evens = samples(n), *odds = samples(n);
    fx_deinterleave(level, both, evens, odds, n);
    floats(evens, n);
    floats(odds, n);
    fx_interleave(level, odds, evens, 0.3f, both, n);
    floats(both, 2 * n);
  }
  end("fx_interleave");
}

static void dither(void) {
  begin();
  EACH_LENGTH(n) {
    float *left = samples(n), *right = samples(n);
    const float *channels[] = {left, right};
    int16_t target[2 * SIZE] = {0};
    for (long count = 1; count <= 2; count++) {
      fx_dither_16(level, channels, count, n, 4294967290u, count, target);
      take(target, (unsigned long)(n * count) * sizeof *target);
    }
  }
  end("fx_dither_16");
}

static void dynamics(void) {
  begin();
  EACH_LENGTH(n) {
    float *ones = inside(n, 1, 1), *ceilings = inside(n, 0.1, 1), *peaks = inside(n, 0, 4);
    long facts = fx_are_all_one(level, ones, n);
    ones[n / 2] = 0.5f;
    facts += 2 * fx_are_all_one(level, ones, n);
    take(&facts, sizeof facts);
    fx_needed_gains(level, ceilings, 0.98f, peaks, n);
    floats(peaks, n);
    float *sound = samples(n);
    fx_apply_limit(level, peaks, ceilings, sound, n);
    floats(sound, n);
    float least = fx_least(level, peaks, 0.7f, n);
    floats(&least, 1);
  }
  end("limiter");
  begin();
  EACH_LENGTH(n) {
    float *previous = inside(n, 0, 1), *current = inside(n, 0, 1), *values = inside(n, 0, 1), minimum = 0.9f;
    fx_scan_minimum(level, previous, current, &minimum, values, n);
    floats(&minimum, 1);
    floats(current, n);
    floats(values, n);
    fx_least_to_end(level, values, current, n);
    floats(current, n);
  }
  end("minimum");
  begin();
  EACH_LENGTH(n) {
    double *values = doubles(n, 0, 1), *first = doubles(n, 0, 1), *second = doubles(n, 0, 30), sums[2] = {20, 500};
    for (long i = 0; i < n; i++) {
      values[i] = (double)(long)(values[i] * 0x1p26) * 0x1p-26;
      first[i] = (double)(long)(first[i] * 0x1p26) * 0x1p-26;
      second[i] = (double)(long)(second[i] * 0x1p26) * 0x1p-26;
    }
    float *output = samples(n);
    fx_smooth_twice(level, values, first, second, sums, 1.0 / 1936, output, n);
    floats(output, n);
    take(sums, sizeof sums);
  }
  end("fx_smooth_twice");
  begin();
  EACH_LENGTH(n) {
    const fx_curve curve = {-3, 0.75f, 1, 0.1875f};
    float *levels = inside(n, 0, 2), *sound = samples(n);
    fx_magnitudes(level, sound, 1, levels, n);
    floats(levels, n);
    fx_reduce(level, &curve, (int)(n & 1), levels, n);
    floats(levels, n);
    fx_gains_of_reductions(level, 1.4f, levels, n);
    floats(levels, n);
  }
  end("compressor");
}

static void eight_lines(void) {
  begin();
  EACH_LENGTH(n) {
    float *memory[FX_EIGHT_LINES], *feed = inside(8, 0, 1), *keep = inside(8, 0, 0.9), *smoothed = inside(8, -1, 1);
    for (int line = 0; line < FX_EIGHT_LINES; line++) memory[line] = inside(n + 8, -1, 1);
    float *rows = inside(8 * (n + 8), -1, 1), *left = samples(n), *right = samples(n), *output = samples(n);
    fx_eight_lines_read(level, (const float *const *)memory, feed, keep, smoothed, rows, n + 8, n);
    for (long pattern = 0; pattern < 4; pattern++) {
      fx_eight_lines_sum(level, rows, n + 8, pattern, output, n);
      floats(output, n);
    }
    fx_eight_lines_write(level, rows, n + 8, left, right, memory, n);
    for (int line = 0; line < FX_EIGHT_LINES; line++) floats(memory[line], n);
    floats(smoothed, 8);
  }
  end("eight lines");
}

static void elementwise(void) {
  begin();
  EACH_LENGTH(n) {
    float *a = samples(n), *b = samples(n), *output = samples(n);
    fx_scale(level, a, 0.37f, output, n);
    floats(output, n);
    fx_multiply(level, a, b, output, n);
    floats(output, n);
    fx_add_scaled(level, a, -0.7f, output, n);
    floats(output, n);
    fx_add(level, b, output, n);
    floats(output, n);
    fx_blend(level, a, 0.3f, b, 0.6f, output, n);
    floats(output, n);
  }
  end("elementwise");
}

static void fft(void) {
  begin();
  for (long stride = 1; stride <= 64; stride *= 4) {
    long count = 16, all = 4 * count * stride;
    float *twiddles = inside(6 * count, -1, 1), *real = samples(all), *imaginary = samples(all);
    float *real_out = samples(all), *imaginary_out = samples(all);
    fx_fft_radix4(level, count, stride, twiddles, real, imaginary, real_out, imaginary_out);
    floats(real_out, all);
    floats(imaginary_out, all);
    fx_fft_radix2(level, all / 2, real_out, imaginary_out, real, imaginary);
    floats(real, all);
    floats(imaginary, all);
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
      float *half = inside(all, -1, 1);
      fx_fft_split(level, all, is_inverse, half, real, imaginary);
      floats(real, all);
      floats(imaginary, all);
    }
  }
  end("fft");
}

static double *filter_rows(long rows, double scale) {
  return doubles(rows * 2 * FX_FILTERS_PER_PASS, -scale, scale);
}

static void filters(void) {
  begin();
  for (long count = 1; count <= FX_FILTERS_PER_PASS; count++) {
    double *coefficients = filter_rows(5, 0.2), *states = filter_rows(2, 0.1);
    const long row = 2 * FX_FILTERS_PER_PASS;
    for (long filter = 2 * count; filter < row; filter++) {
      for (int part = 0; part < 5; part++) coefficients[part * row + filter] = part == 2;
      states[filter] = states[row + filter] = 0;
    }
    float *left = samples(500), *right = samples(500), *left_out = samples(500), *right_out = samples(500);
    fx_filter_pass(level, coefficients, states, count, left, right, left_out, right_out, 500);
    floats(left_out, 500);
    floats(right_out, 500);
    take(states, (unsigned long)row * 2 * sizeof(double));
  }
  end("fx_filter_pass");
  begin();
  {
    fx_filter_unit units[3];
    float last[3][2];
    const long row = 2 * FX_FILTERS_PER_PASS, counts[3] = {2, 1, 2};
    for (int unit = 0; unit < 3; unit++) {
      double *coefficients = filter_rows(5, 0.2), *states = filter_rows(2, 0.1);
      for (long filter = 2 * counts[unit]; filter < row; filter++) {
        for (int part = 0; part < 5; part++) coefficients[part * row + filter] = part == 2;
        states[filter] = states[row + filter] = 0;
      }
      units[unit] = (fx_filter_unit){coefficients, states, counts[unit], last[unit]};
    }
    float *left = samples(500), *right = samples(500), *left_out = samples(500), *right_out = samples(500);
    fx_filter_pass_joined(level, units, 3, left, right, left_out, right_out, 500);
    floats(left_out, 500);
    floats(right_out, 500);
    floats(last[0], 2);
    floats(last[1], 2);
  }
  end("fx_filter_pass_joined");
  begin();
  for (long count = 1; count <= FX_FILTERS_PER_PASS; count++) {
    const long row = 2 * FX_FILTERS_PER_PASS;
    double *coefficients = filter_rows(12, 0.2), *states = filter_rows(2, 0.1);
    for (long i = 6 * row; i < 12 * row; i++) coefficients[i] *= 1e-4;
    for (long filter = 2 * count; filter < row; filter++) {
      for (int part = 0; part < 12; part++) coefficients[part * row + filter] = part == 3;
      states[filter] = states[row + filter] = 0;
    }
    float *left = samples(32), *right = samples(32), *left_out = samples(32), *right_out = samples(32);
    fx_filter_glide(level, coefficients, states, count, left, right, left_out, right_out, 32, 5);
    floats(left_out, 32);
    floats(right_out, 32);
  }
  end("fx_filter_glide");
}

static void functions(void) {
  begin();
  EACH_LENGTH(n) {
    double *angles = doubles(n, -300, 300);
    fx_sines(level, angles, n);
    take(angles, (unsigned long)n * sizeof(double));
    fx_cosines(level, angles, n);
    take(angles, (unsigned long)n * sizeof(double));
    fx_tangents(level, angles, n);
    take(angles, (unsigned long)n * sizeof(double));
    fx_powers_of_two(level, angles, n);
    take(angles, (unsigned long)n * sizeof(double));
    fx_square_roots(level, angles, n);
    take(angles, (unsigned long)n * sizeof(double));
  }
  end("functions");
}

static void guard(void) {
  begin();
  EACH_LENGTH(n) {
    float *channels[] = {samples(n), samples(n)}, last[2];
    long facts = fx_is_finite(level, channels, 2, n);
    channels[1][n / 3] = __builtin_inff();
    facts = 2 * facts + fx_is_finite(level, channels, 2, n);
    channels[0][n / 2] = __builtin_nanf("");
    facts = 2 * facts + fx_is_finite(level, channels, 2, n);
    int is_infinite = 0;
    long frame = fx_first_not_finite(channels, 2, n, &is_infinite);
    take(&frame, sizeof frame);
    take(&is_infinite, sizeof is_infinite);
    facts = 2 * facts + fx_clear_not_finite(channels, 2, n);
    floats(channels[0], n);
    floats(channels[1], n);
    fx_copy_last_samples((float *const[]){samples(n), samples(n)}, 2, n, last);
    floats(last, 2);
    float *zeros = inside(n, 0, 0);
    facts = 2 * facts + fx_is_silent(zeros, n);
    zeros[n - 1] = 1e-40f;
    facts = 2 * facts + fx_is_silent(zeros, n);
    take(&facts, sizeof facts);
  }
  end("guard");
}

static void mix(void) {
  begin();
  EACH_LENGTH(n) {
    const float *inputs[] = {samples(n), samples(n), samples(n), samples(n), samples(n)};
    float *gains = inside(5, -2, 2), *output = samples(n);
    for (long count = 0; count <= 5; count++) {
      fx_mix(level, inputs, gains, count, 0.8f, output, n);
      floats(output, n);
    }
    float *taps = inside(24, -1, 1), *input = samples(n + 48);
    fx_fir_symmetric(level, taps, 24, input + 47, output, n);
    floats(output, n);
  }
  end("mix");
}

static void reverb(void) {
  begin();
  for (int is_moving = 0; is_moving < 2; is_moving++) {
    fx_reverb_line lines[FX_REVERB_LINES];
    for (int line = 0; line < FX_REVERB_LINES; line++) {
      lines[line] = (fx_reverb_line){inside(512 + FX_REVERB_PAD, -1, 1), 512, 40 * line % 512, 60 + 19 * line};
    }
    float *losses = inside(6 * FX_REVERB_LINES, 0, 0.9), *states = inside(2 * FX_REVERB_LINES, -1, 1);
    for (int i = 3 * FX_REVERB_LINES; i < 6 * FX_REVERB_LINES; i++) losses[i] *= is_moving ? 1e-3f : 0;
    float *weights = inside(2 * FX_REVERB_TAPS * FX_REVERB_MOVING, 0, 0);
    float *heard = inside(FX_REVERB_LINES * (FX_REVERB_CHUNK + FX_REVERB_PAD), 0, 0);
    fx_reverb_network network = {lines, losses, is_moving, is_moving, level, 0.05f, weights, states, heard};
    fx_reverb_place(&network, (fx_f4){61.2f, 80.9f, 99.5f, 118.1f}, (fx_f4){61.7f, 80.1f, 99.6f, 117.4f}, weights);
    floats(weights, 2 * FX_REVERB_TAPS * FX_REVERB_MOVING);
    for (int chunk = 0; chunk < 20; chunk++) {
      const long n = 1 + (chunk * 7) % FX_REVERB_CHUNK;
      float *left = inside(n, -1, 1), *right = inside(n, -1, 1), *output = inside(n, 0, 0);
      fx_reverb_read(&network, 0, n);
      for (long side = 0; side < 2; side++) {
        fx_reverb_sum(&network, side, chunk & 7, left, 0.5f, output, n);
        floats(output, n);
      }
      fx_reverb_write(&network, left, right, n);
      floats(states, 2 * FX_REVERB_LINES);
    }
    for (int line = 0; line < FX_REVERB_LINES; line++) floats(lines[line].samples, 512);
  }
  end("reverb");
  begin();
  EACH_LENGTH(n) {
    float *ring = inside(131, -1, 1), *sound = samples(n);
    long position = fx_allpass(level, ring, 131, 77, 0.6f, 1e-4f, 3, sound, n);
    take(&position, sizeof position);
    floats(ring, 131);
    floats(sound, n);
  }
  end("fx_allpass");
}

static void measures(void) {
  begin();
  EACH_LENGTH(n) {
    float *sound = samples(n);
    if (n > 4) sound[n / 2] = __builtin_nanf("");
    fx_level found = fx_measure(level, sound, n);
    floats(&found.peak, 1);
    take(&found.clipped, sizeof found.clipped);
    take(&found.non_finite, sizeof found.non_finite);
  }
  end("fx_measure");
  // What is not packed, the caller packs: the bytes of both must agree, which FxAudioTests measure.
  begin();
  EACH_LENGTH(n) {
    float *left = inside(n, -1.2, 1.2), *right = inside(n, -1.2, 1.2);
    const float *inputs[] = {left, right};
    unsigned char packed[6 * SIZE] = {0};
    long done = fx_pack_24(level, inputs, 2, n, packed);
    for (long frame = done; frame < n; frame++) {
      for (int channel = 0; channel < 2; channel++) {
        double steps = __builtin_rint((double)inputs[channel][frame] * 8388608);
        int value = steps > 8388607 ? 8388607 : steps < -8388608 ? -8388608 : (int)steps;
        memcpy(packed + 6 * frame + 3 * channel, &value, 3);
      }
    }
    take(packed, (unsigned long)(6 * n));
    float *outputs[] = {inside(n, 0, 0), inside(n, 0, 0)};
    done = fx_unpack(level, 24, packed, 2, n, outputs, 0);
    for (long frame = done; frame < n; frame++) {
      for (int channel = 0; channel < 2; channel++) {
        int value = 0;
        memcpy((char *)&value + 1, packed + 6 * frame + 3 * channel, 3);
        outputs[channel][frame] = (float)value * 0x1p-31f;
      }
    }
    floats(outputs[0], n);
    floats(outputs[1], n);
  }
  end("packing");
}

static void shaping(void) {
  begin();
  EACH_LENGTH(n) {
    for (int curve = FX_CURVE_SOFT; curve <= FX_CURVE_FOLD; curve++) {
      float *sound = samples(n), last = 0.3f;
      fx_shape(level, curve, curve < FX_CURVE_TRANSISTOR && n % 2 ? &last : 0, sound, n);
      floats(sound, n);
      floats(&last, 1);
    }
    float *sound = samples(n), last = -0.4f;
    fx_clip(level, 0.25f, n % 2 ? &last : 0, sound, n);
    floats(sound, n);
  }
  end("curves");
  begin();
  EACH_LENGTH(n) {
    // As the first revision, with a bounded load, and with a low-pass too.
    const fx_amplifier amplifier = {
        {{0.2, 0.1, -0.15, -0.05}, {1, -0.8, 0.2, -0.05}}, 0.002, 0.01, 0.0005,
        n % 3 == 2, {0.1, -1.1, 0.5}, n % 3 > 0};
    fx_amplifier_state held = {{0.1, -0.05}, {0.01, 0.02, -0.01}, 0.2, {0.1, -0.2, 0.3}, {0.1, 0.2}};
    float *sound = inside(n, -1, 1);
    fx_amplify(level, &amplifier, &held, 1.5, 0.3, sound, n);
    floats(sound, n);
    take(&held, sizeof held);
  }
  end("fx_amplify");
}

static void interpolation(void) {
  float *rows;
  begin();
  rows = inside((FX_SINC_ROWS + 1) * FX_SINC_TAPS, -1, 1);
  EACH_LENGTH(n) {
    float *input = samples(n + 15), *output = samples(n);
    fx_sinc_fixed(level, rows, input, output, n);
    floats(output, n);
    float one = fx_sinc_between(rows + 16 * (n % FX_SINC_ROWS), 0.37f, input);
    floats(&one, 1);
    float *ring = samples(1024);
    fx_fractional_delay delays[1000];
    for (long i = 0; i < n; i++) {
      delays[i] = (fx_fractional_delay){8 + (long)(number() % 400), number() % 8 ? (float)between(0, 0.999) : 0};
    }
    fx_sinc_moving(level, rows, ring, 1024, 700, delays, output, n);
    floats(output, n);
  }
  end("sinc");
  begin();
  EACH_LENGTH(n) {
    float *taps = inside(3 * FX_PEAK_TAPS, -0.6, 0.6), *peaks = inside(n, 0, 1);
    float *input = samples(n + 2 * FX_PEAK_TAPS + FX_PEAK_OVERREAD);
    fx_true_peaks(level, taps, input + FX_PEAK_TAPS, peaks, n, (int)(n & 1));
    floats(peaks, n);
  }
  end("fx_true_peaks");
}

static void neural(void) {
  enum { STRIDE = 160 };
  begin();
  for (long outputs = 1; outputs <= 9; outputs++) {
    for (long frames = FX_NEURAL_FRAMES; frames <= 4 * FX_NEURAL_FRAMES; frames += FX_NEURAL_FRAMES) {
      const float *rows[13];
      for (long row = 0; row < 13; row++) rows[row] = samples(STRIDE);
      float *weights = inside(13 * outputs, -1, 1), *bias = inside(outputs, -1, 1);
      float *added = samples(outputs * STRIDE), *output = samples(outputs * STRIDE);
      fx_neural_product(
          level, weights, rows, 13, outputs % 2 ? bias : 0, frames % 32 ? added : 0, STRIDE, output, STRIDE,
          outputs, frames);
      floats(output, outputs * STRIDE);
    }
  }
  end("fx_neural_product");
  begin();
  for (int function = FX_NEURAL_TANH; function <= FX_NEURAL_SOFTSIGN; function++) {
    for (int gated = 0; gated < 2; gated++) {
      float *values = inside(3 * STRIDE, -12, 12), *gates = inside(3 * STRIDE, -12, 12);
      fx_neural_activate(
          level, function, 0.1f, values, gated ? gates : 0, FX_NEURAL_SIGMOID, 0, STRIDE, 3, 48);
      floats(values, 3 * STRIDE);
    }
  }
  end("fx_neural_activate");
  begin();
  for (long groups = 1; groups <= 3; groups++) {
    for (long inputs = 1; inputs <= 9; inputs += 8) {
      const long units = groups * FX_NEURAL_UNITS, frames = 37;
      float *weights = inside(4 * units * (1 + inputs + units), -1, 1), *sound = samples(inputs * frames);
      float *cells = inside(units, -1, 1), *state = inside(units, -1, 1), *next = samples(units);
      float *output = samples(units * frames), *sums = samples(frames);
      fx_neural_lstm(level, weights, groups, sound, inputs, cells, state, next, output, frames);
      fx_neural_sum(level, weights, 0.1f, output, groups, sums, frames);
      floats(cells, units);
      floats(state, units);
      floats(output, units * frames);
      floats(sums, frames);
    }
  }
  end("fx_neural_lstm");
}

int main(int count, char **arguments) {
  level = count > 1 ? atoi(arguments[1]) : 0;
  convolution();
  dither();
  dynamics();
  eight_lines();
  elementwise();
  fft();
  filters();
  functions();
  guard();
  mix();
  neural();
  reverb();
  measures();
  shaping();
  interpolation();
  return 0;
}
