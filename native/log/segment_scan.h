// Scans of a whole segment when a log is opened: recovery after a crash, rebuilding of lost
// indexes, and the search for the end of an active segment that was shut down cleanly.
#pragma once

#include <cstdint>
#include <string>

#include "log/leader_epoch_cache.h"
#include "log/log_config.h"
#include "log/segment.h"

namespace millrace::log {

struct SegmentScan {
  uint64_t valid_size = 0;  // Bytes of good batches.
  int64_t next_offset = 0;  // The offset after the last good batch.
  bool damaged =
      false;  // Something that is no batch follows, and not just zeros or the end of the file.
  std::string problem;  // What and where, if damaged.
};

struct SegmentScanRules {
  bool check_crc = true;
  bool contiguous = true;  // Offsets must follow without gaps; compacted logs have gaps.
};

// Reads the segment from its start, notes every good batch (size, timestamps, both indexes anew)
// and stops at the first bad one. The CRC does not cover base offset, length, epoch and magic:
// those are checked against the batches before. Leader epochs newer than the cache knows are
// assigned. Does not change the .log file.
Result<SegmentScan> ScanSegment(Segment& segment, const LogConfig& config,
                                const SegmentScanRules& rules, LeaderEpochCache& epochs);

// Finds the end of a segment with sound indexes by a scan from the last index entry; sets its size
// and timestamps. `damaged` also if the index entry does not match the batch it points to.
Result<SegmentScan> ScanSegmentEnd(Segment& segment);

}  // namespace millrace::log
