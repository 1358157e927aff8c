#define _GNU_SOURCE
#include "keeping.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 100000 };

/// Returns 0 where the text does not fit.
static size_t append(char *text, size_t length, size_t size, const char *more) {
  size_t count = strlen(more);
  if (length == 0 || length + count > size) return 0;
  memcpy(text + length - 1, more, count + 1);
  return length + count;
}

/// Returns 0 or an errno value; EEXIST for a name that exists.
static int rename_free(const char *path, const char *name) {
  if (renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system does not support it: use a hard link, or otherwise check the name first.
  if (link(path, name) == 0) return unlink(path) == 0 ? 0 : errno;
  if (errno == EEXIST) return errno;
  if (access(name, F_OK) == 0) return EEXIST;
  return rename(path, name) == 0 ? 0 : errno;
}

int fx_keep_partial(
    const char *path, const char *stem, const char *end, char *taken, size_t taken_size) {
  for (int number = 1; number < NAMES; number++) {
    char digits[12];
    int i = sizeof digits - 1;
    digits[i] = 0;
    for (int left = number; left > 0; left /= 10) digits[--i] = (char)('0' + left % 10);
    char name[PATH_MAX];
    name[0] = 0;
    size_t length = append(name, 1, sizeof name, stem);
    length = append(name, length, sizeof name, ".partial");
    if (number > 1) {
      length = append(name, length, sizeof name, "-");
      length = append(name, length, sizeof name, digits + i);
    }
    length = append(name, length, sizeof name, end);
    if (length == 0) return ENAMETOOLONG;
    int code = rename_free(path, name);
    if (code == EEXIST) continue;
    if (code == 0 && taken && length <= taken_size) memcpy(taken, name, length);
    return code;
  }
  return EEXIST;
}

int fx_exchange_names(const char *path, const char *other) {
  return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int fx_reserve_file(int descriptor, int64_t offset, int64_t byte_count) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, byte_count) == 0 ? 0 : errno;
}

void fx_start_writing(int descriptor, int64_t offset, int64_t byte_count) {
  (void)sync_file_range(descriptor, offset, byte_count, SYNC_FILE_RANGE_WRITE);
}
