// SPDX-License-Identifier: BSD-2-Clause
// To be preloaded: counts allocations in the file that ALLOCATION_COUNTS names, as two numbers of
// 64 bits: those of the started process, and those of its forks.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The implementations of these functions in glibc.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static _Atomic uint64_t nowhere;
static _Atomic uint64_t* counter = &nowhere;

static void in_child(void) {
  static int moved;
  if (!moved++ && counter != &nowhere) ++counter;
}

__attribute__((constructor)) static void start(void) {
  const char* const path = getenv("ALLOCATION_COUNTS");
  const int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void* const counts = mmap(NULL, 2 * sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (counts == MAP_FAILED) return;
  counter = counts;
  pthread_atfork(NULL, NULL, in_child);
}

static void count(void) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

void* malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
void* calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
void* realloc(void* block, size_t size) {
  count();
  return __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : 12;  // ENOMEM
}
