// Builds record batches for tests: valid by default, every header field can be bent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/record_batch.h"

namespace millrace::record {

struct TestBatch {
  int32_t records = 1;
  size_t value_size = 10;
  bool null_keys = false;
  uint16_t attributes = 0;
  int64_t base_offset = 0;
  int64_t timestamp = 1'000'000;  // Of the first record; each next one is 1 ms later.
  int64_t producer_id = -1;
  int16_t producer_epoch = -1;
  int32_t base_sequence = -1;
  uint8_t fill = 'v';

  std::vector<uint8_t> Build() const;
};

// Recomputes the CRC after a test bent a field.
inline void SealBatch(std::vector<uint8_t>& bytes) {
  StoreBe32(bytes.data() + 17, Crc32c(bytes.data() + kCrcStart, bytes.size() - kCrcStart));
}

namespace test_batch_internal {

inline void AppendVarint(std::vector<uint8_t>& out, int64_t value) {
  uint64_t raw = static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  while (raw >= 0x80) {
    out.push_back(static_cast<uint8_t>(raw | 0x80));
    raw >>= 7;
  }
  out.push_back(static_cast<uint8_t>(raw));
}

}  // namespace test_batch_internal

inline std::vector<uint8_t> TestBatch::Build() const {
  using test_batch_internal::AppendVarint;
  std::vector<uint8_t> bytes(kHeaderSize);
  for (int32_t i = 0; i < records; ++i) {
    std::vector<uint8_t> body;
    body.push_back(0);
    AppendVarint(body, timestamp < 0 ? 0 : i);
    AppendVarint(body, i);
    const std::string key = "key-" + std::to_string(i);
    AppendVarint(body, null_keys ? -1 : static_cast<int64_t>(key.size()));
    if (!null_keys) body.insert(body.end(), key.begin(), key.end());
    AppendVarint(body, static_cast<int64_t>(value_size));
    body.insert(body.end(), value_size, fill);
    AppendVarint(body, 0);
    AppendVarint(bytes, static_cast<int64_t>(body.size()));
    bytes.insert(bytes.end(), body.begin(), body.end());
  }
  MutableRecordBatch batch(bytes.data());
  batch.set_base_offset(base_offset);
  StoreBe32(bytes.data() + 8, static_cast<uint32_t>(bytes.size() - kLengthEnd));
  batch.set_partition_leader_epoch(-1);
  bytes[kMagicOffset] = 2;
  batch.set_attributes(attributes);
  StoreBe32(bytes.data() + 23, static_cast<uint32_t>(records - 1));
  StoreBe64(bytes.data() + 27, static_cast<uint64_t>(timestamp));
  batch.set_max_timestamp(timestamp < 0 ? timestamp : timestamp + records - 1);
  StoreBe64(bytes.data() + 43, static_cast<uint64_t>(producer_id));
  StoreBe16(bytes.data() + 51, static_cast<uint16_t>(producer_epoch));
  StoreBe32(bytes.data() + 53, static_cast<uint32_t>(base_sequence));
  StoreBe32(bytes.data() + 57, static_cast<uint32_t>(records));
  SealBatch(bytes);
  return bytes;
}

}  // namespace millrace::record
