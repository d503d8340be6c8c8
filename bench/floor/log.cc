#include "floor/log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

#include "wire/big_endian.h"
#include "wire/fail.h"
#include "wire/record_batch.h"

namespace millrace::bench {
namespace {

// Below this size a copy into the mapped segment is cheaper than a system call.
constexpr int64_t kMapBelow = 32 << 10;
constexpr int64_t kIndexInterval = 4096;

int CreateFile(const std::string& path, int64_t size) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0 || posix_fallocate(fd, 0, size) != 0) {
    Fail("Could not create %s with %ld bytes.", path.c_str(), static_cast<long>(size));
  }
  return fd;
}

void* MapFile(int fd, size_t size) {
  void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) {
    Fail("mmap of %zu bytes failed: %s.", size, std::strerror(errno));
  }
  return map;
}

}  // namespace

Log::Log(std::string prefix, int64_t segment_bytes, bool synced)
    : prefix_(std::move(prefix)), segment_bytes_(segment_bytes), synced_(synced) {
  Roll();
}

Log::~Log() {
  for (Segment& segment : segments_) {
    Unmap(segment);
    munmap(segment.index, IndexBytes());
    close(segment.fd);
  }
}

size_t Log::IndexBytes() const {
  return static_cast<size_t>(segment_bytes_ / kIndexInterval + 1) * sizeof(IndexEntry);
}

void Log::Unmap(Segment& segment) {
  if (segment.map != nullptr) {
    munmap(segment.map, static_cast<size_t>(segment_bytes_));
    segment.map = nullptr;
  }
}

void Log::Roll() {
  if (!segments_.empty()) {
    Unmap(segments_.back());
  }
  const std::string path = prefix_ + "-" + std::to_string(segments_.size());
  Segment segment;
  segment.base_offset = end_offset_;
  segment.fd = CreateFile(path + ".log", segment_bytes_);
  segment.map = static_cast<char*>(MapFile(segment.fd, static_cast<size_t>(segment_bytes_)));
  const int index = CreateFile(path + ".index", static_cast<int64_t>(IndexBytes()));
  segment.index = static_cast<IndexEntry*>(MapFile(index, IndexBytes()));
  close(index);
  segments_.push_back(segment);
}

void Log::StartSync() const { sync_file_range(segments_.back().fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

void Log::Sync() const {
  if (fdatasync(segments_.back().fd) != 0) {
    Fail("Syncing a segment of %s failed: %s.", prefix_.c_str(), std::strerror(errno));
  }
}

int64_t Log::Append(char* batch, int64_t size) {
  if (segments_.back().size + size > segment_bytes_) {
    Roll();
  }
  Segment& segment = segments_.back();
  const int64_t base_offset = end_offset_;
  StoreInt64(batch, base_offset);
  StoreInt32(batch + kBatchLeaderEpochAt, 0);
  if (size < kMapBelow) {
    std::memcpy(segment.map + segment.size, batch, static_cast<size_t>(size));
  } else if (pwrite(segment.fd, batch, static_cast<size_t>(size), segment.size) != size) {
    Fail("Writing a segment of %s failed: %s.", prefix_.c_str(), std::strerror(errno));
  }
  if (segment.size >= segment.indexed_to) {
    segment.index[segment.index_count++] = {
        .relative_offset = static_cast<uint32_t>(base_offset - segment.base_offset),
        .position = static_cast<uint32_t>(segment.size)};
    segment.indexed_to = segment.size + kIndexInterval;
  }
  segment.size += size;
  end_offset_ += LoadInt32(batch + kBatchLastOffsetDeltaAt) + 1;
  return base_offset;
}

FileRange Log::Find(int64_t offset, int64_t max_bytes) const {
  if (offset >= end_offset_) {
    return {};
  }
  const Segment& segment =
      *std::prev(std::ranges::upper_bound(segments_, offset, std::less<>{}, &Segment::base_offset));
  const IndexEntry* entries_end = segment.index + segment.index_count;
  const auto relative = static_cast<uint32_t>(offset - segment.base_offset);
  const IndexEntry* entry = std::prev(std::ranges::upper_bound(
      segment.index, entries_end, relative, std::less<>{}, &IndexEntry::relative_offset));
  int64_t position = entry->position;
  for (;;) {
    char header[kBatchHeaderSize];
    if (pread(segment.fd, header, sizeof header, position) != sizeof header) {
      Fail("Reading a segment of %s failed.", prefix_.c_str());
    }
    if (LoadInt64(header) + LoadInt32(header + kBatchLastOffsetDeltaAt) >= offset) {
      return {segment.fd, position, std::min(max_bytes, segment.size - position)};
    }
    position += LoadInt32(header + kBatchLengthAt) + static_cast<int64_t>(kBatchLogOverhead);
  }
}

}  // namespace millrace::bench
