// A minimal host: it runs one LV2 plugin over one WAV file, block after block, with only the
// features, options and channel rules in docs/lv2.md. fxrun's renders with the same plugin are
// compared with its output, to the bit. It shares no code with fxrun.
//
//   bare-loop [--perturbed] [--preset URI] URI INPUT.wav OUTPUT.wav BLOCK
//   bare-loop --list
//
// The first form prints one line: latency, inputs, outputs, instances. With --perturbed it fills
// the heap and the stack with other bytes than zero, to detect plugins that read memory that they
// have not written. The second form lists the effects (URI, bundle, main inputs, side-chain inputs,
// outputs, latency port, name) and their presets. If the plugin cannot be used, it exits with 3 and
// prints the reason on standard error.
#include <dlfcn.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/port-groups/port-groups.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sndfile.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SEQUENCE_SIZE = 65536, QUEUE_SIZE = 1 << 20, INSTANCE_LIMIT = 64 };

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "bare-loop: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
  _exit(3);
}

// MARK: Floating point

#if defined(__x86_64__)
#include <xmmintrin.h>
typedef unsigned Mode;
static Mode mode(void) { return _mm_getcsr(); }
static void set_mode(Mode mode) { _mm_setcsr(mode); }
static const Mode flushing = 0x1f80 | 0x8040;
#else
typedef unsigned long Mode;
static Mode mode(void) {
  Mode mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
static void set_mode(Mode mode) { __asm__ volatile("msr fpcr, %0" : : "r"(mode)); }
static const Mode flushing = 1 << 24;
#endif

// MARK: URIs

static char **uris;
static uint32_t uri_count, uri_capacity;
static pthread_mutex_t uri_lock = PTHREAD_MUTEX_INITIALIZER;

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  pthread_mutex_lock(&uri_lock);
  uint32_t index = 0;
  while (index < uri_count && strcmp(uris[index], uri)) index++;
  if (index == uri_count) {
    if (uri_count == uri_capacity)
      uris = realloc(uris, sizeof *uris * (uri_capacity = 2 * uri_capacity + 256));
    uris[uri_count++] = strdup(uri);
  }
  pthread_mutex_unlock(&uri_lock);
  return index + 1;
}

static const char *unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  (void)handle;
  pthread_mutex_lock(&uri_lock);
  const char *uri = urid > 0 && urid <= uri_count ? uris[urid - 1] : NULL;
  pthread_mutex_unlock(&uri_lock);
  return uri;
}

static LV2_URID_Map map = {NULL, map_uri};
static LV2_URID_Unmap unmap = {NULL, unmap_uri};

static int log_vprintf(
    LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  (void)handle, (void)type;
  return vfprintf(stderr, format, arguments);
}

static int log_printf(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = log_vprintf(handle, type, format, arguments);
  va_end(arguments);
  return length;
}

// MARK: The plugin and its ports

typedef enum { NONE, AUDIO, CONTROL, CV, ATOM } Kind;

typedef struct {
  Kind kind;
  bool is_input, is_side_chain, is_latency;
  float value;
  uint32_t capacity;
  LV2_URID type;
} Port;

typedef struct {
  LV2_Handle handle;
  float *controls;
  void **buffers;
  char *jobs;
  uint32_t job_size;
  char *answers;
  uint32_t answer_size;
  const LV2_Worker_Interface *worker;
} Instance;

static bool is_perturbed;
static LilvWorld *world;
static const LilvPlugin *plugin;
static const LV2_Descriptor *descriptor;
static Port *ports;
static uint32_t port_count, main_count, side_count, output_count, block;
static int rate;
static bool requires_live, knows_worker;
static Instance instances[INSTANCE_LIMIT];

static LilvNode *node(const char *uri) { return lilv_new_uri(world, uri); }

static bool has_side_chain_name(const char *name) {
  static const char *marks[] = {"sc", "scl", "scr", "sidechain", "key", "keyl", "keyr"};
  char joined[256] = "", word[256] = "";
  size_t length = 0, word_length = 0;
  for (const char *c = name;; c++) {
    bool is_letter = (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z');
    if (is_letter && length < 250) {
      joined[length++] = *c | (*c >= 'A' ? 32 : 0);
      word[word_length++] = joined[length - 1];
      continue;
    }
    word[word_length] = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
      if (!strcmp(word, marks[i])) return true;
    word_length = 0;
    if (!*c) break;
  }
  joined[length] = 0;
  return strstr(joined, "sidechain") != NULL;
}

static bool has_property(const LilvPort *port, const char *uri) {
  LilvNode *property = node(uri);
  bool result = lilv_port_has_property(plugin, port, property);
  lilv_node_free(property);
  return result;
}

static bool has_class(const LilvPort *port, const char *uri) {
  LilvNode *class = node(uri);
  bool result = lilv_port_is_a(plugin, port, class);
  lilv_node_free(class);
  return result;
}

static LilvNode *value_of(const LilvPort *port, const char *uri) {
  LilvNode *predicate = node(uri);
  LilvNode *result = lilv_port_get(plugin, port, predicate);
  lilv_node_free(predicate);
  return result;
}

static bool is_designated(const LilvPort *port, const char *uri) {
  LilvNode *designation = value_of(port, LV2_CORE__designation);
  bool result = designation && lilv_node_is_uri(designation) &&
                !strcmp(lilv_node_as_uri(designation), uri);
  lilv_node_free(designation);
  return result;
}

static bool is_in_side_chain_group(const LilvPort *port) {
  LilvNode *group = value_of(port, LV2_PORT_GROUPS__group), *of = node(LV2_PORT_GROUPS__sideChainOf);
  LilvNode *main = group ? lilv_world_get(world, group, of, NULL) : NULL;
  bool result = main != NULL;
  lilv_node_free(main);
  lilv_node_free(of);
  lilv_node_free(group);
  return result;
}

/// The value of a control input that nothing sets: the default, limited to the range.
static float standard_value(const LilvPort *port, bool is_control) {
  if (is_control && is_designated(port, LV2_CORE__enabled)) return 1;
  if (is_control && is_designated(port, LV2_CORE__freeWheeling)) return 1;
  LilvNode *standard = NULL, *low = NULL, *high = NULL;
  lilv_port_get_range(plugin, port, &standard, &low, &high);
  double value = standard ? lilv_node_as_float(standard) : 0;
  if (!isfinite(value)) value = 0;
  if (is_control) {
    double factor = has_property(port, LV2_CORE__sampleRate) ? rate : 1;
    double bottom = low ? lilv_node_as_float(low) : -INFINITY;
    double top = high ? lilv_node_as_float(high) : INFINITY;
    if (bottom > top) {
      double swap = bottom;
      bottom = top;
      top = swap;
    }
    if (has_property(port, LV2_CORE__toggled)) {
      value = value > 0;
    } else {
      if (value < bottom) value = bottom;
      if (value > top) value = top;
      value *= factor;
    }
  }
  lilv_node_free(standard);
  lilv_node_free(low);
  lilv_node_free(high);
  return (float)value;
}

static void read_ports(void) {
  port_count = lilv_plugin_get_num_ports(plugin);
  ports = calloc(port_count, sizeof *ports);
  bool is_declared = false;
  for (uint32_t i = 0; i < port_count; i++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, i);
    ports[i].is_input = has_class(port, LV2_CORE__InputPort);
    if (has_class(port, LV2_CORE__AudioPort)) {
      ports[i].kind = AUDIO;
      ports[i].is_side_chain = ports[i].is_input && (has_property(port, LV2_CORE_PREFIX "isSideChain") ||
                                                     is_in_side_chain_group(port));
      is_declared |= ports[i].is_side_chain;
    } else if (has_class(port, LV2_CORE__ControlPort) || has_class(port, LV2_CORE__CVPort)) {
      ports[i].kind = has_class(port, LV2_CORE__ControlPort) ? CONTROL : CV;
      if (ports[i].is_input) ports[i].value = standard_value(port, ports[i].kind == CONTROL);
      ports[i].is_latency =
          !ports[i].is_input && ports[i].kind == CONTROL &&
          (has_property(port, LV2_CORE__reportsLatency) || is_designated(port, LV2_CORE__latency));
    } else if (has_class(port, LV2_ATOM__AtomPort)) {
      LilvNode *type = value_of(port, LV2_ATOM__bufferType);
      LilvNode *size = value_of(port, LV2_RESIZE_PORT__minimumSize);
      ports[i].kind = ATOM;
      ports[i].type =
          map_uri(NULL, type && lilv_node_is_uri(type) ? lilv_node_as_uri(type) : LV2_ATOM__Sequence);
      double bytes = size ? lilv_node_as_float(size) : 0;
      ports[i].capacity = bytes > SEQUENCE_SIZE ? (uint32_t)bytes : SEQUENCE_SIZE;
      lilv_node_free(type);
      lilv_node_free(size);
    }
  }
  uint32_t named = 0, inputs = 0;
  for (uint32_t i = 0; i < port_count; i++) {
    if (ports[i].kind != AUDIO) continue;
    if (!ports[i].is_input) {
      output_count++;
      continue;
    }
    inputs++;
    if (!is_declared) {
      const LilvPort *port = lilv_plugin_get_port_by_index(plugin, i);
      LilvNode *name = lilv_port_get_name(plugin, port);
      ports[i].is_side_chain =
          has_side_chain_name(lilv_node_as_string(lilv_port_get_symbol(plugin, port))) ||
          (name && has_side_chain_name(lilv_node_as_string(name)));
      lilv_node_free(name);
    }
    named += ports[i].is_side_chain;
  }
  for (uint32_t i = 0; i < port_count; i++) {
    if (ports[i].kind != AUDIO || !ports[i].is_input) continue;
    if (named == inputs) ports[i].is_side_chain = false;
    if (ports[i].is_side_chain)
      side_count++;
    else
      main_count++;
  }
}

// MARK: The worker: jobs are done in order right after the run that asked for them.

static LV2_Worker_Status push(char **queue, uint32_t *size, const void *data, uint32_t count) {
  if (!*queue) *queue = malloc(QUEUE_SIZE);
  if (*size + 8 + count > QUEUE_SIZE) return LV2_WORKER_ERR_NO_SPACE;
  memcpy(*queue + *size, &count, sizeof count);
  if (count) memcpy(*queue + *size + 8, data, count);
  *size += (8 + count + 7) & ~7u;
  return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  Instance *instance = handle;
  return push(&instance->jobs, &instance->job_size, data, size);
}

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  Instance *instance = handle;
  return push(&instance->answers, &instance->answer_size, data, size);
}

static void deliver(Instance *instance) {
  char *answers = instance->answers;
  uint32_t end = instance->answer_size;
  instance->answers = NULL;
  instance->answer_size = 0;
  for (uint32_t at = 0; at < end;) {
    uint32_t size;
    memcpy(&size, answers + at, sizeof size);
    if (instance->worker->work_response)
      instance->worker->work_response(instance->handle, size, answers + at + 8);
    at += (8 + size + 7) & ~7u;
  }
  free(answers);
}

static void work(Instance *instance) {
  if (!instance->worker) return;
  char *jobs = instance->jobs;
  uint32_t end = instance->job_size;
  instance->jobs = NULL;
  instance->job_size = 0;
  for (uint32_t at = 0; at < end;) {
    uint32_t size;
    memcpy(&size, jobs + at, sizeof size);
    instance->worker->work(instance->handle, respond, instance, size, jobs + at + 8);
    deliver(instance);
    at += (8 + size + 7) & ~7u;
  }
  free(jobs);
  deliver(instance);
  if (instance->worker->end_run) instance->worker->end_run(instance->handle);
}

// MARK: State

static char *copy_path(void *handle, const char *path) {
  (void)handle;
  return strdup(path);
}

static void free_path(LV2_State_Free_Path_Handle handle, char *path) {
  (void)handle;
  free(path);
}

static LV2_State_Map_Path map_path = {NULL, copy_path, copy_path};
static LV2_State_Make_Path make_path = {NULL, copy_path};
static LV2_State_Free_Path free_path_feature = {NULL, free_path};

static LV2_Resize_Port_Status refuse_size(
    LV2_Resize_Port_Feature_Data data, uint32_t index, size_t size) {
  (void)data, (void)index, (void)size;
  return LV2_RESIZE_PORT_ERR_NO_SPACE;
}

static LV2_Resize_Port_Resize resize = {NULL, refuse_size};

static bool knows(const char *uri) {
  LilvNode *feature = node(uri);
  bool result = lilv_plugin_has_feature(plugin, feature);
  lilv_node_free(feature);
  return result;
}

// MARK: Instances

static void load(const char *uri) {
  char *path = lilv_file_uri_parse(lilv_node_as_uri(lilv_plugin_get_library_uri(plugin)), NULL);
  char *bundle = lilv_file_uri_parse(lilv_node_as_uri(lilv_plugin_get_bundle_uri(plugin)), NULL);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library && strstr(dlerror(), "fftwf_") && dlopen("libfftw3f.so.3", RTLD_NOW | RTLD_GLOBAL))
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail("the binary cannot be loaded", dlerror());
  LV2_Feature map_feature = {LV2_URID__map, &map}, unmap_feature = {LV2_URID__unmap, &unmap};
  const LV2_Feature *features[] = {&map_feature, &unmap_feature, NULL};
  LV2_Lib_Descriptor_Function get_library =
      (LV2_Lib_Descriptor_Function)dlsym(library, "lv2_lib_descriptor");
  LV2_Descriptor_Function get = (LV2_Descriptor_Function)dlsym(library, "lv2_descriptor");
  const LV2_Lib_Descriptor *table = get_library ? get_library(bundle, features) : NULL;
  for (uint32_t i = 0; !descriptor && (table || get); i++) {
    const LV2_Descriptor *found = table ? table->get_plugin(table->handle, i) : get(i);
    if (!found) break;
    if (!strcmp(found->URI, uri)) descriptor = found;
  }
  if (!descriptor) fail("the binary does not contain it", path);
  lilv_free(path);
  lilv_free(bundle);
}

static void clear_atom(const Port *port, void *buffer) {
  LV2_Atom_Sequence *sequence = buffer;
  memset(sequence, 0, sizeof *sequence);
  bool is_sequence = port->type == map_uri(NULL, LV2_ATOM__Sequence);
  sequence->atom.size = port->is_input ? (is_sequence ? 8 : 0) : port->capacity + 8;
  sequence->atom.type = port->is_input ? port->type : map_uri(NULL, LV2_ATOM__Chunk);
}

static float *samples(void) {
  float *memory = aligned_alloc(64, (sizeof(float) * block + 63) / 64 * 64);
  memset(memory, 0, sizeof(float) * block);
  return memory;
}

/// Makes an instance and connects every port; each audio port has its own memory.
static void make(Instance *instance) {
  static const char *bundle;
  if (!bundle)
    bundle = lilv_file_uri_parse(lilv_node_as_uri(lilv_plugin_get_bundle_uri(plugin)), NULL);
  static float rate_option;
  static int32_t one = 1, length, sequence_size = SEQUENCE_SIZE;
  // All blocks of this loop have the full length. Plugins that need fixed blocks get it as minimum.
  static int32_t shortest;
  bool is_power = (block & (block - 1)) == 0;
  rate_option = rate;
  length = block;
  shortest = knows(LV2_BUF_SIZE__fixedBlockLength) || knows(LV2_BUF_SIZE__powerOf2BlockLength)
                 ? length
                 : one;
  LV2_URID integer = map_uri(NULL, LV2_ATOM__Int), real = map_uri(NULL, LV2_ATOM__Float);
#define OPTION(key, type, value) {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, key), 4, type, &value}
  LV2_Options_Option options[] = {
      OPTION(LV2_PARAMETERS__sampleRate, real, rate_option),
      OPTION(LV2_BUF_SIZE__minBlockLength, integer, shortest),
      OPTION(LV2_BUF_SIZE__maxBlockLength, integer, length),
      OPTION(LV2_BUF_SIZE__nominalBlockLength, integer, length),
      OPTION(LV2_BUF_SIZE__sequenceSize, integer, sequence_size),
      {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL}};
  LV2_Options_Option *lasting = malloc(sizeof options);
  memcpy(lasting, options, sizeof options);
  LV2_Log_Log *log = malloc(sizeof *log);
  *log = (LV2_Log_Log){NULL, log_printf, log_vprintf};
  LV2_Worker_Schedule *worker = malloc(sizeof *worker);
  *worker = (LV2_Worker_Schedule){instance, schedule};
  LV2_Feature *data = calloc(16, sizeof *data);
  data[0] = (LV2_Feature){LV2_URID__map, &map};
  data[1] = (LV2_Feature){LV2_URID__unmap, &unmap};
  data[2] = (LV2_Feature){LV2_OPTIONS__options, lasting};
  data[3] = (LV2_Feature){LV2_BUF_SIZE__boundedBlockLength, NULL};
  data[4] = (LV2_Feature){LV2_LOG__log, log};
  data[5] = (LV2_Feature){LV2_STATE__loadDefaultState, NULL};
  data[6] = (LV2_Feature){LV2_STATE__threadSafeRestore, NULL};
  data[7] = (LV2_Feature){LV2_STATE__makePath, &make_path};
  data[8] = (LV2_Feature){LV2_STATE__mapPath, &map_path};
  data[9] = (LV2_Feature){LV2_STATE__freePath, &free_path_feature};
  data[10] = (LV2_Feature){LV2_RESIZE_PORT__resize, &resize};
  data[11] = (LV2_Feature){LV2_BUF_SIZE__fixedBlockLength, NULL};
  int count = 12;
  if (is_power) data[count++] = (LV2_Feature){LV2_BUF_SIZE__powerOf2BlockLength, NULL};
  if (knows_worker) data[count++] = (LV2_Feature){LV2_WORKER__schedule, worker};
  if (requires_live) data[count++] = (LV2_Feature){LV2_CORE__isLive, NULL};
  const LV2_Feature **features = calloc(17, sizeof *features);
  for (int i = 0; i < count; i++) features[i] = &data[i];

  instance->handle = descriptor->instantiate(descriptor, rate, bundle, features);
  if (!instance->handle) fail("it refuses to be instantiated", NULL);
  instance->controls = calloc(port_count, sizeof(float));
  instance->buffers = calloc(port_count, sizeof(void *));
  for (uint32_t i = 0; i < port_count; i++) {
    switch (ports[i].kind) {
    case NONE: break;
    case CONTROL:
      instance->controls[i] = ports[i].value;
      instance->buffers[i] = &instance->controls[i];
      break;
    case AUDIO: instance->buffers[i] = samples(); break;
    case CV:
      instance->buffers[i] = samples();
      for (uint32_t k = 0; k < block; k++) ((float *)instance->buffers[i])[k] = ports[i].value;
      break;
    case ATOM: instance->buffers[i] = calloc(1, ports[i].capacity + 16); break;
    }
    descriptor->connect_port(instance->handle, i, instance->buffers[i]);
  }
  const LV2_Worker_Interface *interface =
      descriptor->extension_data ? descriptor->extension_data(LV2_WORKER__interface) : NULL;
  if (knows_worker) instance->worker = interface;
}

static void set_port(
    const char *symbol, void *context, const void *value, uint32_t size, uint32_t type) {
  Instance *instance = context;
  LilvNode *name = lilv_new_string(world, symbol);
  const LilvPort *port = lilv_plugin_get_port_by_symbol(plugin, name);
  lilv_node_free(name);
  if (!port || size != 4) return;
  uint32_t index = lilv_port_get_index(plugin, port);
  if (type == map_uri(NULL, LV2_ATOM__Float))
    memcpy(&instance->controls[index], value, 4);
  else if (type == map_uri(NULL, LV2_ATOM__Int) || type == map_uri(NULL, LV2_ATOM__Bool))
    instance->controls[index] = *(const int32_t *)value;
}

/// Restores the preset's port values and its state. Returns true if it has a state.
static bool restore(Instance *instance, const char *preset) {
  LilvNode *subject = node(preset);
  lilv_world_load_resource(world, subject);
  LilvState *state = lilv_state_new_from_world(world, &map, subject);
  if (!state) fail("there is no such state", preset);
  struct {
    const LV2_Descriptor *descriptor;
    LV2_Handle handle;
    void *unused;
  } view = {descriptor, instance->handle, NULL};
  LV2_Feature map_feature = {LV2_URID__map, &map}, unmap_feature = {LV2_URID__unmap, &unmap};
  // lilv maps the paths, relative to the state's own bundle.
  const LV2_Feature *features[] = {&map_feature, &unmap_feature, NULL};
  lilv_state_restore(state, (LilvInstance *)&view, set_port, instance, 0, features);
  bool has_properties = lilv_state_get_num_properties(state) > 0;
  lilv_state_free(state);
  lilv_node_free(subject);
  return has_properties;
}

/// Leaves bytes on the stack below the caller.
static __attribute__((noinline)) void scribble(void) {
  volatile char bytes[1 << 17];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)0xA5;
}

static void run(Instance *instance) {
  for (uint32_t i = 0; i < port_count; i++)
    if (ports[i].kind == ATOM) clear_atom(&ports[i], instance->buffers[i]);
  if (is_perturbed) scribble();
  descriptor->run(instance->handle, block);
  work(instance);
  set_mode(flushing);
}

// MARK: The list

static void open_world(void) {
  world = lilv_world_new();
  // A dynamic manifest is code that runs while plugins are listed.
  LilvNode *no = lilv_new_bool(world, false);
  lilv_world_set_option(world, LILV_OPTION_DYN_MANIFEST, no);
  lilv_node_free(no);
  lilv_world_load_all(world);
}

static void list_effect(void) {
  free(ports);
  main_count = side_count = output_count = 0;
  read_ports();
  if (main_count + side_count == 0 || output_count == 0) return;
  const char *uri = lilv_node_as_uri(lilv_plugin_get_uri(plugin));
  char *bundle = lilv_file_uri_parse(lilv_node_as_uri(lilv_plugin_get_bundle_uri(plugin)), NULL);
  LilvNode *name = lilv_plugin_get_name(plugin);
  bool has_latency = false;
  for (uint32_t i = 0; i < port_count; i++) has_latency |= ports[i].is_latency;
  printf("effect\t%s\t%s\t%u\t%u\t%u\t%d\t%s\n", uri, bundle, main_count, side_count, output_count,
         has_latency, name ? lilv_node_as_string(name) : uri);
  lilv_node_free(name);
  lilv_free(bundle);
  LilvNode *class = node("http://lv2plug.in/ns/ext/presets#Preset");
  LilvNodes *presets = lilv_plugin_get_related(plugin, class);
  LILV_FOREACH (nodes, i, presets)
    printf("preset\t%s\t%s\n", uri, lilv_node_as_uri(lilv_nodes_get(presets, i)));
  lilv_nodes_free(presets);
  lilv_node_free(class);
}

static int list(void) {
  rate = 48000;
  open_world();
  const LilvPlugins *all = lilv_world_get_all_plugins(world);
  LILV_FOREACH (plugins, i, all) {
    plugin = lilv_plugins_get(all, i);
    list_effect();
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "--list")) return list();
  if (count > 1 && !strcmp(arguments[1], "--perturbed")) {
    is_perturbed = true;
    mallopt(M_PERTURB, 165);
    arguments++, count--;
  }
  const char *preset = NULL;
  if (count == 7 && !strcmp(arguments[1], "--preset")) {
    preset = arguments[2];
    arguments += 2, count -= 2;
  }
  if (count != 5) fail("usage: bare-loop [--perturbed] [--preset URI] URI INPUT.wav OUTPUT.wav BLOCK", NULL);
  const char *uri = arguments[1];
  block = atoi(arguments[4]);
  int words = dup(1);
  dup2(2, 1);

  SF_INFO format = {0};
  SNDFILE *file = sf_open(arguments[2], SFM_READ, &format);
  if (!file) fail("the input cannot be read", arguments[2]);
  rate = format.samplerate;
  uint32_t width = format.channels, frames = format.frames;
  float *input = malloc(sizeof(float) * width * frames);
  if (sf_readf_float(file, input, frames) != frames) fail("the input is cut short", NULL);
  sf_close(file);

  open_world();
  LilvNode *subject = node(uri);
  plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), subject);
  lilv_node_free(subject);
  if (!plugin) fail("there is no such plugin", uri);
  LilvNode *live = node(LV2_CORE__isLive), *worker = node(LV2_WORKER__schedule);
  LilvNodes *required = lilv_plugin_get_required_features(plugin);
  requires_live = lilv_nodes_contains(required, live);
  knows_worker = lilv_plugin_has_feature(plugin, worker);
  lilv_nodes_free(required);
  lilv_node_free(live);
  lilv_node_free(worker);
  read_ports();
  load(uri);

  bool is_replicated = main_count == 1 && output_count == 1 && width > 1;
  uint32_t instance_count = is_replicated ? width : 1;
  for (uint32_t i = 0; i < instance_count; i++) {
    make(&instances[i]);
    bool has_state = false;
    if (preset)
      has_state = restore(&instances[i], preset);
    else if (knows(LV2_STATE__loadDefaultState))
      has_state = restore(&instances[i], uri);
    if (descriptor->activate) descriptor->activate(instances[i].handle);
    if (!has_state || !instances[i].worker) continue;
    // The worker loads the state's files during blocks of silence. Then the plugin is activated
    // again.
    for (int n = 0; n < 32; n++) run(&instances[i]);
    if (descriptor->deactivate) descriptor->deactivate(instances[i].handle);
    if (descriptor->activate) descriptor->activate(instances[i].handle);
  }
  uint32_t output_width = is_replicated ? width : output_count;
  float *output = calloc(1, sizeof(float) * output_width * (frames + 1));
  uint32_t latency = 0;
  Mode before = mode();
  set_mode(flushing);
  for (uint64_t frame = 0; frame < (uint64_t)frames + latency || frame == 0; frame += block) {
    for (uint32_t k = 0; k < instance_count; k++) {
      uint32_t channel = is_replicated ? k : 0;
      for (uint32_t i = 0; i < port_count; i++) {
        if (ports[i].kind != AUDIO || !ports[i].is_input || ports[i].is_side_chain) continue;
        float *to = instances[k].buffers[i];
        for (uint32_t n = 0; n < block; n++) {
          if (frame + n >= frames) {
            to[n] = 0;
          } else if (is_replicated || width == main_count) {
            to[n] = input[(frame + n) * width + channel];
          } else {
            // If the number of channels differs, every input gets the mean of the channels.
            float sum = 0;
            for (uint32_t c = 0; c < width; c++)
              sum += input[(frame + n) * width + c] * (1 / (float)width);
            to[n] = sum;
          }
        }
        channel++;
      }
      run(&instances[k]);
      if (frame == 0)
        for (uint32_t i = 0; i < port_count; i++) {
          float late = ports[i].is_latency ? instances[k].controls[i] : 0;
          if (k == 0 && isfinite(late) && late > 0)
            latency = lrintf(fminf(late, 10.0f * rate));
        }
      channel = is_replicated ? k : 0;
      for (uint32_t i = 0; i < port_count; i++) {
        if (ports[i].kind != AUDIO || ports[i].is_input) continue;
        const float *from = instances[k].buffers[i];
        for (uint32_t n = 0; n < block; n++) {
          int64_t at = (int64_t)(frame + n) - latency;
          if (at >= 0 && at < frames) output[at * output_width + channel] = from[n];
        }
        channel++;
      }
    }
  }
  set_mode(before);
  format.channels = output_width;
  format.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  file = sf_open(arguments[3], SFM_WRITE, &format);
  if (!file || sf_writef_float(file, output, frames) != frames)
    fail("the output cannot be written", arguments[3]);
  sf_close(file);
  dprintf(
      words, "%u %u %u %u\n", latency, main_count + side_count, output_count, instance_count);
  // The plugin's cleanup is skipped, because it is not part of the comparison.
  _exit(0);
}
