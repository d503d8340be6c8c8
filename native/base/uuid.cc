#include "base/uuid.h"

namespace millrace {

std::string Uuid::ToString() const {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  text.reserve(22);
  uint32_t pending = 0;
  int bits = 0;
  for (const uint8_t byte : bytes) {
    pending = pending << 8 | byte;
    for (bits += 8; bits >= 6; bits -= 6) text.push_back(kAlphabet[pending >> (bits - 6) & 63]);
  }
  text.push_back(kAlphabet[pending << (6 - bits) & 63]);
  return text;
}

}  // namespace millrace
