// SPDX-License-Identifier: BSD-2-Clause
// Runs a program, and prints the maximum memory in kilobytes of it and of its waited-for children.
//   peak_memory PROGRAM [ARGUMENT...]
// A separate program, because memory before exec counts as well: from an interpreter, this would
// measure the interpreter.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) return 1;
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
