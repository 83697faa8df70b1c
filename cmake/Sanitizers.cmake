add_library(cowork_terminal_sanitizers INTERFACE)
add_library(cowork_terminal::sanitizers ALIAS cowork_terminal_sanitizers)

if(COWORK_TERMINAL_SANITIZE)
  target_compile_options(cowork_terminal_sanitizers INTERFACE
    -fsanitize=${COWORK_TERMINAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(cowork_terminal_sanitizers INTERFACE -fsanitize=${COWORK_TERMINAL_SANITIZE})
  if(COWORK_TERMINAL_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Asio's fences: correct, but not understood by the checker.
    target_compile_options(cowork_terminal_sanitizers INTERFACE -Wno-tsan)
  endif()
endif()
if(COWORK_TERMINAL_FUZZ)
  target_compile_options(cowork_terminal_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()

# A sanitizer brings an allocator of its own.
function(leave_out_if_sanitized)
  if(COWORK_TERMINAL_SANITIZE)
    set_source_files_properties(${ARGN} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endfunction()
