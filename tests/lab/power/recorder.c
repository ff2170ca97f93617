// Preloaded into a server (LD_PRELOAD): writes down, in one order, what it writes to its database and the log, when it syncs
// them, and what it sends. So what a loss of power leaves can be made out afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// As in trace.ts.
enum { WRITE, CUT, SYNC_BEGINS, SYNC_ENDS, FOLDER_SYNCED, SENT };
enum { NOTHING = -1, DATABASE, LOG, FOLDER, SOCKET };

static int trace = -1;
static size_t folder;
static const char *database;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define USUAL(type, name, parameters) static type(*usual) parameters; if (usual == NULL) usual = dlsym(RTLD_NEXT, name)

static ssize_t write_down(const void *bytes, size_t size) {
  USUAL(ssize_t, "write", (int, const void *, size_t));
  for (size_t at = 0; at < size;) {
    ssize_t written = usual(trace, (const char *)bytes + at, size - at);
    if (written <= 0) abort();
    at += written;
  }
  return size;
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("POWER_TRACE");
  database = getenv("POWER_DATABASE");
  if (path == NULL || database == NULL) return;
  folder = strrchr(database, '/') - database;
  trace = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int kind_of(int file) {
  if (trace < 0 || file == trace) return NOTHING;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NOTHING;
  path[length] = 0;
  if (strncmp(path, "socket:", 7) == 0) return SOCKET;
  if (strncmp(path, database, folder) != 0) return NOTHING;
  if (path[folder] == 0) return FOLDER;
  if (strncmp(path, database, strlen(database)) != 0) return NOTHING;
  const char *end = path + strlen(database);
  return *end == 0 ? DATABASE : strcmp(end, "-wal") == 0 ? LOG : NOTHING;
}

// Within the mutex.
static void note(int what, int file, int64_t at, const struct iovec *parts, int many) {
  int64_t size = 0;
  for (int part = 0; part < many; part++) size += parts[part].iov_len;
  struct {
    int32_t what, file;
    int64_t at, size;
  } head = {what, file, at, size};
  write_down(&head, sizeof head);
  for (int part = 0; part < many; part++) write_down(parts[part].iov_base, parts[part].iov_len);
}

#define RECORDED(what, file, at, parts, many, call)  \
  pthread_mutex_lock(&mutex);                         \
  note(what, file, at, parts, many);                  \
  ssize_t result = call;                              \
  pthread_mutex_unlock(&mutex);                       \
  return result

static ssize_t write_at(ssize_t (*usual)(int, const void *, size_t, off_t), int file, const void *bytes, size_t size, off_t at) {
  int kind = kind_of(file);
  if (kind != DATABASE && kind != LOG) return usual(file, bytes, size, at);
  struct iovec part = {(void *)bytes, size};
  RECORDED(WRITE, kind, at, &part, 1, usual(file, bytes, size, at));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  USUAL(ssize_t, "pwrite", (int, const void *, size_t, off_t));
  return write_at(usual, file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  USUAL(ssize_t, "pwrite64", (int, const void *, size_t, off_t));
  return write_at(usual, file, bytes, size, at);
}

ssize_t write(int file, const void *bytes, size_t size) {
  USUAL(ssize_t, "write", (int, const void *, size_t));
  if (kind_of(file) != SOCKET) return usual(file, bytes, size);
  struct iovec part = {(void *)bytes, size};
  RECORDED(SENT, SOCKET, 0, &part, 1, usual(file, bytes, size));
}

ssize_t writev(int file, const struct iovec *parts, int many) {
  USUAL(ssize_t, "writev", (int, const struct iovec *, int));
  if (kind_of(file) != SOCKET) return usual(file, parts, many);
  RECORDED(SENT, SOCKET, 0, parts, many, usual(file, parts, many));
}

static int cut(int (*usual)(int, off_t), int file, off_t size) {
  int kind = kind_of(file);
  if (kind != DATABASE && kind != LOG) return usual(file, size);
  RECORDED(CUT, kind, size, NULL, 0, usual(file, size));
}

int ftruncate(int file, off_t size) {
  USUAL(int, "ftruncate", (int, off_t));
  return cut(usual, file, size);
}

int ftruncate64(int file, off64_t size) {
  USUAL(int, "ftruncate64", (int, off_t));
  return cut(usual, file, size);
}

// Other threads write meanwhile: only what was written before it began is certain when it has ended.
static int sync_of(int (*usual)(int), int file) {
  int kind = kind_of(file);
  if (kind != DATABASE && kind != LOG && kind != FOLDER) return usual(file);
  static int64_t count;
  pthread_mutex_lock(&mutex);
  int64_t number = count++;
  if (kind != FOLDER) note(SYNC_BEGINS, kind, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  int result = usual(file);
  pthread_mutex_lock(&mutex);
  if (result == 0) note(kind == FOLDER ? FOLDER_SYNCED : SYNC_ENDS, kind, number, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return result;
}

int fsync(int file) {
  USUAL(int, "fsync", (int));
  return sync_of(usual, file);
}

int fdatasync(int file) {
  USUAL(int, "fdatasync", (int));
  return sync_of(usual, file);
}
