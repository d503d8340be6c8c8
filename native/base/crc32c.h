// CRC-32C (Castagnoli), the checksum of RecordBatch v2 and of producer snapshots. Uses the SSE4.2
// instruction where the machine has it (three interleaved streams, so that its latency of three
// cycles is hidden), folding where it has AVX-512 with VPCLMULQDQ (crc32c_fold.h), a table
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

// The checksum of `size` bytes. Any thread.
uint32_t Crc32c(const void* data, size_t size);
// The checksum of A followed by `size` bytes, where `crc` is that of A. Crc32cExtend(0, ...) ==
// Crc32c(...).
uint32_t Crc32cExtend(uint32_t crc, const void* data, size_t size);
// The three streams without folding, or the table where there is no instruction; for the tests.
uint32_t Crc32cExtendStreams(uint32_t crc, const void* data, size_t size);
// The table method on any machine: the fallback, and the reference of the tests.
uint32_t Crc32cExtendPortable(uint32_t crc, const void* data, size_t size);

}  // namespace millrace
