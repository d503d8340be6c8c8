#include "log/whole_file.h"

#include "log/segment_file_name.h"

namespace millrace::log {

Result<std::optional<std::vector<uint8_t>>> ReadWholeFile(io::FileSystem& file_system,
                                                          const std::string& path) {
  Result<std::unique_ptr<io::File>> file = file_system.Open(path, io::OpenMode::kReadOnly);
  if (!file.ok()) {
    if (file.error().code == ErrorCode::kNotFound) return std::optional<std::vector<uint8_t>>();
    return file.error();
  }
  Result<uint64_t> size = file.value()->Size();
  if (!size.ok()) return size.error();
  std::vector<uint8_t> bytes(static_cast<size_t>(size.value()));
  Result<size_t> read = file.value()->ReadAt(0, bytes);
  if (!read.ok()) return read.error();
  bytes.resize(read.value());
  return std::optional(std::move(bytes));
}

Status ReplaceFile(io::FileSystem& file_system, const std::string& directory,
                   const std::string& path, std::span<const uint8_t> bytes) {
  const std::string temporary = path + std::string(kTemporarySuffix);
  Result<std::unique_ptr<io::File>> file = file_system.Open(temporary, io::OpenMode::kCreate);
  if (!file.ok()) return file.error();
  const iovec piece{const_cast<uint8_t*>(bytes.data()), bytes.size()};
  Status done = file.value()->Truncate(0);
  if (done.ok()) done = file.value()->WriteAt(0, std::span(&piece, 1));
  if (done.ok()) done = file.value()->Sync();
  if (done.ok()) done = file_system.Rename(temporary, path);
  if (done.ok()) done = file_system.SyncDir(directory);
  return done;
}

}  // namespace millrace::log
