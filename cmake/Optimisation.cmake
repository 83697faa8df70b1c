# The shipped program is built for size, what sees every byte of a result for speed. Optimising at link time takes a seventh
# off the size: templates and error paths that no call reaches.
if(COWORK_TERMINAL_STATIC AND NOT MSVC)
  string(REPLACE "-O3" "-Os" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT link_time_optimisation LANGUAGES CXX)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${link_time_optimisation})
  endif()
endif()

# Also in debug builds: their tests push megabytes through these sources.
function(optimise_for_speed)
  if(NOT MSVC)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O2)
  endif()
endfunction()
