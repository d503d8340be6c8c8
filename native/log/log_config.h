// The settings of one Log, already derived from topic, broker and default values by src/config.
// Names are Kafka's topic settings in snake case. A Log takes a new LogConfig at any time
// (Log::UpdateConfig).
#pragma once

#include <cstdint>
#include <limits>

namespace millrace::log {

enum class TimestampType : uint8_t { kCreateTime = 0, kLogAppendTime = 1 };
// When acks=all waits for the disk: kAuto = on partitions with one replica, kAlways, kNever
// (Kafka's behaviour).
enum class AcksAllFlush : uint8_t { kAuto, kAlways, kNever };

struct LogConfig {
  int64_t segment_bytes = 1 << 30;
  int64_t segment_ms = 604'800'000;
  int64_t segment_jitter_ms = 0;
  int64_t segment_index_bytes = 10 << 20;
  int64_t index_interval_bytes = 4096;
  int64_t max_message_bytes = 1'048'588;
  TimestampType message_timestamp_type = TimestampType::kCreateTime;
  int64_t message_timestamp_before_max_ms = std::numeric_limits<int64_t>::max();
  int64_t message_timestamp_after_max_ms = 3'600'000;
  int64_t file_delete_delay_ms = 60'000;
  int64_t flush_messages = std::numeric_limits<int64_t>::max();
  int64_t flush_ms = std::numeric_limits<int64_t>::max();
  int64_t producer_id_expiration_ms = 86'400'000;
  bool compacted = false;  // cleanup.policy has "compact": records need keys.
  AcksAllFlush acks_all_flush = AcksAllFlush::kAuto;
};

}  // namespace millrace::log
