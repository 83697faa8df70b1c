# Windows x64 from Linux: mingw-w64 with its POSIX thread model, run by Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

find_program(MINGW_CXX NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ REQUIRED)
find_program(MINGW_CC NAMES x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc REQUIRED)
set(CMAKE_CXX_COMPILER "${MINGW_CXX}")
set(CMAKE_C_COMPILER "${MINGW_CC}")
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Wine with one warm server and a prefix in the build folder.
set(CMAKE_CROSSCOMPILING_EMULATOR
  "${CMAKE_CURRENT_LIST_DIR}/../tests/support/wine_run.sh" "${CMAKE_BINARY_DIR}/wine")

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(COWORK_TERMINAL_HOST_HEADERS ON)

# The optimiser of GCC 12 takes an empty std::optional<json> for an uninitialised one.
set(CMAKE_CXX_FLAGS_INIT "-Wno-error=maybe-uninitialized")
