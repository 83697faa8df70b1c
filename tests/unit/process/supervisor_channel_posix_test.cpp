#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "process/descriptor.hpp"
#include "process/supervisor_channel.hpp"
#include "support/catch.hpp"

using namespace cowork_terminal::process;
using Kind = SupervisorRecord::Kind;

TEST_CASE("records arrive whole and in order, wherever the stream is cut", "[process]") {
  auto ends = make_socket_pair();
  REQUIRE(ends);
  RecordReader reader;
  CHECK(reader.read(ends->first.get()) == RecordReader::Result::nothing_yet);

  const SupervisorRecord records[] = {{Kind::started, 0, 1'234}, {Kind::exited, 0, 256}};
  const std::string bytes(reinterpret_cast<const char*>(records), sizeof records);
  std::size_t whole = 0;
  for (const char byte : bytes) {
    REQUIRE(::send(ends->second.get(), &byte, 1, 0) == 1);
    if (reader.read(ends->first.get()) != RecordReader::Result::record) continue;
    CHECK(reader.record().kind == records[whole].kind);
    CHECK(reader.record().value == records[whole].value);
    ++whole;
  }
  CHECK(whole == 2);
  ends->second.reset();
  CHECK(reader.read(ends->first.get()) == RecordReader::Result::closed);
}

TEST_CASE("sending to a dead side fails and raises no signal", "[process]") {
  auto ends = make_socket_pair();
  REQUIRE(ends);
  CHECK(send_record(ends->first.get(), {Kind::terminate, 0, 2'000}));
  ends->second.reset();
  CHECK_FALSE(send_record(ends->first.get(), {Kind::terminate, 0, 2'000}));
}

TEST_CASE("sending to a side that reads nothing does not block", "[process]") {
  auto ends = make_socket_pair();
  REQUIRE(ends);
  int sent = 0;
  while (send_record(ends->first.get(), {Kind::terminate, 0, 2'000})) ++sent;
  CHECK(sent > 8);
}
