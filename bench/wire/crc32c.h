// CRC-32C as Kafka puts it into a record batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace::bench {

// The whole checksum of `size` bytes. Uses the processor's instruction in three interleaved
// streams where there is one, a table elsewhere.
uint32_t Crc32c(const char* data, size_t size);

}  // namespace millrace::bench
