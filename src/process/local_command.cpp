#include "process/local_command.hpp"

#include <csignal>
#include <iterator>
#include <utility>

namespace cowork_terminal::process {

namespace {

constexpr std::chrono::milliseconds termination_grace{2'000};  // contract C-20
constexpr std::chrono::milliseconds drain_time{250};           // contract C-19

}  // namespace

LocalCommand::LocalCommand(loop::EventLoop& loop, const Command& command, Ended ended)
    : loop_(loop),
      ended_(std::move(ended)),
      timeout_(command.timeout),
      launched_(std::chrono::steady_clock::now()),
      standard_output_(command, "stdout"),
      standard_error_(command, "stderr") {}

LocalCommand::Capture::Capture(const Command& command, const char* name) : head(command.output_limit) {
  if (command.whole_output != nullptr)
    whole = std::make_unique<WholeOutput>(*command.whole_output, name, command.output_limit);
}

void LocalCommand::Capture::append(std::string_view bytes) {
  head.append(bytes);
  if (whole) whole->append(bytes);
}

CapturedOutput LocalCommand::Capture::take() {
  auto output = head.take();
  if (output.truncated && whole) output.whole_file = whole->file();
  return output;
}

CapturedOutput LocalCommand::Capture::finish() {
  auto output = head.finish();
  if (output.truncated && whole) output.whole_file = whole->file();
  return output;
}

void LocalCommand::launch(Launcher& launcher, const Command& command) {
  auto launched = launcher.launch(command, *this);
  if (auto* failure = std::get_if<FailedToStart>(&launched)) return refuse(std::move(*failure));
  tree_ = std::move(std::get<std::unique_ptr<ProcessTree>>(launched));
  timer_ = loop_.after(timeout_, [this] { time_out(); });
}

void LocalCommand::refuse(FailedToStart failure) { finish(std::move(failure)); }

void LocalCommand::cancel() {
  if (phase_ == Phase::done) return;
  ended_by_ = EndedBy::cancellation;
  if (phase_ == Phase::draining) return finish(Cancelled{});
  end_tree(termination_grace);
}

void LocalCommand::time_out() {
  ended_by_ = EndedBy::timeout;
  end_tree(termination_grace);
}

void LocalCommand::end_for_shutdown(std::chrono::milliseconds grace) {
  if (phase_ == Phase::done) return;
  if (phase_ == Phase::draining) return finish(exit_);
  if (ended_by_ == EndedBy::itself) ended_by_ = EndedBy::shutdown;
  end_tree(grace);
}

void LocalCommand::abandon() {
  phase_ = Phase::done;
  timer_.cancel();
  ended_ = nullptr;
  tree_.reset();
}

void LocalCommand::end_tree(std::chrono::milliseconds grace) {
  timer_.cancel();
  tree_->end(grace);
}

std::uint64_t LocalCommand::output_bytes() const {
  return standard_output_.head.total_bytes() + standard_error_.head.total_bytes();
}

RunningCommand::Output LocalCommand::take_output() { return {standard_output_.take(), standard_error_.take()}; }

void LocalCommand::on_failed_to_start(std::string reason) {
  if (ended_by_ == EndedBy::cancellation) return finish(Cancelled{});
  finish(FailedToStart{std::move(reason)});
}

void LocalCommand::on_output(Stream stream, std::string_view bytes) {
  if (phase_ == Phase::done) return;
  (stream == Stream::standard_output ? standard_output_ : standard_error_).append(bytes);
}

void LocalCommand::on_output_end() {
  output_ended_ = true;
  if (phase_ == Phase::draining) finish(exit_);
}

void LocalCommand::on_exit(Ending how) {
  if (phase_ == Phase::done) return;
  // It may have ended by itself while the order to end it was on its way.
  if (ended_by_ == EndedBy::cancellation) return finish(Cancelled{});
  if (output_ended_ || ended_by_ == EndedBy::shutdown) return finish(std::move(how));
  phase_ = Phase::draining;
  exit_ = std::move(how);
  timer_ = loop_.after(drain_time, [this] { finish(exit_); });
}

void LocalCommand::on_tree_gone(TreeEnd end) {
  if (phase_ == Phase::done) return;
  std::move(end.notes.begin(), end.notes.end(), std::back_inserter(notes_));
  if (ended_by_ == EndedBy::timeout) return finish(TimedOut{});
  if (ended_by_ == EndedBy::cancellation) return finish(Cancelled{});
  if (ended_by_ == EndedBy::shutdown) notes_.emplace_back("The server was shutting down and ended this command.");
  finish(end.program.value_or(Signaled{SIGTERM}));
}

void LocalCommand::finish(Ending ending) {
  phase_ = Phase::done;
  timer_.cancel();
  const auto duration = std::chrono::steady_clock::now() - launched_;
  CommandOutcome outcome{std::move(ending), standard_output_.finish(), standard_error_.finish(),
                         std::chrono::duration_cast<std::chrono::milliseconds>(duration), std::move(notes_)};
  loop_.post([self = shared_from_this(), outcome = std::move(outcome)]() mutable {
    self->tree_.reset();
    if (const auto ended = std::exchange(self->ended_, nullptr)) ended(*self, std::move(outcome));
  });
}

}  // namespace cowork_terminal::process
