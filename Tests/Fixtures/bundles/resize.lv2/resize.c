// Requests larger buffers in `run` and outputs the answers.
#include "../plugin.h"

#include <lv2/atom/atom.h>
#include <lv2/resize-port/resize-port.h>

enum { IN, OUT, EVENTS, SMALL, CAPACITY, FITS, TOO_LARGE, NOT_A_BUFFER };

typedef struct {
  Ports ports;
  LV2_Resize_Port_Resize *resize;
} Resize;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Resize *self = calloc(1, sizeof(Resize));
  self->resize = feature(features, LV2_RESIZE_PORT__resize);
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Resize *self = (Resize *)instance;
  float **ports = self->ports.ports;
  memmove(ports[OUT], ports[IN], frames * sizeof(float));
  LV2_Atom *events = (LV2_Atom *)ports[EVENTS];
  *ports[CAPACITY] = (float)events->size;
  *ports[FITS] = (float)self->resize->resize(self->resize->data, EVENTS, 100000);
  *ports[TOO_LARGE] = (float)self->resize->resize(self->resize->data, EVENTS, 1 << 20);
  *ports[NOT_A_BUFFER] = (float)self->resize->resize(self->resize->data, IN, 16);
  // The whole buffer must be writable.
  memset(events + 1, 0x55, events->size - sizeof(LV2_Atom));
  events->size = 0;
}

PLUGIN("urn:fxrun:test:resize", instantiate, NULL, run, NULL)
