// OffsetCell: the offsets of a log, written under its mutex, read from anywhere as one consistent
// snapshot (seqlock).
#pragma once

#include <atomic>
#include <cstdint>

#include "log/log.h"

namespace millrace::log {

class OffsetCell {
 public:
  // With the log's mutex held.
  void Store(const LogOffsets& offsets) {
    const uint32_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_release);
    // Each store releases the odd version before it: a reader that sees a new value sees that
    // version too.
    log_start_.store(offsets.log_start_offset, std::memory_order_release);
    high_watermark_.store(offsets.high_watermark, std::memory_order_release);
    last_stable_.store(offsets.last_stable_offset, std::memory_order_release);
    log_end_.store(offsets.log_end_offset, std::memory_order_release);
    flushed_.store(offsets.flushed_offset, std::memory_order_release);
    version_.store(version + 2, std::memory_order_release);
  }

  // Any thread; waits for no lock.
  LogOffsets Load() const {
    LogOffsets offsets;
    uint32_t before = 0;
    do {
      before = version_.load(std::memory_order_acquire);
      offsets.log_start_offset = log_start_.load(std::memory_order_acquire);
      offsets.high_watermark = high_watermark_.load(std::memory_order_acquire);
      offsets.last_stable_offset = last_stable_.load(std::memory_order_acquire);
      offsets.log_end_offset = log_end_.load(std::memory_order_acquire);
      offsets.flushed_offset = flushed_.load(std::memory_order_acquire);
    } while ((before & 1) != 0 || version_.load(std::memory_order_acquire) != before);
    return offsets;
  }

 private:
  std::atomic<uint32_t> version_{0};
  std::atomic<int64_t> log_start_{0};
  std::atomic<int64_t> high_watermark_{0};
  std::atomic<int64_t> last_stable_{0};
  std::atomic<int64_t> log_end_{0};
  std::atomic<int64_t> flushed_{0};
};

}  // namespace millrace::log
