#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "process/descriptor_passing.hpp"
#include "process/launch_failure.hpp"
#include "process/supervised_tree.hpp"

namespace cowork_terminal::process {

namespace {

using Kind = SupervisorRecord::Kind;

constexpr std::chrono::milliseconds supervisor_patience{450};  // it gives up 400 ms after the grace
constexpr std::chrono::milliseconds own_patience{400};

Ending ending_of(int status) {
  if (WIFSIGNALED(status)) return Signaled{WTERMSIG(status)};
  return Exited{WEXITSTATUS(status)};
}

std::string survivor_text(std::int64_t pid, bool not_permitted) {
  return "Process " + std::to_string(pid) + ", started by this command, " +
         (not_permitted ? "could not be ended: it belongs to another user."
                        : "has not ended in time, although it was sent SIGKILL.");
}

std::string lost_output_text(Stream stream, int error) {
  return std::string(stream == Stream::standard_output ? "stdout" : "stderr") +
         " could not be read to its end: " + std::generic_category().message(error) + ".";
}

}  // namespace

SupervisedTree::SupervisedTree(loop::EventLoop& loop, Parts parts, std::weak_ptr<SupervisorSource> source,
                               ProcessTree::Listener& listener)
    : loop_(loop), parts_(std::move(parts)), listener_(&listener), source_(std::move(source)) {}

void SupervisedTree::start(std::shared_ptr<SupervisorProcess> supervisor, std::string unsent) {
  supervisor_ = std::move(supervisor);
  unsent_ = std::move(unsent);
  if (!unsent_.empty()) send_when_writable();
  const auto pass_on = [this](Stream stream) {
    return [self = weak_from_this(), stream](std::string_view bytes) {
      const auto tree = self.lock();
      if (tree && tree->listener_ != nullptr) tree->listener_->on_output(stream, bytes);
    };
  };
  const auto end = [this](Stream stream) {
    return [self = weak_from_this(), stream](int error) {
      if (const auto tree = self.lock()) tree->output_ended(stream, error);
    };
  };
  parts_.standard_output->start(pass_on(Stream::standard_output), end(Stream::standard_output));
  parts_.standard_error->start(pass_on(Stream::standard_error), end(Stream::standard_error));
  wait_for_record();
}

void SupervisedTree::send_when_writable() {
  parts_.channel.async_wait(boost::asio::posix::stream_descriptor::wait_write,
                            [self = shared_from_this()](const boost::system::error_code& error) {
                              if (!error && self->parts_.channel.is_open()) self->send_unsent();
                            });
}

void SupervisedTree::send_unsent() {
  const ssize_t sent = send_passing(parts_.channel.native_handle(), unsent_.data(), unsent_.size(), {});
  // That nobody reads any more is told by the end of the channel.
  if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS) return;
  unsent_.erase(0, sent > 0 ? static_cast<std::size_t>(sent) : 0);
  if (!unsent_.empty()) send_when_writable();
}

// Behind what the channel, which may be full of the request, had no room for.
void SupervisedTree::order(const SupervisorRecord& record) {
  was_ordered_ = true;
  const bool sending_already = !unsent_.empty();
  unsent_.append(reinterpret_cast<const char*>(&record), sizeof record);
  if (!sending_already) send_unsent();
}

void SupervisedTree::wait_for_record() {
  parts_.channel.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                            [self = shared_from_this()](const boost::system::error_code& error) {
                              if (!error) self->read_records();
                            });
}

void SupervisedTree::read_records() {
  while (parts_.channel.is_open()) {
    switch (records_.read(parts_.channel.native_handle())) {
      case RecordReader::Result::record:
        take(records_.record());
        break;
      case RecordReader::Result::nothing_yet:
        return wait_for_record();
      case RecordReader::Result::closed:
        return channel_closed();
    }
  }
}

void SupervisedTree::take(const SupervisorRecord& record) {
  if (over_ || own_ending_) return;
  switch (record.kind) {
    case Kind::started:
      pid_ = static_cast<pid_t>(record.value);
      return;
    case Kind::failed:
      return fail(launch_failure_text(static_cast<LaunchStep>(record.step), static_cast<int>(record.value),
                                      parts_.program, parts_.working_directory));
    case Kind::exited:
      return exited(static_cast<int>(record.value), record.step != 0);
    case Kind::ended:
      tree_end_.program = ending_of(static_cast<int>(record.value));
      return;
    case Kind::survivor:
      tree_end_.notes.push_back(survivor_text(record.value, record.step != 0));
      return;
    case Kind::gone:
      return gone(record.value);
    case Kind::terminate:
      return;
  }
}

void SupervisedTree::channel_closed() {
  boost::system::error_code ignored;
  parts_.channel.close(ignored);
  if (over_ || own_ending_) return;
  if (pid_ == 0) return fail("The command was not run: the process that starts it has died. Try again.");
  end_without_supervisor();
}

void SupervisedTree::output_ended(Stream stream, int error) {
  if (error != 0 && listener_ != nullptr) listener_->on_note(lost_output_text(stream, error));
  const bool all = parts_.standard_output->has_ended() && parts_.standard_error->has_ended();
  if (all && listener_ != nullptr) listener_->on_output_end();
}

void SupervisedTree::read_held_output() {
  parts_.standard_output->read_held();
  parts_.standard_error->read_held();
}

void SupervisedTree::fail(std::string reason) {
  finish();
  if (listener_ != nullptr) listener_->on_failed_to_start(std::move(reason));
}

void SupervisedTree::exited(int status, bool supervisor_waits) {
  read_held_output();
  if (supervisor_waits) give_supervisor_back();
  finish();
  if (listener_ != nullptr) listener_->on_exit(ending_of(status));
}

void SupervisedTree::gone(std::int64_t unnamed) {
  if (unnamed > 0) {
    tree_end_.notes.push_back(
        "Further processes of this command that have not ended in time: " + std::to_string(unnamed) + ".");
  }
  read_held_output();
  finish();
  if (listener_ != nullptr) listener_->on_tree_gone(std::move(tree_end_));
}

void SupervisedTree::give_supervisor_back() {
  const auto source = source_.lock();
  // It would take a late order for the beginning of a request.
  if (!source || was_ordered_) return;
  source->keep({std::move(supervisor_), Descriptor(parts_.channel.release()), true});
}

void SupervisedTree::finish() {
  over_ = true;
  timer_.cancel();
  own_ending_.reset();
  parts_.script.reset();
  boost::system::error_code ignored;
  parts_.channel.close(ignored);
}

void SupervisedTree::end(std::chrono::milliseconds grace) {
  if (over_ || own_ending_) return;
  order({Kind::terminate, 0, grace.count()});
  // The command may have stopped it.
  supervisor_->signal(SIGCONT);
  timer_ = loop_.after(grace + supervisor_patience, [this] { answer_for_supervisor(); });
}

void SupervisedTree::let_go() {
  listener_ = nullptr;
  // To a supervisor whose program still runs the end of the channel is the death of its server.
  finish();
  parts_.standard_output->discard();
  parts_.standard_error->discard();
}

// A supervisor that is busy with very many processes, or that has no processor to run on, goes on when its channel is
// closed; the answer does not wait for it.
void SupervisedTree::answer_for_supervisor() {
  // First of all a command that stops it again and again.
  TreeEnding found(identity_without_supervisor());
  found.program_was_reaped();
  found.kill(std::chrono::milliseconds{0});
  while (found.state() == TreeEnding::State::ending) found.advance();
  supervisor_->signal(SIGCONT);
  tree_end_.notes.emplace_back("Not all processes of this command have ended in time; they are still being ended.");
  gone(0);
}

// As on a system without sub-reaper: by session, group, descent and mark.
TreeIdentity SupervisedTree::identity_without_supervisor() const {
  TreeIdentity identity;
  identity.program = pid_;
  identity.mark = parts_.mark.c_str();
  return identity;
}

void SupervisedTree::end_without_supervisor() {
  tree_end_.notes.emplace_back(
      "The process that watches over this command was killed; what could still be found of the command was ended.");
  if (!tree_end_.program) tree_end_.program = Signaled{SIGKILL};
  own_ending_ = std::make_unique<TreeEnding>(identity_without_supervisor());
  own_ending_->program_was_reaped();
  own_ending_->kill(own_patience);
  advance_own_ending();
}

void SupervisedTree::advance_own_ending() {
  own_ending_->advance();
  using State = TreeEnding::State;
  if (own_ending_->state() == State::ending) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*own_ending_->next_step() - TreeEnding::Clock::now());
    timer_ = loop_.after(std::max(left, std::chrono::milliseconds{0}), [this] { advance_own_ending(); });
    return;
  }
  if (own_ending_->state() == State::gone) return gone(0);
  std::size_t left = 0;
  for (const TreeMember& member : own_ending_->members()) {
    if (++left <= survivors_named) {
      tree_end_.notes.push_back(survivor_text(member.process.pid, member.not_permitted));
    }
  }
  gone(left > survivors_named ? static_cast<std::int64_t>(left - survivors_named) : 0);
}

}  // namespace cowork_terminal::process
