# cmake -DPROGRAM=... -DPLATFORM=linux|darwin|win32 -DREADELF=... -DOBJDUMP=... -P CheckProgram.cmake
#
# Fails unless the shipped program is small, stripped, and loads nothing that is not part of the operating system.
cmake_minimum_required(VERSION 3.25)

file(SIZE "${PROGRAM}" size)
message(STATUS "${PROGRAM}: ${size} bytes")
if(PLATFORM STREQUAL "linux" AND size GREATER 2500000)
  message(SEND_ERROR "larger than 2.5 MB")
endif()

function(read_headers tool)
  execute_process(COMMAND "${tool}" ${ARGN} "${PROGRAM}" OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  set(headers "${headers}" PARENT_SCOPE)
endfunction()

if(PLATFORM STREQUAL "linux")
  read_headers("${READELF}" -W -l -d -S)
  foreach(sign IN ITEMS INTERP "\\(NEEDED\\)" "\\.symtab")
    if(headers MATCHES "${sign}")
      message(SEND_ERROR "not static and stripped: readelf shows ${sign}")
    endif()
  endforeach()
elseif(PLATFORM STREQUAL "win32" AND OBJDUMP)
  read_headers("${OBJDUMP}" -p)
  string(REGEX MATCHALL "DLL Name: [^\n\r]+" imports "${headers}")
  if(NOT imports)
    message(FATAL_ERROR "no imports found")
  endif()
  list(JOIN imports ", " shown)
  message(STATUS "${shown}")
  list(TRANSFORM imports REPLACE "DLL Name: " "")
  list(FILTER imports EXCLUDE REGEX
    "^(api-ms-win-.*|ADVAPI32|bcrypt|KERNEL32|msvcrt|MSWSOCK|ntdll|ole32|SHELL32|ucrtbase|USER32|USERENV|WS2_32)\\.dll$")
  if(imports)
    message(SEND_ERROR "needs DLLs that Windows does not bring: ${imports}")
  endif()
endif()
