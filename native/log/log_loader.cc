#include "log/log_loader.h"

#include <algorithm>

#include "log/producer_snapshot.h"
#include "log/segment_file_name.h"
#include "log/segment_scan.h"
#include "log/whole_file.h"

namespace millrace::log {

Result<LoadedLog> LogLoader::Load() {
  Result<PartitionFolder> folder = TidyPartitionFolder(file_system_, directory_);
  if (!folder.ok()) return folder.error();
  folder_ = folder.Take();
  // A folder without any segment is a new partition: an old recovery point says nothing about it.
  const bool fresh = folder_.segments.empty();
  recovery_point_ = fresh ? 0 : options_.recovery_point;
  Status done =
      fresh ? StartAfresh(std::max<int64_t>(0, options_.log_start_offset)) : OpenSegments();
  if (done.ok()) done = LoadEpochs();
  if (done.ok()) done = options_.clean_shutdown || fresh ? LoadCleanly() : Recover();
  if (done.ok()) done = ApplyLogStart();
  if (done.ok()) done = LoadProducers();
  if (!done.ok()) return done.error();
  return std::move(log_);
}

Status LogLoader::OpenSegments() {
  for (const int64_t base_offset : folder_.segments) {
    Result<std::shared_ptr<Segment>> segment = Segment::Open(
        file_system_, directory_, base_offset, io::OpenMode::kReadWrite, options_.now_ms);
    if (!segment.ok()) return segment.error();
    log_.segments.push_back(segment.Take());
  }
  return Status::Ok();
}

Status LogLoader::StartAfresh(int64_t base_offset) {
  Result<std::shared_ptr<Segment>> segment =
      Segment::Open(file_system_, directory_, base_offset, io::OpenMode::kCreate, options_.now_ms);
  if (!segment.ok()) return segment.error();
  log_.segments.assign(1, segment.Take());
  folder_.segments = {base_offset};
  log_.log_end_offset = base_offset;
  log_.flushed_offset = base_offset;
  return Status::Ok();
}

Status LogLoader::LoadEpochs() {
  Result<std::optional<std::vector<uint8_t>>> text =
      ReadWholeFile(file_system_, directory_ + "/leader-epoch-checkpoint");
  if (!text.ok()) return text.error();
  if (!text.value()) return Status::Ok();
  std::optional<LeaderEpochCache> parsed = LeaderEpochCache::FromText(*text.value());
  if (!parsed) {
    return Error{ErrorCode::kCorrupt, 0,
                 directory_ +
                     "/leader-epoch-checkpoint is malformed; restore it, or remove it if " +
                     "this partition has no other replica"};
  }
  log_.epochs = *parsed;
  stored_epochs_ = *parsed;
  return Status::Ok();
}

Error LogLoader::Corrupt(const Segment& segment, const std::string& problem) const {
  return Error{ErrorCode::kCorrupt, 0,
               SegmentPath(directory_, segment.base_offset(), kLogSuffix) + " is damaged: " +
                   problem + ". Nothing was changed; restore the file or move the folder away"};
}

bool LogLoader::Follows(int64_t base_offset, int64_t expected) const {
  return options_.config.compacted ? base_offset >= expected : base_offset == expected;
}

Status LogLoader::RebuildIndexes(Segment& segment) {
  const SegmentScanRules rules{.check_crc = false, .contiguous = false};
  LeaderEpochCache ignored;
  Result<SegmentScan> scan = ScanSegment(segment, options_.config, rules, ignored);
  if (!scan.ok()) return scan.error();
  if (scan.value().damaged) return Corrupt(segment, scan.value().problem);
  return Status::Ok();
}

// Takes the first `count` segments as they are, but for lost index files.
Status LogLoader::SealBelow(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Segment& segment = *log_.segments[i];
    const bool complete = folder_.offset_indexes.contains(segment.base_offset()) &&
                          folder_.time_indexes.contains(segment.base_offset());
    if (complete || segment.size() == 0) {
      segment.MarkLoadedSealed();
      continue;
    }
    Status rebuilt = RebuildIndexes(segment);
    if (rebuilt.ok()) rebuilt = segment.Seal(options_.config);
    if (!rebuilt.ok()) return rebuilt;
  }
  return Status::Ok();
}

Status LogLoader::LoadCleanly() {
  Status sealed = SealBelow(log_.segments.size() - 1);
  if (!sealed.ok()) return sealed;
  Segment& active = *log_.segments.back();
  const int64_t base = active.base_offset();
  bool sound = folder_.offset_indexes.contains(base) && folder_.time_indexes.contains(base);
  if (sound) {
    Result<bool> offsets = active.offset_index().LastLooksRight(active.size());
    if (!offsets.ok()) return offsets.error();
    Result<bool> times = active.time_index().LastLooksRight();
    if (!times.ok()) return times.error();
    sound = offsets.value() && times.value();
  }
  if (!sound && active.size() > 0) {
    Status rebuilt = RebuildIndexes(active);
    if (!rebuilt.ok()) return rebuilt;
  }
  Result<SegmentScan> end = ScanSegmentEnd(active);
  if (!end.ok()) return end.error();
  if (end.value().damaged) return Corrupt(active, end.value().problem);
  active.MarkSynced(active.size(), false);
  log_.log_end_offset = end.value().next_offset;
  log_.flushed_offset = end.value().next_offset;
  return Status::Ok();
}

Status LogLoader::ApplyLogStart() {
  log_.log_start_offset = std::max(options_.log_start_offset, log_.segments.front()->base_offset());
  if (log_.log_start_offset > log_.log_end_offset) {
    // Everything that was left had been deleted before the crash.
    for (const auto& segment : log_.segments) {
      Status removed = RemoveSegmentFiles(file_system_, directory_, segment->base_offset());
      if (!removed.ok()) return removed;
    }
    Status started = StartAfresh(log_.log_start_offset);
    if (!started.ok()) return started;
  }
  log_.epochs.TruncateFromEnd(log_.log_end_offset);
  log_.epochs.TruncateFromStart(log_.log_start_offset);
  if (log_.epochs.entries() == stored_epochs_.entries()) return Status::Ok();
  const std::string text = log_.epochs.ToText();
  return ReplaceFile(file_system_, directory_, directory_ + "/leader-epoch-checkpoint",
                     {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

Status LogLoader::LoadProducers() {
  Result<bool> found = LoadNewestSnapshot();
  if (!found.ok()) return found.error();
  if (found.value()) {
    Status replayed = Replay(log_.last_snapshot_offset);
    if (!replayed.ok()) return replayed;
  } else if (!options_.clean_shutdown) {
    Status replayed = Replay(log_.log_start_offset);
    if (!replayed.ok()) return replayed;
  }
  return RemoveStraySnapshots();
}

// The newest snapshot that is sound and not beyond the log end; others that are neither are
// removed.
Result<bool> LogLoader::LoadNewestSnapshot() {
  while (!folder_.snapshots.empty()) {
    const int64_t offset = *folder_.snapshots.rbegin();
    const std::string path = SegmentPath(directory_, offset, kSnapshotSuffix);
    if (offset <= log_.log_end_offset) {
      Result<std::optional<std::vector<uint8_t>>> bytes = ReadWholeFile(file_system_, path);
      if (!bytes.ok()) return bytes.error();
      Result<ProducerStateTable> table =
          DecodeProducerSnapshot(bytes.value().value_or(std::vector<uint8_t>()), options_.now_ms);
      if (table.ok()) {
        log_.producers = table.Take();
        log_.last_snapshot_offset = offset;
        return true;
      }
    }
    Status removed = file_system_.Remove(path);
    if (!removed.ok()) return removed.error();
    folder_.snapshots.erase(offset);
  }
  return false;
}

Status LogLoader::Replay(int64_t from_offset) {
  std::vector<uint8_t> buffer(16 << 10);
  for (size_t i = 0; i < log_.segments.size(); ++i) {
    Segment& segment = *log_.segments[i];
    const bool last = i + 1 == log_.segments.size();
    const int64_t end = last ? log_.log_end_offset : log_.segments[i + 1]->base_offset();
    if (end <= from_offset) continue;
    Result<std::optional<BatchPlace>> start = segment.FindOffset(from_offset, segment.size());
    if (!start.ok()) return start.error();
    if (!start.value()) continue;
    BatchScanner scanner(segment.file(), start.value()->position, segment.size(), buffer);
    while (true) {
      Result<ScanStep> step = scanner.Next();
      if (!step.ok()) return step.error();
      if (step.value() == ScanStep::kBad) return Corrupt(segment, scanner.problem());
      if (step.value() == ScanStep::kEnd) break;
      const record::RecordBatch batch = scanner.batch();
      if (batch.has_producer_id()) log_.producers.Update(batch, options_.now_ms);
    }
  }
  return Status::Ok();
}

Status LogLoader::RemoveStraySnapshots() {
  for (const int64_t offset : folder_.snapshots) {
    if (folder_.segments.contains(offset) || offset == *folder_.snapshots.rbegin()) continue;
    Status removed = file_system_.Remove(SegmentPath(directory_, offset, kSnapshotSuffix));
    if (!removed.ok()) return removed;
  }
  return Status::Ok();
}

}  // namespace millrace::log
