# cmake -DKIND=mcpb|plugin -DBINARY=... -DPLATFORM=linux|darwin|win32 -DVERSION=... -DDESCRIPTION=... -DARGUMENTS=<a|b>
#       -DSOURCE=<source folder> -DSTAGING=<scratch folder> -DOUTPUT=<file> [-DNODE=<node>] -P MakeBundle.cmake
#
# Lays out a bundle (MCPB for Claude Desktop) or a plugin (Cowork, Claude Code) around one program and packs it.
cmake_minimum_required(VERSION 3.25)

get_filename_component(PROGRAM "${BINARY}" NAME)
string(REPLACE "|" "\", \"" ARGUMENTS "${ARGUMENTS}")
if(ARGUMENTS STREQUAL "")
  set(ARGUMENTS "[]")
else()
  set(ARGUMENTS "[\"${ARGUMENTS}\"]")
endif()

file(REMOVE_RECURSE "${STAGING}")
file(REMOVE "${OUTPUT}")
file(COPY "${BINARY}" DESTINATION "${STAGING}/server" FILE_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(COPY "${SOURCE}/LICENSE" DESTINATION "${STAGING}")
set(templates "${SOURCE}/cmake/packaging")
if(KIND STREQUAL "mcpb")
  configure_file("${templates}/mcpb-manifest.json.in" "${STAGING}/manifest.json" @ONLY)
else()
  configure_file("${templates}/plugin.json.in" "${STAGING}/.claude-plugin/plugin.json" @ONLY)
  configure_file("${templates}/plugin-mcp.json.in" "${STAGING}/.mcp.json" @ONLY)
endif()

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${STAGING}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(mcpb "${SOURCE}/tests/clients/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js")
if(KIND STREQUAL "mcpb" AND NODE AND EXISTS "${mcpb}")
  run("${NODE}" "${mcpb}" validate manifest.json)
  run("${NODE}" "${mcpb}" pack . "${OUTPUT}")
else()
  if(KIND STREQUAL "mcpb")
    message(STATUS "Packed without validation: Node or the mcpb program is missing (npm ci in tests/clients brings it)")
  endif()
  # Files only: the official unpacker opens an entry of a folder as a file.
  file(GLOB_RECURSE entries RELATIVE "${STAGING}" "${STAGING}/*" "${STAGING}/.*")
  list(REMOVE_DUPLICATES entries)
  run("${CMAKE_COMMAND}" -E tar cf "${OUTPUT}" --format=zip -- ${entries})
endif()
message(STATUS "${OUTPUT}")
