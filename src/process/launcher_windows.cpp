#include <boost/asio/windows/object_handle.hpp>
#include <cowork_terminal/loop/asio.hpp>
#include <cowork_terminal/process/windows_text.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "process/create_process_windows.hpp"
#include "process/job_windows.hpp"
#include "process/launcher.hpp"
#include "process/output_pipe_windows.hpp"
#include "process/output_reader_windows.hpp"
#include "process/script_file_windows.hpp"
#include "process/windows_exit_code.hpp"

namespace cowork_terminal::process {

namespace {

using namespace std::chrono_literals;

// How long a job may take to be empty after it was terminated: a process in a call of the kernel ends only with it.
constexpr auto end_patience = 400ms;
constexpr auto end_poll = 5ms;

UniqueHandle open_null_device() {
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  UniqueHandle null{
      ::CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inheritable, OPEN_EXISTING, 0, nullptr)};
  if (!null) throw std::runtime_error("the null device cannot be opened: " + describe_windows_error(::GetLastError()));
  return null;
}

class JobTree final : public ProcessTree {
 public:
  JobTree(loop::EventLoop& loop, const Command& command, Listener& listener) {
    state_ = std::make_shared<State>(loop, listener);
    state_->launch(command);
  }
  ~JobTree() override { state_->let_go(); }

  [[nodiscard]] std::int64_t pid() const override { return state_->pid; }
  void end(std::chrono::milliseconds) override { state_->end(); }

 private:
  // Shared with the waits that are under way.
  struct State : std::enable_shared_from_this<State> {
    State(loop::EventLoop& event_loop, Listener& told)
        : loop(event_loop), listener(&told), program(event_loop.asio().context) {}

    void launch(const Command& command);
    std::shared_ptr<OutputReader> make_reader(UniqueHandle read_end, Stream stream);
    void wait_for_program();
    void program_ended();
    void output_ended();
    void end();
    void wait_until_empty();
    void settle(std::function<void()> settled);
    void let_go();

    loop::EventLoop& loop;
    Listener* listener;  // null once the tree was let go
    Job job;
    boost::asio::windows::object_handle program;
    std::int64_t pid = 0;
    std::optional<ScriptFile> script;
    std::shared_ptr<OutputReader> output;
    std::shared_ptr<OutputReader> error;
    std::optional<WindowsEnding> ending;  // of the program
    bool ending_tree = false;
    loop::Timer poll;
    std::chrono::milliseconds polled{0};
  };

  std::shared_ptr<State> state_;
};

void JobTree::State::launch(const Command& command) {
  auto argv = command.argv;
  if (command.script) argv.push_back(script.emplace(*command.script).path());
  OutputPipe output_pipe = make_output_pipe();
  OutputPipe error_pipe = make_output_pipe();
  const UniqueHandle input = open_null_device();
  CreatedProcess created = create_process(loop.asio().context, argv, command.working_directory, command.environment,
                                          {input.get(), output_pipe.write_end.get(), error_pipe.write_end.get()}, job);
  pid = created.pid;
  program.assign(created.handle.release());
  output = make_reader(std::move(output_pipe.read_end), Stream::standard_output);
  error = make_reader(std::move(error_pipe.read_end), Stream::standard_error);
  output->start();
  error->start();
  wait_for_program();
}

std::shared_ptr<OutputReader> JobTree::State::make_reader(UniqueHandle read_end, Stream stream) {
  const auto weak = weak_from_this();
  return std::make_shared<OutputReader>(
      loop.asio().context, std::move(read_end),
      [weak, stream](std::string_view bytes) {
        if (const auto self = weak.lock(); self && self->listener) self->listener->on_output(stream, bytes);
      },
      [weak] {
        if (const auto self = weak.lock()) self->output_ended();
      });
}

void JobTree::State::wait_for_program() {
  program.async_wait([self = shared_from_this()](const boost::system::error_code& failed) {
    if (!failed && self->listener) self->program_ended();
  });
}

void JobTree::State::program_ended() {
  DWORD code = 0;
  ::GetExitCodeProcess(program.native_handle(), &code);
  ending = windows_ending(code);
  if (ending_tree) return;
  job.disarm();
  settle([self = shared_from_this()] {
    if (!self->listener) return;
    if (!self->ending->note.empty()) self->listener->on_note(self->ending->note);
    self->listener->on_exit(self->ending->ending);
  });
}

void JobTree::State::output_ended() {
  if (listener && output->ended() && error->ended()) listener->on_output_end();
}

void JobTree::State::end() {
  if (ending || ending_tree) return;
  ending_tree = true;
  job.terminate();
  wait_until_empty();
}

void JobTree::State::wait_until_empty() {
  if (polled < end_patience && !(ending && job.is_empty())) {
    polled += end_poll;
    poll = loop.after(end_poll, [self = shared_from_this()] { self->wait_until_empty(); });
    return;
  }
  settle([self = shared_from_this()] {
    if (!self->listener) return;
    TreeEnd end;
    if (self->ending) end.program = self->ending->ending;
    if (!self->job.is_empty()) end.notes.emplace_back("Some processes of the command could not be ended.");
    self->listener->on_tree_gone(std::move(end));
  });
}

void JobTree::State::settle(std::function<void()> settled) {
  output->settle(
      [self = shared_from_this(), settled = std::move(settled)]() mutable { self->error->settle(std::move(settled)); });
}

void JobTree::State::let_go() {
  listener = nullptr;
  poll.cancel();
  if (!ending) job.terminate();
  boost::system::error_code ignored;
  program.close(ignored);
  script.reset();
  if (output) output->discard();
  if (error) error->discard();
}

class JobLauncher final : public Launcher {
 public:
  explicit JobLauncher(loop::EventLoop& loop) : loop_(loop) {}

  std::variant<std::unique_ptr<ProcessTree>, FailedToStart> launch(const Command& command,
                                                                   ProcessTree::Listener& listener) override {
    try {
      return std::make_unique<JobTree>(loop_, command, listener);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& failure) {
      return FailedToStart{failure.what()};
    }
  }

 private:
  loop::EventLoop& loop_;
};

}  // namespace

std::unique_ptr<Launcher> make_launcher(loop::EventLoop& loop) { return std::make_unique<JobLauncher>(loop); }

}  // namespace cowork_terminal::process
