#pragma once

#include <chrono>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/command_runner.hpp>
#include <cowork_terminal/process/output_capture.hpp>
#include <cowork_terminal/process/whole_output.hpp>
#include <functional>
#include <memory>

#include "process/launcher.hpp"
#include "process/process_tree.hpp"

namespace cowork_terminal::process {

// The life of one command on every platform: its captures, its timer, the rules for its end (contract C-19 to C-21).
class LocalCommand final : public RunningCommand,
                           public std::enable_shared_from_this<LocalCommand>,
                           private ProcessTree::Listener {
 public:
  // Called once, from the loop.
  using Ended = std::function<void(LocalCommand&, CommandOutcome)>;

  LocalCommand(loop::EventLoop& loop, const Command& command, Ended ended);

  void launch(Launcher& launcher, const Command& command);
  // Ends the command that was not launched.
  void refuse(FailedToStart failure);
  void end_for_shutdown(std::chrono::milliseconds grace);
  // Ends the tree at once; nothing is reported any more.
  void abandon();

  void cancel() override;
  [[nodiscard]] std::int64_t pid() const override { return tree_ ? tree_->pid() : 0; }
  [[nodiscard]] std::uint64_t output_bytes() const override;
  Output take_output() override;

 private:
  enum class Phase { running, draining, done };
  enum class EndedBy { itself, timeout, cancellation, shutdown };

  void on_failed_to_start(std::string reason) override;
  void on_output(Stream stream, std::string_view bytes) override;
  void on_output_end() override;
  void on_note(std::string sentence) override { notes_.push_back(std::move(sentence)); }
  void on_exit(Ending how) override;
  void on_tree_gone(TreeEnd end) override;

  void time_out();
  void end_tree(std::chrono::milliseconds grace);
  void finish(Ending ending);

  loop::EventLoop& loop_;
  Ended ended_;
  std::chrono::milliseconds timeout_;
  std::chrono::steady_clock::time_point launched_;
  // One stream: the head of it for the answer, and all of it where the command asks for that.
  struct Capture {
    Capture(const Command& command, const char* name);
    void append(std::string_view bytes);
    CapturedOutput take();
    CapturedOutput finish();

    OutputCapture head;
    std::unique_ptr<WholeOutput> whole;
  };
  Capture standard_output_;
  Capture standard_error_;
  std::vector<std::string> notes_;
  std::unique_ptr<ProcessTree> tree_;
  loop::Timer timer_;  // first the timeout, then the end of draining
  Phase phase_ = Phase::running;
  EndedBy ended_by_ = EndedBy::itself;
  Ending exit_ = Exited{0};  // while draining
  bool output_ended_ = false;
};

}  // namespace cowork_terminal::process
