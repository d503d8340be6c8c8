// Segment: one .log file with its offset and time index. The last segment of a log is active and
// takes appends; the others are sealed and immutable. A reader that holds a segment may go on
// reading it after it was sealed or removed.
//
// Threads: everything but the lookups (Find*) is called with the log's mutex held, or before the
// log is shared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/file_system.h"
#include "log/batch_scanner.h"
#include "log/log_config.h"
#include "log/log_file.h"
#include "log/offset_index.h"
#include "log/time_index.h"
#include "record/record_batch.h"

namespace millrace::log {

// Where a batch lies in a segment's file.
struct BatchPlace {
  int64_t base_offset = 0;
  int64_t last_offset = 0;
  uint64_t position = 0;
  uint32_t size = 0;
};

class Segment {
 public:
  // Opens the .log file; kCreate makes it. The size is the file's length until a scan says
  // otherwise (set_size).
  static Result<std::shared_ptr<Segment>> Open(io::FileSystem& file_system,
                                               const std::string& directory, int64_t base_offset,
                                               io::OpenMode mode, int64_t now_ms);

  Segment(std::unique_ptr<io::File> file, uint64_t length, io::FileSystem& file_system,
          const std::string& directory, int64_t base_offset);

  int64_t base_offset() const { return base_offset_; }
  LogFile& log_file() { return log_file_; }
  io::File& file() { return log_file_.file(); }
  OffsetIndex& offset_index() { return offset_index_; }
  TimeIndex& time_index() { return time_index_; }
  uint64_t size() const { return size_; }
  void set_size(uint64_t size) { size_ = size; }
  int64_t created_ms() const { return created_ms_; }

  // The largest timestamp and the last offset of the first batch that holds it. Of a sealed segment
  // that was loaded, from its time index.
  Result<TimestampOffset> MaxTimestamp();
  void set_max_timestamp(TimestampOffset max) { max_timestamp_ = max; }
  // maxTimestamp of the first batch; nullopt: the segment is empty.
  Result<std::optional<int64_t>> FirstBatchTimestamp();

  // Makes room for a batch of `size` bytes at the end and for the index entries it may need.
  Status Reserve(size_t size, const LogConfig& config);
  // Makes room for the index entries of the next Note().
  Status ReserveIndexEntries(const LogConfig& config);
  // Takes note of a batch that goes to the end of the segment: its size, timestamps, and index
  // entries where due.
  Status Note(const record::RecordBatch& batch, const LogConfig& config);
  // Drops both indexes and what Note() gathered, before a scan that notes every batch anew.
  Status ResetIndexes();
  void set_bytes_since_index_entry(uint64_t bytes) { bytes_since_index_entry_ = bytes; }
  // The segment was found sealed and synced when the log was opened.
  void MarkLoadedSealed();

  // Writes the last time index entry, cuts off preallocated space, gives up the mappings.
  // Repeatable. kNoSpace (there is no room for that entry) changes nothing.
  Status Seal(const LogConfig& config);
  bool sealed() const { return sealed_; }

  // What a flush has to do: the log has unsynced bytes, or was sealed since the last one.
  bool dirty() const { return synced_size_ < size_ || (sealed_ && !seal_synced_); }
  // Called by a flush after it synced the segment when it had `size` bytes, sealed or not.
  void MarkSynced(uint64_t size, bool sealed);

  // The first batch in [0, limit) whose last offset is at or above `offset`. Any thread.
  Result<std::optional<BatchPlace>> FindOffset(int64_t offset, uint64_t limit);
  // The first batch in [0, limit) that ends at or above `from_offset` and has maxTimestamp >=
  // timestamp. Any thread.
  Result<std::optional<BatchPlace>> FindTimestamp(int64_t timestamp, int64_t from_offset,
                                                  uint64_t limit);

 private:
  // Scans from `position` for the first batch that `wanted` accepts.
  template <class Wanted>
  Result<std::optional<BatchPlace>> Scan(uint64_t position, uint64_t limit, Wanted wanted);
  Error BadBatch(const BatchScanner& scanner) const;

  const int64_t base_offset_;
  const std::string path_;
  LogFile log_file_;
  OffsetIndex offset_index_;
  TimeIndex time_index_;
  uint64_t size_;
  int64_t created_ms_ = 0;
  std::optional<TimestampOffset> max_timestamp_;
  std::optional<int64_t> first_batch_timestamp_;
  uint64_t bytes_since_index_entry_ = 0;
  uint64_t synced_size_ = 0;
  bool sealed_ = false;
  bool seal_synced_ = false;
};

}  // namespace millrace::log
