// Decoded Produce requests: several of one receive are gathered before they are appended, so that
// batches for one partition share a write.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/kafka_error.h"
#include "dataplane/parked_request.h"
#include "dataplane/partition.h"
#include "dataplane/request_header.h"

namespace millrace::dataplane {

// One partition of a request, and what became of it.
struct ProducePartition {
  std::string_view topic;  // Null from version 13 on.
  Uuid topic_id;
  int32_t index = 0;
  uint8_t* records = nullptr;  // Null: the field was null.
  size_t size = 0;
  std::shared_ptr<Partition> partition;  // Null: it is not here.

  KafkaError error = KafkaError::kNone;
  const char* error_message = nullptr;  // A constant sentence, or null.
  int64_t base_offset = -1;
  int64_t last_offset = -1;
  int64_t log_append_time_ms = -1;
  int64_t log_start_offset = -1;
  bool awaits_disk = false;  // The answer waits until the records are on disk.

  void Fail(KafkaError why, const char* message = nullptr) {
    error = why;
    error_message = message;
  }
};

struct ProduceRequest {
  int16_t version = 0;
  int32_t correlation_id = 0;
  int16_t acks = 0;
  int64_t timeout_ms = 0;
  bool transactional = false;  // It names a transactional id.
  bool admin = false;          // Kafka's admin client may write to internal topics.
  int64_t throttle_ms = 0;     // The client is over its quota.
  ReplyTo reply_to;
  // Its partitions: [first, first + count) of the gathered ones.
  size_t first = 0;
  size_t count = 0;
};

struct GatheredProduces {
  std::vector<ProduceRequest> requests;
  std::vector<ProducePartition> partitions;

  void Clear() {
    requests.clear();
    partitions.clear();
  }
};

// Adds the request to what is gathered. Views point into the frame. False: malformed, nothing was
// added; close the connection.
bool DecodeProduce(const RequestHeader& header, std::span<uint8_t> frame, const ReplyTo& reply_to,
                   GatheredProduces& gathered);

}  // namespace millrace::dataplane
