// ControlQueue: requests on their way to the control plane, and how many bytes of them are not
// answered yet. The reactors push, the control plane takes; the sum of bytes decides when reading
// from a connection pauses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "dataplane/data_plane.h"

namespace millrace::dataplane {

class ControlQueue {
 public:
  explicit ControlQueue(size_t bytes_max) : bytes_max_(bytes_max) {}

  // Any thread. True if the control plane must be told (DataPlaneEvents::OnControlRequests): it
  // has taken everything it was told of.
  bool Push(ControlRequest request);

  struct Taken {
    std::vector<ControlRequest> requests;
    bool more = false;  // Some wait still: tell the control plane again.
  };
  Taken Take(size_t requests_max);

  // Counts the bytes of a request until it was answered or its connection closed.
  void Charge(size_t bytes) { unanswered_.fetch_add(bytes, std::memory_order_relaxed); }
  // True if this made room: paused connections may go on.
  bool Release(size_t bytes);
  bool full() const { return unanswered_.load(std::memory_order_relaxed) > bytes_max_; }
  size_t unanswered_bytes() const { return unanswered_.load(std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> unanswered_{0};
  std::mutex mutex_;
  std::deque<ControlRequest> waiting_;  // Guarded by mutex_.
  bool told_ = false;                   // Guarded by mutex_.
};

}  // namespace millrace::dataplane
