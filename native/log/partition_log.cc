#include "log/partition_log.h"

#include <algorithm>

#include "log/partition_folder.h"
#include "log/segment_file_name.h"
#include "log/whole_file.h"

namespace millrace::log {

Result<std::shared_ptr<Log>> Log::Open(std::shared_ptr<LogDir> dir, LogOpenOptions options) {
  if (dir->offline()) {
    return Error{ErrorCode::kClosed, 0, "the log dir " + dir->path() + " is offline"};
  }
  LogLoader loader(dir->file_system(), options);
  Result<LoadedLog> loaded = loader.Load();
  if (!loaded.ok()) return loaded.error();
  return std::shared_ptr<Log>(
      std::make_shared<PartitionLog>(std::move(dir), options, loaded.Take()));
}

Status CopySlice(const LogSlice& slice, uint8_t* out) {
  if (!slice.segment) return Status::Ok();
  Result<size_t> read = slice.segment->file().ReadAt(slice.position, std::span(out, slice.size));
  if (!read.ok()) return read.error();
  if (read.value() == slice.size) return Status::Ok();
  return Error{ErrorCode::kCorrupt, 0, "a segment file is shorter than its published size"};
}

PartitionLog::PartitionLog(std::shared_ptr<LogDir> dir, const LogOpenOptions& options,
                           LoadedLog loaded)
    : dir_(std::move(dir)),
      directory_(options.directory),
      parent_directory_(directory_.substr(0, std::max<size_t>(directory_.rfind('/'), 1))),
      config_(std::make_shared<const LogConfig>(options.config)),
      segments_(std::move(loaded.segments)),
      epochs_(std::move(loaded.epochs)),
      producers_(std::move(loaded.producers)),
      next_offset_(loaded.log_end_offset),
      last_snapshot_offset_(loaded.last_snapshot_offset) {
  transactions_seen_ = producers_.FirstOpenTransactionOffset() >= 0;
  offsets_.log_start_offset = loaded.log_start_offset;
  offsets_.high_watermark = loaded.log_end_offset;
  offsets_.log_end_offset = loaded.log_end_offset;
  offsets_.flushed_offset = loaded.flushed_offset;
  Publish();
}

void PartitionLog::Publish() {
  if (single_replica_) offsets_.high_watermark = offsets_.log_end_offset;
  offsets_.last_stable_offset = offsets_.high_watermark;
  if (transactions_seen_) {
    const int64_t open = producers_.FirstOpenTransactionOffset();
    if (open >= 0) offsets_.last_stable_offset = std::min(offsets_.high_watermark, open);
  }
  offset_cell_.Store(offsets_);
}

void PartitionLog::SetSingleReplica(bool single) {
  const std::lock_guard lock(mutex_);
  single_replica_ = single;
  Publish();
}

void PartitionLog::AdvanceHighWatermark(int64_t offset) {
  const std::lock_guard lock(mutex_);
  offsets_.high_watermark = std::clamp(offset, offsets_.high_watermark, offsets_.log_end_offset);
  Publish();
}

void PartitionLog::UpdateConfig(const LogConfig& config) {
  auto replacement = std::make_shared<const LogConfig>(config);
  const std::lock_guard lock(mutex_);
  config_ = std::move(replacement);
}

LogConfig PartitionLog::config() const {
  const std::lock_guard lock(mutex_);
  return *config_;
}

Status PartitionLog::Failed(Status status) {
  if (!status.ok() && status.error().code != ErrorCode::kNoSpace) dir_->Fail();
  return status;
}

Status PartitionLog::WriteEpochs() {
  epochs_dirty_ = true;
  const std::string text = epochs_.ToText();
  Status written =
      Failed(ReplaceFile(dir_->file_system(), directory_, directory_ + "/leader-epoch-checkpoint",
                         {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
  epochs_dirty_ = !written.ok();
  return written;
}

Status PartitionLog::AssignEpoch(int32_t leader_epoch) {
  const bool changed = epochs_.Assign(leader_epoch, next_offset_);
  return changed || epochs_dirty_ ? WriteEpochs() : Status::Ok();
}

Status PartitionLog::BecomeLeader(int32_t leader_epoch) {
  const std::lock_guard lock(mutex_);
  if (Unusable()) return Error{ErrorCode::kClosed, 0, directory_ + " is closed or offline"};
  return AssignEpoch(leader_epoch);
}

EpochEndOffset PartitionLog::EndOffsetForEpoch(int32_t leader_epoch) const {
  const std::lock_guard lock(mutex_);
  return epochs_.EndOffsetFor(leader_epoch, offsets_.log_end_offset);
}

int32_t PartitionLog::EpochForOffset(int64_t offset) const {
  const std::lock_guard lock(mutex_);
  return epochs_.EpochFor(offset);
}

int64_t PartitionLog::SizeBytes() const {
  const std::lock_guard lock(mutex_);
  uint64_t bytes = 0;
  for (const auto& segment : segments_) bytes += segment->size();
  return static_cast<int64_t>(bytes);
}

int64_t PartitionLog::SegmentCount() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int64_t>(segments_.size());
}

std::vector<ActiveProducer> PartitionLog::ActiveProducers() const {
  const std::lock_guard lock(mutex_);
  std::vector<ActiveProducer> producers;
  producers.reserve(producers_.entries().size());
  for (const auto& [id, entry] : producers_.entries()) {
    producers.push_back({id, entry.epoch, entry.last_sequence(), entry.last_timestamp,
                         entry.coordinator_epoch, entry.transaction_first_offset});
  }
  return producers;
}

}  // namespace millrace::log
