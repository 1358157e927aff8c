/* A minimal host for an LV2 plugin with MIDI input and output, to compare fxrun with.
 *
 *   bare-midi URI RATE BLOCK FRAMES < events > events
 *
 * An event is a line: its frame, then its bytes in hexadecimal. Control inputs keep their
 * defaults. */
#include <inttypes.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 65536

static char *uris[4096];
static LV2_URID uri_count;

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  for (LV2_URID index = 0; index < uri_count; index++)
    if (!strcmp(uris[index], uri)) return index + 1;
  uris[uri_count] = strdup(uri);
  return ++uri_count;
}

static const char *unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  (void)handle;
  return urid > 0 && urid <= uri_count ? uris[urid - 1] : NULL;
}

typedef struct {
  int64_t frame;
  uint32_t size;
  uint8_t bytes[256];
} Event;

static Event *events;
static size_t event_count;

static void read_events(void) {
  char line[1024];
  while (fgets(line, sizeof line, stdin)) {
    events = realloc(events, (event_count + 1) * sizeof *events);
    Event *event = &events[event_count++];
    memset(event, 0, sizeof *event);
    char *rest = line;
    event->frame = strtoll(rest, &rest, 10);
    unsigned byte;
    int used;
    while (sscanf(rest, "%2x%n", &byte, &used) == 1) {
      event->bytes[event->size++] = (uint8_t)byte;
      rest += used;
    }
  }
}

int main(int count, char **arguments) {
  if (count != 5) return 64;
  const double rate = atof(arguments[2]);
  const int32_t block = atoi(arguments[3]);
  const int64_t frames = atoll(arguments[4]);
  read_events();

  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *uri = lilv_new_uri(world, arguments[1]);
  const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) return 1;
  LV2_URID_Map map = {NULL, map_uri};
  LV2_URID_Unmap unmap = {NULL, unmap_uri};
  const LV2_URID int_type = map_uri(NULL, LV2_ATOM__Int);
  const LV2_Options_Option options[] = {
      {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__minBlockLength), 4, int_type, &block},
      {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength), 4, int_type, &block},
      {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL}};
  const LV2_Feature map_feature = {LV2_URID__map, &map};
  const LV2_Feature unmap_feature = {LV2_URID__unmap, &unmap};
  const LV2_Feature options_feature = {LV2_OPTIONS__options, (void *)options};
  const LV2_Feature bounded_feature = {LV2_BUF_SIZE__boundedBlockLength, NULL};
  const LV2_Feature *features[] = {
      &map_feature, &unmap_feature, &options_feature, &bounded_feature, NULL};
  LilvInstance *instance = lilv_plugin_instantiate(plugin, rate, features);
  if (!instance) return 1;

  const uint32_t port_count = lilv_plugin_get_num_ports(plugin);
  float *defaults = calloc(port_count, sizeof *defaults);
  lilv_plugin_get_port_ranges_float(plugin, NULL, NULL, defaults);
  LilvNode *input_class = lilv_new_uri(world, LV2_CORE__InputPort);
  LilvNode *control_class = lilv_new_uri(world, LV2_CORE__ControlPort);
  uint64_t *input = NULL, *output = NULL;
  for (uint32_t index = 0; index < port_count; index++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, index);
    if (lilv_port_is_a(plugin, port, control_class)) {
      lilv_instance_connect_port(instance, index, &defaults[index]);
      continue;
    }
    uint64_t *buffer = calloc(1, CAPACITY + 16);
    if (lilv_port_is_a(plugin, port, input_class)) input = buffer; else output = buffer;
    lilv_instance_connect_port(instance, index, buffer);
  }
  if (!input || !output) return 1;
  lilv_instance_activate(instance);

  const LV2_URID sequence_type = map_uri(NULL, LV2_ATOM__Sequence);
  const LV2_URID chunk_type = map_uri(NULL, LV2_ATOM__Chunk);
  const LV2_URID midi_type = map_uri(NULL, LV2_MIDI__MidiEvent);
  size_t next = 0;
  for (int64_t start = 0; start < frames; start += block) {
    const int64_t length = frames - start < block ? frames - start : block;
    LV2_Atom_Sequence *in = (LV2_Atom_Sequence *)input;
    in->atom.type = sequence_type;
    in->atom.size = sizeof(LV2_Atom_Sequence_Body);
    memset(&in->body, 0, sizeof in->body);
    for (; next < event_count && events[next].frame < start + length; next++) {
      LV2_Atom_Event *event = (LV2_Atom_Event *)((uint8_t *)&in->body + in->atom.size);
      event->time.frames = events[next].frame - start;
      event->body.type = midi_type;
      event->body.size = events[next].size;
      memcpy(event + 1, events[next].bytes, events[next].size);
      in->atom.size += (uint32_t)(sizeof *event + ((events[next].size + 7) & ~7u));
    }
    LV2_Atom_Sequence *out = (LV2_Atom_Sequence *)output;
    out->atom.type = chunk_type;
    out->atom.size = CAPACITY;
    lilv_instance_run(instance, (uint32_t)length);
    if (out->atom.type != sequence_type) continue;
    const uint8_t *place = (const uint8_t *)(&out->body + 1);
    const uint8_t *end = (const uint8_t *)&out->body + out->atom.size;
    while (place < end) {
      const LV2_Atom_Event *event = (const LV2_Atom_Event *)place;
      if (event->body.type == midi_type) {
        printf("%" PRId64, start + event->time.frames);
        for (uint32_t index = 0; index < event->body.size; index++)
          printf(" %02x", ((const uint8_t *)(event + 1))[index]);
        printf("\n");
      }
      place += sizeof *event + ((event->body.size + 7) & ~7u);
    }
  }
  lilv_instance_deactivate(instance);
  lilv_instance_free(instance);
  lilv_world_free(world);
  return 0;
}
