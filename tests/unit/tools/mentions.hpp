#pragma once

#include <string>

inline bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }
