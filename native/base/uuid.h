// Uuid: 16 bytes as Kafka's topic ids stand on the wire. All zeros means "none".
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

namespace millrace {

struct Uuid {
  std::array<uint8_t, 16> bytes{};

  friend bool operator==(const Uuid&, const Uuid&) = default;
  bool IsZero() const { return *this == Uuid{}; }
  static Uuid FromBytes(const uint8_t* from) {
    Uuid uuid;
    std::memcpy(uuid.bytes.data(), from, uuid.bytes.size());
    return uuid;
  }
  // Kafka's text form: URL-safe base64 without padding, 22 characters.
  std::string ToString() const;
};

}  // namespace millrace

template <>
struct std::hash<millrace::Uuid> {
  size_t operator()(const millrace::Uuid& uuid) const noexcept {
    uint64_t high;
    uint64_t low;
    std::memcpy(&high, uuid.bytes.data(), 8);
    std::memcpy(&low, uuid.bytes.data() + 8, 8);
    return (high ^ (low * 0x9E3779B97F4A7C15u)) * 0xFF51AFD7ED558CCDu >> 1;
  }
};
