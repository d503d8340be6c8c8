// LogFile: the bytes of one segment's .log file. Preallocates in growing steps, so that no mapped
// byte lacks its block, and writes small appends through a mapped window, large ones with pwritev
// (docs/decisions/0001-append-threshold.md).
//
// Threads: writes and Seal are ordered by the log's mutex; reads of published bytes may come from
// any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/file_system.h"

namespace millrace::log {

// Appends below this many bytes are copied into the mapped window, others are written with pwritev.
inline constexpr size_t kMappedAppendBelow = 8192;

class LogFile {
 public:
  // `allocated` is the length of the file now.
  LogFile(std::unique_ptr<io::File> file, uint64_t allocated,
          size_t mapped_below = kMappedAppendBelow)
      : file_(std::move(file)), mapped_below_(mapped_below), allocated_(allocated) {}

  io::File& file() const { return *file_; }

  // Makes sure that every block up to `end` exists; allocates ahead, but not beyond `limit`.
  // kNoSpace changes nothing.
  Status Reserve(uint64_t end, uint64_t limit);
  // Allocates the next step early if less than half of one is left behind `end`. A full disk is no
  // error here.
  Status ReserveAhead(uint64_t end, uint64_t limit);
  // Writes `total` bytes to reserved room.
  Status Write(uint64_t position, std::span<const iovec> pieces, size_t total);
  // Cuts the file to `size` and gives up the window.
  Status Seal(uint64_t size);

  // The window, if bytes were written through it since the last call, and where the next ones will
  // go in it: for populating pages ahead, outside of the log's mutex.
  struct Ahead {
    std::shared_ptr<io::Mapping> window;
    size_t offset = 0;
    size_t bytes = 0;
  };
  Ahead TakeAhead();

 private:
  Status Grow(uint64_t least, uint64_t limit);
  Status MoveWindow(uint64_t position, size_t size);

  const std::unique_ptr<io::File> file_;
  const size_t mapped_below_;
  uint64_t allocated_;
  std::shared_ptr<io::Mapping> window_;
  uint64_t window_start_ = 0;
  uint64_t mapped_end_ = 0;  // Where the last mapped write ended.
  size_t mapped_since_ahead_ = 0;
};

}  // namespace millrace::log
