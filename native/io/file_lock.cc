#include "io/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "io/posix_file_system.h"

namespace millrace::io {
namespace {

// An open-file-description lock: it conflicts with the record lock that Apache Kafka takes in
// another process, and with a second broker of this process, and only closing this very descriptor
// gives it up.
bool TryLock(int descriptor) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &whole) == 0;
}

}  // namespace

FileLock::~FileLock() { ::close(descriptor_); }

Result<std::unique_ptr<FileLock>> LockFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return OsError(errno, "open the lock file", path);
  if (TryLock(descriptor)) return std::make_unique<FileLock>(descriptor);
  const int failure = errno;
  ::close(descriptor);
  if (failure == EAGAIN || failure == EACCES) {
    return Error{ErrorCode::kLocked, failure,
                 path + " is locked by another broker that uses this folder; stop it first"};
  }
  return OsError(failure, "lock", path);
}

}  // namespace millrace::io
