# The libraries that Tutti stands on. FMUs bring their own copies of such libraries, so none of them
# may be in the global symbol scope: static ones are linked with hidden symbols, libzip, Cairo and HDF5
# (Debian has them only shared) are opened at run time (src/fmi/zip.cpp, src/results/plot,
# src/results/hdf5_library.cpp, which has its own declarations), the others are header-only.
find_package(pugixml CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(Eigen3 CONFIG REQUIRED)
find_package(Threads REQUIRED)
find_path(LIBZIP_INCLUDE_DIR zip.h REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_path(CAIRO_INCLUDE_DIR cairo.h PATH_SUFFIXES cairo REQUIRED)

# SUNDIALS: CVODES and IDAS, which contain CVODE and IDA under the same names, so those are not linked.
# Its static targets pull shared KLU parts; point them at the archives.
add_library(SUNDIALS::KLU INTERFACE IMPORTED)
foreach(_lib klu btf amd colamd suitesparseconfig)
  find_library(KLU_${_lib}_ARCHIVE NAMES lib${_lib}.a REQUIRED)
  target_link_libraries(SUNDIALS::KLU INTERFACE ${KLU_${_lib}_ARCHIVE})
endforeach()
find_path(SUITESPARSE_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
target_include_directories(SUNDIALS::KLU INTERFACE ${SUITESPARSE_INCLUDE_DIR})
find_package(SUNDIALS 6.4 CONFIG REQUIRED COMPONENTS cvodes idas arkode sunlinsolklu)
foreach(_target sunlinsolklu_static sunlinsoldense_static sunlinsolband_static)
  get_target_property(_libs SUNDIALS::${_target} INTERFACE_LINK_LIBRARIES)
  string(REPLACE "_shared" "_static" _libs "${_libs}")
  set_target_properties(SUNDIALS::${_target} PROPERTIES INTERFACE_LINK_LIBRARIES "${_libs}")
endforeach()

# {fmt}: Debian has the shared library only, so base/fmt.cpp compiles the library into Tutti, and
# every other translation unit sees the declarations.
add_library(tutti_fmt INTERFACE)
get_target_property(_fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(tutti_fmt SYSTEM INTERFACE ${_fmt_include})
