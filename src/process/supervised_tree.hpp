#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <memory>
#include <string>
#include <vector>

#include "process/output_pipe.hpp"
#include "process/process_tree.hpp"
#include "process/script_file.hpp"
#include "process/supervisor_channel.hpp"
#include "process/supervisor_source.hpp"
#include "process/tree_ending.hpp"

namespace cowork_terminal::process {

// POSIX. The server's side of one supervisor: its channel, the two pipes of its program, and what to do when the
// supervisor itself is killed or stopped by somebody.
class SupervisedTree : public std::enable_shared_from_this<SupervisedTree> {
 public:
  struct Parts {
    std::shared_ptr<OutputPipe> standard_output;
    std::shared_ptr<OutputPipe> standard_error;
    boost::asio::posix::stream_descriptor channel;
    std::unique_ptr<ScriptFile> script;
    std::string program;
    std::string working_directory;
    std::string mark;
  };

  // `source` takes the supervisor back when it can serve again.
  SupervisedTree(loop::EventLoop& loop, Parts parts, std::weak_ptr<SupervisorSource> source,
                 ProcessTree::Listener& listener);

  // `unsent`: the rest of the request, which the channel had no room for.
  void start(std::shared_ptr<SupervisorProcess> supervisor, std::string unsent);
  [[nodiscard]] std::int64_t pid() const { return pid_; }
  void end(std::chrono::milliseconds grace);
  // The listener is told nothing any more; see ~ProcessTree().
  void let_go();

 private:
  void send_when_writable();
  void send_unsent();
  void order(const SupervisorRecord& record);
  void wait_for_record();
  void read_records();
  void take(const SupervisorRecord& record);
  void channel_closed();
  void output_ended(Stream stream, int error);
  void read_held_output();

  // The last things told of a tree. Nothing but output follows.
  void fail(std::string reason);
  void exited(int status, bool supervisor_waits);
  void give_supervisor_back();
  void gone(std::int64_t unnamed);  // how many are left of which nothing was told
  void finish();

  void answer_for_supervisor();
  [[nodiscard]] TreeIdentity identity_without_supervisor() const;
  void end_without_supervisor();
  void advance_own_ending();

  loop::EventLoop& loop_;
  Parts parts_;
  ProcessTree::Listener* listener_;  // null after let_go()
  std::weak_ptr<SupervisorSource> source_;
  std::shared_ptr<SupervisorProcess> supervisor_;
  std::string unsent_;
  bool was_ordered_ = false;
  RecordReader records_;
  pid_t pid_ = 0;
  bool over_ = false;  // the last thing has been told
  TreeEnd tree_end_;
  std::unique_ptr<TreeEnding> own_ending_;
  loop::Timer timer_;
};

}  // namespace cowork_terminal::process
