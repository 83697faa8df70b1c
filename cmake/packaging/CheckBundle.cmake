# cmake -DKIND=mcpb|plugin -DBUNDLE=<file> -DFOLDER=<scratch folder> [-DEMULATOR=...] -P CheckBundle.cmake
#
# Unpacks a bundle as a client does and starts the program exactly as the bundle's own entry says.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${FOLDER}")
file(ARCHIVE_EXTRACT INPUT "${BUNDLE}" DESTINATION "${FOLDER}")

if(KIND STREQUAL "mcpb")
  file(READ "${FOLDER}/manifest.json" manifest)
  string(JSON entry GET "${manifest}" server mcp_config)
else()
  file(READ "${FOLDER}/.claude-plugin/plugin.json" manifest)
  file(READ "${FOLDER}/.mcp.json" servers)
  string(JSON entry GET "${servers}" mcpServers cowork-terminal)
endif()
string(JSON version GET "${manifest}" version)
string(JSON command GET "${entry}" command)
string(REPLACE "\${__dirname}" "${FOLDER}" command "${command}")
string(REPLACE "\${CLAUDE_PLUGIN_ROOT}" "${FOLDER}" command "${command}")
string(JSON count LENGTH "${entry}" args)
set(arguments "")
while(count GREATER 0)
  math(EXPR count "${count} - 1")
  string(JSON argument GET "${entry}" args ${count})
  list(PREPEND arguments "${argument}")
endwhile()

set(request "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bundle\",\"version\":\"1\"}}}")
file(WRITE "${FOLDER}/request" "${request}\n")
execute_process(COMMAND ${EMULATOR} "${command}" ${arguments}
  INPUT_FILE "${FOLDER}/request" OUTPUT_VARIABLE answer RESULT_VARIABLE result TIMEOUT 120)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${command} ${arguments}: ${result}")
endif()
string(JSON answered GET "${answer}" result serverInfo version)
if(NOT answered STREQUAL version)
  message(FATAL_ERROR "the bundle says ${version}, its program ${answered}")
endif()
