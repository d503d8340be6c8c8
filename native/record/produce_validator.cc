#include "record/produce_validator.h"

#include "record/record_batch.h"
#include "record/record_walk.h"

namespace millrace::record {
namespace {

constexpr int32_t kMinLegacyLength = 14;  // The smallest messageSize of any format.

ProduceVerdict Refuse(KafkaError error, const char* message) { return {error, message, 0}; }

enum class Framing : uint8_t { kNone /* no whole batch here */, kBatch, kCorrupt };

// What stands at the start of `bytes`, read as Kafka reads a byte buffer of batches.
Framing Frame(std::span<const uint8_t> bytes) {
  if (bytes.size() < kLengthEnd) return Framing::kNone;
  const RecordBatch batch(bytes.data());
  const int32_t length = batch.batch_length();
  if (length < kMinLegacyLength) return Framing::kCorrupt;
  if (bytes.size() <= kMagicOffset) return Framing::kNone;
  if (batch.magic() < 0 || batch.magic() > kMagicV2) return Framing::kCorrupt;
  return bytes.size() < batch.size() ? Framing::kNone : Framing::kBatch;
}

ProduceVerdict CheckFraming(std::span<const uint8_t> records) {
  switch (Frame(records)) {
    case Framing::kCorrupt:
      return Refuse(KafkaError::kCorruptMessage,
                    "The batch has an impossible length or magic; it was damaged on its way.");
    case Framing::kNone:
      return Refuse(KafkaError::kInvalidRecord,
                    "A produce request needs exactly one whole record batch a partition.");
    case Framing::kBatch:
      break;
  }
  const RecordBatch batch(records.data());
  if (batch.magic() != kMagicV2) {
    return Refuse(KafkaError::kInvalidRecord,
                  "Only record batches with magic 2 are accepted from Produce version 3 on.");
  }
  if (batch.batch_length() < kMinBatchLength) {
    return Refuse(KafkaError::kCorruptMessage, "The batch is shorter than its own header.");
  }
  switch (Frame(records.subspan(batch.size()))) {
    case Framing::kCorrupt:
      return Refuse(KafkaError::kCorruptMessage, "The bytes behind the batch are damaged.");
    case Framing::kBatch:
      return Refuse(KafkaError::kInvalidRecord,
                    "A produce request must hold one record batch a partition, not several.");
    case Framing::kNone:
      break;
  }
  return {KafkaError::kNone, nullptr, batch.size()};
}

ProduceVerdict CheckBatch(const RecordBatch& batch, const ProduceRules& rules) {
  if (rules.api_version < 7 && batch.codec_bits() == static_cast<uint8_t>(Codec::kZstd)) {
    return Refuse(
        KafkaError::kUnsupportedCompressionType,
        "zstd needs Produce version 7 or newer; upgrade the client or use another codec.");
  }
  if (batch.base_offset() != 0) {
    return Refuse(KafkaError::kInvalidRecord, "The base offset of a produced batch must be 0.");
  }
  if (static_cast<int64_t>(batch.size()) > rules.max_message_bytes) {
    return Refuse(KafkaError::kMessageTooLarge,
                  "The record batch is larger than the topic's max.message.bytes.");
  }
  if (batch.ComputeCrc() != batch.crc()) {
    return Refuse(KafkaError::kCorruptMessage, "The CRC of the record batch does not match.");
  }
  if (batch.codec_bits() > static_cast<uint8_t>(Codec::kZstd)) {
    return Refuse(KafkaError::kUnknownServerError, "The batch names an unknown compression codec.");
  }
  const int64_t count = batch.records_count();
  if (count <= 0 || int64_t{batch.last_offset_delta()} + 1 != count) {
    return Refuse(KafkaError::kInvalidRecord,
                  "The batch's record count and its last offset delta contradict each other.");
  }
  if (batch.is_control()) {
    return Refuse(KafkaError::kInvalidRecord, "Clients may not write control records.");
  }
  if (batch.has_producer_id() && batch.base_sequence() < 0) {
    return Refuse(KafkaError::kInvalidRecord,
                  "A batch with a producer id needs a sequence of 0 or more.");
  }
  return {KafkaError::kNone, nullptr, batch.size()};
}

bool InRange(int64_t timestamp, const ProduceRules& rules) {
  if (timestamp == kNoTimestamp) return true;
  int64_t age = 0;
  // Only a time near the beginning of int64 overflows; it is older than any limit but "none".
  if (__builtin_sub_overflow(rules.now_ms, timestamp, &age)) age = INT64_MAX;
  return age <= rules.timestamp_before_max_ms && -age <= rules.timestamp_after_max_ms;
}

ProduceVerdict CheckTimestamps(const RecordBatch& batch, const ProduceRules& rules) {
  const bool has_times = batch.max_timestamp() != kNoTimestamp;
  if (batch.is_log_append_time() && (rules.log_append_time || !has_times)) {
    return Refuse(KafkaError::kInvalidTimestamp,
                  "A producer must not set the timestamp type LogAppendTime.");
  }
  // Times of a batch marked LogAppendTime are its maxTimestamp alone.
  const bool base_counts = !batch.is_log_append_time();
  const bool in_range = InRange(batch.max_timestamp(), rules) &&
                        (!base_counts || InRange(batch.base_timestamp(), rules));
  if (!rules.log_append_time && !in_range) {
    return Refuse(KafkaError::kInvalidTimestamp,
                  "A timestamp lies outside message.timestamp.before.max.ms and "
                  "message.timestamp.after.max.ms of the broker's clock.");
  }
  return {KafkaError::kNone, nullptr, batch.size()};
}

ProduceVerdict CheckRecordKeys(const RecordBatch& batch) {
  if (batch.codec_bits() == 0) {
    const std::span<const uint8_t> records(batch.data() + kHeaderSize, batch.size() - kHeaderSize);
    switch (CheckKeys(records, batch.records_count())) {
      case KeyCheck::kNullKey:
        return Refuse(KafkaError::kInvalidRecord,
                      "A compacted topic does not accept records without a key.");
      case KeyCheck::kUndecodable:
        return Refuse(KafkaError::kUnknownServerError, "The records cannot be decoded.");
      case KeyCheck::kAllHaveKeys:
        break;
    }
  }
  return {KafkaError::kNone, nullptr, batch.size()};
}

}  // namespace

ProduceVerdict ValidateProduce(std::span<const uint8_t> records, const ProduceRules& rules) {
  ProduceVerdict verdict = CheckFraming(records);
  if (verdict.error != KafkaError::kNone) return verdict;
  const RecordBatch batch(records.data());
  verdict = CheckBatch(batch, rules);
  if (verdict.error == KafkaError::kNone && rules.keys_required) verdict = CheckRecordKeys(batch);
  if (verdict.error == KafkaError::kNone) verdict = CheckTimestamps(batch, rules);
  if (verdict.error == KafkaError::kNone &&
      static_cast<int64_t>(batch.size()) > rules.segment_bytes) {
    return Refuse(KafkaError::kRecordListTooLarge,
                  "The record batch is larger than the topic's segment.bytes.");
  }
  return verdict;
}

void ApplyTimestampType(std::span<uint8_t> bytes, const ProduceRules& rules) {
  MutableRecordBatch batch(bytes.data());
  const uint16_t old_attributes = batch.attributes();
  const int64_t old_max = batch.max_timestamp();
  uint16_t attributes = old_attributes & static_cast<uint16_t>(~kLogAppendTimeBit);
  int64_t max_timestamp = old_max;
  if (rules.log_append_time) {
    attributes |= kLogAppendTimeBit;
    max_timestamp = rules.now_ms;
  }
  if (attributes == old_attributes && max_timestamp == old_max) return;
  batch.set_attributes(attributes);
  batch.set_max_timestamp(max_timestamp);
  batch.set_crc(batch.ComputeCrc());
}

}  // namespace millrace::record
