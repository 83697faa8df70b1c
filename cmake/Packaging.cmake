# The archives of a release (cpack) and the bundles for Claude Desktop and Cowork (targets mcpb and cowork-plugin).
if(WIN32)
  set(COWORK_TERMINAL_PLATFORM win32)
  set(system windows)
  set(processor x64)
elseif(APPLE)
  set(COWORK_TERMINAL_PLATFORM darwin)
  set(system macos)
  set(processor "${CMAKE_SYSTEM_PROCESSOR}")
else()
  set(COWORK_TERMINAL_PLATFORM linux)
  set(system linux)
  set(processor "${CMAKE_SYSTEM_PROCESSOR}")
endif()
set(COWORK_TERMINAL_PROCESSOR "${processor}" CACHE STRING "Processor in the names of archives and bundles")
set(platform_name "${system}-${COWORK_TERMINAL_PROCESSOR}")

# cmake --install: the program alone. The archives: flat, with what a reader needs.
install(TARGETS cowork-terminal-mcp RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS cowork-terminal-mcp RUNTIME DESTINATION . COMPONENT archive EXCLUDE_FROM_ALL)
install(FILES README.md LICENSE DESTINATION . COMPONENT archive EXCLUDE_FROM_ALL)

set(archive_name "cowork-terminal-mcp-${PROJECT_VERSION}-${platform_name}")
if(WIN32)
  set(archive_format ZIP)
else()
  set(archive_format TGZ)
endif()
set(CPACK_GENERATOR ${archive_format})
set(CPACK_COMPONENTS_ALL archive)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_PACKAGE_FILE_NAME "${archive_name}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
include(CPack)

# Claude Desktop gives up on a call after 60 s: before that, a long command becomes a job.
set(COWORK_TERMINAL_BUNDLE_ARGS "--max-wait;45000" CACHE STRING "Arguments of the program in the bundles, a list")
list(JOIN COWORK_TERMINAL_BUNDLE_ARGS "|" bundle_arguments)
find_program(NODE node NO_CMAKE_FIND_ROOT_PATH)

# add_bundle(TARGET KIND FILE): the target packs FILE; a test starts the program in it as a client would.
function(add_bundle target kind file)
  set(scripts "${PROJECT_SOURCE_DIR}/cmake/packaging")
  set(output "${PROJECT_BINARY_DIR}/${file}")
  add_custom_target(${target}
    COMMAND "${CMAKE_COMMAND}" -DKIND=${kind} "-DBINARY=$<TARGET_FILE:cowork-terminal-mcp>"
            -DPLATFORM=${COWORK_TERMINAL_PLATFORM} -DVERSION=${PROJECT_VERSION} "-DDESCRIPTION=${PROJECT_DESCRIPTION}"
            "-DARGUMENTS=${bundle_arguments}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
            "-DSTAGING=${PROJECT_BINARY_DIR}/packaging/${kind}" "-DOUTPUT=${output}"
            "-DNODE=$<$<BOOL:${NODE}>:${NODE}>" -P "${scripts}/MakeBundle.cmake"
    DEPENDS cowork-terminal-mcp VERBATIM)

  add_test(NAME pack_${kind}
    COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target ${target} --config $<CONFIG>)
  add_test(NAME start_from_${kind}
    COMMAND "${CMAKE_COMMAND}" -DKIND=${kind} "-DBUNDLE=${output}" "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
            "-DFOLDER=${PROJECT_BINARY_DIR}/packaging/${kind}-unpacked" -P "${scripts}/CheckBundle.cmake")
  set_tests_properties(pack_${kind} PROPERTIES LABELS packaging FIXTURES_SETUP ${kind})
  set_tests_properties(start_from_${kind} PROPERTIES LABELS packaging FIXTURES_REQUIRED "${kind};git_bash")
endfunction()
add_bundle(mcpb mcpb "cowork-terminal-mcp-${PROJECT_VERSION}-${platform_name}.mcpb")
add_bundle(cowork-plugin plugin "cowork-terminal-plugin-${PROJECT_VERSION}-${platform_name}.zip")

if(COWORK_TERMINAL_STATIC)
  add_test(NAME needs_nothing
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:cowork-terminal-mcp>" -DPLATFORM=${COWORK_TERMINAL_PLATFORM}
            "-DREADELF=${CMAKE_READELF}" "-DOBJDUMP=${CMAKE_OBJDUMP}"
            -P "${PROJECT_SOURCE_DIR}/cmake/packaging/CheckProgram.cmake")
  add_test(NAME archive
    COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}" -DGENERATOR=${archive_format} -DCONFIG=$<CONFIG>
            "-DNAME=${archive_name}" "-DPROGRAM=$<TARGET_FILE_NAME:cowork-terminal-mcp>"
            -DVERSION=${PROJECT_VERSION} "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
            -P "${PROJECT_SOURCE_DIR}/cmake/packaging/CheckArchive.cmake")
  set_tests_properties(needs_nothing archive PROPERTIES LABELS packaging)
endif()
