# cmake -DSOURCE=<folder> -DOUTPUT=<file> -P BuildId.cmake: a source file with a hash of all sources
# of the library. It is written only if it differs, so that nothing is compiled in vain.
file(GLOB_RECURSE files ${SOURCE}/src/*.cpp ${SOURCE}/src/*.hpp ${SOURCE}/include/*.hpp)
list(SORT files)
set(all)
foreach(file IN LISTS files)
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 32 id)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "base/build_id.hpp"

namespace tutti {

std::string_view build_id() { return "@id@"; }

}  // namespace tutti
]])
