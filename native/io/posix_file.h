// An open file of PosixFileSystem: positioned reads and writes, fallocate, shared mappings.
#pragma once

#include <atomic>
#include <string>

#include "io/file_system.h"

namespace millrace::io {

class PosixFile final : public File {
 public:
  // Takes over `descriptor`; `path` is for messages.
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~PosixFile() override;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  Result<size_t> ReadAt(uint64_t position, std::span<uint8_t> out) override;
  Status WriteAt(uint64_t position, std::span<const iovec> pieces) override;
  Status Allocate(uint64_t size) override;
  Status Truncate(uint64_t size) override;
  Status Sync() override;
  void StartWriteback() override;
  Result<std::unique_ptr<Mapping>> Map(uint64_t position, size_t size) override;
  Result<uint64_t> Size() override;
  int descriptor() const override { return descriptor_; }

 private:
  // Where the file system knows no fallocate: real zeros, so that the blocks exist.
  Status WriteZeros(uint64_t from, uint64_t to);

  const int descriptor_;
  const std::string path_;
  // Every block below is known to be allocated, so that growing in steps does not walk the whole
  // file again.
  std::atomic<uint64_t> allocated_{0};
};

}  // namespace millrace::io
