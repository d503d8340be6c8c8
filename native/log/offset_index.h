// OffsetIndex: offset -> file position, one entry about every index.interval.bytes. Entry (8
// bytes): relative offset of the batch's last record, position of the batch. Time index:
// time_index.h.
#pragma once

#include <cstdint>
#include <string>

#include "log/index_file.h"

namespace millrace::log {

struct OffsetPosition {
  int64_t offset = 0;
  uint64_t position = 0;
};

// Threads as in IndexFile.
class OffsetIndex {
 public:
  static constexpr size_t kEntrySize = 8;

  OffsetIndex(io::FileSystem& file_system, std::string path, int64_t base_offset)
      : file_(file_system, std::move(path), kEntrySize), base_offset_(base_offset) {}

  // Needs room reserved in file().
  void Append(int64_t last_offset, uint64_t position);
  // The greatest entry at or below `offset`, else {base offset, 0}.
  Result<OffsetPosition> Lookup(int64_t offset);
  // The last entry, else {base offset, 0}.
  Result<OffsetPosition> Last();
  Result<bool> IsFull(int64_t max_bytes);
  // Whether the last entry can be one of a log of `log_size` bytes. Reads two entries at most.
  Result<bool> LastLooksRight(uint64_t log_size);
  // Whether every entry is above the one before it and lies within the log.
  Result<bool> AllLookRight(uint64_t log_size);

  IndexFile& file() { return file_; }

 private:
  OffsetPosition Decode(const uint8_t* entry) const;
  Result<bool> LookRightFrom(size_t first, const IndexFile::View& view, uint64_t log_size) const;

  IndexFile file_;
  const int64_t base_offset_;
};

}  // namespace millrace::log
