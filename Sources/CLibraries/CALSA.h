#pragma once

#include <alsa/asoundlib.h>

// Discards the library's own error messages: return values report the errors. In C because Swift
// can neither define nor pass a variadic function.
__attribute__((unused)) static void fx_alsa_discard(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

__attribute__((unused)) static inline int fx_alsa_silence(void) {
  return snd_lib_error_set_handler(fx_alsa_discard);
}

// In C because Swift assigns `struct pollfd` to the module that shows it first.
__attribute__((unused)) static inline int fx_alsa_sequencer_descriptor(snd_seq_t *sequencer) {
  struct pollfd descriptor = {-1, 0, 0};
  if (snd_seq_poll_descriptors(sequencer, &descriptor, 1, POLLIN) < 1) return -1;
  return descriptor.fd;
}
