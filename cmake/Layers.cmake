# add_layer(NAME [LAYERS layer...] [USES target...])
#
# Makes the library cowork_terminal_NAME of src/NAME/*.cpp; CheckLayering.cmake holds its include lines to this line.
# A file whose name ends in a platform suffix (or in it and _test) is compiled on that platform only:
#   _posix     Linux and macOS             _windows   Windows
#   _linux     Linux-only system calls     _portable  what stands for them elsewhere on POSIX
#   _procfs    the process table in /proc  _darwin    the process table of macOS

if(WIN32)
  set(COWORK_TERMINAL_PLATFORMS windows)
elseif(APPLE)
  set(COWORK_TERMINAL_PLATFORMS posix portable darwin)
elseif(COWORK_TERMINAL_PORTABLE)
  set(COWORK_TERMINAL_PLATFORMS posix portable procfs)
else()
  set(COWORK_TERMINAL_PLATFORMS posix linux procfs)
endif()

function(platform_sources result folder)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  foreach(platform IN ITEMS posix windows linux portable procfs darwin)
    if(NOT platform IN_LIST COWORK_TERMINAL_PLATFORMS)
      list(FILTER sources EXCLUDE REGEX "_${platform}(_test)?\\.cpp$")
    endif()
  endforeach()
  set(${result} "${sources}" PARENT_SCOPE)
endfunction()

function(add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "LAYERS;USES")
  set_property(GLOBAL APPEND_STRING PROPERTY COWORK_TERMINAL_LAYER_TABLE
    "layer(${name} LAYERS ${layer_LAYERS} USES ${layer_USES})\n")
  platform_sources(sources "${PROJECT_SOURCE_DIR}/src/${name}")
  add_library(cowork_terminal_${name} STATIC ${sources})
  set_target_properties(cowork_terminal_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(cowork_terminal_${name} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM layer_LAYERS PREPEND cowork_terminal_)
  target_link_libraries(cowork_terminal_${name}
    PUBLIC ${layer_LAYERS} ${layer_USES} cowork_terminal::sanitizers
    PRIVATE cowork_terminal::warnings)
endfunction()
