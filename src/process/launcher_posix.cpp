#include <cerrno>
#include <cowork_terminal/loop/asio.hpp>
#include <random>
#include <string>
#include <utility>

#include "process/descriptor.hpp"
#include "process/descriptor_limit.hpp"
#include "process/launch_failure.hpp"
#include "process/launcher.hpp"
#include "process/supervised_tree.hpp"
#include "process/supervisor_request.hpp"

namespace cowork_terminal::process {

namespace {

class PosixProcessTree final : public ProcessTree {
 public:
  explicit PosixProcessTree(std::shared_ptr<SupervisedTree> tree) : tree_(std::move(tree)) {}
  ~PosixProcessTree() override { tree_->let_go(); }

  [[nodiscard]] std::int64_t pid() const override { return tree_->pid(); }
  void end(std::chrono::milliseconds grace) override { tree_->end(grace); }

 private:
  std::shared_ptr<SupervisedTree> tree_;
};

// What all marks of this server begin with: nobody else can have it by chance.
std::string make_mark() {
  constexpr char digits[] = "0123456789abcdef";
  std::random_device random;
  std::string mark = "COWORK_TERMINAL_COMMAND=";
  for (int word = 0; word < 4; ++word) {
    for (std::uint32_t bits = random(), i = 0; i < 8; ++i, bits >>= 4U) mark += digits[bits & 0xFU];
  }
  return mark + '-';
}

// The program's ends of its pipes, closed here when the supervisor has its copies.
struct FarEnds {
  Descriptor standard_output;
  Descriptor standard_error;
};

// A supervisor that has got a command, and what its channel had no room for yet.
struct Assignment {
  std::shared_ptr<SupervisorProcess> supervisor;
  std::string unsent;
};

class PosixLauncher final : public Launcher {
 public:
  explicit PosixLauncher(loop::EventLoop& loop)
      : loop_(loop), supervisors_(std::make_shared<SupervisorSource>(loop.asio().context)) {
    raise_descriptor_limit();
  }

  std::variant<std::unique_ptr<ProcessTree>, FailedToStart> launch(const Command& command,
                                                                   ProcessTree::Listener& listener) override;

 private:
  std::string next_mark();
  // 0 or errno.
  int connect(FarEnds& far, SupervisedTree::Parts& near);
  int connect_pipe(Descriptor& far, OutputPipe& near);
  std::variant<Assignment, int> assign(const Command& command, const FarEnds& far, SupervisedTree::Parts& near);

  loop::EventLoop& loop_;
  std::shared_ptr<SupervisorSource> supervisors_;
  OutputPipe::Buffer buffer_{new char[OutputPipe::read_size]};
  std::string mark_;  // empty before the first launch
  std::uint64_t marks_ = 0;
};

std::string PosixLauncher::next_mark() {
  if (mark_.empty()) mark_ = make_mark();
  return mark_ + std::to_string(++marks_);
}

int PosixLauncher::connect_pipe(Descriptor& far, OutputPipe& near) {
  auto pipe = make_pipe();
  if (!pipe) return errno;
  far = std::move(pipe->second);
  return near.open(std::move(pipe->first));
}

int PosixLauncher::connect(FarEnds& far, SupervisedTree::Parts& near) {
  if (const int error = connect_pipe(far.standard_output, *near.standard_output)) return error;
  return connect_pipe(far.standard_error, *near.standard_error);
}

std::variant<Assignment, int> PosixLauncher::assign(const Command& command, const FarEnds& far,
                                                    SupervisedTree::Parts& near) {
  PassedDescriptors passed;
  passed.add(far.standard_output.get());
  passed.add(far.standard_error.get());
  if (near.script && near.script->descriptor() >= 0) passed.add(near.script->descriptor());
  const std::string request = supervisor_request(command, near.mark, near.script.get());
  for (;;) {
    auto found = supervisors_->get();
    if (const int* error = std::get_if<int>(&found)) return *error;
    auto& waiting = std::get<WaitingSupervisor>(found);
    boost::system::error_code error;
    near.channel.assign(waiting.channel.get(), error);
    if (error) return error.value();
    waiting.channel.release();

    const ssize_t sent = send_passing(near.channel.native_handle(), request.data(), request.size(), passed);
    if (sent >= 0) return Assignment{std::move(waiting.process), request.substr(static_cast<std::size_t>(sent))};
    if (!waiting.is_used) return errno;
    // Somebody has killed it.
    near.channel.close(error);
  }
}

std::variant<std::unique_ptr<ProcessTree>, FailedToStart> PosixLauncher::launch(const Command& command,
                                                                                ProcessTree::Listener& listener) try {
  auto& context = loop_.asio().context;
  SupervisedTree::Parts parts{std::make_shared<OutputPipe>(context, buffer_),
                              std::make_shared<OutputPipe>(context, buffer_),
                              boost::asio::posix::stream_descriptor(context),
                              nullptr,
                              command.argv.front(),
                              command.working_directory,
                              next_mark()};
  FarEnds far;
  if (const int error = connect(far, parts)) return FailedToStart{no_resources_text(error)};

  if (command.script) {
    parts.script = ScriptFile::make(*command.script);
    if (!parts.script) return FailedToStart{no_resources_text(errno)};
  }
  auto assigned = assign(command, far, parts);
  if (const int* error = std::get_if<int>(&assigned)) return FailedToStart{no_resources_text(*error)};
  auto& assignment = std::get<Assignment>(assigned);
  auto tree = std::make_shared<SupervisedTree>(loop_, std::move(parts), supervisors_, listener);
  tree->start(std::move(assignment.supervisor), std::move(assignment.unsent));
  return std::make_unique<PosixProcessTree>(std::move(tree));
} catch (const std::system_error& failure) {
  // A source of randomness or a reactor that the system refuses.
  return FailedToStart{no_resources_text(failure.code().value())};
}

}  // namespace

std::unique_ptr<Launcher> make_launcher(loop::EventLoop& loop) { return std::make_unique<PosixLauncher>(loop); }

}  // namespace cowork_terminal::process
