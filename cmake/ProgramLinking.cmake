# link_program(TARGET): how the shipped executable is linked.
function(link_program target)
  if(COWORK_TERMINAL_STATIC AND NOT APPLE AND NOT MSVC)
    target_link_options(${target} PRIVATE -static -s -Wl,--gc-sections)
  endif()
endfunction()
