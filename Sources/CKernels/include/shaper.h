// Waveshaping curves, which make the harmonics of a saturator, a clipper and an amplifier.
#pragma once

#define FX_SHAPER __attribute__((swift_attr("@_noLocks")))

/// Curves of slope 1 at 0. Soft and transistor approach ±1, the tube 0.81 and -1.46; the fold is a
/// sine.
#define FX_CURVE_SOFT 0
#define FX_CURVE_TUBE 1
#define FX_CURVE_TRANSISTOR 2
#define FX_CURVE_FOLD 3

/// Applies a curve to `count` samples in place. With `last`, the last sample of the input, the soft
/// curve and the tube's are means from one sample to the next: this reduces aliasing and adds half
/// a sample of latency. The bits do not depend on `level` (see `fx_vector_level`).
FX_SHAPER void fx_shape(int level, int curve, float *last, float *samples, long count);

/// Clips `count` samples in place at ±1, with a knee from 1 - knee to 1 + knee; with `last` also as
/// a mean.
FX_SHAPER void fx_clip(int level, float knee, float *last, float *samples, long count);

/// The transfer function of a tone stack, of third order, at the processing rate.
typedef struct {
  double b[4];
  double a[4];
} fx_tone_stack;

/// The constants of an amplifier, from one sample to the next.
typedef struct {
  fx_tone_stack stack;
  /// The share of a coupling capacitor's voltage that is lost per sample.
  double coupling;
  /// The shares by which the load of the supply rises and falls per sample.
  double attack, release;
  /// Whether the curves are means from one sample to the next, with a low-pass `lowPass` between
  /// them: harmonics that would alias in the next curve do not enter it.
  int isBandLimited;
  double lowPass[3];
  /// Whether the supply follows the output of the power stage, which is at most 1, instead of its
  /// input.
  int isLoadBounded;
} fx_amplifier;

/// The state of an amplifier.
typedef struct {
  double couplings[2];
  double stack[3];
  double load;
  /// The last inputs of the curves, and the states of the two low-passes.
  float lasts[3];
  double lowPasses[4];
} fx_amplifier_state;

/// Two tube stages, the tone stack and a power stage of gain `power`, in place. `sag` is how much
/// the supply drops under load.
FX_SHAPER void fx_amplify(
    int level, const fx_amplifier *amplifier, fx_amplifier_state *state, double power, double sag,
    float *samples, long count);
