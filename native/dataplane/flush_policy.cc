#include "dataplane/flush_policy.h"

namespace millrace::dataplane {
namespace {

// Kafka's default is the largest int64; it comes through a double, so anything near means never.
constexpr int64_t kNeverMs = int64_t{1} << 53;

}  // namespace

void FlushPolicy::Update(const log::LogConfig& config) {
  // kAuto means "on a partition with one replica", and for now every partition is one.
  acks_all_.store(config.acks_all_flush != log::AcksAllFlush::kNever, std::memory_order_relaxed);
  messages_.store(config.flush_messages, std::memory_order_relaxed);
  age_ms_.store(config.flush_ms, std::memory_order_relaxed);
}

FlushPolicy::Due FlushPolicy::DueByTime(const log::LogOffsets& offsets, int64_t now_ms,
                                        int64_t pause_ms) {
  const int64_t age_ms = age_ms_.load(std::memory_order_relaxed);
  if (age_ms >= kNeverMs || offsets.flushed_offset >= offsets.log_end_offset) {
    dirty_since_ms_ = kClean;
    return Due::kNever;
  }
  // A flush in between leaves only what is younger than the last look.
  if (dirty_since_ms_ == kClean || offsets.flushed_offset > dirty_from_offset_) {
    dirty_since_ms_ = now_ms;
    dirty_from_offset_ = offsets.flushed_offset;
  }
  return now_ms - dirty_since_ms_ + pause_ms >= age_ms ? Due::kNow : Due::kLater;
}

}  // namespace millrace::dataplane
