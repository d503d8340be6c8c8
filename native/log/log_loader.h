// LogLoader: turns the files of a partition folder into an open log, recovering them if the log dir
// was not shut down cleanly. The rules are in docs/log-format.md, "Opening".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "log/leader_epoch_cache.h"
#include "log/log.h"
#include "log/partition_folder.h"
#include "log/producer_state.h"
#include "log/segment.h"
#include "log/segment_scan.h"

namespace millrace::log {

// What a Log starts from. The last segment is active; the others are sealed.
struct LoadedLog {
  std::vector<std::shared_ptr<Segment>> segments;
  LeaderEpochCache epochs;
  ProducerStateTable producers;
  int64_t log_start_offset = 0;
  int64_t log_end_offset = 0;
  int64_t flushed_offset = 0;
  int64_t last_snapshot_offset = -1;
};

// One use, one thread.
class LogLoader {
 public:
  LogLoader(io::FileSystem& file_system, const LogOpenOptions& options)
      : file_system_(file_system), options_(options), directory_(options.directory) {}

  Result<LoadedLog> Load();

 private:
  Status OpenSegments();
  Status StartAfresh(int64_t base_offset);
  Status LoadEpochs();
  Status LoadCleanly();
  Status Recover();
  // Scans segments from `first` on and truncates at the first bad batch at or above the recovery
  // point.
  Status RecoverFrom(size_t first);
  Status CutSegment(Segment& segment, const SegmentScan& scan);
  Status SetAsideFrom(size_t first);
  Status RebuildIndexes(Segment& segment);
  Status SealBelow(size_t count);
  Status ApplyLogStart();
  Status LoadProducers();
  Result<bool> LoadNewestSnapshot();
  Status Replay(int64_t from_offset);
  Status RemoveStraySnapshots();
  bool Follows(int64_t base_offset, int64_t expected) const;
  Error Corrupt(const Segment& segment, const std::string& problem) const;

  io::FileSystem& file_system_;
  const LogOpenOptions& options_;
  const std::string& directory_;
  PartitionFolder folder_;
  LoadedLog log_;
  LeaderEpochCache stored_epochs_;
  int64_t recovery_point_ = 0;
};

}  // namespace millrace::log
