// Common parts of the test plugins: the table of one plugin, and features by URI.
#pragma once

#include <lv2/core/lv2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PORT_COUNT 16

/// The first member of every test plugin.
typedef struct {
  float *ports[PORT_COUNT];
} Ports;

static inline void connect_port(LV2_Handle instance, uint32_t port, void *data) {
  if (port < PORT_COUNT) ((Ports *)instance)->ports[port] = (float *)data;
}

static inline void cleanup(LV2_Handle instance) { free(instance); }

static inline void *feature(const LV2_Feature *const *features, const char *uri) {
  for (; *features; features++)
    if (strcmp((*features)->URI, uri) == 0) return (*features)->data;
  return NULL;
}

/// True if the host has a feature, with or without data.
static inline int has_feature(const LV2_Feature *const *features, const char *uri) {
  for (; *features; features++)
    if (strcmp((*features)->URI, uri) == 0) return 1;
  return 0;
}

#define PLUGIN(uri, instantiate, activate, run, extension_data) \
  static const LV2_Descriptor descriptor = { \
      uri, instantiate, connect_port, activate, run, NULL, cleanup, extension_data}; \
  LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) { \
    return index == 0 ? &descriptor : NULL; \
  }
