// Produce over the whole request path, with logs in memory.
#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

ProduceMessage To(const std::string& topic, int32_t index, Bytes records, int16_t acks = 1) {
  ProduceMessage message;
  message.acks = acks;
  message.topics = {{topic, {{index, std::move(records)}}, TestUuid(1)}};
  return message;
}

int16_t Code(KafkaError error) { return static_cast<int16_t>(error); }

}  // namespace

TEST_CASE("every version answers with the offsets and its own layout") {
  for (int16_t version = 3; version <= 13; ++version) {
    CAPTURE(version);
    Harness harness;
    FakeLog& log = harness.AddPartition("orders", 2);
    log.Append(MakeBatch(10));
    FakeConnection& connection = harness.Connect();
    ProduceMessage message = To("orders", 2, MakeBatch(3));
    message.version = version;
    const ProduceAnswer answer = harness.Produce(connection, message);
    CHECK(answer.correlation_id == 7);
    REQUIRE(answer.partitions.size() == 1);
    const auto& partition = answer.partitions[0];
    CHECK(partition.topic == (version < 13 ? "orders" : ""));
    CHECK(partition.topic_id == (version < 13 ? Uuid{} : TestUuid(1)));
    CHECK(partition.index == 2);
    CHECK(partition.error == 0);
    CHECK(partition.base_offset == 10);
    CHECK(partition.log_append_time == -1);
    CHECK(partition.log_start == 0);
    CHECK_FALSE(partition.message.has_value());
  }
}

TEST_CASE("versions that are not served close the connection, after the answers before") {
  for (const int16_t version : std::vector<int16_t>{0, 1, 2, 14, -1}) {
    CAPTURE(version);
    Harness harness;
    FakeLog& log = harness.AddPartition("orders", 0);
    FakeConnection& connection = harness.Connect();
    ProduceMessage old = To("orders", 0, MakeBatch(1));
    old.version = version;
    harness.Send(connection, {To("orders", 0, MakeBatch(1)).Encode(), old.Encode(),
                              To("orders", 0, MakeBatch(1)).Encode()});
    harness.Tick();
    REQUIRE(connection.sent.size() == 2);
    CHECK(ProduceAnswer::Decode(connection.sent[0], 9).partitions[0].error == 0);
    CHECK(connection.sent[1].empty());
    CHECK(connection.closed);
    CHECK(log.append_calls() == 1);
    CHECK(harness.events.lines.size() == 1);
  }
}

TEST_CASE("a body that is cut anywhere closes the connection and appends nothing") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  const Bytes whole = To("orders", 0, MakeBatch(1)).Encode();
  for (size_t size = 0; size < whole.size(); ++size) {
    FakeConnection& connection = harness.Connect();
    harness.Send(connection, {Bytes(whole.begin(), whole.begin() + static_cast<long>(size))});
    CHECK(connection.closed);
  }
  CHECK(log.append_calls() == 0);
}

TEST_CASE("batches of one receive are appended with one call a partition, in order") {
  Harness harness;
  FakeLog& first = harness.AddPartition("orders", 0);
  FakeLog& second = harness.AddPartition("orders", 1);
  FakeConnection& connection = harness.Connect();
  std::vector<Bytes> frames;
  for (int32_t i = 0; i < 6; ++i) {
    frames.push_back(To("orders", i % 2, MakeBatch(i + 1)).Encode());
  }
  harness.Send(connection, frames);
  CHECK(first.jobs_per_call() == std::vector<size_t>{3});
  CHECK(second.jobs_per_call() == std::vector<size_t>{3});
  REQUIRE(connection.sent.size() == 6);
  const std::vector<int64_t> expected{0, 0, 1, 2, 4, 6};
  for (size_t i = 0; i < 6; ++i) {
    CHECK(ProduceAnswer::Decode(connection.sent[i], 9).partitions[0].base_offset == expected[i]);
  }
}

TEST_CASE("requests of other kinds see what was produced before them") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  FetchMessage fetch;
  fetch.topics = {{"orders", {{0, 0}}, {}}};
  harness.Send(connection, {To("orders", 0, MakeBatch(1)).Encode(), fetch.Encode(),
                            To("orders", 0, MakeBatch(1)).Encode()});
  harness.Tick();
  CHECK(log.append_calls() == 2);
  REQUIRE(connection.sent.size() == 3);
  CHECK(FetchAnswer::Decode(connection.sent[1], 12).partitions[0].records.size() == 100);
}

TEST_CASE("the answer mirrors the request: order, unknown partitions in the middle, duplicates") {
  Harness harness;
  harness.AddPartition("b", 0);
  harness.AddPartition("b", 1);
  harness.AddPartition("a", 0, 2);
  FakeConnection& connection = harness.Connect();
  ProduceMessage message;
  message.topics = {{"b", {{1, MakeBatch(1)}, {7, MakeBatch(1)}, {0, MakeBatch(1)}}, {}},
                    {"empty", {}, {}},
                    {"nope", {{0, MakeBatch(1)}}, {}},
                    {"a", {{0, MakeBatch(2)}, {0, MakeBatch(1)}}, {}}};
  const ProduceAnswer answer = harness.Produce(connection, message);
  struct Expected {
    const char* topic;
    int32_t index;
    int16_t error;
    int64_t base;
  };
  const std::vector<Expected> expected{{"b", 1, 0, 0},     {"b", 7, 3, -1}, {"b", 0, 0, 0},
                                       {"nope", 0, 3, -1}, {"a", 0, 0, 0},  {"a", 0, 0, 2}};
  REQUIRE(answer.partitions.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(answer.partitions[i].topic == expected[i].topic);
    CHECK(answer.partitions[i].index == expected[i].index);
    CHECK(answer.partitions[i].error == expected[i].error);
    CHECK(answer.partitions[i].base_offset == expected[i].base);
  }
}

TEST_CASE("acks: only -1, 0 and 1; 0 answers nothing, and closes on an error") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  for (const int16_t acks : std::vector<int16_t>{2, -2, 3, 32767}) {
    const ProduceAnswer answer =
        harness.Produce(harness.Connect(), To("orders", 0, MakeBatch(1), acks));
    CHECK(answer.partitions[0].error == Code(KafkaError::kInvalidRequiredAcks));
    CHECK(answer.partitions[0].base_offset == -1);
  }
  CHECK(log.append_calls() == 0);

  FakeConnection& connection = harness.Connect();
  harness.Send(connection, {To("orders", 0, MakeBatch(1), 0).Encode(),
                            To("orders", 0, MakeBatch(1), 1).Encode()});
  REQUIRE(connection.sent.size() == 2);
  CHECK(connection.sent[0].empty());
  CHECK(ProduceAnswer::Decode(connection.sent[1], 9).partitions[0].base_offset == 1);
  CHECK_FALSE(connection.closed);

  harness.Send(connection, {To("nope", 0, MakeBatch(1), 0).Encode()});
  CHECK(connection.closed);
  CHECK(connection.sent.back().empty());
}

TEST_CASE("what is wrong with one partition is its own error and leaves the others alone") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.AddPartition("__consumer_offsets", 0, 2);
  harness.AddPartition("bad", 0, 3).SetError(KafkaError::kCorruptMessage);
  FakeConnection& connection = harness.Connect();
  ProduceMessage message;
  message.topics = {{"__consumer_offsets", {{0, MakeBatch(1)}}, {}},
                    {"bad", {{0, MakeBatch(1)}}, {}},
                    {"orders", {{0, std::nullopt}, {0, Bytes{}}, {0, MakeBatch(1)}}, {}}};
  const ProduceAnswer answer = harness.Produce(connection, message);
  REQUIRE(answer.partitions.size() == 5);
  CHECK(answer.partitions[0].error == Code(KafkaError::kInvalidTopicException));
  CHECK(answer.partitions[1].error == Code(KafkaError::kCorruptMessage));
  CHECK(answer.partitions[1].log_start == -1);
  CHECK(answer.partitions[1].message.has_value());
  CHECK(answer.partitions[2].error == Code(KafkaError::kInvalidRecord));
  CHECK(answer.partitions[3].error == Code(KafkaError::kInvalidRecord));
  CHECK(answer.partitions[3].log_start == 0);
  CHECK(answer.partitions[4].error == 0);

  message.client_id = "__admin_client";
  CHECK(harness.Produce(connection, message).partitions[0].error == 0);
  message.client_id = std::nullopt;
  CHECK(harness.Produce(connection, message).partitions[0].error ==
        Code(KafkaError::kInvalidTopicException));
}

TEST_CASE("topic ids: unknown topic, unknown partition, another incarnation") {
  Harness harness;
  harness.AddPartition("orders", 0, 1);
  harness.AddPartition("orders", 1, 2);  // Made anew with another id; the topic's id is now 2.
  ProduceMessage message;
  message.version = 13;
  message.topics = {{"", {{0, MakeBatch(1)}}, TestUuid(9)},
                    {"", {{5, MakeBatch(1)}, {0, MakeBatch(1)}, {1, MakeBatch(1)}}, TestUuid(2)}};
  const ProduceAnswer answer = harness.Produce(harness.Connect(), message);
  REQUIRE(answer.partitions.size() == 4);
  CHECK(answer.partitions[0].error == Code(KafkaError::kUnknownTopicId));
  CHECK(answer.partitions[1].error == Code(KafkaError::kUnknownTopicOrPartition));
  CHECK(answer.partitions[2].error == Code(KafkaError::kUnknownTopicId));
  CHECK(answer.partitions[3].error == 0);
}

TEST_CASE("transactional batches are refused, without an id the whole request") {
  constexpr uint16_t kTransactional = 1 << 4;
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  harness.AddPartition("orders", 1);
  FakeConnection& connection = harness.Connect();
  ProduceMessage message;
  message.topics = {
      {"orders", {{0, MakeBatch(1, 39, kTransactional)}, {1, MakeBatch(1)}}, TestUuid(1)}};
  ProduceAnswer answer = harness.Produce(connection, message);
  for (const auto& partition : answer.partitions) {
    CHECK(partition.error == Code(KafkaError::kTransactionalIdAuthorizationFailed));
  }
  message.transactional_id = "tx";
  answer = harness.Produce(connection, message);
  CHECK(answer.partitions[0].error == Code(KafkaError::kInvalidTxnState));
  REQUIRE(answer.partitions[0].message.has_value());
  CHECK(answer.partitions[0].message->find("transactions") != std::string::npos);
  CHECK(answer.partitions[1].error == 0);
  CHECK(log.append_calls() == 0);
}

TEST_CASE("an offline log dir answers storage error") {
  Harness harness;
  harness.AddPartition("orders", 0);
  harness.dir->Fail();
  const ProduceAnswer answer = harness.Produce(harness.Connect(), To("orders", 0, MakeBatch(1)));
  CHECK(answer.partitions[0].error == Code(KafkaError::kKafkaStorageError));
}

}  // namespace millrace::dataplane
