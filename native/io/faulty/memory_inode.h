// The bytes of one file of FaultyFileSystem, with what of them is synced. Mapped address space
// stays in place while the file grows, so that mappings remain valid as they do in a kernel.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace millrace::io {

class MemoryInode {
 public:
  static constexpr uint64_t kMaxBytes = uint64_t{64} << 20;
  static constexpr size_t kPage = 4096;

  MemoryInode();
  ~MemoryInode();
  MemoryInode(const MemoryInode&) = delete;
  MemoryInode& operator=(const MemoryInode&) = delete;

  uint8_t* bytes() const { return bytes_; }
  uint64_t size() const { return size_; }
  int64_t modified_ms = 0;

  // Grown bytes are zero; cut bytes are cleared, as a file system clears them.
  void Resize(uint64_t size);
  void MarkSynced();
  // What a power cut leaves: only what was synced, or any pages beside it.
  void CrashToSynced();
  void CrashToSubset(std::mt19937_64& random);

 private:
  uint8_t* const bytes_;
  uint64_t size_ = 0;
  std::vector<uint8_t> synced_;
};

}  // namespace millrace::io
