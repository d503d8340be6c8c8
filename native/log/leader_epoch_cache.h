// LeaderEpochCache: which leader epoch wrote which offsets (leader-epoch-checkpoint). Answers
// OffsetForLeaderEpoch and divergence questions (KIP-101, KIP-279).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "log/log.h"

namespace millrace::log {

struct EpochStart {
  int32_t epoch = 0;
  int64_t start_offset = 0;
  friend bool operator==(const EpochStart&, const EpochStart&) = default;
};

// Not thread-safe: guarded by the log's mutex. Entries rise strictly in epoch and in start offset.
class LeaderEpochCache {
 public:
  const std::vector<EpochStart>& entries() const { return entries_; }

  // `epoch` starts at `start_offset`: entries that contradict it go. False if nothing changed.
  bool Assign(int32_t epoch, int64_t start_offset);
  // The log ends at `end_offset`: removes epochs that start there or later. False if nothing
  // changed.
  bool TruncateFromEnd(int64_t end_offset);
  // The log starts at `start_offset`: the epoch of that offset starts there now, older ones go.
  bool TruncateFromStart(int64_t start_offset);

  int32_t LatestEpoch() const { return entries_.empty() ? -1 : entries_.back().epoch; }
  // Kafka's answer for an epoch, given the log end: {-1, -1} if undefined.
  EpochEndOffset EndOffsetFor(int32_t epoch, int64_t log_end_offset) const;
  // The epoch that wrote `offset`; -1 if it lies before the first known one.
  int32_t EpochFor(int64_t offset) const;

  // The text of leader-epoch-checkpoint: "0\n<count>\n" and one "<epoch> <startOffset>" a line.
  std::string ToText() const;
  // Nullopt if the text is malformed. An empty text has no entries.
  static std::optional<LeaderEpochCache> FromText(std::span<const uint8_t> text);

 private:
  std::vector<EpochStart> entries_;
};

}  // namespace millrace::log
