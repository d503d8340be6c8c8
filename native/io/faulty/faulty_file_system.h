// A FileSystem in memory for tests: it forgets on demand what was not synced (a power cut), and
// fails the operation it is told to fail.
//
// Crash model: file bytes are kept in pages of 4 KiB. After Crash() each page that changed since
// the last Sync() of its file is the old or the new one, drawn by the seed; an unsynced length is
// the old or the new one; the folder operations since the last SyncDir() survive as a prefix, drawn
// by the seed. Open handles are dead afterwards.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace millrace::io {

class MemoryInode;

enum class Operation : uint8_t {
  kOpen,
  kRead,
  kWrite,
  kAllocate,
  kTruncate,
  kSync,
  kMap,
  kRename,
  kRemove,
  kSyncDir,
  kAny,  // Counts and fails all of the above.
};
inline constexpr size_t kOperationKinds = static_cast<size_t>(Operation::kAny) + 1;

// What a crash keeps of the things that were not synced.
enum class CrashKeeps : uint8_t { kNothing, kRandomSubset };

// Any thread.
class FaultyFileSystem final : public FileSystem {
 public:
  FaultyFileSystem() = default;

  // The `nth` (from 1) operation of this kind from now on fails once with errno value `os_error`. A
  // write that fails has stored the first half of its bytes.
  void FailNth(Operation kind, uint64_t nth, int os_error);
  void ClearFaults();
  // How many operations of this kind were started since the beginning.
  uint64_t Count(Operation kind) const;
  // All files together may hold this many bytes; beyond it Allocate and writes that grow a file
  // give kNoSpace.
  void SetCapacity(uint64_t bytes);
  void SetNowMs(int64_t now_ms);

  void Crash(CrashKeeps keeps, uint64_t seed);

  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override;
  Result<bool> Exists(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  Status MakeDir(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& path) override;
  Status SyncDir(const std::string& path) override;
  Result<int64_t> ModifiedMs(const std::string& path) override;

 private:
  friend class MemoryFile;
  using Names = std::map<std::string, std::shared_ptr<MemoryInode>>;
  struct Fault {
    uint64_t at = 0;  // 0: none.
    int os_error = 0;
  };
  struct NameChange {  // One folder operation; a null inode takes the name away.
    std::vector<std::pair<std::string, std::shared_ptr<MemoryInode>>> sets;
    std::string folder;
  };

  // Counts the operation and gives its injected failure, if any. Called with mutex_ held.
  Status Step(Operation kind, const char* action, const std::string& path);
  Status Reserve(uint64_t more_bytes, const std::string& path);  // With mutex_ held.
  void Change(NameChange change);                                // With mutex_ held.
  static void Apply(const NameChange& change, Names& names);

  mutable std::mutex mutex_;
  Names names_;
  Names durable_names_;
  std::vector<NameChange> pending_;
  std::map<std::string, bool> folders_;
  std::array<uint64_t, kOperationKinds> counts_{};
  std::array<Fault, kOperationKinds> faults_{};
  uint64_t capacity_ = UINT64_MAX;
  uint64_t generation_ = 0;
  int64_t now_ms_ = 0;
};

}  // namespace millrace::io
