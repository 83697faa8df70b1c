#pragma once

#include <cowork_terminal/tools/execute_arguments.hpp>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "tools/job.hpp"

namespace cowork_terminal::tools {

// The jobs whose ids were given out: at most 16 running ones, and the 50 that ended last and were not yet asked for
// their end. Loop thread only.
class JobTable {
 public:
  // For a new job; the table outlives it.
  JobEvents events();

  [[nodiscard]] bool full() const;
  // The job, or why there is none, with the ids that there are.
  [[nodiscard]] std::variant<std::shared_ptr<Job>, Refusal> find(const std::string& id) const;
  // For the model: the jobs there are, one line each.
  [[nodiscard]] std::string listing() const;

 private:
  void retire(const std::string& id);

  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::deque<std::string> ended_;    // in the order of their end
  std::deque<std::string> dropped_;  // ended, never asked for, and no longer kept
};

// 128 random bits in hexadecimal: nobody can guess the id of somebody else's job.
std::string make_job_id();

}  // namespace cowork_terminal::tools
