#pragma once

// Catch2 is 2.13 on Debian 12 and 3.x elsewhere.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
