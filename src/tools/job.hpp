#pragma once

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/mcp/tool.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/tools/command_preparation.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cowork_terminal::tools {

class Job;

// What a job tells its table. All three may be empty.
struct JobEvents {
  // The id is about to be given out; false: there is no room for another running job.
  std::function<bool(std::shared_ptr<Job>)> publish;
  std::function<void(const Job&)> ended;   // of a published job
  std::function<void(const Job&)> forget;  // its last answer was delivered, or nobody knows its id
};

enum class Asker { starter, follower };  // the call that gave the command, or a later one that gave the job's id

// One command and the calls that wait for news of it. Without a wait limit there is one call and one answer; with it
// the command may outlive answers: each gives only what is new, and what was not delivered goes into the next one. Loop
// thread only.
class Job : public std::enable_shared_from_this<Job> {
 public:
  Job(loop::EventLoop& loop, std::string id, std::string command_text, const ExecuteSettings& settings,
      JobEvents events);

  void launch(process::CommandRunner& runner, PreparedCommand prepared);

  struct Question {
    std::shared_ptr<mcp::ToolCall> call;
    Asker asker = Asker::starter;
    std::optional<std::chrono::milliseconds> wait_limit;  // none: until the end
    std::vector<std::string> notes;
  };
  // Answers the call at the end of the command, or when its wait is over.
  void ask(Question question);
  // Ends the tree (contract C-20); whoever asks gets the rest.
  void stop();

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& command_text() const { return command_text_; }
  [[nodiscard]] bool running() const { return !ending_; }

 private:
  struct Waiter;
  using Output = process::RunningCommand::Output;

  void complete(process::CommandOutcome outcome);
  void report_progress(const std::shared_ptr<Waiter>& waiter);
  void abandon(const std::shared_ptr<Waiter>& waiter);
  void answer(std::shared_ptr<Waiter> waiter);  // by value: it leaves the list that holds it
  void answer_running(Waiter& waiter);
  void answer_ended(Waiter& waiter);
  bool remove(const std::shared_ptr<Waiter>& waiter);
  std::vector<std::string> ending_notes();
  Output collect();
  void put_back(Output output);
  nlohmann::json render(const Waiter& waiter, process::Ending ending, Output output,
                        std::vector<std::string> notes) const;

  loop::EventLoop& loop_;
  std::string id_;
  std::string command_text_;
  const ExecuteSettings& settings_;
  JobEvents events_;
  std::shared_ptr<process::RunningCommand> running_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::milliseconds timeout_{0};
  std::vector<std::string> notes_;         // for the next answer
  std::optional<process::Ending> ending_;  // once it has ended
  Output unread_;                          // what an answer that was not delivered held, and what came with the end
  std::vector<std::shared_ptr<Waiter>> waiters_;
  bool published_ = false;
  bool stopped_ = false;
};

}  // namespace cowork_terminal::tools
