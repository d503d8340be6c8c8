// Kafka's integers in frames of chars: the loads and stores of native/base, signed. Used by
// everything in bench that touches a frame.
#pragma once

#include <cstdint>

#include "base/endian.h"

namespace millrace::bench {

inline uint8_t* Bytes(char* at) { return reinterpret_cast<uint8_t*>(at); }
inline const uint8_t* Bytes(const char* at) { return reinterpret_cast<const uint8_t*>(at); }

inline void StoreInt16(char* at, int16_t v) { StoreBe16(Bytes(at), static_cast<uint16_t>(v)); }
inline void StoreInt32(char* at, int32_t v) { StoreBe32(Bytes(at), static_cast<uint32_t>(v)); }
inline void StoreInt64(char* at, int64_t v) { StoreBe64(Bytes(at), static_cast<uint64_t>(v)); }

inline int16_t LoadInt16(const char* at) { return static_cast<int16_t>(LoadBe16(Bytes(at))); }
inline int32_t LoadInt32(const char* at) { return static_cast<int32_t>(LoadBe32(Bytes(at))); }
inline int64_t LoadInt64(const char* at) { return static_cast<int64_t>(LoadBe64(Bytes(at))); }

}  // namespace millrace::bench
