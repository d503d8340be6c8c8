// The files of a partition folder as they are found when a log is opened: leftovers are removed and
// half-done swaps of the log cleaner are finished, in the order that makes Kafka's own crash rules
// hold (docs/log-format.md, "Opening").
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace millrace::log {

struct PartitionFolder {
  std::set<int64_t> segments;        // Base offsets of .log files.
  std::set<int64_t> offset_indexes;  // Base offsets of .index files.
  std::set<int64_t> time_indexes;
  std::set<int64_t> snapshots;  // Offsets of .snapshot files.
};

// Makes the folder if absent, removes .deleted, .cleaned and .tmp files and orphan indexes,
// resolves .swap files.
Result<PartitionFolder> TidyPartitionFolder(io::FileSystem& file_system,
                                            const std::string& directory);

// Removes all files of a segment. Absent ones are no error.
Status RemoveSegmentFiles(io::FileSystem& file_system, const std::string& directory,
                          int64_t base_offset);
// Gives all files of a segment the suffix .deleted; RemoveFilesSetAside or the next opening removes
// them.
Status SetSegmentFilesAside(io::FileSystem& file_system, const std::string& directory,
                            int64_t base_offset);
// Removes the files of a segment that were set aside. Absent ones are no error.
Status RemoveFilesSetAside(io::FileSystem& file_system, const std::string& directory,
                           int64_t base_offset);

}  // namespace millrace::log
