// Protects Kafka's answers to good and bad produce batches (kafka.md 2.1), error by error.
#include "record/produce_validator.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "record/record_walk.h"
#include "record/test_batch.h"

namespace millrace::record {
namespace {

constexpr int64_t kNow = 1'000'500;

ProduceRules Rules() {
  return ProduceRules{.api_version = 9,
                      .max_message_bytes = 10'000,
                      .segment_bytes = 1'000'000,
                      .log_append_time = false,
                      .timestamp_before_max_ms = std::numeric_limits<int64_t>::max(),
                      .timestamp_after_max_ms = 3'600'000,
                      .now_ms = kNow,
                      .keys_required = false};
}

using Bytes = std::vector<uint8_t>;

struct Case {
  const char* name;
  KafkaError expected;
  std::function<void(Bytes&, ProduceRules&)> bend;
  bool reseal = true;  // The bent bytes get a fresh CRC.
};

void Put16(Bytes& b, size_t at, int value) {
  StoreBe16(b.data() + at, static_cast<uint16_t>(value));
}
void Put32(Bytes& b, size_t at, int64_t value) {
  StoreBe32(b.data() + at, static_cast<uint32_t>(value));
}
void Put64(Bytes& b, size_t at, int64_t value) {
  StoreBe64(b.data() + at, static_cast<uint64_t>(value));
}

const Case kCases[] = {
    {"a plain batch", KafkaError::kNone, [](Bytes&, ProduceRules&) {}},
    {"nothing", KafkaError::kInvalidRecord, [](Bytes& b, ProduceRules&) { b.clear(); }, false},
    {"a cut-off batch", KafkaError::kInvalidRecord, [](Bytes& b, ProduceRules&) { b.pop_back(); },
     false},
    {"a few trailing bytes", KafkaError::kNone,
     [](Bytes& b, ProduceRules&) { b.resize(b.size() + 11); }, false},
    {"two batches", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) {
       const Bytes c = b;
       b.insert(b.end(), c.begin(), c.end());
     },
     false},
    {"length below 14", KafkaError::kCorruptMessage,
     [](Bytes& b, ProduceRules&) { Put32(b, 8, 13); }, false},
    {"negative length", KafkaError::kCorruptMessage,
     [](Bytes& b, ProduceRules&) { Put32(b, 8, -1); }, false},
    {"length below the header", KafkaError::kCorruptMessage,
     [](Bytes& b, ProduceRules&) {
       Put32(b, 8, 48);
       b.resize(60);
     },
     false},
    {"magic 0", KafkaError::kInvalidRecord, [](Bytes& b, ProduceRules&) { b[16] = 0; }},
    {"magic 1", KafkaError::kInvalidRecord, [](Bytes& b, ProduceRules&) { b[16] = 1; }},
    {"magic 3", KafkaError::kCorruptMessage, [](Bytes& b, ProduceRules&) { b[16] = 3; }},
    {"magic -1", KafkaError::kCorruptMessage, [](Bytes& b, ProduceRules&) { b[16] = 255; }},
    {"a flipped value byte", KafkaError::kCorruptMessage,
     [](Bytes& b, ProduceRules&) { b.back() ^= 1; }, false},
    {"base offset 1", KafkaError::kInvalidRecord, [](Bytes& b, ProduceRules&) { Put64(b, 0, 1); }},
    {"exactly max.message.bytes", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) { r.max_message_bytes = static_cast<int64_t>(b.size()); }},
    {"one above max.message.bytes", KafkaError::kMessageTooLarge,
     [](Bytes& b, ProduceRules& r) { r.max_message_bytes = static_cast<int64_t>(b.size()) - 1; }},
    {"exactly segment.bytes", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) { r.segment_bytes = static_cast<int64_t>(b.size()); }},
    {"one above segment.bytes", KafkaError::kRecordListTooLarge,
     [](Bytes& b, ProduceRules& r) { r.segment_bytes = static_cast<int64_t>(b.size()) - 1; }},
    {"count 0", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) {
       Put32(b, 57, 0);
       Put32(b, 23, -1);
     }},
    {"count above delta + 1", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) { Put32(b, 57, 4); }},
    {"delta above count - 1", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) { Put32(b, 23, 9); }},
    {"a control batch", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) { Put16(b, 21, 0x30); }},
    {"codec 4 on v7", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) {
       Put16(b, 21, 4);
       r.api_version = 7;
     }},
    {"codec 4 on v6", KafkaError::kUnsupportedCompressionType,
     [](Bytes& b, ProduceRules& r) {
       Put16(b, 21, 4);
       r.api_version = 6;
     }},
    {"codec 5", KafkaError::kUnknownServerError, [](Bytes& b, ProduceRules&) { Put16(b, 21, 5); }},
    {"codec 7", KafkaError::kUnknownServerError, [](Bytes& b, ProduceRules&) { Put16(b, 21, 7); }},
    {"a producer without sequence", KafkaError::kInvalidRecord,
     [](Bytes& b, ProduceRules&) {
       Put64(b, 43, 5);
       Put16(b, 51, 0);
       Put32(b, 53, -1);
     }},
    {"a producer with sequence 0", KafkaError::kNone,
     [](Bytes& b, ProduceRules&) {
       Put64(b, 43, 5);
       Put16(b, 51, 0);
       Put32(b, 53, 0);
     }},
    {"no timestamps", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) {
       Put64(b, 27, -1);
       Put64(b, 35, -1);
       r.timestamp_before_max_ms = 0;
     }},
    {"max timestamp too far ahead", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules&) { Put64(b, 35, kNow + 3'600'001); }},
    {"max timestamp just in reach", KafkaError::kNone,
     [](Bytes& b, ProduceRules&) { Put64(b, 35, kNow + 3'600'000); }},
    {"base timestamp too old", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules& r) {
       r.timestamp_before_max_ms = 1000;
       Put64(b, 27, kNow - 1001);
     }},
    {"base timestamp just in reach", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) {
       r.timestamp_before_max_ms = 1000;
       Put64(b, 27, kNow - 1000);
     }},
    {"the earliest int64", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules& r) {
       r.timestamp_before_max_ms = 1000;
       Put64(b, 27, INT64_MIN);
     }},
    {"the latest int64", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules&) { Put64(b, 35, INT64_MAX); }},
    {"any time on LogAppendTime", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) {
       r.log_append_time = true;
       Put64(b, 35, INT64_MAX);
     }},
    {"LogAppendTime set by the client there", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules& r) {
       r.log_append_time = true;
       Put16(b, 21, 8);
     }},
    {"LogAppendTime set by the client on CreateTime", KafkaError::kNone,
     [](Bytes& b, ProduceRules&) { Put16(b, 21, 8); }},
    {"the same without time", KafkaError::kInvalidTimestamp,
     [](Bytes& b, ProduceRules&) {
       Put16(b, 21, 8);
       Put64(b, 35, -1);
     }},
    {"keys where needed", KafkaError::kNone,
     [](Bytes&, ProduceRules& r) { r.keys_required = true; }},
    {"compressed where keys are needed", KafkaError::kNone,
     [](Bytes& b, ProduceRules& r) {
       r.keys_required = true;
       Put16(b, 21, 1);
     }},
    {"undecodable records where keys are needed", KafkaError::kUnknownServerError,
     [](Bytes& b, ProduceRules& r) {
       r.keys_required = true;
       b[61] = 0xFE;
     }},
    {"unused attribute bits", KafkaError::kNone,
     [](Bytes& b, ProduceRules&) { Put16(b, 21, 0xFF80); }},
};

TEST_CASE("every good or bad batch gets Kafka's answer") {
  for (const Case& c : kCases) {
    CAPTURE(c.name);
    Bytes bytes = TestBatch{.records = 3, .timestamp = 1'000'000}.Build();
    const size_t whole = bytes.size();
    ProduceRules rules = Rules();
    c.bend(bytes, rules);
    if (c.reseal) SealBatch(bytes);
    const ProduceVerdict verdict = ValidateProduce(bytes, rules);
    CHECK(static_cast<int>(verdict.error) == static_cast<int>(c.expected));
    CHECK((verdict.message != nullptr) == (c.expected != KafkaError::kNone));
    if (verdict.error == KafkaError::kNone) CHECK(verdict.batch_size == whole);
  }
}

TEST_CASE("a record without key is refused on a compacted topic, an empty key is not") {
  ProduceRules rules = Rules();
  rules.keys_required = true;
  const Bytes null_keys = TestBatch{.records = 3, .null_keys = true}.Build();
  CHECK(ValidateProduce(null_keys, rules).error == KafkaError::kInvalidRecord);
  rules.keys_required = false;
  CHECK(ValidateProduce(null_keys, rules).error == KafkaError::kNone);
  const Bytes empty_key = {
      0x0C, 0, 0, 0, 0, 0, 0};  // length 6, attributes, deltas, key "", value "", no headers
  CHECK(CheckKeys(empty_key, 1) == KeyCheck::kAllHaveKeys);
}

TEST_CASE("validation reads no byte behind a truncated batch") {
  const Bytes whole = TestBatch{.records = 2}.Build();
  for (size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(),
                    whole.begin() + static_cast<long>(size));  // ASan guards its end.
    CHECK(ValidateProduce(cut, Rules()).error != KafkaError::kNone);
    if (size > kHeaderSize) {
      const Bytes records(whole.begin() + kHeaderSize, whole.begin() + static_cast<long>(size));
      CHECK(CheckKeys(records, 2) == KeyCheck::kUndecodable);
    }
  }
}

TEST_CASE("the timestamp type is the topic's, and the CRC follows only where it must") {
  ProduceRules rules = Rules();
  Bytes bytes = TestBatch{.records = 3}.Build();
  const Bytes before = bytes;
  ApplyTimestampType(bytes, rules);
  CHECK(bytes == before);

  rules.log_append_time = true;
  ApplyTimestampType(bytes, rules);
  const RecordBatch batch(bytes.data());
  CHECK(batch.is_log_append_time());
  CHECK(batch.max_timestamp() == kNow);
  CHECK(batch.base_timestamp() == 1'000'000);
  CHECK(batch.ComputeCrc() == batch.crc());

  rules.log_append_time = false;
  ApplyTimestampType(bytes, rules);
  CHECK_FALSE(batch.is_log_append_time());
  CHECK(batch.ComputeCrc() == batch.crc());
}

TEST_CASE("sequences wrap from the largest int32 to 0") {
  CHECK(AddToSequence(INT32_MAX, 1) == 0);
  CHECK(AddToSequence(INT32_MAX - 1, 3) == 1);
  CHECK(AddToSequence(1, -3) == INT32_MAX - 1);
}

}  // namespace
}  // namespace millrace::record
