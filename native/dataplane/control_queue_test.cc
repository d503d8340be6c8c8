// Requests for the control plane: one event until taken, bounded bytes, answers in order.
#include "dataplane/control_queue.h"

#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

Bytes Metadata(size_t size = 20) {
  Bytes frame(size, 0);
  frame[1] = 3;  // apiKey
  frame[3] = 9;  // apiVersion
  return frame;
}

net::Response Text(const char* text) {
  net::Response response;
  response.pieces.push_back({Bytes(text, text + std::char_traits<char>::length(text)), {}});
  return response;
}

}  // namespace

TEST_CASE("one event until the requests are taken, another if some stay") {
  Harness harness;
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {Metadata(), Metadata(), Metadata()});
  CHECK(harness.events.control_events == 1);
  ControlQueue::Taken taken = harness.context.control.Take(2);
  REQUIRE(taken.requests.size() == 2);
  CHECK(taken.more);
  CHECK(taken.requests[0].connection == connection.id());
  CHECK(taken.requests[0].listener == 3);
  CHECK(taken.requests[0].peer == "127.0.0.1:40312");
  CHECK(taken.requests[0].frame == Metadata());
  CHECK(taken.requests[0].place != taken.requests[1].place);
  taken = harness.context.control.Take(10);
  CHECK(taken.requests.size() == 1);
  CHECK_FALSE(taken.more);
  harness.Send(connection, {Metadata()});
  CHECK(harness.events.control_events == 2);
}

TEST_CASE("answers leave in request order, whoever answers first") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  ProduceMessage produce;
  produce.topics = {{"orders", {{0, MakeBatch(1)}}, {}}};
  harness.Send(connection, {Metadata(), produce.Encode(), Metadata()});
  const auto requests = harness.context.control.Take(10).requests;
  harness.context.Deliver({connection.id(), requests[1].place, Text("second")});
  harness.Tick();
  CHECK(connection.sent.empty());
  harness.context.Deliver({connection.id(), requests[0].place, Text("first")});
  harness.context.Deliver({connection.id() + 1, requests[0].place, Text("for nobody")});
  harness.Tick();
  REQUIRE(connection.sent.size() == 3);
  CHECK(connection.sent[0] == Bytes{'f', 'i', 'r', 's', 't'});
  CHECK(connection.sent[2] == Bytes{'s', 'e', 'c', 'o', 'n', 'd'});
}

TEST_CASE("reading pauses while too many bytes are unanswered, and goes on with the answers") {
  DataPlaneOptions options;
  options.control_bytes_max = 1000;
  Harness harness(options, 2);
  FakeConnection& first = harness.Connect(0);
  FakeConnection& second = harness.Connect(1);
  harness.Send(first, {Metadata(600)});
  CHECK(first.reading);
  harness.Send(second, {Metadata(600)});
  CHECK_FALSE(second.reading);
  const auto requests = harness.context.control.Take(10).requests;
  harness.context.Deliver({first.id(), requests[0].place, Text("done")});
  harness.Tick();
  CHECK(second.reading);
  CHECK(harness.context.control.unanswered_bytes() == 600);
  harness.Disconnect(second);
  CHECK(harness.context.control.unanswered_bytes() == 0);
}

TEST_CASE("the control plane hears of closed connections that it knows") {
  Harness harness;
  FakeConnection& known = harness.Connect();
  FakeConnection& unknown = harness.Connect();
  harness.Send(known, {Metadata()});
  const uint64_t id = known.id();
  harness.Disconnect(known);
  harness.Disconnect(unknown);
  CHECK(harness.events.closed == std::vector<uint64_t>{id});
}

TEST_CASE("a frame without a whole header closes, after the answers before it") {
  Harness harness;
  for (size_t size = 0; size < 8; ++size) {
    FakeConnection& connection = harness.Connect();
    harness.Send(connection, {Metadata(), Bytes(size, 0), Metadata()});
    const auto requests = harness.context.control.Take(10).requests;
    REQUIRE(requests.size() == 1);
    CHECK_FALSE(connection.closed);
    CHECK_FALSE(connection.reading);
    harness.context.Deliver({connection.id(), requests[0].place, Text("answer")});
    harness.Tick();
    CHECK(connection.closed);
    CHECK(connection.sent.size() == 2);
  }
}

}  // namespace millrace::dataplane
