// A partition of the floor: preallocated segments, a sparse index, nothing else. No recovery, no
// time index, no producer state, no flush: what remains is what the kernel asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::bench {

// A piece of a segment file, for sendfile.
struct FileRange {
  int fd = -1;
  int64_t position = 0;
  int64_t size = 0;
};

class Log {
 public:
  // Files are named `prefix`-NNN.log and .index; the caller's folder must exist.
  // `synced`: every append is to be on the disk before it is answered.
  Log(std::string prefix, int64_t segment_bytes, bool synced);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  Log(Log&&) = delete;
  Log& operator=(Log&&) = delete;
  ~Log();

  // Writes base offset and leader epoch into the batch in place and appends it. Returns the base
  // offset. The batch has been checked.
  int64_t Append(char* batch, int64_t size);

  // From the batch that holds `offset` on, at most `max_bytes`; empty at the end of the log.
  FileRange Find(int64_t offset, int64_t max_bytes) const;

  // Starts writing what is dirty; waits until it is written, the latest segment's data only.
  void StartSync() const;
  void Sync() const;

  bool synced() const { return synced_; }
  int64_t end_offset() const { return end_offset_; }

 private:
  struct IndexEntry {
    uint32_t relative_offset;
    uint32_t position;
  };
  struct Segment {
    int64_t base_offset = 0;
    int64_t size = 0;
    int fd = -1;
    char* map = nullptr;
    IndexEntry* index = nullptr;
    int64_t index_count = 0;
    int64_t indexed_to = 0;
  };

  void Roll();
  void Unmap(Segment& segment);
  size_t IndexBytes() const;

  std::string prefix_;
  int64_t segment_bytes_;
  bool synced_;
  int64_t end_offset_ = 0;
  std::vector<Segment> segments_;
};

}  // namespace millrace::bench
