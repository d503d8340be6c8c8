// Reads Kafka's non-flexible encoding. A read past the end yields zeros and clears ok(), so that a
// caller checks once after a whole message.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/big_endian.h"

namespace millrace::bench {

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  int8_t Int8() { return Has(1) ? static_cast<int8_t>(*Advance(1)) : int8_t{0}; }
  int16_t Int16() { return Has(2) ? LoadInt16(Advance(2)) : int16_t{0}; }
  int32_t Int32() { return Has(4) ? LoadInt32(Advance(4)) : 0; }
  int64_t Int64() { return Has(8) ? LoadInt64(Advance(8)) : 0; }

  // Null reads as empty.
  std::string_view String() { return Bytes(Int16()); }
  std::string_view Bytes(int32_t size) {
    const size_t count = size < 0 ? 0 : static_cast<size_t>(size);
    return Has(count) ? std::string_view(Advance(count), count) : std::string_view();
  }

  // An array's count, at most the bytes that are left; null reads as empty.
  int32_t Count() {
    const int32_t count = Int32();
    if (count > 0 && static_cast<size_t>(count) > rest_.size()) {
      ok_ = false;
      return 0;
    }
    return count < 0 ? 0 : count;
  }

  bool ok() const { return ok_; }

 private:
  bool Has(size_t count) {
    ok_ = ok_ && rest_.size() >= count;
    return ok_;
  }
  const char* Advance(size_t count) {
    const char* at = rest_.data();
    rest_.remove_prefix(count);
    return at;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace millrace::bench
