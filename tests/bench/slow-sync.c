// Preloaded into a server (LD_PRELOAD): every 200th sync of a file takes 300 ms longer, in whichever thread it is made.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <time.h>

enum { EVERY = 200, MILLISECONDS = 300 };

static void delay(void) {
  static atomic_int count;
  struct timespec time = {0, MILLISECONDS * 1000000L};
  if (atomic_fetch_add(&count, 1) % EVERY == EVERY - 1) nanosleep(&time, NULL);
}

#define DELAYED(name)                                   \
  int name(int file) {                                  \
    static int (*usual)(int);                           \
    if (usual == NULL) usual = dlsym(RTLD_NEXT, #name); \
    delay();                                            \
    return usual(file);                                 \
  }

DELAYED(fsync)
DELAYED(fdatasync)
