// Durability, housekeeping and closing of PartitionLog.
#include <algorithm>

#include "log/partition_log.h"
#include "log/producer_snapshot.h"
#include "log/segment_file_name.h"

namespace millrace::log {
namespace {

constexpr int64_t kExpirationCheckMs = 600'000;

}  // namespace

// Dirty segments are the last ones: older ones were synced by the flush that passed them.
std::vector<PartitionLog::FlushWork::Item> PartitionLog::DirtySegments() const {
  std::vector<FlushWork::Item> dirty;
  for (auto it = segments_.rbegin(); it != segments_.rend(); ++it) {
    const std::shared_ptr<Segment>& segment = *it;
    if (segment->dirty()) dirty.push_back({segment, segment->size(), segment->sealed()});
    // An empty active segment is clean, though the one before it may not be.
    if (!segment->dirty() && segment->size() > 0) break;
  }
  return dirty;
}

PartitionLog::FlushWork PartitionLog::GatherFlushWork() {
  FlushWork work;
  work.segments = DirtySegments();
  work.snapshots = std::move(pending_snapshots_);
  pending_snapshots_.clear();
  work.sync_dir = names_dirty_ || !work.snapshots.empty();
  names_dirty_ = false;
  work.log_end_offset = offsets_.log_end_offset;
  return work;
}

Status PartitionLog::WriteSnapshot(const PendingSnapshot& snapshot) {
  io::FileSystem& file_system = dir_->file_system();
  const std::string path = SegmentPath(directory_, snapshot.offset, kSnapshotSuffix);
  Result<std::unique_ptr<io::File>> file = file_system.Open(path, io::OpenMode::kCreate);
  if (!file.ok()) return file.error();
  const iovec piece{const_cast<uint8_t*>(snapshot.bytes.data()), snapshot.bytes.size()};
  Status done = file.value()->Truncate(0);
  if (done.ok()) done = file.value()->WriteAt(0, std::span(&piece, 1));
  if (!done.ok() && done.error().code == ErrorCode::kNoSpace) {
    // A log without its newest snapshot is opened more slowly, not wrongly.
    return file_system.Remove(path);
  }
  return done.ok() ? file.value()->Sync() : done;
}

Status PartitionLog::Perform(const FlushWork& work) {
  for (const FlushWork::Item& item : work.segments) {
    Status synced = item.segment->file().Sync();
    if (synced.ok() && item.sealed) synced = item.segment->offset_index().file().Sync();
    if (synced.ok() && item.sealed) synced = item.segment->time_index().file().Sync();
    if (!synced.ok()) return synced;
  }
  for (const PendingSnapshot& snapshot : work.snapshots) {
    Status written = WriteSnapshot(snapshot);
    if (!written.ok()) return written;
  }
  if (work.sync_dir) {
    Status synced = dir_->file_system().SyncDir(directory_);
    if (synced.ok() && folder_dirty_) synced = dir_->file_system().SyncDir(parent_directory_);
    if (!synced.ok()) return synced;
    folder_dirty_ = false;
  }
  return Status::Ok();
}

Status PartitionLog::Flush() {
  const std::lock_guard flush_lock(flush_mutex_);
  FlushWork work;
  {
    const std::lock_guard lock(mutex_);
    if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
    work = GatherFlushWork();
  }
  Status done = Perform(work);
  if (!done.ok()) {
    dir_->Fail();
    return done;
  }
  const std::lock_guard lock(mutex_);
  for (const FlushWork::Item& item : work.segments) {
    item.segment->MarkSynced(item.size, item.sealed);
  }
  for (const PendingSnapshot& snapshot : work.snapshots) {
    last_snapshot_offset_ = std::max(last_snapshot_offset_, snapshot.offset);
  }
  offsets_.flushed_offset = std::max(offsets_.flushed_offset, work.log_end_offset);
  Publish();
  return Status::Ok();
}

void PartitionLog::StartWriteback() {
  std::vector<std::shared_ptr<Segment>> dirty;
  {
    const std::lock_guard lock(mutex_);
    for (const FlushWork::Item& item : DirtySegments()) dirty.push_back(item.segment);
  }
  for (const auto& segment : dirty) segment->file().StartWriteback();
}

void PartitionLog::Tick(int64_t now_ms) {
  LogFile::Ahead ahead;
  bool rolled = false;
  {
    const std::lock_guard lock(mutex_);
    if (Unusable()) return;
    Segment& segment = active();
    if (segment.dirty()) {
      (void)Failed(segment.log_file().ReserveAhead(segment.size(),
                                                   static_cast<uint64_t>(config_->segment_bytes)));
    }
    ahead = segment.log_file().TakeAhead();
    ExpireProducers(now_ms);
    RemoveDoomed(now_ms);
    rolled = !pending_snapshots_.empty() ||
             (segments_.size() > 1 && segments_[segments_.size() - 2]->dirty());
  }
  if (ahead.window) ahead.window->Populate(ahead.offset, ahead.bytes);
  if (rolled) (void)Flush();
}

void PartitionLog::ExpireProducers(int64_t now_ms) {
  const int64_t expiration = config_->producer_id_expiration_ms;
  // It walks all producers, so not at every tick (Kafka: producer.id.expiration.check.interval.ms).
  if (now_ms - producers_expired_ms_ < std::min(kExpirationCheckMs, expiration)) return;
  producers_expired_ms_ = now_ms;
  producers_.Expire(now_ms, expiration);
}

Status PartitionLog::CloseFiles() {
  Status sealed = active().Seal(*config_);
  if (!sealed.ok()) return sealed;
  if (offsets_.log_end_offset > last_snapshot_offset_ &&
      offsets_.log_end_offset > segments_.front()->base_offset()) {
    pending_snapshots_.push_back({offsets_.log_end_offset, EncodeProducerSnapshot(producers_)});
  }
  return Perform(GatherFlushWork());
}

Status PartitionLog::Close() {
  Status flushed = Flush();
  if (!flushed.ok() && flushed.error().code != ErrorCode::kClosed) return flushed;
  const std::lock_guard flush_lock(flush_mutex_);
  const std::lock_guard lock(mutex_);
  if (closed_) return Status::Ok();
  Status done = dir_->offline() ? Status(Error{ErrorCode::kClosed, 0, directory_ + " is offline"})
                                : Failed(CloseFiles());
  closed_ = true;
  if (done.ok()) {
    offsets_.flushed_offset = offsets_.log_end_offset;
    Publish();
  }
  segments_.clear();
  recent_.Clear();
  return done;
}

void PartitionLog::Abandon() {
  const std::lock_guard flush_lock(flush_mutex_);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  segments_.clear();
  recent_.Clear();
}

}  // namespace millrace::log
