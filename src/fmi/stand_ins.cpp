// SPDX-License-Identifier: BSD-2-Clause
#include "fmi/helper_libraries.hpp"

// Embedded as bytes, so that the stand-ins are always available.
#ifdef TUTTI_GFORTRAN3
asm(".section .rodata.tutti_stand_ins, \"a\"\n"
    ".balign 16\n"
    ".local tutti_gfortran3\n"
    "tutti_gfortran3:\n"
    ".incbin \"" TUTTI_GFORTRAN3
    "\"\n"
    ".local tutti_gfortran3_end\n"
    "tutti_gfortran3_end:\n"
    ".previous\n");
extern const char gfortran3_begin asm("tutti_gfortran3");
extern const char gfortran3_end asm("tutti_gfortran3_end");
#endif

namespace tutti::fmi {

std::string_view stand_in_for(std::string_view name) {
#ifdef TUTTI_GFORTRAN3
  if (name == "libgfortran.so.3") return {&gfortran3_begin, &gfortran3_end};
#endif
  return {};
}

}  // namespace tutti::fmi
