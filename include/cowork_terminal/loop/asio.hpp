#pragma once

// The Asio side of EventLoop, for the few sources that register descriptors with it: including Asio costs seconds.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cowork_terminal/loop/event_loop.hpp>
#include <list>

namespace cowork_terminal::loop {

struct EventLoop::Asio {
  boost::asio::io_context context;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{context.get_executor()};
  std::list<boost::asio::signal_set> signal_sets;
};

}  // namespace cowork_terminal::loop
