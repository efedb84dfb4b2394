# `cmake --install build --prefix P`: the program, the library and the kit, each with a CMake package:
# find_package(tutti) gives tutti::tutti, find_package(fmukit) gives fmukit_add_fmu().
include(CMakePackageConfigHelpers)

# tutti_package(<name>): the targets exported as <name>-targets and
# cmake/<name>-config.cmake.in become a package.
function(tutti_package name)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(EXPORT ${name}-targets NAMESPACE ${name}:: DESTINATION ${folder})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/${name}-config.cmake.in
    ${PROJECT_BINARY_DIR}/cmake/${name}-config.cmake
    INSTALL_DESTINATION ${folder} PATH_VARS CMAKE_INSTALL_DATADIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/${name}-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}-config.cmake
    ${PROJECT_BINARY_DIR}/cmake/${name}-config-version.cmake DESTINATION ${folder})
endfunction()

install(TARGETS tutti_cli)
install(TARGETS tutti_worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti)
install(TARGETS tutti EXPORT tutti-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tutti ${PROJECT_BINARY_DIR}/include/tutti
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
tutti_package(tutti)
file(RELATIVE_PATH PREFIX_FROM_PC
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PREFIX_FROM_PC "${PREFIX_FROM_PC}")
configure_file(cmake/tutti.pc.in cmake/tutti.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/tutti.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES README.md CHANGELOG.md LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES docs/tutti.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where bash-completion, zsh and fish look for completions.
install(FILES apps/cli/completion/tutti.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tutti)
install(FILES apps/cli/completion/tutti.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _tutti)
install(FILES apps/cli/completion/tutti.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(TARGETS fmukit fmukit_core fmukit_v1 fmukit_v2 fmukit_v3 fmukit_describe fmukit-pack
  EXPORT fmukit-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/fmukit/include/fmukit
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/fmukit/cmake/fmukit.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/fmukit)
# FMI 1.0 has the model's name in that of every function: one source is compiled with each model.
install(FILES ${PROJECT_SOURCE_DIR}/fmukit/src/v1/prefixed.cpp
  ${PROJECT_SOURCE_DIR}/fmukit/src/v1/functions.hpp DESTINATION ${CMAKE_INSTALL_DATADIR}/fmukit/v1)
install(FILES ${PROJECT_SOURCE_DIR}/src/fmi/abi/fmi1.hpp
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fmukit/fmi/abi)
tutti_package(fmukit)
