// Produce and Fetch messages for tests: requests encoded and responses decoded by hand, apart from
// the generated codecs that they test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "base/uuid.h"

namespace millrace::dataplane {

using Bytes = std::vector<uint8_t>;

Uuid TestUuid(uint8_t last);

struct ProduceMessage {
  struct PartitionOf {
    int32_t index = 0;
    std::optional<Bytes> records;
  };
  struct TopicOf {
    std::string name;
    std::vector<PartitionOf> partitions;
    Uuid id;
  };
  int16_t version = 9;
  int32_t correlation_id = 7;
  std::optional<std::string> client_id = "test";
  std::optional<std::string> transactional_id;
  int16_t acks = 1;
  int32_t timeout_ms = 1000;
  std::vector<TopicOf> topics;

  Bytes Encode() const;
};

struct ProduceAnswer {
  struct PartitionOf {
    std::string topic;
    Uuid topic_id;
    int32_t index = 0;
    int16_t error = 0;
    int64_t base_offset = 0;
    int64_t log_append_time = 0;
    int64_t log_start = 0;
    std::optional<std::string> message;
  };
  int32_t correlation_id = 0;
  int32_t throttle_ms = 0;
  std::vector<PartitionOf> partitions;

  // `frame` with its size in front; fails the test if bytes are missing or left over.
  static ProduceAnswer Decode(const Bytes& frame, int16_t version);
};

struct FetchMessage {
  struct PartitionOf {
    int32_t index = 0;
    int64_t offset = 0;
    int32_t max_bytes = 1 << 20;
    int32_t leader_epoch = -1;
    int32_t last_fetched_epoch = -1;
  };
  struct TopicOf {
    std::string name;
    std::vector<PartitionOf> partitions;
    Uuid id;
  };
  int16_t version = 12;
  int32_t correlation_id = 11;
  int32_t replica_id = -1;
  int32_t max_wait_ms = 500;
  int32_t min_bytes = 1;
  int32_t max_bytes = 50 << 20;
  int8_t isolation = 0;
  int32_t session_id = 0;
  int32_t session_epoch = -1;
  std::vector<TopicOf> topics;
  std::vector<TopicOf> forgotten;

  Bytes Encode() const;
};

struct FetchAnswer {
  struct PartitionOf {
    std::string topic;
    Uuid topic_id;
    int32_t index = 0;
    int16_t error = 0;
    int64_t high_watermark = 0;
    int64_t last_stable = 0;
    int64_t log_start = -1;
    bool aborted_null = false;
    int32_t preferred = -1;
    Bytes records;
    int32_t diverging_epoch = -1;
    int64_t diverging_end = -1;
    int32_t leader_id = -1;
    int32_t leader_epoch = -1;
  };
  int32_t correlation_id = 0;
  int16_t error = 0;
  int32_t throttle_ms = 0;
  int32_t session_id = 0;
  std::vector<PartitionOf> partitions;

  static FetchAnswer Decode(const Bytes& frame, int16_t version);
  const PartitionOf* Find(const std::string& topic, int32_t index) const;
};

}  // namespace millrace::dataplane
