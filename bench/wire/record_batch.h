// RecordBatch v2: where its fields lie, and how to make one of an exact size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::bench {

inline constexpr size_t kBatchLengthAt = 8;
inline constexpr size_t kBatchLeaderEpochAt = 12;
inline constexpr size_t kBatchMagicAt = 16;
inline constexpr size_t kBatchCrcAt = 17;
inline constexpr size_t kBatchAttributesAt = 21;
inline constexpr size_t kBatchLastOffsetDeltaAt = 23;
inline constexpr size_t kBatchHeaderSize = 61;
// What precedes the part that the length field counts.
inline constexpr size_t kBatchLogOverhead = 12;

struct RecordBatch {
  std::string bytes;
  int32_t record_count = 0;
  // Where the value of the first record starts.
  size_t first_value_at = 0;
};

// Values of `record_size` bytes, no keys, no producer id, base offset 0, now as timestamp, valid
// checksum. As many records as fit into `batch_bytes`, the last one lengthened to fill it up (by a
// byte less where a varint does not allow the exact size); one record if `batch_bytes` is 0.
RecordBatch MakeRecordBatch(size_t record_size, size_t batch_bytes);

// A whole batch out of a file, as the TypeScript side writes it where a codec is wanted.
RecordBatch ReadRecordBatch(const std::string& path);

// Writes the checksum anew after a record was changed in place.
void SealRecordBatch(char* batch, size_t size);

}  // namespace millrace::bench
