// IndexFile: an append-only array of fixed-size entries in a file, the common part of offset and
// time index. While its segment is active the file is allocated ahead in growing steps and mapped;
// sealed, it is trimmed to its entries and read with pread, so that only active segments cost
// mappings.
//
// Threads: any; appends are ordered by the log's mutex. A View stays valid while the file grows, is
// sealed or removed.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace millrace::log {

class IndexFile {
 public:
  // Entries [0, count) at one moment: in memory if `map`, else in `file`; both null when count is
  // 0.
  struct View {
    std::shared_ptr<io::Mapping> map;
    std::shared_ptr<io::File> file;
    size_t entry_size = 0;
    size_t count = 0;

    // Copies entry `i` to `out` (entry_size bytes).
    Status Read(size_t i, uint8_t* out) const;
    // The greatest i for which `accepts(entry)` holds, where it holds for a prefix of the entries;
    // -1: for none.
    template <class Accepts>
    Result<int64_t> FindLast(Accepts accepts) const;
  };

  // Nothing is opened before the first use; an absent file has no entries.
  IndexFile(io::FileSystem& file_system, std::string path, size_t entry_size)
      : file_system_(file_system), path_(std::move(path)), entry_size_(entry_size) {}

  Result<View> Snapshot();
  Result<size_t> Count();
  // Makes room for `entries` more, so that as many Appends cannot fail. `max_bytes`
  // (segment.index.bytes) bounds what is allocated ahead. kNoSpace changes nothing.
  Status Reserve(size_t entries, int64_t max_bytes);
  // Needs reserved room.
  void Append(const uint8_t* entry);
  // Drops all entries; the file stays, empty.
  Status Clear();
  // Cuts the file to its entries (making an empty file if there is none) and gives up the mapping.
  Status Seal();
  Status Sync();

  const std::string& path() const { return path_; }

 private:
  Status Load();        // With mutex_ held.
  Status OpenOrMake();  // With mutex_ held.
  // How many of the file's entries stand before a tail of zeros. Such a tail is space that was
  // allocated ahead and not trimmed; read as entries it would end the segment at time 0, and
  // retention would delete it (KAFKA-10207).
  Result<size_t> EntriesBeforeZeros(size_t count);

  io::FileSystem& file_system_;
  const std::string path_;
  const size_t entry_size_;
  std::mutex mutex_;
  bool loaded_ = false;
  std::shared_ptr<io::File> file_;
  std::shared_ptr<io::Mapping> map_;
  size_t count_ = 0;
};

template <class Accepts>
Result<int64_t> IndexFile::View::FindLast(Accepts accepts) const {
  size_t low = 0;  // All entries below are accepted.
  size_t high = count;
  if (map) {
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (accepts(map->data() + middle * entry_size)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<int64_t>(low) - 1;
  }
  uint8_t block[4096];
  const size_t block_entries = sizeof block / entry_size;
  while (high - low > block_entries) {
    const size_t middle = low + (high - low) / 2;
    Status read = Read(middle, block);
    if (!read.ok()) return read.error();
    if (accepts(block)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == high) return static_cast<int64_t>(low) - 1;
  const size_t bytes = (high - low) * entry_size;
  Result<size_t> read = file->ReadAt(low * entry_size, std::span(block, bytes));
  if (!read.ok()) return read.error();
  size_t accepted = 0;
  const size_t present = read.value() / entry_size;
  while (accepted < present && accepts(block + accepted * entry_size)) ++accepted;
  return static_cast<int64_t>(low + accepted) - 1;
}

}  // namespace millrace::log
