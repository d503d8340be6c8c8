#include "log/producer_snapshot.h"

#include <algorithm>

#include "base/crc32c.h"
#include "base/endian.h"

namespace millrace::log {
namespace {

constexpr size_t kHeaderSize = 10;  // version i16, crc u32, count i32
constexpr size_t kCrcOffset = 2;
constexpr size_t kCrcStart = 6;
constexpr size_t kEntrySize = 46;
constexpr int16_t kVersion = 1;

void EncodeEntry(int64_t producer_id, const ProducerEntry& entry, uint8_t* to) {
  const ProducerBatch newest = entry.batch_count == 0 ? ProducerBatch{} : *entry.Newest();
  StoreBe64(to, static_cast<uint64_t>(producer_id));
  StoreBe16(to + 8, static_cast<uint16_t>(entry.epoch));
  StoreBe32(to + 10, static_cast<uint32_t>(newest.last_sequence));
  StoreBe64(to + 14, static_cast<uint64_t>(newest.last_offset));
  StoreBe32(to + 22, static_cast<uint32_t>(newest.offset_delta));
  StoreBe64(to + 26, static_cast<uint64_t>(entry.last_timestamp));
  StoreBe32(to + 34, static_cast<uint32_t>(entry.coordinator_epoch));
  StoreBe64(to + 38, static_cast<uint64_t>(entry.transaction_first_offset));
}

ProducerEntry DecodeEntry(const uint8_t* from, int64_t now_ms) {
  ProducerEntry entry;
  entry.epoch = static_cast<int16_t>(LoadBe16(from + 8));
  entry.last_timestamp = static_cast<int64_t>(LoadBe64(from + 26));
  entry.coordinator_epoch = static_cast<int32_t>(LoadBe32(from + 34));
  entry.transaction_first_offset = static_cast<int64_t>(LoadBe64(from + 38));
  entry.last_used_ms = now_ms;
  const ProducerBatch batch{static_cast<int32_t>(LoadBe32(from + 10)),
                            static_cast<int64_t>(LoadBe64(from + 14)),
                            static_cast<int32_t>(LoadBe32(from + 22)), entry.last_timestamp};
  if (batch.last_offset >= 0) entry.Add(batch);
  return entry;
}

}  // namespace

std::vector<uint8_t> EncodeProducerSnapshot(const ProducerStateTable& table) {
  std::vector<int64_t> ids;
  ids.reserve(table.entries().size());
  for (const auto& [producer_id, entry] : table.entries()) ids.push_back(producer_id);
  std::sort(ids.begin(), ids.end());  // The same state gives the same bytes.
  std::vector<uint8_t> bytes(kHeaderSize + ids.size() * kEntrySize);
  StoreBe16(bytes.data(), static_cast<uint16_t>(kVersion));
  StoreBe32(bytes.data() + kCrcStart, static_cast<uint32_t>(ids.size()));
  uint8_t* to = bytes.data() + kHeaderSize;
  for (const int64_t producer_id : ids) {
    EncodeEntry(producer_id, table.entries().at(producer_id), to);
    to += kEntrySize;
  }
  StoreBe32(bytes.data() + kCrcOffset, Crc32c(bytes.data() + kCrcStart, bytes.size() - kCrcStart));
  return bytes;
}

Result<ProducerStateTable> DecodeProducerSnapshot(std::span<const uint8_t> bytes, int64_t now_ms) {
  if (bytes.size() < kHeaderSize || LoadBe16(bytes.data()) != kVersion) {
    return Error{ErrorCode::kCorrupt, 0, "a producer snapshot is not of version 1"};
  }
  const uint64_t count = LoadBe32(bytes.data() + kCrcStart);
  if (bytes.size() != kHeaderSize + count * kEntrySize) {
    return Error{ErrorCode::kCorrupt, 0, "a producer snapshot is cut off"};
  }
  if (Crc32c(bytes.data() + kCrcStart, bytes.size() - kCrcStart) !=
      LoadBe32(bytes.data() + kCrcOffset)) {
    return Error{ErrorCode::kCorrupt, 0, "the CRC of a producer snapshot does not match"};
  }
  ProducerStateTable table;
  const uint8_t* from = bytes.data() + kHeaderSize;
  for (uint64_t i = 0; i < count; ++i, from += kEntrySize) {
    table.entries()[static_cast<int64_t>(LoadBe64(from))] = DecodeEntry(from, now_ms);
  }
  return table;
}

}  // namespace millrace::log
