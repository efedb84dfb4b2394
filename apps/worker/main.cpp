// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <tutti/version.hpp>
#include <tutti/worker.hpp>

int main(int argc, char** argv) {
  if (tutti::is_worker(argc, argv)) return tutti::serve_worker(argc, argv);
  std::fprintf(stderr,
               "tutti-worker %s runs FMUs for programs with the library of Tutti, which starts "
               "it.\n",
               std::string(tutti::version()).c_str());
  return 2;
}
