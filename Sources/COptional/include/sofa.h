// Head-related impulse responses from SOFA files with libmysofa, which is loaded when the first
// file is read.
#pragma once

struct MYSOFA_EASY;

/// Returns 0 where the library is not installed. From any thread.
int fx_sofa_load(void);

/// Reads a file at a sample rate, with a normalised level; null with an error code of the library.
struct MYSOFA_EASY *_Nullable fx_sofa_open(
    const char *_Nonnull path, float rate, int *_Nonnull length, int *_Nonnull error);

/// The responses of both ears nearest to a direction (to the front, the left, and up), and their
/// delays in seconds.
void fx_sofa_nearest(
    struct MYSOFA_EASY *_Nonnull file, float front, float left, float up,
    float *_Nonnull left_response, float *_Nonnull right_response, float *_Nonnull left_delay,
    float *_Nonnull right_delay);
