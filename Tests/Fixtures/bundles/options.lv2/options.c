// Outputs the options and features for block lengths, and the length of its longest block.
#include "../plugin.h"

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>

enum { IN, OUT, MINIMUM, MAXIMUM, NOMINAL, SEQUENCE, RATE, LONGEST, BOUNDED, FIXED, LIVE };

typedef struct {
  Ports ports;
  float told[PORT_COUNT];
} Options;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Options *self = calloc(1, sizeof(Options));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  const LV2_Options_Option *option = feature(features, LV2_OPTIONS__options);
  const char *integers[] = {
      LV2_BUF_SIZE__minBlockLength, LV2_BUF_SIZE__maxBlockLength, LV2_BUF_SIZE__nominalBlockLength,
      LV2_BUF_SIZE__sequenceSize};
  for (; option->key; option++) {
    for (int i = 0; i < 4; i++)
      if (option->key == map->map(map->handle, integers[i]) &&
          option->type == map->map(map->handle, LV2_ATOM__Int))
        self->told[MINIMUM + i] = (float)*(const int32_t *)option->value;
    if (option->key == map->map(map->handle, LV2_PARAMETERS__sampleRate) &&
        option->type == map->map(map->handle, LV2_ATOM__Float))
      self->told[RATE] = *(const float *)option->value;
  }
  self->told[BOUNDED] = has_feature(features, LV2_BUF_SIZE__boundedBlockLength);
  self->told[FIXED] = has_feature(features, LV2_BUF_SIZE__fixedBlockLength);
  self->told[LIVE] = has_feature(features, LV2_CORE__isLive);
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Options *self = (Options *)instance;
  float **ports = self->ports.ports;
  if ((float)frames > self->told[LONGEST]) self->told[LONGEST] = (float)frames;
  memmove(ports[OUT], ports[IN], frames * sizeof(float));
  for (int i = MINIMUM; i <= LIVE; i++) *ports[i] = self->told[i];
}

PLUGIN("urn:fxrun:test:options", instantiate, NULL, run, NULL)
