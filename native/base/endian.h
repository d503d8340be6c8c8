// Big-endian loads and stores at any alignment: Kafka's wire and disk byte order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace millrace {

static_assert(std::endian::native == std::endian::little,
              "Millrace runs on little-endian machines");

inline uint16_t LoadBe16(const uint8_t* from) {
  uint16_t value;
  std::memcpy(&value, from, sizeof value);
  return __builtin_bswap16(value);
}

inline uint32_t LoadBe32(const uint8_t* from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return __builtin_bswap32(value);
}

inline uint64_t LoadBe64(const uint8_t* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return __builtin_bswap64(value);
}

inline void StoreBe16(uint8_t* to, uint16_t value) {
  value = __builtin_bswap16(value);
  std::memcpy(to, &value, sizeof value);
}

inline void StoreBe32(uint8_t* to, uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof value);
}

inline void StoreBe64(uint8_t* to, uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(to, &value, sizeof value);
}

}  // namespace millrace
