# add_program_resources(TARGET): the manifest (UTF-8 as code page, long paths, no elevation) and the version.
enable_language(RC)
configure_file("${CMAKE_CURRENT_LIST_DIR}/program.rc.in" "${PROJECT_BINARY_DIR}/generated/program.rc" @ONLY)

function(add_program_resources target)
  target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/generated/program.rc")
  if(MSVC)
    # The linker would add a manifest of its own.
    target_link_options(${target} PRIVATE /MANIFEST:NO)
  endif()
endfunction()
