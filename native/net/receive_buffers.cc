// Lending and keeping receive buffers; see receive_buffers.h.
#include "net/receive_buffers.h"

#include <utility>

namespace millrace::net {

ReceiveBuffer ReceiveBufferPool::Take(size_t capacity) {
  ReceiveBuffer buffer;
  for (size_t i = free_.size(); capacity >= kBigBufferBytes && i > 0; i--) {
    if (free_[i - 1].capacity != capacity) continue;
    buffer = std::move(free_[i - 1]);
    free_.erase(free_.begin() + static_cast<ptrdiff_t>(i - 1));
    bytes_kept_ -= buffer.capacity;
    break;
  }
  if (buffer.empty()) {
    buffer.bytes = std::make_unique_for_overwrite<uint8_t[]>(capacity);
    buffer.capacity = capacity;
  }
  bytes_lent_.fetch_add(buffer.capacity, std::memory_order_relaxed);
  return buffer;
}

void ReceiveBufferPool::Return(ReceiveBuffer buffer) {
  if (buffer.empty()) return;
  bytes_lent_.fetch_sub(buffer.capacity, std::memory_order_relaxed);
  if (buffer.capacity < kBigBufferBytes) return;
  if (bytes_kept_ + buffer.capacity > kKeptBytesMax) return;
  bytes_kept_ += buffer.capacity;
  free_.push_back(std::move(buffer));
}

}  // namespace millrace::net
