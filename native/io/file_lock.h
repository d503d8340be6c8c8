// The exclusive lock on a data folder (Kafka's `.lock`): one process at a time.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace millrace::io {

// Held until destroyed or the process ends. Also excludes a second holder within the same process.
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int descriptor_;
};

// Makes the file if absent and locks it without waiting. kLocked: somebody else holds it; kIo: it
// cannot be opened.
Result<std::unique_ptr<FileLock>> LockFile(const std::string& path);

}  // namespace millrace::io
