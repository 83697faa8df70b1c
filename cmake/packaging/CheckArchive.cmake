# cmake -DBUILD=<build folder> -DGENERATOR=TGZ|ZIP -DCONFIG=... -DNAME=<name of the archive> -DPROGRAM=<file name>
#       -DVERSION=... [-DEMULATOR=...] -P CheckArchive.cmake
#
# Packs the release archive, unpacks it, and runs what a user finds in it.
cmake_minimum_required(VERSION 3.25)

set(folder "${BUILD}/packaging/archive")
file(REMOVE_RECURSE "${folder}")
execute_process(COMMAND "${CMAKE_CPACK_COMMAND}" -G ${GENERATOR} -C "${CONFIG}" -B "${folder}"
  WORKING_DIRECTORY "${BUILD}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB archive "${folder}/${NAME}.tar.gz" "${folder}/${NAME}.zip")
file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}/unpacked")

file(GLOB_RECURSE found RELATIVE "${folder}/unpacked" "${folder}/unpacked/*")
set(expected "${NAME}/LICENSE" "${NAME}/README.md" "${NAME}/${PROGRAM}")
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "the archive holds ${found}, not ${expected}")
endif()
execute_process(COMMAND ${EMULATOR} "${folder}/unpacked/${NAME}/${PROGRAM}" --version
  OUTPUT_VARIABLE said RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT said MATCHES "${VERSION}")
  message(FATAL_ERROR "--version: ${result}, ${said}")
endif()
