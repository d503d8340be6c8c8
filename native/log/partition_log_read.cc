// The read path of PartitionLog and its lookups by time.
#include <algorithm>

#include "log/partition_log.h"

namespace millrace::log {

int64_t PartitionLog::Bound(Isolation isolation, const LogOffsets& offsets) const {
  switch (isolation) {
    case Isolation::kLogEnd:
      return offsets.log_end_offset;
    case Isolation::kHighWatermark:
      return offsets.high_watermark;
    case Isolation::kLastStable:
      return offsets.last_stable_offset;
  }
  return offsets.high_watermark;
}

PartitionLog::SegmentEnd PartitionLog::SegmentFor(int64_t offset) const {
  const auto above = std::upper_bound(
      segments_.begin(), segments_.end(), offset,
      [](int64_t value, const auto& segment) { return value < segment->base_offset(); });
  const auto& segment = above == segments_.begin() ? *above : *std::prev(above);
  return {segment, segment->size()};
}

PartitionLog::SegmentEnd PartitionLog::SegmentAfter(int64_t base_offset) const {
  for (const auto& segment : segments_) {
    if (segment->base_offset() > base_offset) return {segment, segment->size()};
  }
  return {};
}

std::vector<PartitionLog::SegmentEnd> PartitionLog::AllSegments() const {
  std::vector<SegmentEnd> all;
  all.reserve(segments_.size());
  for (const auto& segment : segments_) all.push_back({segment, segment->size()});
  return all;
}

// The first batch that ends at or above `offset`, moving on to the next segment where compaction
// left nothing.
Result<std::optional<BatchPlace>> PartitionLog::Place(SegmentEnd& at, int64_t offset) {
  while (at.segment) {
    Result<std::optional<BatchPlace>> place = at.segment->FindOffset(offset, at.size);
    if (!place.ok() || place.value()) return place;
    const std::lock_guard lock(mutex_);
    at = SegmentAfter(at.segment->base_offset());
  }
  return std::optional<BatchPlace>();
}

// Where the batches below `bound` end in this segment. A batch that holds the bound is left out.
Result<uint64_t> PartitionLog::UpperPosition(const SegmentEnd& at, int64_t bound) {
  {
    const std::lock_guard lock(mutex_);
    if (bound >= offsets_.log_end_offset) return at.size;
    const BatchPlace* recent =
        !segments_.empty() && at.segment == segments_.back() ? recent_.Find(bound) : nullptr;
    if (recent != nullptr) return recent->position;
  }
  Result<std::optional<BatchPlace>> place = at.segment->FindOffset(bound, at.size);
  if (!place.ok()) return place.error();
  if (!place.value()) return at.size;
  return place.value()->position;
}

ReadResult PartitionLog::Read(const ReadRequest& request) {
  ReadResult result;
  SegmentEnd at;
  std::optional<BatchPlace> first;
  int64_t bound = 0;
  {
    const std::lock_guard lock(mutex_);
    const LogOffsets offsets = offsets_;
    result.high_watermark = offsets.high_watermark;
    result.last_stable_offset = offsets.last_stable_offset;
    result.log_start_offset = offsets.log_start_offset;
    if (Unusable()) {
      result.error = KafkaError::kKafkaStorageError;
      return result;
    }
    if (request.offset < offsets.log_start_offset || request.offset > offsets.log_end_offset) {
      result.error = KafkaError::kOffsetOutOfRange;
      return result;
    }
    bound = Bound(request.isolation, offsets);
    if (request.offset >= bound) return result;
    at = SegmentFor(request.offset);
    if (at.segment == segments_.back()) {
      const BatchPlace* recent = recent_.Find(request.offset);
      if (recent != nullptr) first = *recent;
    }
  }
  if (!first) {
    Result<std::optional<BatchPlace>> place = Place(at, request.offset);
    if (!place.ok()) {
      result.error = KafkaError::kKafkaStorageError;
      return result;
    }
    first = place.value();
  }
  if (!first || first->base_offset >= bound) return result;
  Result<uint64_t> end = UpperPosition(at, bound);
  if (!end.ok() || end.value() <= first->position) {
    if (!end.ok()) result.error = KafkaError::kKafkaStorageError;
    return result;
  }
  size_t size =
      static_cast<size_t>(std::min<uint64_t>(request.max_bytes, end.value() - first->position));
  if (size < first->size) size = request.min_one_batch ? first->size : 0;
  if (size == 0) return result;
  const int descriptor = at.segment->file().descriptor();
  result.slice = LogSlice{std::move(at.segment), descriptor, first->position, size};
  return result;
}

Result<std::optional<BatchCopy>> PartitionLog::CopyBatch(const SegmentEnd& at,
                                                         const BatchPlace& place) {
  BatchCopy copy;
  copy.bytes.resize(place.size);
  Result<size_t> read = at.segment->file().ReadAt(place.position, copy.bytes);
  if (!read.ok()) return read.error();
  if (read.value() < place.size) {
    return Error{ErrorCode::kCorrupt, 0, directory_ + ": a batch is cut off"};
  }
  return std::optional(std::move(copy));
}

Result<std::optional<BatchCopy>> PartitionLog::FirstBatchWithTimestamp(int64_t timestamp,
                                                                       int64_t from_offset,
                                                                       int64_t below_offset) {
  std::vector<SegmentEnd> all;
  std::vector<TimestampOffset> newest;
  {
    const std::lock_guard lock(mutex_);
    if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
    all = AllSegments();
    for (const SegmentEnd& at : all) {
      Result<TimestampOffset> max = at.segment->MaxTimestamp();
      if (!max.ok()) return max.error();
      newest.push_back(max.value());
    }
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (newest[i].timestamp < timestamp || all[i].segment->base_offset() >= below_offset) continue;
    if (i + 1 < all.size() && all[i + 1].segment->base_offset() <= from_offset) continue;
    Result<std::optional<BatchPlace>> place =
        all[i].segment->FindTimestamp(timestamp, from_offset, all[i].size);
    if (!place.ok()) return place.error();
    if (!place.value()) continue;
    if (place.value()->base_offset >= below_offset) break;
    return CopyBatch(all[i], *place.value());
  }
  return std::optional<BatchCopy>();
}

Result<std::optional<BatchCopy>> PartitionLog::BatchWithMaxTimestamp() {
  SegmentEnd best;
  TimestampOffset newest;
  int64_t log_start = 0;
  {
    const std::lock_guard lock(mutex_);
    if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
    log_start = offsets_.log_start_offset;
    for (const SegmentEnd& at : AllSegments()) {
      Result<TimestampOffset> max = at.segment->MaxTimestamp();
      if (!max.ok()) return max.error();
      if (max.value().timestamp <= newest.timestamp) continue;
      newest = max.value();
      best = at;
    }
  }
  if (!best.segment) return std::optional<BatchCopy>();
  Result<std::optional<BatchPlace>> place =
      best.segment->FindOffset(std::max(newest.offset, log_start), best.size);
  if (!place.ok()) return place.error();
  if (!place.value()) return std::optional<BatchCopy>();
  return CopyBatch(best, *place.value());
}

}  // namespace millrace::log
