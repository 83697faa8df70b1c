# Installed packages only (distribution, Homebrew or vcpkg); nothing is downloaded.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(COWORK_TERMINAL_HOST_HEADERS)
  include(HostHeaders)
else()
  if(COWORK_TERMINAL_STATIC)
    set(Boost_USE_STATIC_LIBS ON)
  endif()
  find_package(Boost 1.81 REQUIRED CONFIG)
  # Boost.Process v2 is header-only up to 1.85 and a compiled library from 1.86.
  if(Boost_VERSION VERSION_GREATER_EQUAL 1.86)
    find_package(Boost 1.86 QUIET CONFIG OPTIONAL_COMPONENTS process)
    if(NOT TARGET Boost::process)
      message(FATAL_ERROR "Boost ${Boost_VERSION} is here without its process library (Debian 13 has none for 1.88). "
        "Install it, or Boost 1.81 to 1.85 instead: on Debian 13 that is libboost-dev.")
    endif()
  endif()
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(fmt REQUIRED)
  find_package(spdlog 1.10 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  if(COWORK_TERMINAL_TESTS)
    find_package(Catch2 REQUIRED)
  endif()
endif()

add_library(cowork_terminal_asio INTERFACE)
add_library(cowork_terminal::asio ALIAS cowork_terminal_asio)
target_link_libraries(cowork_terminal_asio INTERFACE Boost::headers Threads::Threads)
# SIGCHLD instead of pidfd_open: Boost 1.81 throws after the fork where a sandbox refuses pidfd_open.
target_compile_definitions(cowork_terminal_asio INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_PROCESS_V2_DISABLE_PIDFD_OPEN BOOST_PROCESS_V2_DISABLE_NOTIFY_FORK)
if(WIN32)
  target_compile_definitions(cowork_terminal_asio INTERFACE
    _WIN32_WINNT=0x0A00 NOMINMAX WIN32_LEAN_AND_MEAN UNICODE _UNICODE)
  target_link_libraries(cowork_terminal_asio INTERFACE ws2_32 mswsock bcrypt ntdll)
endif()

add_library(cowork_terminal_boost_process INTERFACE)
add_library(cowork_terminal::boost_process ALIAS cowork_terminal_boost_process)
target_link_libraries(cowork_terminal_boost_process INTERFACE cowork_terminal::asio $<TARGET_NAME_IF_EXISTS:Boost::process>)

# Header-only spdlog and fmt: distributions ship them as shared libraries only, and the release is static.
add_library(cowork_terminal_spdlog INTERFACE)
add_library(cowork_terminal::spdlog ALIAS cowork_terminal_spdlog)
target_link_libraries(cowork_terminal_spdlog INTERFACE fmt::fmt-header-only Threads::Threads)
# Nothing here logs a floating-point number, and what formats them is 28 kB of the static program.
target_compile_definitions(cowork_terminal_spdlog INTERFACE SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY
  FMT_USE_FLOAT=0 FMT_USE_DOUBLE=0 FMT_USE_LONG_DOUBLE=0)
target_include_directories(cowork_terminal_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog_header_only,INTERFACE_INCLUDE_DIRECTORIES>)
