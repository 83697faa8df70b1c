# cmake -DROOT=<source folder> -DTABLE=... -DCOPY=<scratch folder> -P CheckLayeringNotices.cmake
#
# Plants forbidden include lines in a copy of the sources, one at a time, and fails when CheckLayering.cmake overlooks one.
cmake_minimum_required(VERSION 3.25)

function(expect_complaint file line complaint)
  file(REMOVE_RECURSE "${COPY}")
  file(COPY "${ROOT}/src" "${ROOT}/include" DESTINATION "${COPY}")
  file(APPEND "${COPY}/${file}" "${line}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${COPY}" "-DTABLE=${TABLE}" -P "${CMAKE_CURRENT_LIST_DIR}/CheckLayering.cmake"
    RESULT_VARIABLE result ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${file}: ${complaint}" found)
  if(result EQUAL 0 OR found EQUAL -1)
    message(SEND_ERROR "'${line}' in ${file} was overlooked (${result}):\n${said}")
  endif()
endfunction()

expect_complaint(src/process/planted.cpp "#include <cowork_terminal/mcp/tool.hpp>" "layer 'process' may not include mcp/tool.hpp")
expect_complaint(src/jsonrpc/planted.cpp "#  include \"process/pipes.hpp\"" "layer 'jsonrpc' may not include process/pipes.hpp")
expect_complaint(include/cowork_terminal/mcp/planted.hpp "#include <spdlog/spdlog.h>" "layer 'mcp' may not include spdlog/spdlog.h")
expect_complaint(src/shell/planted.cpp "#include <boost/asio/post.hpp>" "layer 'shell' may not include boost/asio/post.hpp")
expect_complaint(src/common/planted.hpp "#pragma once" "'common' is no layer of CMakeLists.txt")
