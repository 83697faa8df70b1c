#include <algorithm>
#include <cowork_terminal/loop/event_loop.hpp>
#include <cowork_terminal/process/queued_command_runner.hpp>
#include <string>
#include <utility>

namespace cowork_terminal::process {

namespace {

std::size_t size_of(const Command& command) {
  std::size_t size = command.script ? command.script->size() : 0;
  for (const auto& argument : command.argv) size += argument.size();
  for (const auto& [name, value] : command.environment.variables()) size += name.size() + value.size();
  return size;
}

CommandOutcome without_output(Ending ending) {
  CommandOutcome outcome;
  outcome.ending = std::move(ending);
  return outcome;
}

constexpr auto shutting_down = "The server is shutting down; the command was not run.";

}  // namespace

struct QueuedCommandRunner::State : std::enable_shared_from_this<State> {
  State(loop::EventLoop& event_loop, CommandRunner& runner, QueueLimits queue_limits)
      : loop(event_loop), next(runner), limits(queue_limits) {}

  void launch_waiting();
  void launch(const std::shared_ptr<Entry>& entry);
  [[nodiscard]] std::optional<std::string> refusal(std::size_t size) const;

  loop::EventLoop& loop;
  CommandRunner& next;
  QueueLimits limits;
  std::deque<std::shared_ptr<Entry>> waiting;
  std::size_t waiting_bytes = 0;
  std::size_t running = 0;
  bool paused = false;
  bool closing = false;
};

class QueuedCommandRunner::Entry final : public RunningCommand, public std::enable_shared_from_this<Entry> {
 public:
  Entry(std::shared_ptr<State> state, Command command, Completion completion)
      : state_(std::move(state)),
        command_(std::move(command)),
        size_(size_of(command_)),
        completion_(std::move(completion)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  Command take_command() { return std::exchange(command_, {}); }
  void launched(std::shared_ptr<RunningCommand> running) { running_ = std::move(running); }

  void complete(CommandOutcome outcome) {
    running_.reset();
    const auto completion = std::exchange(completion_, nullptr);
    completion(std::move(outcome));
  }
  // For what never ran.
  void complete_later(Ending ending) {
    command_ = {};
    state_->loop.post([self = shared_from_this(), outcome = without_output(std::move(ending))]() mutable {
      self->complete(std::move(outcome));
    });
  }

  void cancel() override {
    if (running_) return running_->cancel();
    auto& waiting = state_->waiting;
    const auto place = std::find(waiting.begin(), waiting.end(), shared_from_this());
    if (place == waiting.end()) return;
    waiting.erase(place);
    state_->waiting_bytes -= size_;
    complete_later(Cancelled{});
  }
  [[nodiscard]] std::int64_t pid() const override { return running_ ? running_->pid() : 0; }
  [[nodiscard]] std::uint64_t output_bytes() const override { return running_ ? running_->output_bytes() : 0; }
  Output take_output() override { return running_ ? running_->take_output() : Output{}; }

 private:
  std::shared_ptr<State> state_;
  Command command_;
  std::size_t size_;
  Completion completion_;
  std::shared_ptr<RunningCommand> running_;
};

void QueuedCommandRunner::State::launch_waiting() {
  while (!paused && !closing && running < limits.running && !waiting.empty()) {
    const auto entry = std::move(waiting.front());
    waiting.pop_front();
    waiting_bytes -= entry->size();
    launch(entry);
  }
}

void QueuedCommandRunner::State::launch(const std::shared_ptr<Entry>& entry) {
  ++running;
  entry->launched(next.start(entry->take_command(), [state = shared_from_this(), entry](CommandOutcome outcome) {
    --state->running;
    // First the answer: it may be what makes the client's queue full, and pauses us.
    entry->complete(std::move(outcome));
    state->launch_waiting();
  }));
}

std::optional<std::string> QueuedCommandRunner::State::refusal(std::size_t size) const {
  if (closing) return shutting_down;
  if (waiting.size() >= limits.waiting) {
    return "Not run: " + std::to_string(running) + " commands are running and " + std::to_string(waiting.size()) +
           " more are waiting, which is the limit. Wait for some of them to end, then call again.";
  }
  if (waiting_bytes + size > limits.waiting_bytes) {
    return "Not run: the commands that wait for their turn already hold " + std::to_string(waiting_bytes) +
           " bytes, and at most " + std::to_string(limits.waiting_bytes) +
           " may wait. Wait for some of them to end, then call again.";
  }
  return std::nullopt;
}

QueuedCommandRunner::QueuedCommandRunner(loop::EventLoop& loop, CommandRunner& next, QueueLimits limits)
    : state_(std::make_shared<State>(loop, next, limits)) {}

QueuedCommandRunner::~QueuedCommandRunner() {
  state_->closing = true;
  state_->waiting.clear();
}

std::shared_ptr<RunningCommand> QueuedCommandRunner::start(Command command, Completion completion) {
  const auto entry = std::make_shared<Entry>(state_, std::move(command), std::move(completion));
  const bool may_run = !state_->paused && state_->waiting.empty() && state_->running < state_->limits.running;
  if (may_run && !state_->closing) {
    state_->launch(entry);
  } else if (auto reason = state_->refusal(entry->size())) {
    entry->complete_later(FailedToStart{std::move(*reason)});
  } else {
    state_->waiting_bytes += entry->size();
    state_->waiting.push_back(entry);
  }
  return entry;
}

void QueuedCommandRunner::end_all(std::chrono::milliseconds grace) {
  state_->closing = true;
  for (const auto& entry : std::exchange(state_->waiting, {})) entry->complete_later(FailedToStart{shutting_down});
  state_->waiting_bytes = 0;
  state_->next.end_all(grace);
}

void QueuedCommandRunner::pause() { state_->paused = true; }

void QueuedCommandRunner::resume() {
  state_->paused = false;
  state_->launch_waiting();
}

}  // namespace cowork_terminal::process
