// Kafka's integers are big-endian; these load and store them at any address. Used by everything
// in bench that touches a frame.
#pragma once

#include <cstdint>
#include <cstring>

namespace millrace::bench {

inline void StoreInt16(char* at, int16_t value) {
  const uint16_t swapped = __builtin_bswap16(static_cast<uint16_t>(value));
  std::memcpy(at, &swapped, sizeof swapped);
}

inline void StoreInt32(char* at, int32_t value) {
  const uint32_t swapped = __builtin_bswap32(static_cast<uint32_t>(value));
  std::memcpy(at, &swapped, sizeof swapped);
}

inline void StoreInt64(char* at, int64_t value) {
  const uint64_t swapped = __builtin_bswap64(static_cast<uint64_t>(value));
  std::memcpy(at, &swapped, sizeof swapped);
}

inline int16_t LoadInt16(const char* at) {
  uint16_t raw;
  std::memcpy(&raw, at, sizeof raw);
  return static_cast<int16_t>(__builtin_bswap16(raw));
}

inline int32_t LoadInt32(const char* at) {
  uint32_t raw;
  std::memcpy(&raw, at, sizeof raw);
  return static_cast<int32_t>(__builtin_bswap32(raw));
}

inline int64_t LoadInt64(const char* at) {
  uint64_t raw;
  std::memcpy(&raw, at, sizeof raw);
  return static_cast<int64_t>(__builtin_bswap64(raw));
}

}  // namespace millrace::bench
