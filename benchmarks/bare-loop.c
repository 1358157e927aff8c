// Runs one LV2 plugin over a WAV file with as little overhead as possible: the file in memory, every
// control at its default, run() block by block. Prints the cost of the run() calls.
//
// usage: bare-loop URI INPUT.wav BLOCK [SYMBOL=VALUE ...]
// prints: blocks, processor nanoseconds per block, processor seconds of the loop
//
// cc -O2 benchmarks/bare-loop.c -o bare-loop $(pkg-config --cflags --libs lilv-0 sndfile)
#define _GNU_SOURCE
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ATOM_BYTES 65536

static char *uris[65536];
static LV2_URID uri_count;

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
  for (LV2_URID i = 0; i < uri_count; i++)
    if (strcmp(uris[i], uri) == 0) return i + 1;
  if (uri_count == 65536) return 0;
  uris[uri_count] = strdup(uri);
  return ++uri_count;
}

static const char *unmap(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  return number > 0 && number <= uri_count ? uris[number - 1] : NULL;
}

static LV2_Worker_Status schedule(
    LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  return LV2_WORKER_ERR_NO_SPACE;
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static _Noreturn void fail(const char *what, const char *which) {
  fprintf(stderr, "bare-loop: %s: %s\n", what, which);
  exit(1);
}

int main(int count, char **arguments) {
  if (count < 4) fail("usage", "bare-loop URI INPUT.wav BLOCK [SYMBOL=VALUE ...]");
  const uint32_t block = (uint32_t)atoi(arguments[3]);
  SF_INFO info = {0};
  SNDFILE *file = sf_open(arguments[2], SFM_READ, &info);
  if (!file || block < 1) fail("cannot be read", arguments[2]);
  const sf_count_t frames = info.frames;
  float *interleaved = malloc((size_t)(frames * info.channels) * sizeof(float));
  if (sf_readf_float(file, interleaved, frames) != frames) fail("is cut short", arguments[2]);
  sf_close(file);
  float **channels = calloc((size_t)info.channels, sizeof *channels);
  for (int c = 0; c < info.channels; c++) {
    channels[c] = malloc((size_t)(frames + block) * sizeof(float));
    for (sf_count_t i = 0; i < frames; i++) channels[c][i] = interleaved[i * info.channels + c];
  }
  free(interleaved);

  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *uri = lilv_new_uri(world, arguments[1]);
  const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) fail("is not installed", arguments[1]);

  LV2_URID_Map map_data = {NULL, map};
  LV2_URID_Unmap unmap_data = {NULL, unmap};
  LV2_Worker_Schedule schedule_data = {NULL, schedule};
  const int32_t length = (int32_t)block, smallest = 1, sequence = ATOM_BYTES;
  const float rate = (float)info.samplerate;
  const LV2_URID type = map(NULL, LV2_ATOM__Int);
  LV2_Options_Option options[] = {
      {0, 0, map(NULL, LV2_BUF_SIZE__minBlockLength), 4, type, &smallest},
      {0, 0, map(NULL, LV2_BUF_SIZE__maxBlockLength), 4, type, &length},
      {0, 0, map(NULL, LV2_BUF_SIZE__nominalBlockLength), 4, type, &length},
      {0, 0, map(NULL, LV2_BUF_SIZE__sequenceSize), 4, type, &sequence},
      {0, 0, map(NULL, LV2_PARAMETERS__sampleRate), 4, map(NULL, LV2_ATOM__Float), &rate},
      {0}};
  LV2_Feature list[] = {
      {LV2_URID__map, &map_data},
      {LV2_URID__unmap, &unmap_data},
      {LV2_OPTIONS__options, options},
      {LV2_WORKER__schedule, &schedule_data},
      {LV2_BUF_SIZE__boundedBlockLength, NULL}};
  const LV2_Feature *features[] = {&list[0], &list[1], &list[2], &list[3], &list[4], NULL};
  LilvInstance *instance = lilv_plugin_instantiate(plugin, info.samplerate, features);
  if (!instance) fail("does not start", arguments[1]);

  const uint32_t port_count = lilv_plugin_get_num_ports(plugin);
  float *values = calloc(port_count, sizeof *values), *defaults = calloc(port_count, sizeof *defaults);
  lilv_plugin_get_port_ranges_float(plugin, NULL, NULL, defaults);
  LilvNode *audio = lilv_new_uri(world, LILV_URI_AUDIO_PORT);
  LilvNode *control = lilv_new_uri(world, LILV_URI_CONTROL_PORT);
  LilvNode *atom = lilv_new_uri(world, LILV_URI_ATOM_PORT);
  LilvNode *input = lilv_new_uri(world, LILV_URI_INPUT_PORT);
  LV2_Atom_Sequence *atoms[256];
  uint32_t inputs[256], input_count = 0, atom_inputs[256], atom_count = 0;
  for (uint32_t p = 0; p < port_count; p++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, p);
    void *data;
    if (lilv_port_is_a(plugin, port, audio)) {
      data = calloc(block, sizeof(float));
      if (lilv_port_is_a(plugin, port, input) && input_count < 256) inputs[input_count++] = p;
    } else if (lilv_port_is_a(plugin, port, control)) {
      values[p] = isfinite(defaults[p]) ? defaults[p] : 0;
      const char *symbol = lilv_node_as_string(lilv_port_get_symbol(plugin, port));
      for (int a = 4; a < count; a++) {
        const char *equals = strchr(arguments[a], '=');
        if (equals && strlen(symbol) == (size_t)(equals - arguments[a])
            && strncmp(symbol, arguments[a], strlen(symbol)) == 0)
          values[p] = (float)atof(equals + 1);
      }
      data = &values[p];
    } else if (lilv_port_is_a(plugin, port, atom) && atom_count < 256) {
      data = calloc(1, ATOM_BYTES);
      atoms[atom_count] = data;
      atom_inputs[atom_count++] = lilv_port_is_a(plugin, port, input);
    } else {
      data = calloc(block, sizeof(float));
    }
    lilv_instance_connect_port(instance, p, data);
  }
  const LV2_URID sequence_type = map(NULL, LV2_ATOM__Sequence), chunk = map(NULL, LV2_ATOM__Chunk);
  lilv_instance_activate(instance);
  __builtin_ia32_ldmxcsr(0x1f80 | 0x8040);

  const sf_count_t blocks = (frames + block - 1) / block;
  const double start = seconds();
  for (sf_count_t b = 0; b < blocks; b++) {
    for (uint32_t i = 0; i < input_count; i++)
      lilv_instance_connect_port(
          instance, inputs[i], channels[i % (uint32_t)info.channels] + b * block);
    for (uint32_t i = 0; i < atom_count; i++) {
      atoms[i]->atom.size = atom_inputs[i] ? sizeof atoms[i]->body : ATOM_BYTES - 8;
      atoms[i]->atom.type = atom_inputs[i] ? sequence_type : chunk;
      memset(&atoms[i]->body, 0, sizeof atoms[i]->body);
    }
    lilv_instance_run(instance, block);
    __builtin_ia32_ldmxcsr(0x1f80 | 0x8040);
  }
  const double spent = seconds() - start;
  printf("%ld %.2f %.6f\n", (long)blocks, spent / (double)blocks * 1e9, spent);
  // Some plugins crash when they are freed.
  fflush(stdout);
  _Exit(0);
}
