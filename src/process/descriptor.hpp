#pragma once

#include <optional>
#include <utility>

namespace cowork_terminal::process {

// POSIX. Owns a file descriptor; closes it at its end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  void reset();

 private:
  int number_ = -1;
};

struct DescriptorPair {
  Descriptor first;
  Descriptor second;
};

// All of these are close-on-exec; errno tells why there is nothing. Only the loop thread forks, so the moment between
// making a descriptor and marking it harms nobody where the system cannot do both at once.
std::optional<DescriptorPair> make_pipe();  // first is read from, second written to
std::optional<DescriptorPair> make_socket_pair();

// Async-signal-safe, between fork and exec. Numbers below `lowest` stay as they are.
void close_descriptors_from(int lowest, const int* kept, int kept_count);
void close_descriptors_on_exec(int lowest);

}  // namespace cowork_terminal::process
