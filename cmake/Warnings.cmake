# Linked by our own code only: the headers of the libraries are not ours to warn about.
add_library(cowork_terminal_warnings INTERFACE)
add_library(cowork_terminal::warnings ALIAS cowork_terminal_warnings)

if(MSVC)
  target_compile_options(cowork_terminal_warnings INTERFACE /W4 /permissive- /utf-8)
else()
  target_compile_options(cowork_terminal_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Sees an overlap in every optimised `"literal" + std::string` (GCC bug 105651, fixed in 13).
    target_compile_options(cowork_terminal_warnings INTERFACE -Wno-restrict)
  endif()
  if(CMAKE_UNITY_BUILD)
    # One source's local names would shadow another's; the other builds look for real ones.
    target_compile_options(cowork_terminal_warnings INTERFACE -Wno-shadow)
  endif()
endif()
