#pragma once

#include <chrono>
#include <cowork_terminal/process/command.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cowork_terminal::process {

enum class Stream { standard_output, standard_error };

// How a tree that was ended went.
struct TreeEnd {
  std::optional<Ending> program;   // Exited or Signaled: what became of the program itself, where that is known
  std::vector<std::string> notes;  // sentences for the model, e.g. of a process that could not be ended
};

// A launched program and everything it starts, as one platform sees it. Loop thread only; nothing here blocks.
class ProcessTree {
 public:
  // Called on the loop thread, never from inside launch(), end() or the destructor. The life of a tree ends with
  // exactly one of on_failed_to_start, on_exit and on_tree_gone.
  class Listener {
   public:
    // The launch failed after launch() had returned. `reason` says what to change, for the model.
    virtual void on_failed_to_start(std::string reason) = 0;
    virtual void on_output(Stream stream, std::string_view bytes) = 0;
    // Nobody holds either stream any more. Comes once, before or after on_exit, or not at all.
    virtual void on_output_end() = 0;
    // Something to tell the model about the way the program ended; before on_exit.
    virtual void on_note(std::string sentence) = 0;
    // The program has ended by itself (Exited or Signaled), and all that the pipes held at that moment was delivered
    // before this call. What it left in the background lives on, and output goes on until the tree is destroyed (C-19).
    virtual void on_exit(Ending how) = 0;
    // Nothing is left of the tree, or it was given up; all that the pipes held was delivered before this call. Follows
    // end() within its grace and 500 ms, unless on_exit had been on its way; comes without end() when the tree cannot
    // be watched any longer.
    virtual void on_tree_gone(TreeEnd end) = 0;

   protected:
    ~Listener() = default;
  };

  // A tree that still runs is ended without grace. What a program that has ended by itself left behind lives on; its
  // pipes are read and thrown away until it closes them or the server ends. Not from inside a callback.
  virtual ~ProcessTree() = default;

  // Of the program; 0 until it is known.
  [[nodiscard]] virtual std::int64_t pid() const = 0;
  // SIGTERM to all of the tree now, SIGKILL after `grace` to what is left (Windows: at once). May be repeated with a
  // shorter grace.
  virtual void end(std::chrono::milliseconds grace) = 0;
};

}  // namespace cowork_terminal::process
