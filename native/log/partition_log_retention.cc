// The old end of PartitionLog: what its segments hold, and how they leave.
#include <algorithm>

#include "log/partition_folder.h"
#include "log/partition_log.h"
#include "log/segment_file_name.h"

namespace millrace::log {

Result<std::vector<SegmentInfo>> PartitionLog::Segments() {
  const std::lock_guard lock(mutex_);
  if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
  std::vector<SegmentInfo> infos;
  infos.reserve(segments_.size());
  for (const std::shared_ptr<Segment>& segment : segments_) {
    Result<TimestampOffset> max = segment->MaxTimestamp();
    if (!max.ok()) return max.error();
    SegmentInfo info{segment->base_offset(), static_cast<int64_t>(segment->size()),
                     max.value().timestamp};
    if (info.largest_timestamp_ms < 0) {
      Result<int64_t> modified = dir_->file_system().ModifiedMs(
          SegmentPath(directory_, segment->base_offset(), kLogSuffix));
      if (!modified.ok()) return modified.error();
      info.largest_timestamp_ms = modified.value();
    }
    infos.push_back(info);
  }
  return infos;
}

Status PartitionLog::AdvanceLogStartOffset(int64_t offset) {
  const std::lock_guard flush_lock(flush_mutex_);
  const std::lock_guard lock(mutex_);
  return MoveLogStart(offset);
}

Status PartitionLog::DeleteSegmentsBelow(int64_t offset, int64_t now_ms) {
  const std::lock_guard flush_lock(flush_mutex_);
  const std::lock_guard lock(mutex_);
  if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
  const bool all = offset == offsets_.log_end_offset && offset <= offsets_.high_watermark;
  if (all && active().size() > 0) {
    Status rolled = Failed(Roll(offset, 0, now_ms));
    if (!rolled.ok()) return rolled;
  }
  return MoveLogStart(offset);
}

Status PartitionLog::MoveLogStart(int64_t offset) {
  if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
  if (offset > offsets_.high_watermark) {
    return Error{ErrorCode::kInvalidArgument, 0, "the new log start is above the high watermark"};
  }
  Status done;
  if (offset > offsets_.log_start_offset) {
    offsets_.log_start_offset = offset;
    Publish();
    if (epochs_.TruncateFromStart(offset)) done = WriteEpochs();
  }
  // From the oldest on, so that a crash in between leaves a log without a hole.
  while (done.ok() && segments_.size() > 1 && segments_[1]->base_offset() <= offset) {
    const int64_t base_offset = segments_.front()->base_offset();
    done = Failed(SetSegmentFilesAside(dir_->file_system(), directory_, base_offset));
    if (done.ok()) {
      done =
          Failed(dir_->file_system().Remove(SegmentPath(directory_, base_offset, kSnapshotSuffix)));
    }
    segments_.erase(segments_.begin());
    doomed_.push_back({base_offset});
    names_dirty_ = true;
  }
  return done;
}

// Without a lock held it would be unlinked under a reader's feet all the same: readers have their
// descriptors.
void PartitionLog::RemoveDoomed(int64_t now_ms) {
  const int64_t delay = config_->file_delete_delay_ms;
  const auto gone = [&](DoomedSegment& segment) {
    // A clock that steps back must not make files immortal.
    if (segment.due_ms < 0 || segment.due_ms > now_ms + delay) segment.due_ms = now_ms + delay;
    if (segment.due_ms > now_ms) return false;
    (void)Failed(RemoveFilesSetAside(dir_->file_system(), directory_, segment.base_offset));
    return true;
  };
  doomed_.erase(std::remove_if(doomed_.begin(), doomed_.end(), gone), doomed_.end());
}

}  // namespace millrace::log
