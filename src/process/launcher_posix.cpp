#include <cerrno>
#include <cowork_terminal/loop/asio.hpp>
#include <random>
#include <utility>

#include "process/descriptor.hpp"
#include "process/descriptor_limit.hpp"
#include "process/launch_failure.hpp"
#include "process/launcher.hpp"
#include "process/supervised_tree.hpp"

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

// argv or environment as execve() takes them.
class StringArray {
 public:
  void add(std::string string) { strings_.push_back(std::move(string)); }
  char* last() { return strings_.back().data(); }
  char* const* pointers() {
    pointers_.clear();
    for (auto& string : strings_) pointers_.push_back(string.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

// The far ends of a command's three connections: the supervisor's, closed here when it has its copies.
struct FarEnds {
  Descriptor channel;
  Descriptor standard_output;
  Descriptor standard_error;
};

class PosixLauncher final : public Launcher {
 public:
  explicit PosixLauncher(loop::EventLoop& loop) : loop_(loop), forker_(loop.asio().context) {
    raise_descriptor_limit();
  }

  std::variant<std::unique_ptr<ProcessTree>, FailedToStart> launch(const Command& command,
                                                                   ProcessTree::Listener& listener) override;

 private:
  std::string next_mark();
  // 0 or errno.
  int connect(FarEnds& far, SupervisedTree::Parts& near);
  int connect_pipe(Descriptor& far, OutputPipe& near);

  loop::EventLoop& loop_;
  SupervisorForker forker_;
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
  if (const int error = connect_pipe(far.standard_error, *near.standard_error)) return error;
  auto channel = make_socket_pair();
  if (!channel) return errno;
  far.channel = std::move(channel->second);
  boost::system::error_code error;
  near.channel.assign(channel->first.get(), error);
  if (!error) channel->first.release();
  return error.value();
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

  StringArray argv;
  for (const auto& argument : command.argv) argv.add(argument);
  StringArray environment;
  environment.add(parts.mark);
  for (const auto& [name, value] : command.environment.variables()) {
    if (!parts.mark.starts_with(name + "=")) environment.add(name + "=" + value);
  }

  Supervision supervision;
  supervision.channel = far.channel.get();
  supervision.standard_output = far.standard_output.get();
  supervision.standard_error = far.standard_error.get();
  supervision.working_directory = parts.working_directory.c_str();
  supervision.mark = parts.mark.c_str();
  if (command.script) {
    parts.script = ScriptFile::make(*command.script);
    if (!parts.script) return FailedToStart{no_resources_text(errno)};
    supervision.script = parts.script->descriptor();
    argv.add(supervision.script >= 0 ? std::string(script_path_size, '\0') : parts.script->path());
    supervision.script_path = argv.last();
    if (supervision.script < 0) supervision.script_folder = parts.script->folder().c_str();
  }
  supervision.argv = argv.pointers();
  supervision.environment = environment.pointers();

  auto supervisor = forker_.fork(supervision);
  if (const int* error = std::get_if<int>(&supervisor)) return FailedToStart{no_resources_text(*error)};
  auto tree = std::make_shared<SupervisedTree>(loop_, std::move(parts), listener);
  tree->start(std::move(std::get<std::shared_ptr<SupervisorProcess>>(supervisor)));
  return std::make_unique<PosixProcessTree>(std::move(tree));
} catch (const std::system_error& failure) {
  // A source of randomness or a reactor that the system refuses.
  return FailedToStart{no_resources_text(failure.code().value())};
}

}  // namespace

std::unique_ptr<Launcher> make_launcher(loop::EventLoop& loop) { return std::make_unique<PosixLauncher>(loop); }

}  // namespace cowork_terminal::process
