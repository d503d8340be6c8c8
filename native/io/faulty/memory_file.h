// An open file of FaultyFileSystem. Fails with kClosed once the file system has crashed.
#pragma once

#include <memory>
#include <string>

#include "io/faulty/faulty_file_system.h"
#include "io/faulty/memory_inode.h"

namespace millrace::io {

class MemoryFile final : public File {
 public:
  MemoryFile(FaultyFileSystem& owner, std::shared_ptr<MemoryInode> inode, std::string path)
      : owner_(owner),
        inode_(std::move(inode)),
        path_(std::move(path)),
        generation_(owner.generation_) {}

  Result<size_t> ReadAt(uint64_t position, std::span<uint8_t> out) override;
  Status WriteAt(uint64_t position, std::span<const iovec> pieces) override;
  Status Allocate(uint64_t size) override;
  Status Truncate(uint64_t size) override;
  Status Sync() override;
  void StartWriteback() override {}
  Result<std::unique_ptr<Mapping>> Map(uint64_t position, size_t size) override;
  Result<uint64_t> Size() override;
  int descriptor() const override { return -1; }

 private:
  Status Step(Operation kind, const char* action);  // With the owner's mutex held.
  void Copy(uint64_t position, std::span<const iovec> pieces, size_t limit);

  FaultyFileSystem& owner_;
  const std::shared_ptr<MemoryInode> inode_;
  const std::string path_;
  const uint64_t generation_;
};

}  // namespace millrace::io
