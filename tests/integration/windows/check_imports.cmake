# cmake -D OBJDUMP=… -D PROGRAM=… -P check_imports.cmake
# The shipped program needs nothing but what every Windows 10 has.
execute_process(COMMAND "${OBJDUMP}" -p "${PROGRAM}" OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "DLL Name: [^\r\n]+" imports "${headers}")
if(NOT imports)
  message(FATAL_ERROR "no import was found in ${PROGRAM}")
endif()
set(system advapi32 bcrypt kernel32 msvcrt mswsock ntdll ole32 shell32 user32 ws2_32)
foreach(import IN LISTS imports)
  string(REGEX REPLACE "DLL Name: (.*)\\.dll$" "\\1" name "${import}")
  string(TOLOWER "${name}" name)
  message(STATUS "${name}.dll")
  # The parts of the universal C runtime.
  if(NOT name IN_LIST system AND NOT name MATCHES "^api-ms-win-crt-")
    message(SEND_ERROR "${PROGRAM} imports ${name}.dll")
  endif()
endforeach()
