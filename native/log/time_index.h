// TimeIndex: largest timestamp so far -> offset. Entry (12 bytes): timestamp, relative offset of
// the last record of the batch that holds it. Written together with offset index entries if the
// timestamp rose, and once more when the segment is sealed, so that the last entry of a sealed
// segment tells its largest timestamp.
#pragma once

#include <cstdint>
#include <string>

#include "log/index_file.h"

namespace millrace::log {

struct TimestampOffset {
  int64_t timestamp = -1;  // -1: no record has a timestamp.
  int64_t offset = 0;
};

// Threads as in IndexFile.
class TimeIndex {
 public:
  static constexpr size_t kEntrySize = 12;

  TimeIndex(io::FileSystem& file_system, std::string path, int64_t base_offset)
      : file_(file_system, std::move(path), kEntrySize), base_offset_(base_offset) {}

  // Appends if the timestamp is above the last entry's. Needs room reserved in file().
  Status AppendIfLater(TimestampOffset entry);
  // The greatest entry whose timestamp is at or below `timestamp`, else {-1, base offset}.
  Result<TimestampOffset> Lookup(int64_t timestamp);
  // The last entry, else {-1, base offset}.
  Result<TimestampOffset> Last();
  // One slot is kept for the entry that sealing writes.
  Result<bool> IsFull(int64_t max_bytes);
  // Whether timestamps rise and offsets do not fall, over the whole file.
  Result<bool> AllLookRight();
  // Whether the last entry is above the one before it; a zero tail is not.
  Result<bool> LastLooksRight();

  IndexFile& file() { return file_; }

 private:
  TimestampOffset Decode(const uint8_t* entry) const;
  Result<bool> LookRightFrom(size_t first, const IndexFile::View& view) const;

  IndexFile file_;
  const int64_t base_offset_;
};

}  // namespace millrace::log
