// A session-less Fetch request for one partition, and the fixed part of its answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/big_endian.h"
#include "wire/encoder.h"
#include "wire/record_batch.h"

namespace millrace::bench {

inline constexpr int32_t kPartitionMaxBytes = 1 << 20;

class FetchFrame {
 public:
  FetchFrame(const std::string& topic, int32_t partition, int32_t max_wait_ms = 500) {
    Encoder frame;
    frame.BeginRequest(kFetchApi);
    frame.Int32(-1);
    frame.Int32(max_wait_ms);
    frame.Int32(1);
    frame.Int32(52'428'800);
    frame.Int8(0);
    frame.Int32(0);
    frame.Int32(-1);
    frame.Int32(1);
    frame.String(topic);
    frame.Int32(1);
    frame.Int32(partition);
    frame.Int32(-1);
    offset_at_ = frame.size();
    frame.Int64(0);
    frame.Int64(-1);
    frame.Int32(kPartitionMaxBytes);
    frame.Int32(0);
    frame.String("");
    frame.EndFrame();
    bytes_ = frame.Take();
  }

  // The frame that asks from `offset` on.
  const std::string& At(int32_t correlation_id, int64_t offset) {
    StoreInt32(bytes_.data() + Encoder::kCorrelationAt, correlation_id);
    StoreInt64(bytes_.data() + offset_at_, offset);
    return bytes_;
  }

 private:
  std::string bytes_;
  size_t offset_at_ = 0;
};

// Everything before the records, whose size depends on the topic's name alone as long as there are
// no aborted transactions.
inline size_t FetchHeaderSize(const std::string& topic) { return 24 + topic.size() + 46; }

struct FetchHeader {
  int32_t frame_size;
  int32_t correlation_id;
  int64_t high_watermark;
  size_t records_size;
};

// Reads the fixed part; ends the process on an error code or a layout that is not the expected one.
FetchHeader ReadFetchHeader(std::string_view bytes, const std::string& topic);

}  // namespace millrace::bench
