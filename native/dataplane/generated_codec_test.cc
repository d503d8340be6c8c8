// The generated codecs against frames of the TypeScript codec (generated_codec_fixtures.h): every
// version of Produce and Fetch, requests read, responses written, and frames that are cut or lie.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dataplane/generated_codec_fixtures.h"
#include "dataplane/generated_fetch_request.h"
#include "dataplane/generated_fetch_response.h"
#include "dataplane/generated_produce_request.h"
#include "dataplane/generated_produce_response.h"

namespace millrace::dataplane::wire {
namespace {

std::vector<uint8_t> FromHex(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  }
  return bytes;
}

std::string ToHex(const std::vector<uint8_t>& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : bytes) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

Uuid Counting(uint8_t from) {
  Uuid uuid;
  for (uint8_t& byte : uuid.bytes) byte = from++;
  return uuid;
}

// Keeps what the decoders report.
struct ProduceVisitor {
  std::vector<TopicProduceData> topics;
  std::vector<int32_t> counts;
  std::vector<PartitionProduceData> partitions;

  void OnTopic(const TopicProduceData& topic, int32_t count) {
    topics.push_back(topic);
    counts.push_back(count);
  }
  void OnPartition(const PartitionProduceData& partition) { partitions.push_back(partition); }
};

struct FetchVisitor {
  std::vector<FetchTopic> topics;
  std::vector<FetchPartition> partitions;
  std::vector<FetchForgottenTopic> forgotten_topics;
  std::vector<int32_t> forgotten_partitions;

  void OnTopic(const FetchTopic& topic, int32_t) { topics.push_back(topic); }
  void OnPartition(const FetchPartition& partition) { partitions.push_back(partition); }
  void OnForgottenTopic(const FetchForgottenTopic& topic, int32_t) {
    forgotten_topics.push_back(topic);
  }
  void OnForgottenPartition(int32_t partition) { forgotten_partitions.push_back(partition); }
};

template <class Topic>
void CheckTopic(const Topic& topic, std::string_view name, int16_t version) {
  CHECK(name == (version < 13 ? "orders" : ""));
  CHECK(topic.topic_id == (version < 13 ? Uuid{} : Counting(0)));
}

bool DecodesProduce(const std::vector<uint8_t>& frame, size_t size, int16_t version) {
  ByteReader reader(frame.data(), size);
  ProduceRequestHead head;
  return DecodeProduceRequest(reader, version, head, ProduceVisitor{});
}

bool DecodesFetch(const std::vector<uint8_t>& frame, size_t size, int16_t version) {
  ByteReader reader(frame.data(), size);
  FetchRequestHead head;
  return DecodeFetchRequest(reader, version, head, FetchVisitor{});
}

}  // namespace

TEST_CASE("ProduceRequest: every version reads as TypeScript wrote it") {
  for (const auto& [version, hex] : kProduceRequestFixtures) {
    CAPTURE(version);
    const std::vector<uint8_t> frame = FromHex(hex);
    ByteReader reader(frame.data(), frame.size());
    ProduceRequestHead head;
    ProduceVisitor visitor;
    REQUIRE(DecodeProduceRequest(reader, version, head, visitor));
    CHECK(reader.remaining() == 0);
    CHECK(head.transactional_id == "tx");
    CHECK(head.acks == -1);
    CHECK(head.timeout_ms == 1500);
    CHECK(visitor.counts == std::vector<int32_t>{2, 0});
    CheckTopic(visitor.topics[0], visitor.topics[0].name, version);
    REQUIRE(visitor.partitions.size() == 2);
    CHECK(visitor.partitions[0].index == 0);
    const BytesView records = visitor.partitions[0].records;
    REQUIRE(records.size == 3);
    CHECK(records.data >= frame.data());
    CHECK(ToHex({records.data, records.data + records.size}) == "c0ffee");
    CHECK(visitor.partitions[1].index == 1);
    CHECK(visitor.partitions[1].records.is_null());
  }
}

TEST_CASE("FetchRequest: every version reads as TypeScript wrote it") {
  for (const auto& [version, hex] : kFetchRequestFixtures) {
    CAPTURE(version);
    const std::vector<uint8_t> frame = FromHex(hex);
    ByteReader reader(frame.data(), frame.size());
    FetchRequestHead head;
    FetchVisitor visitor;
    REQUIRE(DecodeFetchRequest(reader, version, head, visitor));
    CHECK(reader.remaining() == 0);
    CHECK(head.replica_id == (version < 15 ? 5 : -1));
    CHECK(head.replica_state.replica_id == (version < 15 ? -1 : 5));
    CHECK(head.replica_state.replica_epoch == (version < 15 ? -1 : 77));
    CHECK(head.max_wait_ms == 500);
    CHECK(head.min_bytes == 1);
    CHECK(head.max_bytes == 1'000'000);
    CHECK(head.isolation_level == 1);
    CHECK(head.session_id == (version < 7 ? 0 : 11));
    CHECK(head.session_epoch == (version < 7 ? -1 : 3));
    CHECK(head.rack_id == (version < 11 ? "" : "r1"));
    CheckTopic(visitor.topics[0], visitor.topics[0].topic, version);
    CHECK(visitor.forgotten_topics.size() == (version < 7 ? 0 : 1));
    CHECK(visitor.forgotten_partitions ==
          (version < 7 ? std::vector<int32_t>{} : std::vector{1, 2}));
    REQUIRE(visitor.partitions.size() == 2);
    const FetchPartition& full = visitor.partitions[0];
    CHECK(full.partition == 3);
    CHECK(full.fetch_offset == 1'234'567'890'123);
    CHECK(full.partition_max_bytes == 65'536);
    CHECK(full.log_start_offset == (version < 5 ? -1 : 5));
    CHECK(full.current_leader_epoch == (version < 9 ? -1 : 8));
    CHECK(full.last_fetched_epoch == (version < 12 ? -1 : 7));
    CHECK(full.replica_directory_id == (version < 17 ? Uuid{} : Counting(16)));
    CHECK(full.high_watermark == (version < 18 ? INT64_MAX : 99));
    CHECK(visitor.partitions[1].partition == 4);
    CHECK(visitor.partitions[1].high_watermark == INT64_MAX);
  }
}

TEST_CASE("requests cut at any byte are refused") {
  for (const auto& [version, hex] : kProduceRequestFixtures) {
    const std::vector<uint8_t> frame = FromHex(hex);
    for (size_t size = 0; size < frame.size(); ++size) {
      // A copy of the exact size, so that a sanitizer sees a read beyond it.
      const std::vector<uint8_t> cut(frame.begin(), frame.begin() + static_cast<ptrdiff_t>(size));
      CHECK_FALSE(DecodesProduce(cut, size, version));
    }
  }
  for (const auto& [version, hex] : kFetchRequestFixtures) {
    const std::vector<uint8_t> frame = FromHex(hex);
    for (size_t size = 0; size < frame.size(); ++size) {
      const std::vector<uint8_t> cut(frame.begin(), frame.begin() + static_cast<ptrdiff_t>(size));
      CHECK_FALSE(DecodesFetch(cut, size, version));
    }
  }
}

TEST_CASE("requests with any byte flipped are read or refused, within the frame") {
  for (const auto& [version, hex] : kFetchRequestFixtures) {
    const std::vector<uint8_t> frame = FromHex(hex);
    for (size_t at = 0; at < frame.size(); ++at) {
      std::vector<uint8_t> flipped = frame;
      flipped[at] = static_cast<uint8_t>(~flipped[at]);
      DecodesFetch(flipped, flipped.size(), version);
    }
  }
  for (const auto& [version, hex] : kProduceRequestFixtures) {
    const std::vector<uint8_t> frame = FromHex(hex);
    for (size_t at = 0; at < frame.size(); ++at) {
      std::vector<uint8_t> flipped = frame;
      flipped[at] = static_cast<uint8_t>(~flipped[at]);
      DecodesProduce(flipped, flipped.size(), version);
    }
  }
}

TEST_CASE("counts and tags that lie are refused, unknown tags are skipped") {
  const auto decodes = [](std::string_view hex, int16_t version) {
    const std::vector<uint8_t> frame = FromHex(hex);
    return DecodesProduce(frame, frame.size(), version);
  };
  CHECK(decodes("ffff0001000005dc00000000", 3));              // No topics.
  CHECK_FALSE(decodes("ffff0001000005dc7fffffff", 3));        // 2^31-1 topics.
  CHECK_FALSE(decodes("ffff0001000005dcffffffff", 3));        // A null array.
  CHECK(decodes("000001000005dc0100", 9));                    // The same, flexible.
  CHECK_FALSE(decodes("000001000005dcffffffff0f00", 9));      // 2^32-2 topics.
  CHECK_FALSE(decodes("000001000005dcffffffffffffff", 9));    // An endless varint.
  CHECK(decodes("000001000005dc01020502abcd0600", 9));        // Two unknown tags.
  CHECK_FALSE(decodes("000001000005dc01ffffffff0f", 9));      // 2^32-1 tags.
  CHECK_FALSE(decodes("000001000005dc010105ffffff0701", 9));  // A tag larger than the frame.
  CHECK_FALSE(decodes("ffff0001000005dc00000000", 2));        // Unknown versions.
  CHECK_FALSE(decodes("000001000005dc0100", 14));
}

TEST_CASE("ProduceResponse: every version is written as TypeScript writes it") {
  const std::string long_host(150, 'h');
  const std::vector<ProduceNodeEndpoint> endpoints = {
      {.node_id = 2, .host = long_host, .port = 9092, .rack = {}},
      {.node_id = 3, .host = "k", .port = 9093, .rack = "r1"}};
  const std::vector<ProduceBatchIndexAndErrorMessage> errors = {
      {.batch_index = 3, .batch_index_error_message = "bad"},
      {.batch_index = 4, .batch_index_error_message = {}}};
  PartitionProduceResponse full;
  full.index = 0;
  full.error_code = 87;
  full.base_offset = 42;
  full.log_append_time_ms = 1'700'000'000'000;
  full.log_start_offset = 7;
  full.record_errors = errors;
  full.error_message = "why";
  full.current_leader = {.leader_id = 2, .leader_epoch = 9};
  PartitionProduceResponse plain;
  plain.index = 1;
  plain.error_code = 6;
  plain.base_offset = -1;
  const TopicProduceResponse topic = {.name = "orders", .topic_id = Counting(0)};
  ProduceResponseHead head;
  head.throttle_time_ms = 5;
  head.node_endpoints = endpoints;

  for (const auto& [version, hex] : kProduceResponseFixtures) {
    CAPTURE(version);
    std::vector<uint8_t> out;
    ByteWriter writer(out);
    BeginProduceResponse(writer, version, head, 1);
    BeginTopicProduceResponse(writer, version, topic, 2);
    WritePartitionProduceResponse(writer, version, full);
    WritePartitionProduceResponse(writer, version, plain);
    EndTopicProduceResponse(writer, version, topic);
    EndProduceResponse(writer, version, head);
    CHECK(ToHex(out) == hex);
  }
}

TEST_CASE("FetchResponse: every version is written as TypeScript writes it") {
  const std::string long_host(150, 'h');
  const std::vector<FetchNodeEndpoint> endpoints = {
      {.node_id = 2, .host = long_host, .port = 9092, .rack = {}},
      {.node_id = 3, .host = "k", .port = 9093, .rack = "r1"}};
  const std::vector<FetchAbortedTransaction> aborted = {{.producer_id = 1, .first_offset = 2}};
  FetchPartitionData full;
  full.partition_index = 3;
  full.high_watermark = 100;
  full.last_stable_offset = 90;
  full.log_start_offset = 5;
  full.diverging_epoch = {.epoch = 6, .end_offset = 60};
  full.current_leader = {.leader_id = 2, .leader_epoch = 9};
  full.aborted_transactions = aborted;
  full.preferred_read_replica = 4;
  FetchPartitionData plain;
  plain.partition_index = 4;
  plain.error_code = 1;
  plain.high_watermark = -1;
  const FetchableTopicResponse topic = {.topic = "orders", .topic_id = Counting(0)};
  FetchResponseHead head;
  head.throttle_time_ms = 5;
  head.session_id = 11;
  head.node_endpoints = endpoints;

  for (const auto& [version, hex] : kFetchResponseFixtures) {
    CAPTURE(version);
    const std::vector<uint8_t> records = FromHex("c0ffee");
    std::vector<uint8_t> out;
    ByteWriter writer(out);
    BeginFetchResponse(writer, version, head, 1);
    BeginFetchableTopicResponse(writer, version, topic, 2);
    BeginFetchPartitionData(writer, version, full, static_cast<int64_t>(records.size()));
    writer.WriteRaw(records.data(), records.size());
    EndFetchPartitionData(writer, version, full);
    BeginFetchPartitionData(writer, version, plain, 0);
    EndFetchPartitionData(writer, version, plain);
    EndFetchableTopicResponse(writer, version, topic);
    EndFetchResponse(writer, version, head);
    CHECK(ToHex(out) == hex);
  }
}

TEST_CASE("response headers are tagged from the flexible version on") {
  const auto header = [](auto write, int16_t version) {
    std::vector<uint8_t> out;
    ByteWriter writer(out);
    write(writer, version, 7);
    return ToHex(out);
  };
  CHECK(header(WriteProduceResponseHeader, 8) == "00000007");
  CHECK(header(WriteProduceResponseHeader, 9) == "0000000700");
  CHECK(header(WriteFetchResponseHeader, 11) == "00000007");
  CHECK(header(WriteFetchResponseHeader, 12) == "0000000700");
}

}  // namespace millrace::dataplane::wire
