#include "log/index_file.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace millrace::log {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMaxStep = 1 << 20;

size_t RoundUpToPage(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

Status IndexFile::View::Read(size_t i, uint8_t* out) const {
  MR_CHECK(i < count, "index entry out of range");
  if (map) {
    std::memcpy(out, map->data() + i * entry_size, entry_size);
    return Status::Ok();
  }
  Result<size_t> read = file->ReadAt(i * entry_size, std::span(out, entry_size));
  if (!read.ok()) return read.error();
  if (read.value() < entry_size) {
    return Error{ErrorCode::kCorrupt, 0, "an index file became shorter while it was read"};
  }
  return Status::Ok();
}

Status IndexFile::Load() {
  if (loaded_) return Status::Ok();
  Result<std::unique_ptr<io::File>> file = file_system_.Open(path_, io::OpenMode::kReadWrite);
  if (!file.ok() && file.error().code != ErrorCode::kNotFound) return file.error();
  if (file.ok()) {
    Result<uint64_t> size = file.value()->Size();
    if (!size.ok()) return size.error();
    file_ = file.Take();
    Result<size_t> entries = EntriesBeforeZeros(static_cast<size_t>(size.value() / entry_size_));
    if (!entries.ok()) return entries.error();
    count_ = entries.value();
  }
  loaded_ = true;
  return Status::Ok();
}

Result<size_t> IndexFile::EntriesBeforeZeros(size_t count) {
  const View all{nullptr, file_, entry_size_, count};
  std::vector<uint8_t> entry(entry_size_);
  const auto is_zero = [&](size_t i) -> Result<bool> {
    Status read = all.Read(i, entry.data());
    if (!read.ok()) return read.error();
    return std::ranges::all_of(entry, [](uint8_t byte) { return byte == 0; });
  };
  // Entries increase, so only the first can be all zeros and mean it, when it stands alone.
  if (count < 2) return count;
  size_t low = 1;
  size_t high = count;
  Result<bool> zero = is_zero(count - 1);
  if (zero.ok() && !zero.value()) return count;
  while (zero.ok() && low < high) {
    const size_t middle = low + (high - low) / 2;
    zero = is_zero(middle);
    if (!zero.ok()) break;
    if (zero.value()) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (zero.ok() && low == 1) zero = is_zero(0);
  if (!zero.ok()) return zero.error();
  return low == 1 && zero.value() ? 0 : low;
}

Status IndexFile::OpenOrMake() {
  Status loaded = Load();
  if (!loaded.ok() || file_) return loaded;
  Result<std::unique_ptr<io::File>> file = file_system_.Open(path_, io::OpenMode::kCreate);
  if (!file.ok()) return file.error();
  file_ = file.Take();
  return Status::Ok();
}

Result<IndexFile::View> IndexFile::Snapshot() {
  const std::lock_guard lock(mutex_);
  Status loaded = Load();
  if (!loaded.ok()) return loaded.error();
  return View{map_, file_, entry_size_, count_};
}

Result<size_t> IndexFile::Count() {
  const std::lock_guard lock(mutex_);
  Status loaded = Load();
  if (!loaded.ok()) return loaded.error();
  return count_;
}

Status IndexFile::Reserve(size_t entries, int64_t max_bytes) {
  const std::lock_guard lock(mutex_);
  Status opened = OpenOrMake();
  if (!opened.ok()) return opened;
  const size_t needed = (count_ + entries) * entry_size_;
  if (map_ && needed <= map_->size()) return Status::Ok();
  const size_t step = std::clamp<size_t>(map_ ? map_->size() : 0, kPage, kMaxStep);
  const size_t limit = RoundUpToPage(static_cast<size_t>(std::max<int64_t>(max_bytes, 0)));
  const size_t least = RoundUpToPage(needed);
  size_t size = std::max(least, std::min(limit, RoundUpToPage(needed + step)));
  Status allocated = file_->Allocate(size);
  if (!allocated.ok() && allocated.error().code == ErrorCode::kNoSpace && size > least) {
    size = least;
    allocated = file_->Allocate(size);
  }
  if (!allocated.ok()) return allocated;
  Result<std::unique_ptr<io::Mapping>> map = file_->Map(0, size);
  if (!map.ok()) return map.error();
  map_ = map.Take();
  return Status::Ok();
}

void IndexFile::Append(const uint8_t* entry) {
  const std::lock_guard lock(mutex_);
  MR_CHECK(map_ && (count_ + 1) * entry_size_ <= map_->size(), "index entry without room");
  std::memcpy(map_->data() + count_ * entry_size_, entry, entry_size_);
  ++count_;
}

Status IndexFile::Clear() {
  const std::lock_guard lock(mutex_);
  Status loaded = Load();
  if (!loaded.ok()) return loaded;
  map_.reset();
  count_ = 0;
  return file_ ? file_->Truncate(0) : Status::Ok();
}

Status IndexFile::Seal() {
  const std::lock_guard lock(mutex_);
  Status opened = OpenOrMake();
  if (!opened.ok()) return opened;
  map_.reset();
  return file_->Truncate(count_ * entry_size_);
}

Status IndexFile::Sync() {
  const std::lock_guard lock(mutex_);
  return file_ ? file_->Sync() : Status::Ok();
}

}  // namespace millrace::log
