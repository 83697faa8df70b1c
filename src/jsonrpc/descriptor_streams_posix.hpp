#pragma once

#include <cowork_terminal/jsonrpc/standard_streams.hpp>
#include <cstddef>
#include <string_view>
#include <utility>

namespace cowork_terminal::jsonrpc {

// An open file descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// Byte streams over two descriptors, whose flags stay as they are: they may be non-blocking, and others may share them.
class DescriptorStreams final : public ByteStreams {
 public:
  // Throws std::system_error when no descriptor is left for the pipe that wakes.
  DescriptorStreams(Descriptor input, Descriptor output);

  std::size_t read(char* buffer, std::size_t size) override;
  bool write_all(std::string_view bytes) override;
  std::size_t write_now(std::string_view bytes) override;
  bool wait() override;
  void wake() override;

 private:
  struct WakePipe {
    Descriptor read_end;
    Descriptor write_end;
  };
  static WakePipe make_wake_pipe();
  void swallow_wake_ups();

  Descriptor input_;
  Descriptor output_;
  WakePipe wake_pipe_;
  bool output_is_polled_ = true;
};

}  // namespace cowork_terminal::jsonrpc
