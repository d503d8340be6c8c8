// Receive buffers of one reactor. Big ones are lent to whichever connection is being read and come
// back at once, so that the same hot memory serves all; a connection keeps a buffer only while a
// frame is incomplete. The bytes kept are counted, for tests and metrics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::net {

// What one receive asks for at most: a 1 MiB batch with its headers fits (max.message.bytes is
// 1,048,588 by default).
constexpr size_t kBigBufferBytes = (1u << 20) + (64u << 10);

struct ReceiveBuffer {
  std::unique_ptr<uint8_t[]> bytes;
  size_t capacity = 0;

  bool empty() const { return capacity == 0; }
};

class ReceiveBufferPool {
 public:
  // A buffer of exactly `capacity` bytes, its content undefined. From kBigBufferBytes on it comes
  // from the pool if one of that size lies there, the last returned first.
  ReceiveBuffer Take(size_t capacity);
  // Gives a buffer back (an empty one too). Big ones are kept for reuse up to kKeptBytesMax.
  void Return(ReceiveBuffer buffer);

  // Capacity of all buffers taken and not yet returned. Any thread.
  size_t bytes_lent() const { return bytes_lent_.load(std::memory_order_relaxed); }
  size_t bytes_kept() const { return bytes_kept_; }

 private:
  static constexpr size_t kKeptBytesMax = 8u << 20;

  std::vector<ReceiveBuffer> free_;
  size_t bytes_kept_ = 0;
  std::atomic<size_t> bytes_lent_ = 0;
};

}  // namespace millrace::net
