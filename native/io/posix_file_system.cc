#include "io/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/posix_file.h"

namespace millrace::io {

Error OsError(int os_error, const char* action, const std::string& path) {
  ErrorCode code = ErrorCode::kIo;
  if (os_error == ENOSPC || os_error == EDQUOT) code = ErrorCode::kNoSpace;
  if (os_error == ENOENT) code = ErrorCode::kNotFound;
  if (os_error == EEXIST) code = ErrorCode::kAlreadyExists;
  char text[128] = {};
  const char* reason = strerror_r(os_error, text, sizeof text);  // The GNU variant.
  return Error{code, os_error, std::string("cannot ") + action + " " + path + ": " + reason};
}

Result<std::unique_ptr<File>> PosixFileSystem::Open(const std::string& path, OpenMode mode) {
  int flags = O_CLOEXEC;
  flags |= mode == OpenMode::kReadOnly ? O_RDONLY : O_RDWR;
  if (mode == OpenMode::kCreate) flags |= O_CREAT;
  int descriptor;
  do {
    descriptor = ::open(path.c_str(), flags, 0644);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return OsError(errno, "open", path);
  return std::unique_ptr<File>(std::make_unique<PosixFile>(descriptor, path));
}

Result<bool> PosixFileSystem::Exists(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return OsError(errno, "look at", path);
}

Result<std::vector<std::string>> PosixFileSystem::List(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return OsError(errno, "list", path);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(folder)) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) {
      names.emplace_back(entry->d_name);
    }
    errno = 0;
  }
  const int failure = errno;
  ::closedir(folder);
  if (failure != 0) return OsError(failure, "list", path);
  return names;
}

Status PosixFileSystem::MakeDir(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return Status::Ok();
  const int failure = errno;
  struct stat info {};
  if (failure == EEXIST && ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    return Status::Ok();
  }
  return OsError(failure, "make the folder", path);
}

Status PosixFileSystem::Rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return OsError(errno, "rename", from);
  return Status::Ok();
}

Status PosixFileSystem::Remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return OsError(errno, "remove", path);
  return Status::Ok();
}

Status PosixFileSystem::SyncDir(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return OsError(errno, "open the folder", path);
  const int result = ::fsync(descriptor);
  const int failure = errno;
  ::close(descriptor);
  if (result != 0) return OsError(failure, "sync the folder", path);
  return Status::Ok();
}

Result<int64_t> PosixFileSystem::ModifiedMs(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return OsError(errno, "look at", path);
  return int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
}

}  // namespace millrace::io
