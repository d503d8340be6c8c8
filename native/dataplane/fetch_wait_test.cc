// Long polls: min bytes, max wait, and what ends a wait early.
#include <doctest/doctest.h>

#include <thread>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

FetchMessage Wait(std::vector<FetchMessage::PartitionOf> partitions, int32_t min_bytes = 1) {
  FetchMessage message;
  message.min_bytes = min_bytes;
  message.topics = {{"orders", std::move(partitions), TestUuid(1)}};
  return message;
}

Bytes Produce(int32_t index, size_t payload = 39) {
  ProduceMessage message;
  message.topics = {{"orders", {{index, MakeBatch(1, payload)}}, TestUuid(1)}};
  return message.Encode();
}

}  // namespace

TEST_CASE("an idle topic is answered once in max wait, empty") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {Wait({{0, 0}}).Encode()});
  harness.Tick(499);
  CHECK(connection.sent.empty());
  harness.Tick(1);
  REQUIRE(connection.sent.size() == 1);
  const FetchAnswer answer = FetchAnswer::Decode(connection.sent[0], 12);
  REQUIRE(answer.partitions.size() == 1);
  CHECK(answer.partitions[0].records.empty());
  CHECK(harness.handlers[0]->fetches().parked() == 0);
}

TEST_CASE("an append wakes in its own tick, once, whatever it was") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}, {1, 0}}).Encode()});
  harness.Tick();
  harness.Send(harness.Connect(), {Produce(0), Produce(1), Produce(0)});
  CHECK(consumer.sent.empty());
  harness.Tick();
  REQUIRE(consumer.sent.size() == 1);
  const FetchAnswer answer = FetchAnswer::Decode(consumer.sent[0], 12);
  CHECK(answer.Find("orders", 0)->records.size() == 200);
  CHECK(answer.Find("orders", 1)->records.size() == 100);
}

TEST_CASE("min bytes are summed over partitions; each append is looked at alone") {
  Harness harness;
  FakeLog& first = harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& consumer = harness.Connect();
  FakeConnection& producer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}, {1, 0}}, 350).Encode()});
  for (const int32_t index : {0, 1, 1}) {
    harness.Send(producer, {Produce(index)});
    harness.Tick();
  }
  CHECK(consumer.sent.empty());
  CHECK(first.read_calls() == 1);
  harness.Send(producer, {Produce(0)});
  harness.Tick();
  REQUIRE(consumer.sent.size() == 1);
  CHECK(FetchAnswer::Decode(consumer.sent[0], 12).Find("orders", 0)->records.size() == 200);
}

TEST_CASE("bytes that were here before the wait count") {
  Harness harness;
  harness.AddPartition("orders", 0).Append(MakeBatch(1));
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}}, 200).Encode()});
  CHECK(consumer.sent.empty());
  harness.Send(harness.Connect(), {Produce(0)});
  harness.Tick();
  CHECK(consumer.sent.size() == 1);
}

TEST_CASE("a partition that has filled its own limit ends the wait (C043)") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  for (int i = 0; i < 20; ++i) log.Append(MakeBatch(1));
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0, 1000}, {1, 0, 1000}}, 10'000).Encode()});
  REQUIRE(consumer.sent.size() == 1);
  // And so it is for one that fills it while the fetch waits.
  harness.Send(consumer, {Wait({{0, 20, 250}}, 10'000).Encode()});
  for (int i = 0; i < 3; ++i) {
    CHECK(consumer.sent.size() == 1);
    harness.Send(harness.Connect(), {Produce(0)});
    harness.Tick();
  }
  CHECK(consumer.sent.size() == 2);
}

TEST_CASE("records that the response limit holds back end the wait") {
  Harness harness;
  harness.AddPartition("orders", 0).Append(MakeBatch(1, 39));
  harness.AddPartition("orders", 1).Append(MakeBatch(1, 139));
  FetchMessage message = Wait({{0, 0}, {1, 0}}, 250);
  message.max_bytes = 250;
  const FetchAnswer answer = harness.Fetch(harness.Connect(), message);
  CHECK(answer.partitions[0].records.size() == 100);
  CHECK(answer.partitions[1].records.empty());
}

TEST_CASE("min bytes of zero, and more than max bytes, do not wait for what cannot come") {
  Harness harness;
  harness.AddPartition("orders", 0);
  CHECK(harness.Fetch(harness.Connect(), Wait({{0, 0}}, 0)).partitions.size() == 1);
  FetchMessage message = Wait({{0, 0}}, 1'000'000);
  message.max_bytes = 100;
  harness.PartitionAt("orders", 0).log();
  static_cast<FakeLog&>(harness.PartitionAt("orders", 0).log()).Append(MakeBatch(1));
  CHECK(harness.Fetch(harness.Connect(), message).partitions[0].records.size() == 100);
}

TEST_CASE("unknown partitions wait beside known ones, and alone do not") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}, {9, 0}}).Encode()});
  harness.Tick();
  CHECK(consumer.sent.empty());
  harness.Tick(500);
  CHECK(FetchAnswer::Decode(consumer.sent.at(0), 12).partitions[1].error == 3);
  CHECK(harness.Fetch(consumer, Wait({{9, 0}, {10, 0}})).partitions.size() == 2);
  CHECK(harness.Fetch(consumer, FetchMessage{}).partitions.empty());
}

TEST_CASE("any other error ends the wait") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  CHECK(harness.Fetch(harness.Connect(), Wait({{0, 0}, {1, 7}})).partitions[1].error == 1);
}

TEST_CASE("a removed partition, a new leader epoch, a moved log start end the wait") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  for (int i = 0; i < 5; ++i) log.Append(MakeBatch(1));
  FakeConnection& consumer = harness.Connect();
  const auto last_error = [&] { return Harness::LastFetch(consumer, 12).partitions[0].error; };

  harness.Send(consumer, {Wait({{0, 5, 1000, 5}}).Encode()});
  harness.PartitionAt("orders", 0).set_leader_epoch(6);
  harness.context.NotifyChanged(harness.PartitionAt("orders", 0), kAppended);
  harness.Tick();
  REQUIRE(consumer.sent.size() == 1);
  CHECK(last_error() == 74);

  harness.Send(consumer, {Wait({{0, 5}}).Encode()});
  log.SetLogStart(5);
  harness.context.NotifyChanged(harness.PartitionAt("orders", 0), kAppended);
  harness.Tick();
  CHECK(consumer.sent.size() == 1);
  harness.Tick(500);
  CHECK(consumer.sent.size() == 2);

  harness.Send(consumer, {Wait({{0, 5}}).Encode()});
  const auto removed = harness.context.partitions.Remove("orders", 0);
  harness.context.NotifyChanged(*removed, kFailed);
  harness.Tick();
  REQUIRE(consumer.sent.size() == 3);
  CHECK(last_error() == 3);
}

TEST_CASE("a topic made anew under its name serves the same waiting fetch's successors") {
  Harness harness;
  harness.AddPartition("orders", 0, 1);
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}}).Encode()});
  const auto removed = harness.context.partitions.Remove("orders", 0);
  harness.AddPartition("orders", 0, 2).Append(MakeBatch(1));
  harness.context.NotifyChanged(*removed, kFailed);
  harness.Tick();
  REQUIRE(consumer.sent.size() == 1);
  CHECK(Harness::LastFetch(consumer, 12).partitions[0].records.size() == 100);
}

TEST_CASE("many fetches on one partition are all woken, and none twice") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  std::vector<FakeConnection*> consumers;
  for (int i = 0; i < 50; ++i) {
    consumers.push_back(&harness.Connect());
    harness.Send(*consumers.back(), {Wait({{0, 0}}).Encode()});
  }
  const size_t reads_before = log.read_calls();
  harness.Send(harness.Connect(), {Produce(0), Produce(0)});
  harness.Tick();
  for (const FakeConnection* consumer : consumers) CHECK(consumer->sent.size() == 1);
  CHECK(log.read_calls() == reads_before + 50);
}

TEST_CASE("an append on another reactor wakes; a closed connection is forgotten") {
  Harness harness({}, 2);
  harness.AddPartition("orders", 0);
  FakeConnection& consumer = harness.Connect(1);
  FakeConnection& gone = harness.Connect(1);
  harness.Send(consumer, {Wait({{0, 0}}).Encode()});
  harness.Send(gone, {Wait({{0, 0}}).Encode()});
  harness.Disconnect(gone);
  CHECK(harness.handlers[1]->fetches().parked() == 1);
  harness.Send(harness.Connect(0), {Produce(0)});
  harness.Tick();
  CHECK(consumer.sent.size() == 1);
}

TEST_CASE("stopping answers everyone who waits, and nobody waits after") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& consumer = harness.Connect();
  harness.Send(consumer, {Wait({{0, 0}}).Encode()});
  harness.context.draining = true;
  harness.handlers[0]->fetches().AnswerAll();
  CHECK(consumer.sent.size() == 1);
  harness.Send(consumer, {Wait({{0, 0}}).Encode()});
  CHECK(consumer.sent.size() == 2);
}

TEST_CASE("no wake-up is lost between a look at the log and the wait") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  FakeConnection& consumer = harness.Connect();
  constexpr int64_t kAppends = 20'000;
  // Another thread appends and tells, as another reactor would; here one fetch after the other
  // waits for ever unless it is told.
  std::thread appender([&] {
    for (int64_t i = 0; i < kAppends; ++i) {
      log.Append(MakeBatch(1));
      harness.context.NotifyChanged(harness.PartitionAt("orders", 0), kAppended);
    }
  });
  int64_t offset = 0;
  size_t answers = 0;
  while (offset < kAppends) {
    FetchMessage message = Wait({{0, offset}});
    message.max_wait_ms = INT32_MAX;
    harness.Send(consumer, {message.Encode()});
    ++answers;
    while (consumer.sent.size() < answers) harness.Tick();
    offset = Harness::LastFetch(consumer, 12).partitions[0].high_watermark;
    consumer.sent.resize(answers, {});
  }
  appender.join();
  CHECK(offset == kAppends);
}

}  // namespace millrace::dataplane
