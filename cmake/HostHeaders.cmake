# A cross build takes the header-only libraries of the build machine. Each is shown to the cross compiler by a link of its
# own: /usr/include as a whole would bring the C library of the wrong system.
set(host_headers "${PROJECT_BINARY_DIR}/host-headers")
file(MAKE_DIRECTORY "${host_headers}")

foreach(library IN ITEMS boost nlohmann spdlog fmt CLI catch2)
  unset(folder)
  find_path(folder "${library}" PATHS /usr/include /usr/local/include
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE REQUIRED)
  file(CREATE_LINK "${folder}/${library}" "${host_headers}/${library}" SYMBOLIC)
endforeach()
if(WIN32)
  # Boost 1.81 includes <Windows.h>; mingw-w64 spells it in lower case.
  file(CONFIGURE OUTPUT "${host_headers}/Windows.h" CONTENT "#include <windows.h>\n")
endif()

file(STRINGS "${host_headers}/boost/version.hpp" boost_version REGEX "^#define BOOST_VERSION [0-9]+")
string(REGEX MATCH "[0-9]+" boost_version "${boost_version}")
if(boost_version LESS 108100 OR NOT boost_version LESS 108600)
  message(FATAL_ERROR "A cross build needs Boost 1.81 to 1.85 headers (Boost.Process is a compiled library from 1.86), "
    "found ${boost_version} in ${host_headers}/boost. Build on the target system, or with vcpkg, instead.")
endif()

foreach(target IN ITEMS Boost::headers nlohmann_json::nlohmann_json fmt::fmt-header-only
                        spdlog::spdlog_header_only CLI11::CLI11 Catch2::Catch2)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE "${host_headers}")
endforeach()

if(COWORK_TERMINAL_TESTS AND NOT EXISTS "${host_headers}/catch2/catch.hpp")
  message(WARNING "The tests are not cross built: Catch2 3 is a compiled library, only Catch2 2 works here.")
  set(COWORK_TERMINAL_TESTS OFF)
endif()
