# `cpack` in the build folder, or `./dev package`: tutti-<version>-Linux.tar.gz, which works wherever
# it is unpacked, and a Debian package. Included last: it describes what the install() lines put there.

# KLU and BTF are LGPL: whoever has a package can link it again with a version of their own.
get_property(layers GLOBAL PROPERTY TUTTI_LAYERS)
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(tutti_objects STATIC ${objects})
add_library(tutti_cli_objects STATIC $<TARGET_OBJECTS:tutti_cli>)
set_target_properties(tutti_objects tutti_cli_objects PROPERTIES LINKER_LANGUAGE CXX)
get_target_property(SOVERSION tutti SOVERSION)
configure_file(cmake/relink.sh.in cmake/relink.sh @ONLY)
install(TARGETS tutti_objects tutti_cli_objects DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti/relink)
install(PROGRAMS ${PROJECT_BINARY_DIR}/cmake/relink.sh
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti/relink)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGE_CONTACT "the Tutti contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "co-simulation master for FMUs")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened at run time, so nothing else finds these.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libzip4)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libcairo2, fonts-dejavu-core, libhdf5-103-1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake")
include(CPack)
