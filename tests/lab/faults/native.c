// Preloaded into a server (LD_PRELOAD): makes one call fail that SQLite makes on its own, past Node. A file that is mapped into
// memory says which: the kind of call, how many more of it go well, and how many have failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { NONE, WRITE, SYNC, TRUNCATE };
struct control {
  volatile int kind, left, failed;
};
static struct control *control;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_NATIVE");
  int file = path == NULL ? -1 : open(path, O_RDWR);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(file);
}

// Whether this call on a database, or its log, is the one.
static int fails(int kind, int file, int error) {
  if (control == NULL || control->kind != kind) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, "punchboard.db") == NULL) return 0;
  if (control->left-- > 0) return 0;
  control->kind = NONE;
  control->failed += 1;
  errno = error;
  return 1;
}

#define USUAL(type, name, parameters) static type(*usual) parameters; if (usual == NULL) usual = dlsym(RTLD_NEXT, name)

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  USUAL(ssize_t, "pwrite", (int, const void *, size_t, off_t));
  return fails(WRITE, file, ENOSPC) ? -1 : usual(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  USUAL(ssize_t, "pwrite64", (int, const void *, size_t, off64_t));
  return fails(WRITE, file, ENOSPC) ? -1 : usual(file, bytes, size, at);
}

ssize_t write(int file, const void *bytes, size_t size) {
  USUAL(ssize_t, "write", (int, const void *, size_t));
  return fails(WRITE, file, ENOSPC) ? -1 : usual(file, bytes, size);
}

int fsync(int file) {
  USUAL(int, "fsync", (int));
  return fails(SYNC, file, EIO) ? -1 : usual(file);
}

int fdatasync(int file) {
  USUAL(int, "fdatasync", (int));
  return fails(SYNC, file, EIO) ? -1 : usual(file);
}

int ftruncate(int file, off_t size) {
  USUAL(int, "ftruncate", (int, off_t));
  return fails(TRUNCATE, file, EIO) ? -1 : usual(file, size);
}

int ftruncate64(int file, off64_t size) {
  USUAL(int, "ftruncate64", (int, off64_t));
  return fails(TRUNCATE, file, EIO) ? -1 : usual(file, size);
}
