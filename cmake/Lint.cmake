# The checks that read the sources instead of running them, as tests with the label lint.
get_property(layer_table GLOBAL PROPERTY COWORK_TERMINAL_LAYER_TABLE)
file(CONFIGURE OUTPUT layers.cmake CONTENT "${layer_table}")

add_test(NAME layering
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DTABLE=${PROJECT_BINARY_DIR}/layers.cmake"
          -P "${PROJECT_SOURCE_DIR}/cmake/CheckLayering.cmake")
add_test(NAME layering_notices_a_forbidden_include
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DTABLE=${PROJECT_BINARY_DIR}/layers.cmake"
          "-DCOPY=${PROJECT_BINARY_DIR}/layering" -P "${PROJECT_SOURCE_DIR}/cmake/CheckLayeringNotices.cmake")
set_tests_properties(layering layering_notices_a_forbidden_include PROPERTIES LABELS lint)

# Another version of either tool formats and warns differently: only the one that the sources were made with is asked.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
find_program(CLANG_TIDY NAMES clang-tidy-14 clang-tidy)

function(add_lint_test name tool)
  set(version "missing")
  if(tool)
    execute_process(COMMAND "${tool}" --version OUTPUT_VARIABLE version)
  endif()
  if(version MATCHES "version 14\\.")
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  else()
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: ${name} 14 is not installed")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
  endif()
endfunction()

file(GLOB_RECURSE own_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/src/*pp" "${PROJECT_SOURCE_DIR}/include/*pp"
  "${PROJECT_SOURCE_DIR}/tests/support/*pp" "${PROJECT_SOURCE_DIR}/tests/unit/*pp"
  "${PROJECT_SOURCE_DIR}/tests/integration/*pp" "${PROJECT_SOURCE_DIR}/tests/fuzz/*pp")
add_lint_test(clang_format "${CLANG_FORMAT}" "${CLANG_FORMAT}" --dry-run --Werror ${own_sources})
# The flags of the build are those of GCC.
add_lint_test(clang_tidy "${CLANG_TIDY}" "${RUN_CLANG_TIDY}" -clang-tidy-binary "${CLANG_TIDY}" -quiet
              -extra-arg=-Wno-unknown-warning-option
              -p "${PROJECT_BINARY_DIR}" "^${PROJECT_SOURCE_DIR}/src/")
set_tests_properties(clang_format PROPERTIES LABELS lint)
set_tests_properties(clang_tidy PROPERTIES LABELS "lint;tidy" TIMEOUT 1800)
