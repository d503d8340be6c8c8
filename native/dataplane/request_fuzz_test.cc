// Bytes that no client should send: whatever comes, the broker answers or closes, and goes on.
#include <doctest/doctest.h>

#include <random>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

constexpr uint32_t kSeed = 20'261'129;

ProduceMessage SomeProduce(std::mt19937& random) {
  ProduceMessage message;
  message.version = static_cast<int16_t>(3 + random() % 11);
  message.acks = static_cast<int16_t>(static_cast<int>(random() % 3) - 1);
  message.timeout_ms = static_cast<int32_t>(random() % 50);
  message.topics = {{"orders", {{0, MakeBatch(1)}, {1, MakeBatch(2)}}, TestUuid(1)},
                    {"nope", {{3, MakeBatch(1)}}, TestUuid(7)}};
  return message;
}

FetchMessage SomeFetch(std::mt19937& random, int32_t session_id) {
  FetchMessage message;
  message.version = static_cast<int16_t>(4 + random() % 15);
  message.max_wait_ms = static_cast<int32_t>(random() % 50);
  message.min_bytes = static_cast<int32_t>(random() % 300);
  message.session_id = random() % 4 == 0 ? 0 : session_id;
  message.session_epoch = static_cast<int32_t>(random() % 5) - 1;
  message.topics = {{"orders", {{0, static_cast<int64_t>(random() % 40)}, {1, 0}}, TestUuid(1)},
                    {"nope", {{3, 0}}, TestUuid(7)}};
  if (random() % 2 == 0) message.forgotten = {{"orders", {{1, 0}}, TestUuid(1)}};
  return message;
}

void Mutate(Bytes& frame, std::mt19937& random) {
  for (uint32_t i = random() % 4; i > 0 && !frame.empty(); --i) {
    const size_t at = random() % frame.size();
    switch (random() % 4) {
      case 0:
        frame[at] = static_cast<uint8_t>(random());
        break;
      case 1:
        frame[at] = random() % 2 == 0 ? 0xFF : 0x00;
        break;
      case 2:
        frame.resize(at);
        break;
      default:
        frame.insert(frame.begin() + static_cast<long>(at), random() % 9, 0x7F);
    }
  }
}

}  // namespace

TEST_CASE("mutated requests are answered or close the connection, and hold nothing after it") {
  std::mt19937 random(kSeed);
  DataPlaneOptions options;
  options.fetch_session_slots_max = 5;
  Harness harness(options, 2);
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1).SetFlushed(1'000'000);
  int32_t session_id = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    FakeConnection& connection = harness.Connect(random() % 2);
    for (int i = 0; i < 5 && !connection.closed; ++i) {
      Bytes frame =
          random() % 2 == 0 ? SomeProduce(random).Encode() : SomeFetch(random, session_id).Encode();
      if (random() % 3 != 0) Mutate(frame, random);
      harness.Send(connection, {std::move(frame)});
      if (random() % 3 == 0) harness.Tick(random() % 60);
    }
    harness.Tick(60);
    CHECK(connection.sent.size() <= 6);
    for (const Bytes& sent : connection.sent) {
      // The session id of a Fetch response of version 7 to 11, now and then.
      if (sent.size() > 18) session_id = static_cast<int32_t>(LoadBe32(sent.data() + 14));
    }
    harness.Disconnect(connection);
    harness.Tick();
    harness.context.control.Take(100);
  }
  for (const auto& handler : harness.handlers) {
    CHECK(handler->fetches().parked() == 0);
    CHECK(handler->produces().purgatory().parked() == 0);
    CHECK(handler->fetches().sessions() <= 3);
  }
  CHECK(harness.context.control.unanswered_bytes() == 0);
}

TEST_CASE("a topic name that no answer could carry closes the connection") {
  Harness harness;
  ProduceMessage produce;
  produce.topics = {{"", {{0, MakeBatch(1)}}, {}}};
  FetchMessage fetch;
  fetch.topics = {{"", {{0, 0}}, {}}};
  // The empty compact string is one byte, 0x01: put a length of 40,000 and the bytes in its place.
  const auto lengthen = [](Bytes frame, size_t at) {
    REQUIRE(frame[at] == 1);
    const Bytes length{0xC1, 0xB8, 0x02};
    frame.erase(frame.begin() + static_cast<long>(at));
    frame.insert(frame.begin() + static_cast<long>(at), 40'000, 'x');
    frame.insert(frame.begin() + static_cast<long>(at), length.begin(), length.end());
    return frame;
  };
  constexpr size_t kHeader = 8 + 2 + 4 + 1;
  for (const Bytes& frame : {lengthen(produce.Encode(), kHeader + 1 + 2 + 4 + 1),
                             lengthen(fetch.Encode(), kHeader + 4 * 4 + 1 + 4 + 4 + 1)}) {
    FakeConnection& connection = harness.Connect();
    harness.Send(connection, {frame});
    harness.Tick();
    CHECK(connection.closed);
    CHECK(connection.sent.size() == 1);
  }
}

}  // namespace millrace::dataplane
