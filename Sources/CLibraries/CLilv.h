// lilv, the LV2 headers, and what Swift cannot express: calls through a plugin's tables that the
// realtime checker trusts, and variadic functions.
#pragma once

#include <lilv-0/lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/presets/presets.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include <serd-0/serd/serd.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// A plugin's code may do anything; its violations are reported as the plugin's.
#define FX_LV2_REALTIME static inline __attribute__((swift_attr("@_noLocks")))

/// Zeroes the stack area of the next function: some plugins read variables that they never wrote,
/// and must behave the same in every run.
static __attribute__((noinline, unused, swift_attr("@_noLocks"))) void fx_lv2_clear_stack(void) {
  char bytes[512];
  memset(bytes, 0, sizeof bytes);
  __asm__ volatile("" : : "r"(bytes) : "memory");
}

FX_LV2_REALTIME void fx_lv2_run(
    const LV2_Descriptor *descriptor, LV2_Handle handle, uint32_t frames) {
  fx_lv2_clear_stack();
  descriptor->run(handle, frames);
}

FX_LV2_REALTIME void fx_lv2_connect(
    const LV2_Descriptor *descriptor, LV2_Handle handle, uint32_t port, void *data) {
  descriptor->connect_port(handle, port, data);
}

FX_LV2_REALTIME void fx_lv2_work(
    const LV2_Worker_Interface *worker, LV2_Handle handle, LV2_Worker_Respond_Function respond,
    LV2_Worker_Respond_Handle respond_handle, uint32_t size, const void *data) {
  if (worker->work) worker->work(handle, respond, respond_handle, size, data);
}

FX_LV2_REALTIME void fx_lv2_work_response(
    const LV2_Worker_Interface *worker, LV2_Handle handle, uint32_t size, const void *data) {
  if (worker->work_response) worker->work_response(handle, size, data);
}

FX_LV2_REALTIME void fx_lv2_end_run(const LV2_Worker_Interface *worker, LV2_Handle handle) {
  if (worker->end_run) worker->end_run(handle);
}

/// `LV2_URI_Map_Feature` of the extension that urid:map has replaced.
typedef struct {
  void *data;
  uint32_t (*map)(void *data, const char *map, const char *uri);
} fx_lv2_uri_map_feature;

/// `LV2_Event_Feature` of the event extension that atoms have replaced: its own header is marked
/// as deprecated throughout.
typedef struct {
  void *data;
  uint32_t (*ref)(void *data, void *event);
  uint32_t (*unref)(void *data, void *event);
} fx_lv2_event_feature;

/// Wakes the thread that waits on a semaphore. Takes no lock.
FX_LV2_REALTIME void fx_lv2_wake(sem_t *semaphore) { sem_post(semaphore); }

/// The calling thread, as a number that is never 0.
FX_LV2_REALTIME uint64_t fx_lv2_thread(void) { return (uint64_t)pthread_self(); }

/// Small blocks that `fx_lv2_zero_new_memory` has taken; the first word of each is the address of the next.
typedef struct {
  void *first;
} fx_small_blocks;

/// Makes `malloc` return zeroed memory until `fx_lv2_leave_new_memory`. A thread has a cache of small free blocks, which
/// are not filled, so they are taken until then. Returns 0 where the C library cannot do it, or is configured to fill
/// memory with another value.
static inline int fx_lv2_zero_new_memory(fx_small_blocks *taken) {
  taken->first = NULL;
#ifdef M_PERTURB
  // A measuring process sets the fill byte in `FXRUN_HEAP_FILL`. Whoever sets it in another way
  // wants to see its effect.
  if (!getenv("FXRUN_HEAP_FILL") && (getenv("MALLOC_PERTURB_") || getenv("GLIBC_TUNABLES"))) return 0;
  // Blocks are filled with the complement of this byte. This also joins free blocks to new sizes, so it comes first.
  if (!mallopt(M_PERTURB, 0xff)) return 0;
  enum { LARGEST = 24 + 16 * 63, MOST = 1 << 14, PASSES = 8 };
  // Taking blocks splits others and joins free ones, which can put blocks of other sizes into the cache.
  for (int pass = 0, found = 1; pass < PASSES && found; pass++) {
    found = 0;
    for (size_t size = LARGEST; size >= 24; size -= 16) {
      // A block out of the cache begins with an address, any other with zeros. A single other one may have put free
      // blocks of its size into the cache.
      for (int i = 0, zeroed = 0; i < MOST && zeroed < 2; i++) {
        void **block = malloc(size);
        if (!block) break;
        found |= *(void *volatile *)block != NULL;
        zeroed = *(void *volatile *)block ? 0 : zeroed + 1;
        *block = taken->first;
        taken->first = block;
      }
    }
  }
  return 1;
#else
  return 0;
#endif
}

/// Ends `fx_lv2_zero_new_memory`.
static inline void fx_lv2_leave_new_memory(fx_small_blocks *taken) {
#ifdef M_PERTURB
  const char *fill = getenv("FXRUN_HEAP_FILL");
  mallopt(M_PERTURB, fill ? atoi(fill) : 0);
#endif
  while (taken->first) {
    void *block = taken->first;
    taken->first = *(void **)block;
    free(block);
  }
}

/// The receiver of the lines that a plugin logs.
typedef struct {
  void *context;
  void (*line)(void *context, LV2_URID level, const char *text);
} fx_lv2_log_target;

static inline int fx_lv2_log_vprintf(
    LV2_Log_Handle handle, LV2_URID level, const char *format, va_list arguments) {
  const fx_lv2_log_target *target = (const fx_lv2_log_target *)handle;
  char text[2048];
  int length = vsnprintf(text, sizeof text, format, arguments);
  target->line(target->context, level, length < 0 ? format : text);
  return length;
}

static inline int fx_lv2_log_printf(
    LV2_Log_Handle handle, LV2_URID level, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = fx_lv2_log_vprintf(handle, level, format, arguments);
  va_end(arguments);
  return length;
}

/// Makes the data of a log feature that passes finished lines to `target`.
static inline LV2_Log_Log fx_lv2_log(fx_lv2_log_target *target) {
  LV2_Log_Log log = {target, fx_lv2_log_printf, fx_lv2_log_vprintf};
  return log;
}

/// Flushes C's standard output.
static inline void fx_lv2_flush_standard_output(void) { fflush(stdout); }

/// A substitute for an instance, which lilv receives. It records the plugin's status when its state
/// is restored or saved, because lilv does not return it. lilv uses only an instance's descriptor,
/// for the state interface, and its handle.
typedef struct {
  const LV2_State_Interface *interface;
  LV2_Handle handle;
  LV2_State_Status status;
} fx_lv2_state_call;

static LV2_State_Status fx_lv2_restore_and_note(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state,
    uint32_t flags, const LV2_Feature *const *features) {
  fx_lv2_state_call *call = (fx_lv2_state_call *)handle;
  if (!call->interface->restore) return LV2_STATE_SUCCESS;
  call->status = call->interface->restore(call->handle, retrieve, state, flags, features);
  return call->status;
}

static LV2_State_Status fx_lv2_save_and_note(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
  fx_lv2_state_call *call = (fx_lv2_state_call *)handle;
  if (!call->interface->save) return LV2_STATE_SUCCESS;
  call->status = call->interface->save(call->handle, store, state, flags, features);
  return call->status;
}

static const void *fx_lv2_state_extension(const char *uri) {
  static const LV2_State_Interface noting = {fx_lv2_save_and_note, fx_lv2_restore_and_note};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &noting : NULL;
}

static inline const LV2_State_Interface *fx_lv2_state_interface(const LV2_Descriptor *descriptor) {
  if (!descriptor->extension_data) return NULL;
  return (const LV2_State_Interface *)descriptor->extension_data(LV2_STATE__interface);
}

/// Restores a state's properties and returns the plugin's status.
static inline LV2_State_Status fx_lv2_restore(
    const LilvState *state, const LV2_Descriptor *descriptor, LV2_Handle handle,
    const LV2_Feature *const *features) {
  fx_lv2_state_call call = {fx_lv2_state_interface(descriptor), handle, LV2_STATE_SUCCESS};
  LV2_Descriptor table = {descriptor->URI};
  if (call.interface) table.extension_data = fx_lv2_state_extension;
  LilvInstance instance = {&table, &call, NULL};
  lilv_state_restore(state, &instance, NULL, NULL, 0, features);
  return call.status;
}

/// Takes an instance's state, with its files in `folder`; `status` receives the plugin's status.
static inline LilvState *fx_lv2_take_state(
    const LilvPlugin *plugin, const LV2_Descriptor *descriptor, LV2_Handle handle,
    LV2_URID_Map *map, const char *scratch, const char *folder, LilvGetPortValueFunc get_value,
    void *context, const LV2_Feature *const *features, LV2_State_Status *status) {
  fx_lv2_state_call call = {fx_lv2_state_interface(descriptor), handle, LV2_STATE_SUCCESS};
  LV2_Descriptor table = {descriptor->URI};
  if (call.interface) table.extension_data = fx_lv2_state_extension;
  LilvInstance instance = {&table, &call, NULL};
  LilvState *state = lilv_state_new_from_instance(
      plugin, &instance, map, scratch, folder, folder, folder, get_value, context,
      LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE, features);
  *status = call.status;
  return state;
}

static inline SerdStatus fx_turtle_count(
    void *count, SerdStatementFlags flags, const SerdNode *graph, const SerdNode *subject,
    const SerdNode *predicate, const SerdNode *object, const SerdNode *type, const SerdNode *language) {
  (void)flags, (void)graph, (void)subject, (void)predicate, (void)object, (void)type, (void)language;
  ++*(size_t *)count;
  return SERD_SUCCESS;
}

/// A Turtle reader that only counts statements.
/// serd's own `serd_reader_new`, which the program may have replaced.
static inline SerdReader *fx_serd_reader_new(
    SerdSyntax syntax, void *handle, void (*free_handle)(void *), SerdBaseSink base,
    SerdPrefixSink prefix, SerdStatementSink statement, SerdEndSink end) {
#ifndef RTLD_NEXT
#define RTLD_NEXT ((void *)-1L)
#endif
  void *own = dlsym(RTLD_NEXT, "serd_reader_new");
  SerdReader *(*make)(
      SerdSyntax, void *, void (*)(void *), SerdBaseSink, SerdPrefixSink, SerdStatementSink,
      SerdEndSink);
  memcpy(&make, &own, sizeof make);
  return make ? make(syntax, handle, free_handle, base, prefix, statement, end) : NULL;
}

static inline SerdReader *fx_turtle_counter(size_t *count) {
  return fx_serd_reader_new(SERD_TURTLE, count, NULL, NULL, NULL, fx_turtle_count, NULL);
}

/// Writes the text of an error and returns its length, as `vsnprintf` does; the text may contain
/// zero bytes.
static inline int fx_turtle_message(const SerdError *error, char *buffer, size_t size) {
  va_list arguments;
  va_copy(arguments, *error->args);
  int count = vsnprintf(buffer, size, error->fmt, arguments);
  va_end(arguments);
  return count;
}
