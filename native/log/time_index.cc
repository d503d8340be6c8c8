#include "log/time_index.h"

#include "base/endian.h"

namespace millrace::log {

TimestampOffset TimeIndex::Decode(const uint8_t* entry) const {
  return {static_cast<int64_t>(LoadBe64(entry)),
          base_offset_ + static_cast<int32_t>(LoadBe32(entry + 8))};
}

Status TimeIndex::AppendIfLater(TimestampOffset entry) {
  Result<TimestampOffset> last = Last();
  if (!last.ok()) return last.error();
  if (entry.timestamp <= last.value().timestamp) return Status::Ok();
  uint8_t bytes[kEntrySize];
  StoreBe64(bytes, static_cast<uint64_t>(entry.timestamp));
  StoreBe32(bytes + 8, static_cast<uint32_t>(entry.offset - base_offset_));
  file_.Append(bytes);
  return Status::Ok();
}

Result<TimestampOffset> TimeIndex::Lookup(int64_t timestamp) {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  const auto not_above = [&](const uint8_t* entry) {
    return static_cast<int64_t>(LoadBe64(entry)) <= timestamp;
  };
  Result<int64_t> found = view.value().FindLast(not_above);
  if (!found.ok()) return found.error();
  if (found.value() < 0) return TimestampOffset{-1, base_offset_};
  uint8_t entry[kEntrySize];
  Status read = view.value().Read(static_cast<size_t>(found.value()), entry);
  if (!read.ok()) return read.error();
  return Decode(entry);
}

Result<TimestampOffset> TimeIndex::Last() {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  if (view.value().count == 0) return TimestampOffset{-1, base_offset_};
  uint8_t entry[kEntrySize];
  Status read = view.value().Read(view.value().count - 1, entry);
  if (!read.ok()) return read.error();
  return Decode(entry);
}

Result<bool> TimeIndex::IsFull(int64_t max_bytes) {
  Result<size_t> count = file_.Count();
  if (!count.ok()) return count.error();
  return static_cast<int64_t>(count.value()) >= max_bytes / static_cast<int64_t>(kEntrySize) - 1;
}

Result<bool> TimeIndex::LookRightFrom(size_t first, const IndexFile::View& view) const {
  TimestampOffset previous{-1, base_offset_};
  uint8_t entry[kEntrySize];
  for (size_t i = first; i < view.count; ++i) {
    Status read = view.Read(i, entry);
    if (!read.ok()) return read.error();
    const TimestampOffset now = Decode(entry);
    if (now.timestamp <= previous.timestamp || now.offset < previous.offset) return false;
    previous = now;
  }
  return true;
}

Result<bool> TimeIndex::AllLookRight() {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  return LookRightFrom(0, view.value());
}

Result<bool> TimeIndex::LastLooksRight() {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  const size_t count = view.value().count;
  return LookRightFrom(count < 2 ? 0 : count - 2, view.value());
}

}  // namespace millrace::log
