// The part of LogLoader that runs after a crash: scan from the recovery point, cut the torn tail,
// rebuild indexes. Damage below the recovery point is no torn tail but corruption; then nothing is
// changed and opening fails.
#include <algorithm>

#include "log/log_loader.h"
#include "log/segment_file_name.h"
#include "log/segment_scan.h"

namespace millrace::log {

Status LogLoader::Recover() {
  const auto& segments = log_.segments;
  const auto above = std::find_if(segments.begin(), segments.end(), [&](const auto& segment) {
    return segment->base_offset() > recovery_point_;
  });
  size_t first = above == segments.begin() ? 0 : static_cast<size_t>(above - segments.begin()) - 1;
  // A segment that ends exactly at the recovery point may have been sealed after the last flush:
  // its data is synced, but its trimmed length and its indexes perhaps are not.
  if (first > 0 && segments[first]->base_offset() == recovery_point_) --first;
  Status done = SealBelow(first);
  if (done.ok()) done = RecoverFrom(first);
  if (!done.ok()) return done;
  log_.flushed_offset =
      std::clamp(recovery_point_, segments.front()->base_offset(), log_.log_end_offset);
  return Status::Ok();
}

Status LogLoader::RecoverFrom(size_t first) {
  const SegmentScanRules rules{.check_crc = true, .contiguous = !options_.config.compacted};
  int64_t expected = log_.segments[first]->base_offset();
  for (size_t i = first; i < log_.segments.size(); ++i) {
    Segment& segment = *log_.segments[i];
    if (!Follows(segment.base_offset(), expected)) {
      if (expected < recovery_point_) {
        return Corrupt(*log_.segments[i - 1],
                       "records up to offset " + std::to_string(recovery_point_) +
                           " were synced, but it ends at offset " + std::to_string(expected));
      }
      Status aside = SetAsideFrom(i);
      if (!aside.ok()) return aside;
      break;
    }
    if (i > first) {
      Status sealed = log_.segments[i - 1]->Seal(options_.config);
      if (!sealed.ok()) return sealed;
    }
    Result<SegmentScan> scan = ScanSegment(segment, options_.config, rules, log_.epochs);
    if (!scan.ok()) return scan.error();
    expected = scan.value().next_offset;
    const bool last = scan.value().damaged || i + 1 == log_.segments.size();
    if (last && expected < recovery_point_) {
      return Corrupt(segment, scan.value().damaged
                                  ? scan.value().problem
                                  : "records up to offset " + std::to_string(recovery_point_) +
                                        " were synced, but it ends at offset " +
                                        std::to_string(expected));
    }
    Status cut = CutSegment(segment, scan.value());
    if (cut.ok() && last) cut = SetAsideFrom(i + 1);
    if (!cut.ok()) return cut;
    if (last) break;
  }
  log_.log_end_offset = expected;
  return Status::Ok();
}

Status LogLoader::CutSegment(Segment& segment, const SegmentScan& scan) {
  Result<uint64_t> length = segment.file().Size();
  if (!length.ok()) return length.error();
  if (length.value() == scan.valid_size) return Status::Ok();
  Status cut = segment.log_file().Seal(scan.valid_size);
  // Preallocated zeros may come back after another crash, damaged bytes must not.
  return cut.ok() && scan.damaged ? segment.file().Sync() : cut;
}

Status LogLoader::SetAsideFrom(size_t first) {
  if (first >= log_.segments.size()) return Status::Ok();
  // From the last one down, so that a crash in between leaves no gap.
  while (log_.segments.size() > first) {
    const int64_t base_offset = log_.segments.back()->base_offset();
    Status renamed = SetSegmentFilesAside(file_system_, directory_, base_offset);
    if (!renamed.ok()) return renamed;
    log_.segments.pop_back();
    folder_.segments.erase(base_offset);
  }
  return file_system_.SyncDir(directory_);
}

}  // namespace millrace::log
