// FlushPolicy: when the records of one partition have to be on disk. acks.all.flush says whether
// acknowledgements of acks=all wait for it (DESIGN 4.7); flush.messages and flush.ms bound how many
// records and how long any record may be in the page cache only, as Kafka's log.flush.* do.
//
// Threads: Update and the questions of reactors may come at once; DueByTime is the ticker's alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "log/log.h"

namespace millrace::dataplane {

class FlushPolicy {
 public:
  void Update(const log::LogConfig& config);

  // Does an acknowledgement of acks=all wait for the disk?
  bool acks_all() const { return acks_all_.load(std::memory_order_relaxed); }

  // Are flush.messages records or more not on disk? Then the append that made it so is answered
  // when they are, whatever its acks.
  bool DueByCount(const log::LogOffsets& offsets) const {
    return offsets.log_end_offset - offsets.flushed_offset >=
           messages_.load(std::memory_order_relaxed);
  }

  enum class Due : uint8_t {
    kNever,  // Everything is on disk, or flush.ms is not set.
    kLater,  // Ask again.
    kNow,
  };
  // `now_ms`: monotonic. To be asked every `pause_ms`: what would be too old by the next time is
  // due now.
  Due DueByTime(const log::LogOffsets& offsets, int64_t now_ms, int64_t pause_ms);

 private:
  static constexpr int64_t kClean = -1;

  std::atomic<bool> acks_all_{true};
  std::atomic<int64_t> messages_{std::numeric_limits<int64_t>::max()};
  std::atomic<int64_t> age_ms_{std::numeric_limits<int64_t>::max()};
  int64_t dirty_since_ms_ = kClean;  // When the ticker first saw what is not on disk.
  int64_t dirty_from_offset_ = 0;    // The flushed offset then.
};

}  // namespace millrace::dataplane
