// Makes chosen calls into alsa-lib fail, with any device. Preloaded:
//
//   FXRUN_ALSA_FAULTS='pcm_writei@100=-32; pcm_resume@1x5=-11; pcm_wait@3=hang' LD_PRELOAD=… fxrun …
//
// Faults are separated by semicolons. Each is CALL@N[xCOUNT]=WHAT. It changes the program's Nth
// call of snd_CALL (and the COUNT-1 calls after it, * for all) as WHAT says:
//   a number     returns it and does nothing
//   short        moves half of the frames: for writei, readi, writen, readn and mmap_commit
//   hang         never returns
//   sleep MS     waits before the call
// alsa-lib's calls to itself are not counted. Each fault prints a line on standard error.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Every function takes at most ten integers or pointers and returns one. Ten are always passed on,
// even if the function has fewer.
#define PARAMETERS long a, long b, long c, long d, long e, long f, long g, long h, long i, long j
#define ARGUMENTS a, b, c, d, e, f, g, h, i, j
typedef long function(PARAMETERS);

struct wrapped {
  const char *name;
  function *real;
  unsigned long calls;
};

// functions.h has CALL(name) for each wrapped function; the build makes it from the symbols of the
// library.
enum {
#define CALL(name) index_##name,
#include "functions.h"
#undef CALL
  function_count
};

static struct wrapped table[] = {
#define CALL(name) {#name, NULL, 0},
#include "functions.h"
#undef CALL
};

static __thread int depth;

enum kind { returns, halves, hangs, sleeps };

struct fault {
  int index;
  unsigned long first, last;
  enum kind kind;
  long value;
};

static struct fault faults[64];
static int fault_count;

static void refuse(const char *text) {
  fprintf(stderr, "alsa faults: cannot read '%s'\n", text);
  _exit(2);
}

static int index_of(const char *name) {
  for (int index = 0; index < function_count; index++) {
    if (strcmp(table[index].name + strlen("snd_"), name) == 0) return index;
  }
  return -1;
}

static void read_fault(const char *text) {
  struct fault fault = {.kind = returns};
  char name[64] = "", times[16] = "", what[32] = "";
  if (fault_count == sizeof faults / sizeof *faults) refuse(text);
  if (sscanf(text, " %63[a-z0-9_]@%lux%15[0-9*]=%31[^\n]", name, &fault.first, times, what) != 4) {
    strcpy(times, "1");
    if (sscanf(text, " %63[a-z0-9_]@%lu=%31[^\n]", name, &fault.first, what) != 3) refuse(text);
  }
  fault.index = index_of(name);
  if (fault.index < 0) refuse(text);
  fault.last = *times == '*' ? (unsigned long)-1 : fault.first + strtoul(times, NULL, 10) - 1;
  char *end = what;
  if (strncmp(what, "short", 5) == 0) fault.kind = halves;
  else if (strncmp(what, "hang", 4) == 0) fault.kind = hangs;
  else if (sscanf(what, "sleep %ld", &fault.value) == 1) fault.kind = sleeps;
  else if (fault.value = strtol(what, &end, 10), end == what) refuse(text);
  faults[fault_count++] = fault;
}

__attribute__((constructor)) static void prepare(void) {
  const char *text = getenv("FXRUN_ALSA_FAULTS");
  if (!text || !*text) return;
  char *copy = strdup(text), *rest = copy, *part;
  while ((part = strsep(&rest, ";"))) {
    if (part[strspn(part, " ")]) read_fault(part);
  }
  free(copy);
}

static const struct fault *find_fault(int index, unsigned long call) {
  for (int at = 0; at < fault_count; at++) {
    const struct fault *fault = &faults[at];
    if (fault->index == index && call >= fault->first && call <= fault->last) return fault;
  }
  return NULL;
}

static function *real_of(int index) {
  if (!table[index].real) table[index].real = (function *)dlsym(RTLD_NEXT, table[index].name);
  return table[index].real;
}

static long call_real(int index, PARAMETERS) {
  if (!real_of(index)) {
    fprintf(stderr, "alsa faults: no %s in this library\n", table[index].name);
    abort();
  }
  depth++;
  long result = table[index].real(ARGUMENTS);
  depth--;
  return result;
}

static long call(int index, PARAMETERS) {
  if (depth > 0) return call_real(index, ARGUMENTS);
  unsigned long count = __atomic_add_fetch(&table[index].calls, 1, __ATOMIC_RELAXED);
  const struct fault *fault = find_fault(index, count);
  if (!fault) return call_real(index, ARGUMENTS);
  static const char *const words[] = {"returns", "short", "hangs", "sleeps"};
  fprintf(stderr, "alsa faults: %s, call %lu: %s %ld\n", table[index].name, count,
          words[fault->kind], fault->value);
  switch (fault->kind) {
    case returns: return fault->value;
    case hangs:
      for (;;) pause();
    case sleeps: usleep((useconds_t)fault->value * 1000); break;
    // The number of frames is the third argument of every call that moves frames.
    case halves: c = c > 1 ? c / 2 : c; break;
  }
  return call_real(index, ARGUMENTS);
}

#define CALL(name) \
  __attribute__((visibility("default"))) long name(PARAMETERS) { \
    return call(index_##name, ARGUMENTS); \
  }
#include "functions.h"
#undef CALL
