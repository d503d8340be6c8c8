// RecordBatch: a view of one batch of format v2 (magic 2) in memory. Layout: docs/log-format.md.
// The view checks nothing; whoever made it knows that `kHeaderSize` bytes are there
// (record/produce_validator.h, log/batch_scanner.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/crc32c.h"
#include "base/endian.h"

namespace millrace::record {

enum class Codec : uint8_t { kNone = 0, kGzip = 1, kSnappy = 2, kLz4 = 3, kZstd = 4 };

inline constexpr size_t kHeaderSize = 61;
inline constexpr size_t kLengthEnd =
    12;  // baseOffset and batchLength: what batchLength does not count.
inline constexpr int32_t kMinBatchLength = 49;  // The rest of the header.
inline constexpr size_t kMagicOffset = 16;
inline constexpr size_t kCrcStart = 21;  // The CRC covers everything from the attributes on.
inline constexpr int8_t kMagicV2 = 2;
inline constexpr int64_t kNoTimestamp = -1;
inline constexpr int64_t kNoProducerId = -1;

inline constexpr uint16_t kCodecMask = 0x07;
inline constexpr uint16_t kLogAppendTimeBit = 0x08;
inline constexpr uint16_t kTransactionalBit = 0x10;
inline constexpr uint16_t kControlBit = 0x20;
inline constexpr uint16_t kDeleteHorizonBit = 0x40;

// Read-only view.
class RecordBatch {
 public:
  explicit RecordBatch(const uint8_t* data) : data_(data) {}

  const uint8_t* data() const { return data_; }
  int64_t base_offset() const { return static_cast<int64_t>(LoadBe64(data_)); }
  int32_t batch_length() const { return static_cast<int32_t>(LoadBe32(data_ + 8)); }
  // Bytes of the whole batch; meaningful only if batch_length() was checked.
  size_t size() const { return kLengthEnd + static_cast<uint32_t>(batch_length()); }
  int32_t partition_leader_epoch() const { return static_cast<int32_t>(LoadBe32(data_ + 12)); }
  int8_t magic() const { return static_cast<int8_t>(data_[kMagicOffset]); }
  uint32_t crc() const { return LoadBe32(data_ + 17); }
  uint16_t attributes() const { return LoadBe16(data_ + 21); }
  int32_t last_offset_delta() const { return static_cast<int32_t>(LoadBe32(data_ + 23)); }
  int64_t base_timestamp() const { return static_cast<int64_t>(LoadBe64(data_ + 27)); }
  int64_t max_timestamp() const { return static_cast<int64_t>(LoadBe64(data_ + 35)); }
  int64_t producer_id() const { return static_cast<int64_t>(LoadBe64(data_ + 43)); }
  int16_t producer_epoch() const { return static_cast<int16_t>(LoadBe16(data_ + 51)); }
  int32_t base_sequence() const { return static_cast<int32_t>(LoadBe32(data_ + 53)); }
  int32_t records_count() const { return static_cast<int32_t>(LoadBe32(data_ + 57)); }

  int64_t last_offset() const { return base_offset() + last_offset_delta(); }
  uint8_t codec_bits() const { return static_cast<uint8_t>(attributes() & kCodecMask); }
  bool is_log_append_time() const { return (attributes() & kLogAppendTimeBit) != 0; }
  bool is_transactional() const { return (attributes() & kTransactionalBit) != 0; }
  bool is_control() const { return (attributes() & kControlBit) != 0; }
  bool has_producer_id() const { return producer_id() > kNoProducerId; }
  // The sequence of the last record; sequences wrap from INT32_MAX to 0.
  int32_t last_sequence() const;

  uint32_t ComputeCrc() const { return Crc32c(data_ + kCrcStart, size() - kCrcStart); }

 private:
  const uint8_t* data_;
};

// What a leader rewrites in place.
class MutableRecordBatch : public RecordBatch {
 public:
  explicit MutableRecordBatch(uint8_t* data) : RecordBatch(data), bytes_(data) {}

  void set_base_offset(int64_t value) { StoreBe64(bytes_, static_cast<uint64_t>(value)); }
  void set_partition_leader_epoch(int32_t value) {
    StoreBe32(bytes_ + 12, static_cast<uint32_t>(value));
  }
  void set_crc(uint32_t value) { StoreBe32(bytes_ + 17, value); }
  void set_attributes(uint16_t value) { StoreBe16(bytes_ + 21, value); }
  void set_max_timestamp(int64_t value) { StoreBe64(bytes_ + 35, static_cast<uint64_t>(value)); }

 private:
  uint8_t* bytes_;
};

// `sequence` plus `delta` on the circle of non-negative int32 values.
inline int32_t AddToSequence(int32_t sequence, int32_t delta) {
  return static_cast<int32_t>((static_cast<uint32_t>(sequence) + static_cast<uint32_t>(delta)) &
                              0x7FFFFFFFu);
}

inline int32_t RecordBatch::last_sequence() const {
  const int32_t first = base_sequence();
  return first < 0 ? first : AddToSequence(first, last_offset_delta());
}

}  // namespace millrace::record
