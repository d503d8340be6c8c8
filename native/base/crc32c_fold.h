// CRC-32C by folding: 256 bytes a step with the carry-less multiplication of AVX-512 (VPCLMULQDQ),
// about twice as fast as the CRC instruction in three streams. Used by crc32c.cc for long inputs on
// machines that have it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

// Below this size there is nothing to fold.
inline constexpr size_t kFoldMin = 512;

bool HasFolding();

// Takes as much of the input as can be folded (a multiple of 256 bytes) into the CRC register
// (not inverted) and returns how much that was. `size` is at least kFoldMin, HasFolding() true.
size_t FoldCrc32c(uint32_t& crc, const uint8_t* data, size_t size);

}  // namespace millrace
