#include "io/posix_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "io/posix_file_system.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace millrace::io {
namespace {

class PosixMapping final : public Mapping {
 public:
  PosixMapping(uint8_t* data, size_t size) : data_(data), size_(size) {}
  ~PosixMapping() override { ::munmap(data_, size_); }
  uint8_t* data() const override { return data_; }
  size_t size() const override { return size_; }
  void Populate(size_t offset, size_t size) override {
    constexpr size_t kPage = 4096;
    const size_t from = offset / kPage * kPage;
    const size_t to = std::min(size_, (offset + size + kPage - 1) / kPage * kPage);
    // Kernels before 5.14 answer EINVAL: then the first store faults, as it would without this
    // call.
    if (from < to) ::madvise(data_ + from, to - from, MADV_POPULATE_WRITE);
  }

 private:
  uint8_t* const data_;
  const size_t size_;
};

// What is left of `pieces` after `skip` bytes, at most IOV_MAX pieces. Returns how many entries of
// `out` are used.
size_t Remaining(std::span<const iovec> pieces, size_t skip, std::span<iovec> out) {
  size_t count = 0;
  for (const iovec& piece : pieces) {
    if (skip >= piece.iov_len) {
      skip -= piece.iov_len;
      continue;
    }
    if (count == out.size()) break;
    out[count++] = {static_cast<uint8_t*>(piece.iov_base) + skip, piece.iov_len - skip};
    skip = 0;
  }
  return count;
}

}  // namespace

PosixFile::~PosixFile() { ::close(descriptor_); }

Result<size_t> PosixFile::ReadAt(uint64_t position, std::span<uint8_t> out) {
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(descriptor_, out.data() + done, out.size() - done,
                                  static_cast<off_t>(position + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return OsError(errno, "read", path_);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

Status PosixFile::WriteAt(uint64_t position, std::span<const iovec> pieces) {
  size_t total = 0;
  for (const iovec& piece : pieces) total += piece.iov_len;
  size_t done = 0;
  std::array<iovec, 64> window;
  while (done < total) {
    // The first round takes the caller's array as it is; only continued short writes are cut anew.
    std::span<const iovec> now = pieces;
    if (done > 0 || pieces.size() > IOV_MAX) {
      now = std::span(window).first(Remaining(pieces, done, window));
    }
    const ssize_t count = ::pwritev(descriptor_, now.data(), static_cast<int>(now.size()),
                                    static_cast<off_t>(position + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return OsError(errno, "write", path_);
    if (count == 0) return OsError(EIO, "write", path_);
    done += static_cast<size_t>(count);
  }
  return Status::Ok();
}

Status PosixFile::Allocate(uint64_t size) {
  const uint64_t from = allocated_.load(std::memory_order_relaxed);
  if (size <= from) return Status::Ok();
  Result<uint64_t> old_size = Size();
  if (!old_size.ok()) return old_size.error();
  int result;
  do {
    result = ::fallocate(descriptor_, 0, static_cast<off_t>(from), static_cast<off_t>(size - from));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && (errno == EOPNOTSUPP || errno == ENOSYS)) {
    Status zeros = WriteZeros(old_size.value(), size);
    if (!zeros.ok()) return zeros;
  } else if (result != 0) {
    const Error failure = OsError(errno, "allocate space for", path_);
    // ext4 grows the file piece by piece; what it got before it failed is given back.
    Status restored = Truncate(old_size.value());
    return restored.ok() ? Status(failure) : restored;
  }
  allocated_.store(size, std::memory_order_relaxed);
  return Status::Ok();
}

Status PosixFile::WriteZeros(uint64_t from, uint64_t to) {
  static constexpr std::array<uint8_t, 65536> kZeros{};
  for (uint64_t position = from; position < to;) {
    const size_t size = static_cast<size_t>(std::min<uint64_t>(kZeros.size(), to - position));
    const iovec piece{const_cast<uint8_t*>(kZeros.data()), size};
    Status written = WriteAt(position, std::span(&piece, 1));
    if (!written.ok()) {
      Status restored = Truncate(from);
      return restored.ok() ? written : restored;
    }
    position += size;
  }
  return Status::Ok();
}

Status PosixFile::Truncate(uint64_t size) {
  int result;
  do {
    result = ::ftruncate(descriptor_, static_cast<off_t>(size));
  } while (result != 0 && errno == EINTR);
  if (result != 0) return OsError(errno, "truncate", path_);
  if (allocated_.load(std::memory_order_relaxed) > size) {
    allocated_.store(size, std::memory_order_relaxed);
  }
  return Status::Ok();
}

Status PosixFile::Sync() {
  // Not even EINTR is retried: a second fdatasync may report success for pages that the first one
  // lost.
  if (::fdatasync(descriptor_) != 0) return OsError(errno, "sync", path_);
  return Status::Ok();
}

void PosixFile::StartWriteback() { ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE); }

Result<std::unique_ptr<Mapping>> PosixFile::Map(uint64_t position, size_t size) {
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                      static_cast<off_t>(position));
  if (data == MAP_FAILED) return OsError(errno, "map", path_);
  return std::unique_ptr<Mapping>(
      std::make_unique<PosixMapping>(static_cast<uint8_t*>(data), size));
}

Result<uint64_t> PosixFile::Size() {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) return OsError(errno, "look at", path_);
  return static_cast<uint64_t>(info.st_size);
}

}  // namespace millrace::io
