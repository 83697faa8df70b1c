#pragma once

#include <algorithm>
#include <condition_variable>
#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace cowork_terminal::jsonrpc {

// What the test types and what it has read so far; shared by the test and the threads of the transport.
class Client {
 public:
  void type(std::string_view bytes) {
    change([&] { input_ += bytes; });
  }
  void end_input() {
    change([&] { input_ended_ = true; });
  }
  // Writes block while the client does not read.
  void stop_reading() {
    change([&] { reading_ = false; });
  }
  void go_on_reading() {
    change([&] { reading_ = true; });
  }
  // How much write_now() takes of each line; nothing at first.
  void take_at_once(std::size_t size) {
    change([&] { at_once_ = size; });
  }
  // Noticed by write_all() alone, as on systems that do not tell.
  void close_output() {
    change([&] { output_closed_ = true; });
  }
  void close_output_and_tell() {
    change([&] { output_closed_ = close_is_told_ = true; });
  }

  [[nodiscard]] std::string output() {
    const std::lock_guard lock{mutex_};
    return output_;
  }
  // Bytes of input that the reader thread has not taken yet.
  [[nodiscard]] std::size_t input_left() {
    const std::lock_guard lock{mutex_};
    return input_.size();
  }

  std::size_t read(char* buffer, std::size_t size) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return !input_.empty() || input_ended_; });
    const std::size_t count = input_.copy(buffer, size);
    input_.erase(0, count);
    return count;
  }
  bool write_all(std::string_view bytes) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return reading_ || output_closed_; });
    if (output_closed_) return false;
    output_ += bytes;
    return true;
  }
  std::size_t write_now(std::string_view bytes) {
    const std::lock_guard lock{mutex_};
    if (!reading_ || output_closed_) return 0;
    output_ += bytes.substr(0, at_once_);
    return std::min(at_once_, bytes.size());
  }
  bool wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return woken_ || close_is_told_; });
    woken_ = false;
    return !close_is_told_;
  }
  void wake() {
    change([&] { woken_ = true; });
  }

 private:
  template <class Change>
  void change(Change apply) {
    const std::lock_guard lock{mutex_};
    apply();
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string input_;
  std::string output_;
  bool input_ended_ = false;
  std::size_t at_once_ = 0;
  bool reading_ = true;
  bool output_closed_ = false;
  bool close_is_told_ = false;
  bool woken_ = false;
};

class ScriptedStreams final : public ByteStreams {
 public:
  explicit ScriptedStreams(std::shared_ptr<Client> client) : client_(std::move(client)) {}
  std::size_t read(char* buffer, std::size_t size) override { return client_->read(buffer, size); }
  bool write_all(std::string_view bytes) override { return client_->write_all(bytes); }
  std::size_t write_now(std::string_view bytes) override { return client_->write_now(bytes); }
  bool wait() override { return client_->wait(); }
  void wake() override { client_->wake(); }

 private:
  std::shared_ptr<Client> client_;
};

}  // namespace cowork_terminal::jsonrpc
