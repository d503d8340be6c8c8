// The seam between the storage engine and the operating system. Two implementations: POSIX
// (io/posix_file_system.h) and an in-memory one that forgets what was not synced and fails on
// demand (io/faulty/faulty_file_system.h).
//
// Threads: a FileSystem may be used from any thread. A File may be used from several threads;
// overlapping writes are the caller's to order. Durability: nothing is durable before Sync() of the
// file returned ok, nor is a name (create, rename, remove) before SyncDir() of its folder returned
// ok. A failed Sync() must never be retried (fsyncgate).
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace millrace::io {

// A mapped range of a file; unmapped when destroyed. The range was allocated before it was mapped,
// so that touching it cannot raise SIGBUS on a full disk.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual uint8_t* data() const = 0;
  virtual size_t size() const = 0;
  // Makes the pages of [offset, offset + size) writable ahead of their first touch
  // (MADV_POPULATE_WRITE). A hint: a failure only means that the first store faults. Never raises a
  // signal.
  virtual void Populate(size_t offset, size_t size) = 0;
};

class File {
 public:
  virtual ~File() = default;

  // Reads up to out.size() bytes at `position`; fewer only at the end of the file. Returns the
  // count.
  virtual Result<size_t> ReadAt(uint64_t position, std::span<uint8_t> out) = 0;
  // Writes all pieces one after another at `position`, or fails. May be partly written on failure.
  virtual Status WriteAt(uint64_t position, std::span<const iovec> pieces) = 0;
  // Makes the file at least `size` bytes long with every block allocated (fallocate). kNoSpace
  // leaves it as it was.
  virtual Status Allocate(uint64_t size) = 0;
  virtual Status Truncate(uint64_t size) = 0;
  // fdatasync: everything written or stored through a Mapping so far.
  virtual Status Sync() = 0;
  // sync_file_range(WRITE): starts writing back without waiting. A hint; makes nothing durable.
  virtual void StartWriteback() = 0;
  // Maps [position, position + size), page aligned, readable and writable, shared. The range lies
  // within the file.
  virtual Result<std::unique_ptr<Mapping>> Map(uint64_t position, size_t size) = 0;
  virtual Result<uint64_t> Size() = 0;
  // The descriptor for sendfile; -1 for a file that has none.
  virtual int descriptor() const = 0;
};

enum class OpenMode : uint8_t { kReadOnly, kReadWrite, kCreate /* read-write, made if absent */ };

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) = 0;
  virtual Result<bool> Exists(const std::string& path) = 0;
  // Names in a folder, without "." and "..", in no order.
  virtual Result<std::vector<std::string>> List(const std::string& path) = 0;
  virtual Status MakeDir(const std::string& path) = 0;  // Existing: ok.
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  virtual Status Remove(const std::string& path) = 0;  // A file; absent: ok.
  virtual Status SyncDir(const std::string& path) = 0;
  // Wall-clock milliseconds of the last change of a file (retention of records without timestamps).
  virtual Result<int64_t> ModifiedMs(const std::string& path) = 0;
};

}  // namespace millrace::io
