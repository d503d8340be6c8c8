// A log on the in-memory file system for tests, with a plain vector as the model of what it must
// hold.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "io/faulty/faulty_file_system.h"
#include "log/log.h"
#include "record/test_batch.h"

namespace millrace::log {

inline const std::string kTestDirectory = "/logs/topic-0";

inline LogConfig SmallConfig() {
  LogConfig config;
  config.segment_bytes = 40'000;
  config.index_interval_bytes = 300;
  config.segment_index_bytes = 4096;
  return config;
}

inline std::shared_ptr<LogDir> MakeDir(io::FileSystem& files) {
  return std::make_shared<LogDir>(files, "/logs");
}

inline LogOpenOptions OpenOptions(const LogConfig& config, bool clean, int64_t recovery_point) {
  LogOpenOptions options;
  options.directory = kTestDirectory;
  options.config = config;
  options.clean_shutdown = clean;
  options.recovery_point = recovery_point;
  options.now_ms = 1'000'000;
  return options;
}

inline AppendContext Context(int32_t epoch = 0) {
  return AppendContext{.leader_epoch = epoch, .now_ms = 1'000'000, .api_version = 9};
}

// Appends one batch; the bytes are rewritten as the log rewrites them.
inline AppendJob AppendOne(Log& log, std::vector<uint8_t>& bytes, int32_t epoch = 0) {
  AppendJob job;
  job.records = bytes.data();
  job.size = bytes.size();
  log.AppendAsLeader(std::span(&job, 1), Context(epoch));
  return job;
}

inline std::vector<uint8_t> SliceBytes(const LogSlice& slice) {
  std::vector<uint8_t> bytes(slice.size);
  REQUIRE(CopySlice(slice, bytes.data()).ok());
  return bytes;
}

struct StoredBatch {
  int64_t base_offset = 0;
  int64_t last_offset = 0;
  std::vector<uint8_t> bytes;
};

// Reads the whole log batch by batch, as a consumer that follows the offsets does.
inline std::vector<StoredBatch> ReadAll(Log& log, size_t max_bytes = 5000) {
  std::vector<StoredBatch> all;
  int64_t offset = log.offsets().log_start_offset;
  const int64_t end = log.offsets().log_end_offset;
  while (offset < end) {
    const ReadResult read = log.Read({.offset = offset, .max_bytes = max_bytes});
    REQUIRE(read.error == KafkaError::kNone);
    const std::vector<uint8_t> bytes = SliceBytes(read.slice);
    REQUIRE_FALSE(bytes.empty());
    size_t at = 0;
    while (at + record::kHeaderSize <= bytes.size()) {
      const record::RecordBatch batch(bytes.data() + at);
      if (at + batch.size() > bytes.size()) break;  // Cut at the byte limit.
      REQUIRE(batch.crc() == batch.ComputeCrc());
      REQUIRE(batch.last_offset() >= offset);
      const auto begin = bytes.begin() + static_cast<long>(at);
      all.push_back({batch.base_offset(), batch.last_offset(),
                     std::vector<uint8_t>(begin, begin + static_cast<long>(batch.size()))});
      at += batch.size();
      offset = batch.last_offset() + 1;
    }
    REQUIRE(at > 0);
  }
  return all;
}

inline bool operator==(const StoredBatch& a, const StoredBatch& b) {
  return a.base_offset == b.base_offset && a.last_offset == b.last_offset && a.bytes == b.bytes;
}

}  // namespace millrace::log
