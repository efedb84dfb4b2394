# fmukit_add_fmu(<name> <source>...
#   [VERSIONS 1.0 2.0 3.0]      which FMI versions; default all
#   [INTERFACES cs me]          which interfaces; default both. A model with its own do_step and
#                               no derivatives needs INTERFACES cs
#   [RESOURCES <file>...]       go into the folder resources/ of the archive
#   [DEFINITIONS <def>...]      for the sources
#   [LIBRARIES <library>...]    to link
#   [LINK_OPTIONS <option>...]
#   [EXPORTS <symbol>...]       functions of the model to export beside those of FMI
#   [HIDE <symbol>...]          functions of FMI not to export
#   [REPLACE <old> <new>...]    changes to the text of modelDescription.xml
#   [FOLDER <folder>])          where the archives go; default ${CMAKE_BINARY_DIR}/fmus
# builds <name>.fmu below the folders 1.0-cs, 1.0-me, 2.0 and 3.0 of FOLDER. <name> is the model
# identifier. Targets: <name>_fmu (all archives, part of `all`).

function(fmukit_add_fmu name)
  set(multi VERSIONS INTERFACES RESOURCES DEFINITIONS LIBRARIES LINK_OPTIONS EXPORTS HIDE REPLACE)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "${multi}")
  if(NOT arg_VERSIONS)
    set(arg_VERSIONS 1.0 2.0 3.0)
  endif()
  if(NOT arg_INTERFACES)
    set(arg_INTERFACES cs me)
  endif()
  string(TOLOWER "${arg_INTERFACES}" arg_INTERFACES)
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${CMAKE_BINARY_DIR}/fmus)
  endif()
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "fmukit_add_fmu: \"${name}\" is no C identifier")
  endif()
  set(work ${CMAKE_CURRENT_BINARY_DIR}/${name})

  # The model, compiled once, and the program that writes its description.
  add_library(${name}_model OBJECT ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_model PRIVATE fmukit::fmukit ${arg_LIBRARIES})
  target_compile_definitions(${name}_model PRIVATE FMUKIT_IDENTIFIER=${name} ${arg_DEFINITIONS})
  target_compile_options(${name}_model PRIVATE
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=.)
  set_target_properties(${name}_model PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(TARGET tutti_warnings)
    target_link_libraries(${name}_model PRIVATE tutti_warnings)
  endif()
  add_executable(${name}_describe $<TARGET_OBJECTS:${name}_model>)
  target_link_libraries(${name}_describe PRIVATE
    fmukit::fmukit_describe fmukit::fmukit_core ${arg_LIBRARIES})
  set_target_properties(${name}_describe PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${work})

  # One library per FMI version, then the archives.
  foreach(version IN LISTS arg_VERSIONS)
    string(REGEX REPLACE "^([0-9]).*" "\\1" major ${version})
    _fmukit_library(${name} ${major} ${work})
    if(major EQUAL 1)
      foreach(interface IN LISTS arg_INTERFACES)
        _fmukit_archive(${name} 1 1.0-${interface})
      endforeach()
    else()
      _fmukit_archive(${name} ${major} ${major}.0)
    endif()
  endforeach()
  add_custom_target(${name}_fmu ALL DEPENDS ${archives})
endfunction()

# The shared library of one version: the model's objects, all functions of the version's interface,
# and the used parts of the core. It exports only FMI's symbols.
function(_fmukit_library name major work)
  set(target ${name}_fmi${major})
  add_library(${target} MODULE $<TARGET_OBJECTS:${name}_model>)
  if(major EQUAL 1)
    target_sources(${target} PRIVATE ${FMUKIT_PREFIXED_SOURCE})
    target_include_directories(${target} PRIVATE ${FMUKIT_PREFIXED_INCLUDES})
    target_compile_definitions(${target} PRIVATE FMUKIT_IDENTIFIER=${name})
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_compile_options(${target} PRIVATE
      -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=.)
    target_link_libraries(${target} PRIVATE fmukit::fmukit_v1)
    set(public "${name}_fmi*")
  else()
    target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,fmukit::fmukit_v${major}>)
    set(public "fmi${major}*")
  endif()
  target_link_libraries(${target} PRIVATE fmukit::fmukit_core ${arg_LIBRARIES})

  # An exact name in a version script takes precedence over a pattern.
  list(JOIN arg_EXPORTS "; " exports)
  list(JOIN arg_HIDE "; " hidden)
  set(script ${work}/fmi${major}.map)
  file(CONFIGURE OUTPUT ${script} @ONLY
    CONTENT "{\n  global: @public@; @exports@;\n  local: @hidden@; *;\n};\n")
  file(READ ${script} text)
  string(REPLACE "; ;" ";" text "${text}")
  string(REPLACE ": ;" ":" text "${text}")
  file(CONFIGURE OUTPUT ${script} CONTENT "${text}" @ONLY)
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,--build-id=none
    -Wl,--gc-sections $<$<CONFIG:Release,MinSizeRel>:-s> ${arg_LINK_OPTIONS})
  if(FMUKIT_STATIC_RUNTIME)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LINK_DEPENDS ${script} POSITION_INDEPENDENT_CODE ON SKIP_BUILD_RPATH ON UNITY_BUILD OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${work}/fmi${major})
endfunction()

# One archive; appends it to `archives` of the caller.
function(_fmukit_archive name major kind)
  set(platform linux64)
  if(major EQUAL 3)
    set(platform x86_64-linux)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(platform aarch64-linux)  # FMI 1.0 and 2.0 name no such platform; 3.0's name is used
  endif()
  set(output ${arg_FOLDER}/${kind}/${name}.fmu)
  set(description ${CMAKE_CURRENT_BINARY_DIR}/${name}/${kind}.xml)
  list(JOIN arg_INTERFACES "," interfaces)
  set(entries modelDescription.xml=${description}
    binaries/${platform}/${name}.so=$<TARGET_FILE:${name}_fmi${major}>)
  set(files)
  foreach(file IN LISTS arg_RESOURCES)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(base ${file} NAME)
    list(APPEND entries resources/${base}=${path})
    list(APPEND files ${path})
  endforeach()
  set(replacements ${arg_REPLACE})
  set(options)
  while(replacements)
    list(POP_FRONT replacements old new)
    list(APPEND options --replace ${old} ${new})
  endwhile()
  file(MAKE_DIRECTORY ${arg_FOLDER}/${kind})
  add_custom_command(OUTPUT ${output} BYPRODUCTS ${description}
    COMMAND ${name}_describe ${kind} ${name} ${interfaces} ${description}
    COMMAND fmukit::fmukit-pack ${output} ${options} ${entries}
    DEPENDS ${name}_describe ${name}_fmi${major} fmukit::fmukit-pack ${files}
    COMMENT "Packing ${kind}/${name}.fmu" VERBATIM)
  list(APPEND archives ${output})
  set(archives ${archives} PARENT_SCOPE)
endfunction()
