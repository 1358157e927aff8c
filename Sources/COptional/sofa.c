#include "sofa.h"

#include "optional.h"

#include <mysofa.h>
#include <pthread.h>

static struct {
  __typeof__(&mysofa_open) open;
  __typeof__(&mysofa_getfilter_float_nointerp) nearest;
} sofa;
static int is_loaded;

static void load(void) {
  static const char *const files[] = {"libmysofa.so.1", NULL};
  static const char *const names[] = {"mysofa_open", "mysofa_getfilter_float_nointerp", NULL};
  is_loaded = fx_open_library(files, names, &sofa);
}

int fx_sofa_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

struct MYSOFA_EASY *fx_sofa_open(const char *path, float rate, int *length, int *error) {
  return sofa.open(path, rate, length, error);
}

void fx_sofa_nearest(
    struct MYSOFA_EASY *file, float front, float left, float up, float *left_response,
    float *right_response, float *left_delay, float *right_delay) {
  sofa.nearest(file, front, left, up, left_response, right_response, left_delay, right_delay);
}
