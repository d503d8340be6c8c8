// Walks the records of an uncompressed batch, for topics that need keys. Not on the path of
// ordinary topics.
#pragma once

#include <cstdint>
#include <span>

namespace millrace::record {

enum class KeyCheck : uint8_t { kAllHaveKeys, kNullKey, kUndecodable };

// `records` are the bytes after the batch header. Expects exactly `count` records that fill them.
KeyCheck CheckKeys(std::span<const uint8_t> records, int32_t count);

}  // namespace millrace::record
