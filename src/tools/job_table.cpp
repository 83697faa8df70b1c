#include "tools/job_table.hpp"

#include <algorithm>
#include <random>

namespace cowork_terminal::tools {

namespace {

constexpr std::size_t most_running = 16;
constexpr std::size_t most_ended = 50;
constexpr std::size_t most_dropped = 1'000;
constexpr std::size_t shown_of_command = 60;

// One line, cut at a character border.
std::string shortened(const std::string& command) {
  auto end = std::min(command.find('\n'), command.size());
  if (end > shown_of_command) {
    end = shown_of_command;
    while (end > 0 && (static_cast<unsigned char>(command[end]) & 0xC0U) == 0x80U) --end;
  }
  return command.substr(0, end) + (end < command.size() ? "..." : "");
}

}  // namespace

JobEvents JobTable::events() {
  return {[this](std::shared_ptr<Job> job) {
            if (full()) return false;
            auto id = job->id();
            jobs_.emplace(std::move(id), std::move(job));
            return true;
          },
          [this](const Job& job) { retire(job.id()); },
          [this](const Job& job) {
            const auto id = job.id();
            std::erase(ended_, id);
            jobs_.erase(id);
          }};
}

bool JobTable::full() const {
  const auto running =
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& entry) { return entry.second->running(); });
  return static_cast<std::size_t>(running) >= most_running;
}

void JobTable::retire(const std::string& id) {
  if (!jobs_.contains(id)) return;
  ended_.push_back(id);
  if (ended_.size() <= most_ended) return;
  dropped_.push_back(ended_.front());
  jobs_.erase(ended_.front());
  ended_.pop_front();
  if (dropped_.size() > most_dropped) dropped_.pop_front();
}

std::variant<std::shared_ptr<Job>, Refusal> JobTable::find(const std::string& id) const {
  if (const auto found = jobs_.find(id); found != jobs_.end()) return found->second;
  if (std::find(dropped_.begin(), dropped_.end(), id) != dropped_.end()) {
    return Refusal{"The job " + id +
                   " has ended, and its end was dropped because more than 50 ended jobs waited to be asked for. " +
                   listing()};
  }
  return Refusal{"There is no job `" + id + "`: its final result was delivered, or the server was started anew. " +
                 listing()};
}

std::string JobTable::listing() const {
  if (jobs_.empty()) return "No job is left.";
  std::string text = "The jobs are:";
  for (const auto& [id, job] : jobs_)
    text += "\n" + id + (job->running() ? " (running): " : " (ended): ") + shortened(job->command_text());
  return text;
}

std::string make_job_id() {
  static constexpr char digits[] = "0123456789abcdef";
  static std::random_device
      random;  // its construction asks the processor for its features, which a hypervisor makes slow
  std::string id;
  for (int word = 0; word < 4; ++word) {
    auto bits = random();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4U) id += digits[bits & 0xfU];
  }
  return id;
}

}  // namespace cowork_terminal::tools
