// The 4-byte size in front of every frame, and what it looks like when a client speaks another
// protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "net/connection.h"

namespace millrace::net {

constexpr size_t kFrameSizeBytes = 4;

// The size written at `bytes` (4 bytes, big-endian).
int32_t FrameSizeAt(const uint8_t* bytes);

struct SplitResult {
  size_t consumed = 0;    // Bytes of the whole frames.
  bool bad_size = false;  // The size at `consumed` is not one of a frame.
};

// Appends all whole frames at the start of `bytes` to `frames`. A size must lie between 1 and
// `frame_bytes_max`; it is checked as soon as its four bytes are there.
SplitResult SplitFrames(std::span<uint8_t> bytes, int32_t frame_bytes_max,
                        std::vector<Frame>& frames);

// One sentence about a bad frame size: what it probably is (an HTTP request, a TLS handshake) and
// what to do. `bytes` starts at the size.
std::string DescribeBadFrame(std::span<const uint8_t> bytes, int32_t frame_bytes_max);

}  // namespace millrace::net
