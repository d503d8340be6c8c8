#include "io/faulty/memory_inode.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace millrace::io {
namespace {

uint8_t* ReserveAddressSpace() {
  void* space = ::mmap(nullptr, MemoryInode::kMaxBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  MR_CHECK(space != MAP_FAILED, "address space for an in-memory file");
  return static_cast<uint8_t*>(space);
}

}  // namespace

MemoryInode::MemoryInode() : bytes_(ReserveAddressSpace()) {}

MemoryInode::~MemoryInode() { ::munmap(bytes_, kMaxBytes); }

void MemoryInode::Resize(uint64_t size) {
  MR_CHECK(size <= kMaxBytes, "in-memory file too large");
  if (size < size_) std::memset(bytes_ + size, 0, size_ - size);
  size_ = size;
}

void MemoryInode::MarkSynced() { synced_.assign(bytes_, bytes_ + size_); }

void MemoryInode::CrashToSynced() {
  std::memset(bytes_, 0, size_);
  std::copy(synced_.begin(), synced_.end(), bytes_);
  size_ = synced_.size();
}

void MemoryInode::CrashToSubset(std::mt19937_64& random) {
  const uint64_t longest = std::max<uint64_t>(size_, synced_.size());
  for (uint64_t page = 0; page < longest; page += kPage) {
    const size_t length = static_cast<size_t>(std::min<uint64_t>(kPage, longest - page));
    std::vector<uint8_t> old(length, 0);
    if (page < synced_.size()) {
      const size_t known = static_cast<size_t>(std::min<uint64_t>(length, synced_.size() - page));
      std::memcpy(old.data(), synced_.data() + page, known);
    }
    const bool differs = std::memcmp(old.data(), bytes_ + page, length) != 0;
    if (differs && (random() & 1)) std::memcpy(bytes_ + page, old.data(), length);
  }
  const uint64_t kept = random() & 1 ? size_ : synced_.size();
  size_ = longest;
  Resize(kept);
  MarkSynced();
}

}  // namespace millrace::io
