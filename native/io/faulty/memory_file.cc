#include "io/faulty/memory_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace millrace::io {
namespace {

class MemoryMapping final : public Mapping {
 public:
  MemoryMapping(std::shared_ptr<MemoryInode> inode, uint64_t position, size_t size)
      : inode_(std::move(inode)), position_(position), size_(size) {}
  uint8_t* data() const override { return inode_->bytes() + position_; }
  size_t size() const override { return size_; }
  void Populate(size_t, size_t) override {}

 private:
  const std::shared_ptr<MemoryInode> inode_;
  const uint64_t position_;
  const size_t size_;
};

}  // namespace

Status MemoryFile::Step(Operation kind, const char* action) {
  if (generation_ != owner_.generation_) {
    return Error{ErrorCode::kClosed, 0, path_ + " was open when the machine crashed"};
  }
  return owner_.Step(kind, action, path_);
}

Result<size_t> MemoryFile::ReadAt(uint64_t position, std::span<uint8_t> out) {
  const std::lock_guard lock(owner_.mutex_);
  Status step = Step(Operation::kRead, "read");
  if (!step.ok()) return step.error();
  if (position >= inode_->size()) return size_t{0};
  const size_t count =
      static_cast<size_t>(std::min<uint64_t>(out.size(), inode_->size() - position));
  if (count > 0) std::memcpy(out.data(), inode_->bytes() + position, count);
  return count;
}

void MemoryFile::Copy(uint64_t position, std::span<const iovec> pieces, size_t limit) {
  for (const iovec& piece : pieces) {
    const size_t count = std::min(piece.iov_len, limit);
    if (count > 0) std::memcpy(inode_->bytes() + position, piece.iov_base, count);
    position += count;
    limit -= count;
  }
  inode_->modified_ms = owner_.now_ms_;
}

Status MemoryFile::WriteAt(uint64_t position, std::span<const iovec> pieces) {
  const std::lock_guard lock(owner_.mutex_);
  size_t total = 0;
  for (const iovec& piece : pieces) total += piece.iov_len;
  Status step = Step(Operation::kWrite, "write");
  const size_t stored = step.ok() ? total : total / 2;
  if (generation_ != owner_.generation_) return step;
  const uint64_t end = position + stored;
  if (end > inode_->size()) {
    Status room = owner_.Reserve(end - inode_->size(), path_);
    if (!room.ok()) return room;
    inode_->Resize(end);
  }
  Copy(position, pieces, stored);
  return step;
}

Status MemoryFile::Allocate(uint64_t size) {
  const std::lock_guard lock(owner_.mutex_);
  Status step = Step(Operation::kAllocate, "allocate space for");
  if (!step.ok()) return step;
  if (size <= inode_->size()) return Status::Ok();
  Status room = owner_.Reserve(size - inode_->size(), path_);
  if (!room.ok()) return room;
  inode_->Resize(size);
  return Status::Ok();
}

Status MemoryFile::Truncate(uint64_t size) {
  const std::lock_guard lock(owner_.mutex_);
  Status step = Step(Operation::kTruncate, "truncate");
  if (!step.ok()) return step;
  inode_->Resize(size);
  return Status::Ok();
}

Status MemoryFile::Sync() {
  const std::lock_guard lock(owner_.mutex_);
  Status step = Step(Operation::kSync, "sync");
  if (!step.ok()) return step;
  inode_->MarkSynced();
  return Status::Ok();
}

Result<std::unique_ptr<Mapping>> MemoryFile::Map(uint64_t position, size_t size) {
  const std::lock_guard lock(owner_.mutex_);
  Status step = Step(Operation::kMap, "map");
  if (!step.ok()) return step.error();
  MR_CHECK(position % MemoryInode::kPage == 0, "mappings start at a page");
  // A kernel maps the page that holds the end; beyond it a touch would be SIGBUS.
  const uint64_t pages = (inode_->size() + MemoryInode::kPage - 1) / MemoryInode::kPage;
  MR_CHECK(position + size <= pages * MemoryInode::kPage, "mappings lie within the file");
  return std::unique_ptr<Mapping>(std::make_unique<MemoryMapping>(inode_, position, size));
}

Result<uint64_t> MemoryFile::Size() {
  const std::lock_guard lock(owner_.mutex_);
  if (generation_ != owner_.generation_) {
    return Error{ErrorCode::kClosed, 0, path_ + " was open when the machine crashed"};
  }
  return inode_->size();
}

}  // namespace millrace::io
