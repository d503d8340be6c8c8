// Writes Kafka's non-flexible encoding into one growing buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "wire/api.h"
#include "wire/big_endian.h"

namespace millrace::bench {

class Encoder {
 public:
  void Int8(int8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void Int16(int16_t value) { StoreInt16(Grow(2), value); }
  void Int32(int32_t value) { StoreInt32(Grow(4), value); }
  void Int64(int64_t value) { StoreInt64(Grow(8), value); }
  void Raw(std::string_view bytes) { bytes_.append(bytes); }

  void String(std::string_view text) {
    Int16(static_cast<int16_t>(text.size()));
    Raw(text);
  }

  // Zigzag, as record fields use it.
  void Varint(int64_t value) {
    uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    for (; rest >= 0x80; rest >>= 7) {
      Int8(static_cast<int8_t>((rest & 0x7f) | 0x80));
    }
    Int8(static_cast<int8_t>(rest));
  }

  // Starts a request frame; the correlation id is 0 until it is patched at kCorrelationAt.
  void BeginRequest(Api api) {
    Int32(0);
    Int16(static_cast<int16_t>(api.key));
    Int16(api.version);
    Int32(0);
    String("bench");
  }

  // Starts a response frame (response header version 0).
  void BeginResponse(int32_t correlation_id) {
    Int32(0);
    Int32(correlation_id);
  }

  void PatchInt32(size_t at, int32_t value) { StoreInt32(bytes_.data() + at, value); }

  // Writes the length of the frame, `trailing` bytes that follow from elsewhere included.
  void EndFrame(size_t trailing = 0) {
    PatchInt32(0, static_cast<int32_t>(bytes_.size() - 4 + trailing));
  }

  size_t size() const { return bytes_.size(); }
  std::string Take() { return std::exchange(bytes_, {}); }

  static constexpr size_t kCorrelationAt = 8;

 private:
  char* Grow(size_t count) {
    bytes_.resize(bytes_.size() + count);
    return bytes_.data() + bytes_.size() - count;
  }

  std::string bytes_;
};

}  // namespace millrace::bench
