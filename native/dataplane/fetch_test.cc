// Fetch over the whole request path: what is read, in which limits, with which errors.
#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

int16_t Code(KafkaError error) { return static_cast<int16_t>(error); }

FetchMessage From(const std::string& topic, std::vector<FetchMessage::PartitionOf> partitions) {
  FetchMessage message;
  message.max_wait_ms = 0;
  message.topics = {{topic, std::move(partitions), TestUuid(1)}};
  return message;
}

// Harness with `count` partitions of "orders", each with `batches` batches of 100 bytes.
void Fill(Harness& harness, int32_t count, int batches) {
  for (int32_t i = 0; i < count; ++i) {
    FakeLog& log = harness.AddPartition("orders", i);
    for (int b = 0; b < batches; ++b) log.Append(MakeBatch(1));
  }
}

std::vector<size_t> SizesOf(const FetchAnswer& answer) {
  std::vector<size_t> sizes;
  for (const auto& partition : answer.partitions) sizes.push_back(partition.records.size());
  return sizes;
}

}  // namespace

TEST_CASE("every version answers with its own layout") {
  for (int16_t version = 4; version <= 18; ++version) {
    CAPTURE(version);
    Harness harness;
    Fill(harness, 1, 3);
    FetchMessage message = From("orders", {{0, 1}, {4, 0}});
    message.version = version;
    const FetchAnswer answer = harness.Fetch(harness.Connect(), message);
    CHECK(answer.correlation_id == 11);
    CHECK(answer.error == 0);
    CHECK(answer.session_id == 0);
    REQUIRE(answer.partitions.size() == 2);
    const auto& partition = answer.partitions[0];
    CHECK(partition.topic == (version < 13 ? "orders" : ""));
    CHECK(partition.topic_id == (version < 13 ? Uuid{} : TestUuid(1)));
    CHECK(partition.records.size() == 200);
    CHECK(partition.high_watermark == 3);
    CHECK(partition.last_stable == 3);
    CHECK(partition.log_start == (version < 5 ? -1 : 0));
    CHECK(partition.preferred == -1);
    CHECK(partition.aborted_null);
    CHECK(answer.partitions[1].error == Code(KafkaError::kUnknownTopicOrPartition));
    CHECK(answer.partitions[1].high_watermark == -1);
    CHECK_FALSE(answer.partitions[1].aborted_null);
  }
}

TEST_CASE("versions that are not served and cut bodies close the connection") {
  Harness harness;
  Fill(harness, 1, 1);
  for (const int16_t version : std::vector<int16_t>{0, 3, 19, -1}) {
    FetchMessage message = From("orders", {{0, 0}});
    message.version = version;
    FakeConnection& connection = harness.Connect();
    harness.Send(connection, {message.Encode()});
    CHECK(connection.closed);
  }
  const Bytes whole = From("orders", {{0, 0}}).Encode();
  for (size_t size = 4; size < whole.size(); ++size) {
    FakeConnection& connection = harness.Connect();
    harness.Send(connection, {Bytes(whole.begin(), whole.begin() + static_cast<long>(size))});
    CHECK(connection.closed);
  }
}

TEST_CASE("read committed gets an empty list of aborted transactions, not null") {
  Harness harness;
  Fill(harness, 1, 1);
  FetchMessage message = From("orders", {{0, 0}});
  message.isolation = 1;
  const FetchAnswer answer = harness.Fetch(harness.Connect(), message);
  CHECK_FALSE(answer.partitions[0].aborted_null);
  CHECK(answer.partitions[0].records.size() == 100);
}

TEST_CASE("size limits") {
  struct Case {
    const char* name;
    int32_t max_bytes;
    std::vector<int32_t> partition_max_bytes;
    std::vector<size_t> expected;
  };
  // Three partitions with five batches of 100 bytes each.
  const std::vector<Case> cases{
      {"no limit reached", 10'000, {10'000, 10'000, 10'000}, {500, 500, 500}},
      {"partition limit cuts inside a batch", 10'000, {250, 10'000, 101}, {250, 500, 100 + 1}},
      {"the first batch comes whole above all limits", 10, {10, 10, 10}, {100, 0, 0}},
      {"limits of zero as well", 0, {0, 0, 0}, {100, 0, 0}},
      {"a later first batch that does not fit its partition stays away",
       10'000,
       {500, 99, 500},
       {500, 0, 500}},
      {"the response limit is shared in order", 650, {500, 500, 500}, {500, 150, 0}},
      {"a later first batch that does not fit the rest stays away",
       550,
       {500, 500, 500},
       {500, 0, 0}},
      {"negative limits are zero", -1, {-1, -5, 10}, {100, 0, 0}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    Harness harness;
    Fill(harness, 3, 5);
    std::vector<FetchMessage::PartitionOf> partitions;
    for (int32_t i = 0; i < 3; ++i) {
      partitions.push_back({i, 0, c.partition_max_bytes[static_cast<size_t>(i)]});
    }
    FetchMessage message = From("orders", partitions);
    message.max_bytes = c.max_bytes;
    CHECK(SizesOf(harness.Fetch(harness.Connect(), message)) == c.expected);
  }
}

TEST_CASE("the broker's fetch.max.bytes caps what the client asks for") {
  DataPlaneOptions options;
  options.fetch_bytes_max = 300;
  Harness harness(options);
  Fill(harness, 2, 5);
  const FetchAnswer answer = harness.Fetch(harness.Connect(), From("orders", {{0, 0}, {1, 0}}));
  CHECK(SizesOf(answer) == std::vector<size_t>{300, 0});
}

TEST_CASE("small reads are copied, large ones sent from the file, with the same bytes") {
  for (const size_t copied_max : {size_t{0}, size_t{250}, size_t{1 << 20}}) {
    DataPlaneOptions options;
    options.small_read_bytes_max = copied_max;
    Harness harness(options);
    Fill(harness, 2, 5);
    FakeConnection& connection = harness.Connect();
    FetchMessage message = From("orders", {{0, 0, 200}, {1, 0, 400}});
    const FetchAnswer answer = harness.Fetch(connection, message);
    CHECK(SizesOf(answer) == std::vector<size_t>{200, 400});
    CHECK(connection.ranges[0] == (copied_max == 0 ? 2u : copied_max == 250 ? 1u : 0u));
    Bytes expected = MakeBatch(1);
    expected.insert(expected.end(), expected.begin(), expected.end());
    CHECK(answer.partitions[0].records == expected);
  }
}

TEST_CASE("a response copies no more than a megabyte") {
  DataPlaneOptions options;
  options.small_read_bytes_max = 400'000;
  Harness harness(options);
  std::vector<FetchMessage::PartitionOf> partitions;
  for (int32_t i = 0; i < 4; ++i) {
    harness.AddPartition("orders", i).Append(MakeBatch(1, 300'000));
    partitions.push_back({i, 0});
  }
  FakeConnection& connection = harness.Connect();
  CHECK(harness.Fetch(connection, From("orders", partitions)).partitions.size() == 4);
  CHECK(connection.ranges[0] == 1);
}

TEST_CASE("offsets: out of range below and above, empty at the end") {
  Harness harness;
  Fill(harness, 1, 5);
  static_cast<FakeLog&>(harness.PartitionAt("orders", 0).log()).SetLogStart(2);
  for (const int64_t offset : {int64_t{0}, int64_t{1}, int64_t{6}, int64_t{-1}, INT64_MAX}) {
    const FetchAnswer answer = harness.Fetch(harness.Connect(), From("orders", {{0, offset}}));
    CHECK(answer.partitions[0].error == Code(KafkaError::kOffsetOutOfRange));
    CHECK(answer.partitions[0].high_watermark == -1);
    CHECK(answer.partitions[0].log_start == -1);
  }
  const FetchAnswer answer = harness.Fetch(harness.Connect(), From("orders", {{0, 5}}));
  CHECK(answer.partitions[0].error == 0);
  CHECK(answer.partitions[0].records.empty());
  CHECK(answer.partitions[0].high_watermark == 5);
}

TEST_CASE("leader epochs fence, older and newer; -1 does not") {
  Harness harness;
  Fill(harness, 1, 1);
  const auto error_of = [&](int32_t epoch, int16_t version) {
    FetchMessage message = From("orders", {{0, 0, 1000, epoch}});
    message.version = version;
    return harness.Fetch(harness.Connect(), message).partitions[0];
  };
  CHECK(error_of(-1, 12).error == 0);
  CHECK(error_of(5, 12).error == 0);
  CHECK(error_of(4, 12).error == Code(KafkaError::kFencedLeaderEpoch));
  CHECK(error_of(6, 12).error == Code(KafkaError::kUnknownLeaderEpoch));
  // From version 16 on the answer names the leader.
  CHECK(error_of(4, 15).leader_id == -1);
  CHECK(error_of(4, 16).leader_id == 1);
  CHECK(error_of(4, 16).leader_epoch == 5);
}

TEST_CASE("the last fetched epoch tells a diverged client where histories part") {
  Harness harness;
  Fill(harness, 1, 5);
  auto& log = static_cast<FakeLog&>(harness.PartitionAt("orders", 0).log());
  const auto fetch = [&](log::EpochEndOffset end) {
    log.SetEpochEnd(end);
    return harness.Fetch(harness.Connect(), From("orders", {{0, 4, 1000, -1, 3}})).partitions[0];
  };
  CHECK(fetch({3, 4}).records.size() == 100);
  const auto shorter = fetch({3, 2});
  CHECK(shorter.error == 0);
  CHECK(shorter.diverging_epoch == 3);
  CHECK(shorter.diverging_end == 2);
  CHECK(shorter.records.empty());
  CHECK(fetch({2, 9}).diverging_epoch == 2);
  CHECK(fetch({-1, -1}).error == Code(KafkaError::kOffsetOutOfRange));
}

TEST_CASE("a broker that is no replica is refused") {
  Harness harness;
  Fill(harness, 1, 1);
  for (const int16_t version : std::vector<int16_t>{12, 15}) {
    FetchMessage message = From("orders", {{0, 0}});
    message.version = version;
    message.replica_id = 2;
    CHECK(harness.Fetch(harness.Connect(), message).partitions[0].error ==
          Code(KafkaError::kNotLeaderOrFollower));
    message.topics[0].partitions[0].leader_epoch = 5;
    CHECK(harness.Fetch(harness.Connect(), message).partitions[0].error ==
          Code(KafkaError::kUnknownLeaderEpoch));
  }
}

TEST_CASE("topic ids: unknown topic, unknown partition, another incarnation") {
  Harness harness;
  harness.AddPartition("orders", 0, 1);
  harness.AddPartition("orders", 1, 2);
  FetchMessage message;
  message.version = 13;
  message.max_wait_ms = 0;
  message.topics = {{"", {{0, 0}}, TestUuid(9)}, {"", {{5, 0}, {0, 0}, {1, 0}}, TestUuid(2)}};
  const FetchAnswer answer = harness.Fetch(harness.Connect(), message);
  REQUIRE(answer.partitions.size() == 4);
  CHECK(answer.partitions[0].error == Code(KafkaError::kUnknownTopicId));
  CHECK(answer.partitions[1].error == Code(KafkaError::kUnknownTopicOrPartition));
  CHECK(answer.partitions[2].error == Code(KafkaError::kInconsistentTopicId));
  CHECK(answer.partitions[3].error == 0);
}

TEST_CASE("an offline log dir answers storage error") {
  Harness harness;
  Fill(harness, 1, 1);
  harness.dir->Fail();
  CHECK(harness.Fetch(harness.Connect(), From("orders", {{0, 0}})).partitions[0].error ==
        Code(KafkaError::kKafkaStorageError));
}

TEST_CASE("the answer mirrors a request with shuffled and unknown partitions; pipelined too") {
  Harness harness;
  Fill(harness, 8, 1);
  FakeConnection& connection = harness.Connect();
  std::vector<Bytes> frames;
  for (int32_t i = 0; i < 10; ++i) {
    FetchMessage message = From("orders", {{7, 0}, {99, 0}, {3, 0}, {0, 0}, {5, 0}});
    message.topics.push_back({"nope", {{0, 0}}, {}});
    message.topics.push_back({"orders", {{1, 0}}, {}});
    message.correlation_id = i;
    frames.push_back(message.Encode());
  }
  harness.Send(connection, frames);
  REQUIRE(connection.sent.size() == 10);
  const std::vector<int32_t> expected{7, 99, 3, 0, 5, 0, 1};
  for (int32_t i = 0; i < 10; ++i) {
    const FetchAnswer answer = FetchAnswer::Decode(connection.sent[static_cast<size_t>(i)], 12);
    CHECK(answer.correlation_id == i);
    REQUIRE(answer.partitions.size() == expected.size());
    for (size_t p = 0; p < expected.size(); ++p) {
      CHECK(answer.partitions[p].index == expected[p]);
    }
    CHECK(answer.partitions[5].topic == "nope");
  }
}

}  // namespace millrace::dataplane
