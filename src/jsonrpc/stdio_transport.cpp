#include <condition_variable>
#include <cowork_terminal/jsonrpc/stdio_transport.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "jsonrpc/line_splitter.hpp"

namespace cowork_terminal::jsonrpc {
namespace {

constexpr std::size_t read_size = 64 * 1'024;
constexpr std::size_t bookkeeping_of_a_line = 256;

}  // namespace

struct StdioTransport::State : std::enable_shared_from_this<State> {
  struct EndOfInput {};
  using Input = std::variant<std::string, OversizedLine, EndOfInput>;
  struct Output {
    std::string line;
    Delivered delivered;
  };

  State(loop::EventLoop& event_loop, std::unique_ptr<ByteStreams> byte_streams, TransportLimits transport_limits)
      : loop(event_loop), streams(std::move(byte_streams)), limits(transport_limits) {}

  static std::size_t memory_of(const Input& input);
  // Reader thread.
  void read_lines();
  bool hand_over(Input input);
  // Writer thread.
  void write_lines();
  bool write_next();
  void note_written(std::size_t size);
  void close_output();
  // Loop thread.
  void start();
  void send(std::string line, Delivered delivered);
  void when_flushed(std::function<void()> flushed);
  void shut();
  void handle_next();
  void tell(Input input);
  // Any thread, under the mutex and not after shut(): the loop is there until then.
  void post(std::function<void()> task);
  void post_delivered(Delivered delivered, bool written);
  void post_handling();
  void post_backlog(bool is_full);
  void post_flushed();
  [[nodiscard]] bool may_handle() const;

  loop::EventLoop& loop;
  const std::unique_ptr<ByteStreams> streams;
  const TransportLimits limits;
  TransportEvents events;  // loop thread only

  std::mutex mutex;  // guards what follows
  bool is_shut = false;
  std::deque<Input> inbound;
  std::size_t unhandled = 0;
  std::condition_variable room_for_input;
  bool input_ended = false;
  bool handling_is_posted = false;
  std::deque<Output> outbound;  // the line at the front may be with the writer
  std::size_t backlog = 0;
  bool backlog_is_full = false;
  bool output_is_closed = false;
  std::vector<std::function<void()>> flush_waiters;
};

std::size_t StdioTransport::State::memory_of(const Input& input) {
  const auto* line = std::get_if<std::string>(&input);
  return bookkeeping_of_a_line + (line == nullptr ? 0 : line->size());
}

void StdioTransport::State::start() {
  std::thread{[self = shared_from_this()] { self->read_lines(); }}.detach();
  std::thread{[self = shared_from_this()] { self->write_lines(); }}.detach();
}

void StdioTransport::State::read_lines() {
  LineSplitter splitter{limits.line};
  const std::unique_ptr<char[]> buffer(new char[read_size]);  // its pages are touched by reads only
  const auto hand_over_line = [this](InputLine&& line) {
    return std::visit([this](auto&& what) { return hand_over(std::move(what)); }, std::move(line));
  };
  while (const std::size_t size = streams->read(buffer.get(), read_size)) {
    for (InputLine& line : splitter.feed({buffer.get(), size})) {
      if (!hand_over_line(std::move(line))) return;
    }
  }
  for (InputLine& line : splitter.finish()) {
    if (!hand_over_line(std::move(line))) return;
  }
  hand_over(EndOfInput{});
}

// False after shut().
bool StdioTransport::State::hand_over(Input input) {
  std::unique_lock lock{mutex};
  room_for_input.wait(lock, [this] { return is_shut || unhandled <= limits.unhandled_input; });
  if (is_shut) return false;
  unhandled += memory_of(input);
  input_ended = std::holds_alternative<EndOfInput>(input);
  inbound.push_back(std::move(input));
  post_handling();
  return true;
}

// The input that is left at its end is bounded, so that it is handled whatever waits.
bool StdioTransport::State::may_handle() const {
  return !inbound.empty() && (input_ended || outbound.size() <= limits.waiting_lines);
}

void StdioTransport::State::post_handling() {
  if (handling_is_posted || !may_handle()) return;
  handling_is_posted = true;
  post([this] { handle_next(); });
}

// One line per task, so that a flood of lines never stands between a timer and its time.
void StdioTransport::State::handle_next() {
  Input input;
  {
    const std::lock_guard lock{mutex};
    handling_is_posted = false;
    if (!may_handle()) return;
    input = std::move(inbound.front());
    inbound.pop_front();
    unhandled -= memory_of(input);
    room_for_input.notify_one();
    post_handling();
  }
  tell(std::move(input));
}

void StdioTransport::State::tell(Input input) {
  if (auto* line = std::get_if<std::string>(&input)) {
    if (events.on_line) events.on_line(std::move(*line));
  } else if (auto* oversized = std::get_if<OversizedLine>(&input)) {
    if (events.on_oversized_line) events.on_oversized_line(std::move(oversized->id), oversized->size);
  } else if (events.on_end_of_input) {
    events.on_end_of_input();
  }
}

void StdioTransport::State::send(std::string line, Delivered delivered) {
  line.push_back('\n');
  const std::lock_guard lock{mutex};
  if (output_is_closed) return post_delivered(std::move(delivered), false);
  if (outbound.empty()) {
    // Most answers are short and find room: they need not wait for the writer thread to wake up.
    const std::size_t written = streams->write_now(line);
    if (written == line.size()) return post_delivered(std::move(delivered), true);
    line.erase(0, written);
  }
  backlog += line.size();
  outbound.push_back({std::move(line), std::move(delivered)});
  if (outbound.size() == 1) streams->wake();
  if (!backlog_is_full && backlog > limits.backlog) post_backlog(true);
}

void StdioTransport::State::write_lines() {
  while (write_next()) {
  }
}

bool StdioTransport::State::write_next() {
  std::string line;
  {
    const std::lock_guard lock{mutex};
    if (is_shut) return false;
    if (!outbound.empty()) line = std::move(outbound.front().line);
  }
  const bool is_open = line.empty() ? streams->wait() : streams->write_all(line);
  if (!is_open) {
    close_output();
    return false;
  }
  const std::size_t size = line.size();
  line = {};
  if (size > 0) note_written(size);
  return true;
}

void StdioTransport::State::note_written(std::size_t size) {
  const std::lock_guard lock{mutex};
  if (is_shut) return;
  Delivered delivered = std::move(outbound.front().delivered);
  outbound.pop_front();
  backlog -= size;
  post_delivered(std::move(delivered), true);
  if (backlog_is_full && backlog <= limits.backlog / 2) post_backlog(false);
  if (outbound.empty()) post_flushed();
  post_handling();
}

void StdioTransport::State::close_output() {
  const std::lock_guard lock{mutex};
  if (is_shut) return;
  output_is_closed = true;
  for (Output& output : std::exchange(outbound, {})) post_delivered(std::move(output.delivered), false);
  backlog = 0;
  if (backlog_is_full) post_backlog(false);
  post([this] {
    if (events.on_output_closed) events.on_output_closed();
  });
  post_flushed();
  post_handling();
}

void StdioTransport::State::when_flushed(std::function<void()> flushed) {
  const std::lock_guard lock{mutex};
  flush_waiters.push_back(std::move(flushed));
  if (outbound.empty()) post_flushed();
}

void StdioTransport::State::shut() {
  // Freed here, on the loop thread, where what they hold belongs.
  std::deque<Output> abandoned;
  std::vector<std::function<void()>> abandoned_waiters;
  {
    const std::lock_guard lock{mutex};
    is_shut = true;
    abandoned.swap(outbound);
    abandoned_waiters.swap(flush_waiters);
    room_for_input.notify_one();
    streams->wake();
  }
  events = {};
}

void StdioTransport::State::post(std::function<void()> task) {
  loop.post([self = shared_from_this(), run = std::move(task)] {
    // Written by this thread only.
    if (!self->is_shut) run();
  });
}

void StdioTransport::State::post_delivered(Delivered delivered, bool written) {
  if (!delivered) return;
  post([tell_sender = std::move(delivered), written] { tell_sender(written); });
}

void StdioTransport::State::post_backlog(bool is_full) {
  backlog_is_full = is_full;
  post([this, is_full] {
    if (events.on_backlog) events.on_backlog(is_full);
  });
}

void StdioTransport::State::post_flushed() {
  for (auto& waiter : std::exchange(flush_waiters, {})) post(std::move(waiter));
}

StdioTransport::StdioTransport(loop::EventLoop& loop, std::unique_ptr<ByteStreams> streams, TransportLimits limits)
    : state_(std::make_shared<State>(loop, std::move(streams), limits)) {}

StdioTransport::~StdioTransport() { state_->shut(); }

void StdioTransport::start(TransportEvents events) {
  state_->events = std::move(events);
  state_->start();
}

void StdioTransport::send(std::string line, Delivered delivered) {
  state_->send(std::move(line), std::move(delivered));
}

void StdioTransport::when_flushed(std::function<void()> flushed) { state_->when_flushed(std::move(flushed)); }

}  // namespace cowork_terminal::jsonrpc
