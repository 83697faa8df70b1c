#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cowork_terminal::fuzz {

// Endless lines made from the seeds by small accidents; the same for the same number. A line may hold newlines.
class Mutation {
 public:
  Mutation(std::vector<std::string> seeds, std::uint32_t number) : seeds_(std::move(seeds)), random_(number) {}
  std::string next();

 private:
  std::size_t below(std::size_t limit);
  void spoil(std::string& line);

  std::vector<std::string> seeds_;
  std::mt19937 random_;
};

}  // namespace cowork_terminal::fuzz
