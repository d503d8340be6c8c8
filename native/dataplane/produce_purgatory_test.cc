// acks=all: answers wait for the disk (DESIGN 4.7).
#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

ProduceMessage All(std::vector<int32_t> indexes, int32_t timeout_ms = 1000) {
  ProduceMessage message;
  message.acks = -1;
  message.timeout_ms = timeout_ms;
  message.topics = {{"orders", {}, TestUuid(1)}};
  for (const int32_t index : indexes) {
    message.topics[0].partitions.push_back({index, MakeBatch(2)});
  }
  return message;
}

// As the committer does: moves the flushed offset and tells.
void Flush(Harness& harness, int32_t index, int64_t flushed) {
  Partition& partition = harness.PartitionAt("orders", index);
  static_cast<FakeLog&>(partition.log()).SetFlushed(flushed);
  harness.context.NotifyChanged(partition, kFlushed);
}

}  // namespace

TEST_CASE("the answer comes when the last partition is on disk, and not before") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {All({0, 1, 9}).Encode()});
  harness.Tick();
  CHECK(harness.committer.requests.size() == 2);
  CHECK(connection.sent.empty());
  Flush(harness, 0, 1);  // One of two records.
  harness.Tick();
  Flush(harness, 1, 2);
  harness.Tick();
  CHECK(connection.sent.empty());
  Flush(harness, 0, 2);
  harness.Tick();
  REQUIRE(connection.sent.size() == 1);
  const ProduceAnswer answer = ProduceAnswer::Decode(connection.sent[0], 9);
  REQUIRE(answer.partitions.size() == 3);
  CHECK(answer.partitions[0].topic == "orders");
  CHECK(answer.partitions[0].error == 0);
  CHECK(answer.partitions[1].base_offset == 0);
  CHECK(answer.partitions[2].error == 3);
  CHECK(answer.partitions[2].topic == "orders");
  CHECK(harness.handlers[0]->produces().purgatory().parked() == 0);
}

TEST_CASE("what is on disk already is answered at once; so is acks.all.flush=never") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  log.SetFlushed(100);
  FakeConnection& connection = harness.Connect();
  CHECK(harness.Produce(connection, All({0})).partitions[0].error == 0);
  log.SetFlushed(0);
  log::LogConfig config;
  config.acks_all_flush = log::AcksAllFlush::kNever;
  harness.PartitionAt("orders", 0).flush_policy().Update(config);
  CHECK(harness.Produce(connection, All({0})).partitions[0].base_offset == 2);
  CHECK(harness.committer.requests.empty());
}

TEST_CASE("flush.messages lets the append that reaches it wait for the disk, whatever its acks") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  log::LogConfig config;
  config.flush_messages = 4;
  harness.PartitionAt("orders", 0).flush_policy().Update(config);
  ProduceMessage message = All({0});
  message.acks = 1;
  FakeConnection& connection = harness.Connect();
  CHECK(harness.Produce(connection, message).partitions[0].base_offset == 0);
  CHECK(harness.committer.requests.empty());
  harness.Send(connection, {message.Encode()});
  harness.Tick();
  CHECK(harness.committer.requests.size() >= 1);
  const size_t answered = connection.sent.size();
  Flush(harness, 0, 4);
  harness.Tick();
  REQUIRE(connection.sent.size() == answered + 1);
  CHECK(ProduceAnswer::Decode(connection.sent.back(), 9).partitions[0].base_offset == 2);
  CHECK(log.offsets().flushed_offset == 4);

  message.acks = 0;
  harness.committer.requests.clear();
  harness.Send(connection, {message.Encode()});
  CHECK(harness.committer.requests.empty());
  harness.Send(connection, {message.Encode()});
  CHECK(harness.committer.requests.size() == 1);
}

TEST_CASE("flush.ms is due once the oldest record not on disk is as old by the next look") {
  FlushPolicy policy;
  log::LogOffsets offsets;
  offsets.log_end_offset = 5;
  CHECK(policy.DueByTime(offsets, 0, 1000) == FlushPolicy::Due::kNever);  // Not set.
  log::LogConfig config;
  config.flush_ms = 3000;
  policy.Update(config);
  CHECK(policy.DueByTime(offsets, 1000, 1000) == FlushPolicy::Due::kLater);
  CHECK(policy.DueByTime(offsets, 2000, 1000) == FlushPolicy::Due::kLater);
  CHECK(policy.DueByTime(offsets, 3000, 1000) == FlushPolicy::Due::kNow);
  offsets.flushed_offset = 3;  // Flushed up to a point: the rest is younger.
  CHECK(policy.DueByTime(offsets, 4000, 1000) == FlushPolicy::Due::kLater);
  offsets.flushed_offset = 5;
  CHECK(policy.DueByTime(offsets, 9000, 1000) == FlushPolicy::Due::kNever);
  offsets.log_end_offset = 6;
  CHECK(policy.DueByTime(offsets, 10000, 1000) == FlushPolicy::Due::kLater);
  config.flush_ms = 0;
  policy.Update(config);
  CHECK(policy.DueByTime(offsets, 10000, 1000) == FlushPolicy::Due::kNow);
}

TEST_CASE("records are visible to fetches before they are on disk") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& producer = harness.Connect();
  harness.Send(producer, {All({0}).Encode()});
  FetchMessage fetch;
  fetch.topics = {{"orders", {{0, 0}}, {}}};
  CHECK(harness.Fetch(harness.Connect(), fetch).partitions[0].records.size() == 100);
  CHECK(producer.sent.empty());
}

TEST_CASE("the timeout answers request timed out with the offset; the records stay") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {All({0, 1}, 300).Encode()});
  Flush(harness, 1, 2);
  harness.Tick(299);
  CHECK(connection.sent.empty());
  harness.Tick(1);
  REQUIRE(connection.sent.size() == 1);
  const ProduceAnswer answer = ProduceAnswer::Decode(connection.sent[0], 9);
  CHECK(answer.partitions[0].error == 7);
  CHECK(answer.partitions[0].base_offset == 0);
  CHECK(answer.partitions[1].error == 0);
  CHECK(log.offsets().log_end_offset == 2);
  Flush(harness, 0, 2);
  harness.Tick();
  CHECK(connection.sent.size() == 1);
}

TEST_CASE("a failed log dir answers everyone who waits with a storage error, and is told once") {
  Harness harness;
  harness.context.log_dirs.Add("/dir");
  const auto dir = harness.context.log_dirs.Find("/dir");
  auto log = std::make_shared<FakeLog>();
  harness.context.partitions.Insert(
      std::make_shared<Partition>(PartitionName{"orders", TestUuid(1), 0}, dir, log, 1));
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {All({0}).Encode()});
  dir->Fail();
  harness.context.log_dirs.ReportFailed();
  harness.context.log_dirs.ReportFailed();
  harness.Tick();
  REQUIRE(connection.sent.size() == 1);
  CHECK(ProduceAnswer::Decode(connection.sent[0], 9).partitions[0].error == 56);
  CHECK(harness.events.failed_dirs == std::vector<std::string>{"/dir"});
}

TEST_CASE("removing a partition answers who waits for it") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {All({0}).Encode()});
  const auto removed = harness.context.partitions.Remove("orders", 0);
  harness.context.NotifyChanged(*removed, kFailed);
  harness.Tick();
  REQUIRE(connection.sent.size() == 1);
  CHECK(ProduceAnswer::Decode(connection.sent[0], 9).partitions[0].error == 3);
}

TEST_CASE("answers keep their order although the disk is asked for several at once") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& connection = harness.Connect();
  ProduceMessage leader_only = All({1});
  leader_only.acks = 1;
  leader_only.correlation_id = 8;
  harness.Send(connection, {All({0}).Encode(), leader_only.Encode()});
  harness.Tick();
  CHECK(connection.sent.empty());
  Flush(harness, 0, 2);
  harness.Tick();
  REQUIRE(connection.sent.size() == 2);
  CHECK(ProduceAnswer::Decode(connection.sent[0], 9).correlation_id == 7);
  CHECK(ProduceAnswer::Decode(connection.sent[1], 9).correlation_id == 8);
}

TEST_CASE("a connection that closes takes its waiting produces with it") {
  Harness harness;
  harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {All({0}).Encode(), All({0}).Encode()});
  CHECK(harness.handlers[0]->produces().purgatory().parked() == 2);
  harness.Disconnect(connection);
  CHECK(harness.handlers[0]->produces().purgatory().parked() == 0);
  Flush(harness, 0, 4);
  harness.Tick(2000);
}

TEST_CASE("producers of several reactors are each woken") {
  Harness harness({}, 2);
  harness.AddPartition("orders", 0);
  FakeConnection& first = harness.Connect(0);
  FakeConnection& second = harness.Connect(1);
  harness.Send(first, {All({0}).Encode()});
  harness.Send(second, {All({0}).Encode()});
  Flush(harness, 0, 2);
  harness.Tick();
  CHECK(first.sent.size() == 1);
  CHECK(second.sent.empty());
  Flush(harness, 0, 4);
  harness.Tick();
  CHECK(second.sent.size() == 1);
}

}  // namespace millrace::dataplane
