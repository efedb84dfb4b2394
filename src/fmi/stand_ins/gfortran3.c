// SPDX-License-Identifier: BSD-2-Clause
// A stand-in for libgfortran.so.3, the run-time library of GNU Fortran 4.3 to 6, which no current
// system has. FMUs need it because BLAS and LAPACK were compiled into them; this is all that those
// libraries ask of it. Lengths of texts are int in that version (size_t from GNU Fortran 8 on, so
// that libgfortran.so.5 cannot take its place).
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

// Fortran compares as if the shorter text were filled with blanks.
EXPORTED int _gfortran_compare_string(int n1, const char* s1, int n2, const char* s2) {
  const int longest = n1 > n2 ? n1 : n2;
  for (int i = 0; i < longest; ++i) {
    const unsigned char a = i < n1 ? (unsigned char)s1[i] : ' ';
    const unsigned char b = i < n2 ? (unsigned char)s2[i] : ' ';
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

EXPORTED void _gfortran_concat_string(int n, char* to, int n1, const char* s1, int n2,
                                      const char* s2) {
  for (int i = 0; i < n; ++i) to[i] = i < n1 ? s1[i] : i - n1 < n2 ? s2[i - n1] : ' ';
}

EXPORTED int _gfortran_string_len_trim(int n, const char* s) {
  while (n > 0 && s[n - 1] == ' ') --n;
  return n;
}

EXPORTED int _gfortran_string_index(int n, const char* s, int part_n, const char* part, int back) {
  if (part_n == 0) return back ? n + 1 : 1;
  int found = 0;
  for (int i = 0; i + part_n <= n; ++i) {
    if (memcmp(s + i, part, (size_t)part_n) != 0) continue;
    found = i + 1;
    if (!back) break;
  }
  return found;
}

EXPORTED int32_t _gfortran_pow_i4_i4(int32_t base, int32_t exponent) {
  if (exponent < 0) {  // 1/base^n, rounded towards zero
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 ? -1 : 1;
    return 0;
  }
  uint32_t power = 1, square = (uint32_t)base;
  for (uint32_t n = (uint32_t)exponent; n != 0; n >>= 1, square *= square)
    if (n & 1) power *= square;
  return (int32_t)power;
}

// What WRITE and PRINT give goes to standard error, item by item and whatever the FORMAT says: it
// is the complaint of a LAPACK routine about its arguments.
EXPORTED void _gfortran_st_write(void* io) { (void)io; }
EXPORTED void _gfortran_st_write_done(void* io) {
  (void)io;
  fputc('\n', stderr);
}
EXPORTED void _gfortran_transfer_character_write(void* io, const char* s, int n) {
  (void)io;
  fprintf(stderr, " %.*s", n, s);
}
EXPORTED void _gfortran_transfer_character(void* io, const char* s, int n) {
  _gfortran_transfer_character_write(io, s, n);
}
EXPORTED void _gfortran_transfer_integer_write(void* io, const void* value, int bytes) {
  (void)io;
  const long long number = bytes == 8   ? *(const int64_t*)value
                           : bytes == 4 ? *(const int32_t*)value
                                        : *(const int8_t*)value;
  fprintf(stderr, " %lld", number);
}
EXPORTED void _gfortran_transfer_integer(void* io, const void* value, int bytes) {
  _gfortran_transfer_integer_write(io, value, bytes);
}
EXPORTED void _gfortran_transfer_real_write(void* io, const void* value, int bytes) {
  (void)io;
  fprintf(stderr, " %g", bytes == 8 ? *(const double*)value : (double)*(const float*)value);
}
EXPORTED void _gfortran_transfer_real(void* io, const void* value, int bytes) {
  _gfortran_transfer_real_write(io, value, bytes);
}
EXPORTED void _gfortran_transfer_logical_write(void* io, const void* value, int bytes) {
  (void)io;
  fprintf(stderr, bytes == 4 && *(const int32_t*)value ? " T" : " F");
}
EXPORTED void _gfortran_transfer_logical(void* io, const void* value, int bytes) {
  _gfortran_transfer_logical_write(io, value, bytes);
}

// STOP and errors end the process, as they do in the real library.
EXPORTED void _gfortran_stop_string(const char* s, int n) {
  fprintf(stderr, "STOP %.*s\n", s ? n : 0, s ? s : "");
  exit(0);
}
EXPORTED void _gfortran_stop_numeric(int32_t code) {
  fprintf(stderr, "STOP %d\n", (int)code);
  exit(code);
}
EXPORTED void _gfortran_runtime_error_at(const char* where, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: Fortran runtime error: ", where);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}
EXPORTED void _gfortran_os_error(const char* text) {
  fprintf(stderr, "Fortran runtime error: %s\n", text);
  exit(1);
}

EXPORTED void _gfortran_cpu_time_8(double* seconds) { *seconds = (double)clock() / CLOCKS_PER_SEC; }
EXPORTED void _gfortran_cpu_time_4(float* seconds) { *seconds = (float)clock() / CLOCKS_PER_SEC; }
