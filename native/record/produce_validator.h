// Decides whether the records of one Produce partition may be appended: Kafka's rules for Produce
// v3 and newer, from the batch header alone. Records are neither decompressed nor walked, except
// for the keys of uncompressed batches on compacted topics. Producer state (sequences, epochs) is
// checked by log/producer_state.h.
#pragma once

#include <cstdint>
#include <span>

#include "base/kafka_error.h"

namespace millrace::record {

struct ProduceRules {
  int16_t api_version = 0;        // Below 7 zstd is refused.
  int64_t max_message_bytes = 0;  // max.message.bytes, of the whole batch as received.
  int64_t segment_bytes = 0;      // A batch must fit a segment.
  bool log_append_time = false;   // message.timestamp.type
  int64_t timestamp_before_max_ms = 0;
  int64_t timestamp_after_max_ms = 0;
  int64_t now_ms = 0;
  bool keys_required = false;  // cleanup.policy has "compact".
};

struct ProduceVerdict {
  KafkaError error = KafkaError::kNone;
  const char* message = nullptr;  // A constant sentence.
  size_t batch_size = 0;  // The bytes to append when `error` is kNone; trailing bytes are left out.
};

// Any thread. Changes nothing.
ProduceVerdict ValidateProduce(std::span<const uint8_t> records, const ProduceRules& rules);

// Sets what a leader sets after validation: the topic's timestamp type and, for LogAppendTime,
// maxTimestamp = now_ms. Recomputes the CRC only if one of them changed. `batch` holds a whole
// valid batch.
void ApplyTimestampType(std::span<uint8_t> batch, const ProduceRules& rules);

}  // namespace millrace::record
