#include "tools/job.hpp"

#include <algorithm>
#include <cowork_terminal/tools/execute_result.hpp>
#include <utility>

#include "tools/progress_message.hpp"

namespace cowork_terminal::tools {

namespace {

using process::CapturedOutput;

// Contract C-24.
constexpr std::chrono::seconds progress_interval{5};

// `first` followed by `second`, within the limit of one stream.
CapturedOutput joined(CapturedOutput first, CapturedOutput second, std::size_t limit) {
  first.total_bytes += second.total_bytes;
  if (!second.whole_file.empty()) first.whole_file = std::move(second.whole_file);
  if (first.truncated || first.text.size() + second.text.size() > limit) {
    auto room = first.truncated ? 0 : limit - std::min(limit, first.text.size());
    while (room > 0 && room < second.text.size() && (static_cast<unsigned char>(second.text[room]) & 0xC0U) == 0x80U)
      --room;
    first.truncated = true;
    first.text.append(second.text, 0, room);
    return first;
  }
  if (first.text.empty()) {
    first.text = std::move(second.text);
  } else {
    first.text += second.text;
  }
  first.truncated = second.truncated;
  return first;
}

}  // namespace

struct Job::Waiter {
  Question question;
  loop::Timer wait_timer;
  loop::Timer progress_timer;
  std::chrono::seconds elapsed{0};  // of the job, as last reported
};

Job::Job(loop::EventLoop& loop, std::string id, std::string command_text, const ExecuteSettings& settings,
         JobEvents events)
    : loop_(loop),
      id_(std::move(id)),
      command_text_(std::move(command_text)),
      settings_(settings),
      events_(std::move(events)) {}

void Job::launch(process::CommandRunner& runner, PreparedCommand prepared) {
  timeout_ = prepared.command.timeout;
  notes_ = std::move(prepared.notes);
  started_ = std::chrono::steady_clock::now();
  running_ = runner.start(std::move(prepared.command), [self = shared_from_this()](process::CommandOutcome outcome) {
    self->complete(std::move(outcome));
  });
}

void Job::ask(Question question) {
  const auto waiter = std::make_shared<Waiter>();
  waiter->question = std::move(question);
  waiters_.push_back(waiter);
  auto& call = *waiter->question.call;
  call.on_cancel([job = weak_from_this(), asked = std::weak_ptr(waiter)] {
    const auto self = job.lock();
    const auto abandoned = asked.lock();
    if (self && abandoned) self->abandon(abandoned);
  });
  if (!running()) return answer(waiter);
  if (waiter->question.wait_limit) {
    waiter->wait_timer =
        loop_.after(*waiter->question.wait_limit, [self = shared_from_this(), waiter] { self->answer(waiter); });
  }
  if (call.wants_progress()) {
    waiter->elapsed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
    report_progress(waiter);
  }
}

void Job::stop() {
  stopped_ = true;
  if (running()) running_->cancel();
}

void Job::complete(process::CommandOutcome outcome) {
  notes_.insert(notes_.end(), outcome.notes.begin(), outcome.notes.end());
  unread_ = {joined(std::move(unread_.standard_output), std::move(outcome.standard_output), settings_.output_limit),
             joined(std::move(unread_.standard_error), std::move(outcome.standard_error), settings_.output_limit)};
  ending_ = std::move(outcome.ending);
  running_.reset();
  if (published_ && events_.ended) events_.ended(*this);
  while (!waiters_.empty()) answer(waiters_.front());
}

void Job::report_progress(const std::shared_ptr<Waiter>& waiter) {
  waiter->progress_timer = loop_.after(progress_interval, [self = shared_from_this(), asked = std::weak_ptr(waiter)] {
    const auto alive = asked.lock();
    if (!alive || !self->running()) return;
    alive->elapsed += progress_interval;
    alive->question.call->progress(
        static_cast<double>(alive->elapsed.count()),
        progress_message(alive->elapsed, self->running_->pid() == 0, self->running_->output_bytes()));
    self->report_progress(alive);
  });
}

bool Job::remove(const std::shared_ptr<Waiter>& waiter) {
  const auto found = std::find(waiters_.begin(), waiters_.end(), waiter);
  if (found == waiters_.end()) return false;
  waiters_.erase(found);
  waiter->wait_timer.cancel();
  waiter->progress_timer.cancel();
  return true;
}

// Nobody knows the id of a command whose first call was cancelled; cancelling a later one only ends the waiting.
void Job::abandon(const std::shared_ptr<Waiter>& waiter) {
  if (remove(waiter) && waiter->question.asker == Asker::starter && running()) running_->cancel();
}

void Job::answer(std::shared_ptr<Waiter> waiter) {
  if (!remove(waiter)) return;
  running() ? answer_running(*waiter) : answer_ended(*waiter);
}

void Job::answer_running(Waiter& waiter) {
  if (!published_ && !events_.publish(shared_from_this())) {
    notes_.emplace_back(
        "The command was ended: it ran longer than one call may wait, and too many jobs are running already.");
    running_->cancel();
    return ask(
        {std::move(waiter.question.call), waiter.question.asker, std::nullopt, std::move(waiter.question.notes)});
  }
  published_ = true;
  auto notes = std::exchange(notes_, {});
  notes.push_back("Still running as job " + id_ + R"(. Call this tool again with {"job": ")" + id_ +
                  R"("} to wait for what comes next, or add "stop": true to end it.)");
  const auto output = std::make_shared<Output>(collect());
  auto result = render(waiter, process::Cancelled{}, *output, std::move(notes));
  result["job"] = id_;
  result["running"] = true;
  const auto asker = waiter.question.asker;
  waiter.question.call->finish(mcp::ToolResult::success(std::move(result)),
                               [self = shared_from_this(), output, asker](bool written) {
                                 if (written) return;
                                 if (asker == Asker::follower) return self->put_back(std::move(*output));
                                 // The id never reached the client, so nobody could follow the command or stop it.
                                 self->stop();
                                 self->events_.forget(*self);
                               });
}

void Job::answer_ended(Waiter& waiter) {
  if (const auto* failed = std::get_if<process::FailedToStart>(&*ending_)) {
    if (published_) events_.forget(*this);
    return waiter.question.call->finish(mcp::ToolResult::refusal(failed->reason));
  }
  if (!published_) {
    return waiter.question.call->finish(mcp::ToolResult::success(render(waiter, *ending_, collect(), ending_notes())));
  }
  const auto notes = ending_notes();
  const auto output = std::make_shared<Output>(collect());
  waiter.question.call->finish(mcp::ToolResult::success(render(waiter, *ending_, *output, notes)),
                               [self = shared_from_this(), output, notes](bool written) {
                                 if (written) return self->events_.forget(*self);
                                 self->put_back(std::move(*output));
                               });
}

std::vector<std::string> Job::ending_notes() {
  auto notes = notes_;
  if (std::holds_alternative<process::TimedOut>(*ending_)) notes.push_back(timeout_note(timeout_));
  if (stopped_ && std::holds_alternative<process::Cancelled>(*ending_))
    notes.emplace_back("The job was stopped as asked, with everything it had started.");
  return notes;
}

Job::Output Job::collect() {
  auto output = std::exchange(unread_, {});
  if (!running_) return output;
  auto fresh = running_->take_output();
  return {joined(std::move(output.standard_output), std::move(fresh.standard_output), settings_.output_limit),
          joined(std::move(output.standard_error), std::move(fresh.standard_error), settings_.output_limit)};
}

// In front of what came meanwhile, which is in unread_ or still in the capture.
void Job::put_back(Output output) {
  auto later = std::exchange(unread_, {});
  unread_ = {joined(std::move(output.standard_output), std::move(later.standard_output), settings_.output_limit),
             joined(std::move(output.standard_error), std::move(later.standard_error), settings_.output_limit)};
}

nlohmann::json Job::render(const Waiter& waiter, process::Ending ending, Output output,
                           std::vector<std::string> notes) const {
  process::CommandOutcome piece;
  piece.ending = std::move(ending);
  piece.standard_output = std::move(output.standard_output);
  piece.standard_error = std::move(output.standard_error);
  notes.insert(notes.begin(), waiter.question.notes.begin(), waiter.question.notes.end());
  return execute_result(std::move(piece), std::move(notes), settings_.output_limit, waiter.question.call->room());
}

}  // namespace cowork_terminal::tools
