#include "record/record_walk.h"

namespace millrace::record {
namespace {

// Reads zigzag varints and refuses what runs past the end.
class VarintReader {
 public:
  explicit VarintReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool Read(int64_t& value) {
    uint64_t raw = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (bytes_.empty()) return false;
      const uint8_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      if (shift < 64) raw |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) {
        value = static_cast<int64_t>(raw >> 1 ^ (0 - (raw & 1)));
        return true;
      }
    }
    return false;
  }

  bool Take(int64_t size, std::span<const uint8_t>& piece) {
    if (size < 0 || static_cast<uint64_t>(size) > bytes_.size()) return false;
    piece = bytes_.first(static_cast<size_t>(size));
    bytes_ = bytes_.subspan(static_cast<size_t>(size));
    return true;
  }

  bool empty() const { return bytes_.empty(); }

 private:
  std::span<const uint8_t> bytes_;
};

KeyCheck CheckRecord(std::span<const uint8_t> bytes) {
  VarintReader reader(bytes);
  std::span<const uint8_t> piece;
  int64_t timestamp_delta = 0;
  int64_t offset_delta = 0;
  int64_t key_size = 0;
  int64_t value_size = 0;
  const bool readable = reader.Take(1, piece) && reader.Read(timestamp_delta) &&
                        reader.Read(offset_delta) && reader.Read(key_size);
  if (!readable || key_size < -1) return KeyCheck::kUndecodable;
  if (key_size >= 0 && !reader.Take(key_size, piece)) return KeyCheck::kUndecodable;
  if (!reader.Read(value_size) || value_size < -1) return KeyCheck::kUndecodable;
  if (value_size >= 0 && !reader.Take(value_size, piece)) return KeyCheck::kUndecodable;
  return key_size < 0 ? KeyCheck::kNullKey : KeyCheck::kAllHaveKeys;
}

}  // namespace

KeyCheck CheckKeys(std::span<const uint8_t> records, int32_t count) {
  VarintReader reader(records);
  KeyCheck worst = KeyCheck::kAllHaveKeys;
  for (int32_t i = 0; i < count; ++i) {
    int64_t size = 0;
    std::span<const uint8_t> body;
    if (!reader.Read(size) || !reader.Take(size, body)) return KeyCheck::kUndecodable;
    const KeyCheck check = CheckRecord(body);
    if (check == KeyCheck::kUndecodable) return check;
    if (check == KeyCheck::kNullKey) worst = check;
  }
  return reader.empty() ? worst : KeyCheck::kUndecodable;
}

}  // namespace millrace::record
