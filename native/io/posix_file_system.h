// The FileSystem of production: Linux system calls. EINTR is retried, short transfers are
// continued, ENOSPC and EDQUOT become kNoSpace.
#pragma once

#include "io/file_system.h"

namespace millrace::io {

// Stateless; any thread.
class PosixFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) override;
  Result<bool> Exists(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  Status MakeDir(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Remove(const std::string& path) override;
  Status SyncDir(const std::string& path) override;
  Result<int64_t> ModifiedMs(const std::string& path) override;
};

// An Error for errno value `os_error`: "<action> <path>: <what the system says>".
Error OsError(int os_error, const char* action, const std::string& path);

}  // namespace millrace::io
