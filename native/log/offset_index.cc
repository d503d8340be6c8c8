#include "log/offset_index.h"

#include "base/endian.h"

namespace millrace::log {

OffsetPosition OffsetIndex::Decode(const uint8_t* entry) const {
  return {base_offset_ + static_cast<int32_t>(LoadBe32(entry)), LoadBe32(entry + 4)};
}

void OffsetIndex::Append(int64_t last_offset, uint64_t position) {
  uint8_t entry[kEntrySize];
  StoreBe32(entry, static_cast<uint32_t>(last_offset - base_offset_));
  StoreBe32(entry + 4, static_cast<uint32_t>(position));
  file_.Append(entry);
}

Result<OffsetPosition> OffsetIndex::Lookup(int64_t offset) {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  const auto not_above = [&](const uint8_t* entry) { return Decode(entry).offset <= offset; };
  Result<int64_t> found = view.value().FindLast(not_above);
  if (!found.ok()) return found.error();
  if (found.value() < 0) return OffsetPosition{base_offset_, 0};
  uint8_t entry[kEntrySize];
  Status read = view.value().Read(static_cast<size_t>(found.value()), entry);
  if (!read.ok()) return read.error();
  return Decode(entry);
}

Result<OffsetPosition> OffsetIndex::Last() {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  if (view.value().count == 0) return OffsetPosition{base_offset_, 0};
  uint8_t entry[kEntrySize];
  Status read = view.value().Read(view.value().count - 1, entry);
  if (!read.ok()) return read.error();
  return Decode(entry);
}

Result<bool> OffsetIndex::IsFull(int64_t max_bytes) {
  Result<size_t> count = file_.Count();
  if (!count.ok()) return count.error();
  return static_cast<int64_t>(count.value()) >= max_bytes / static_cast<int64_t>(kEntrySize);
}

Result<bool> OffsetIndex::LookRightFrom(size_t first, const IndexFile::View& view,
                                        uint64_t log_size) const {
  // Entries are written behind the first batch, so position 0 (as in a zero tail) is never one.
  OffsetPosition previous{base_offset_ - 1, 0};
  uint8_t entry[kEntrySize];
  for (size_t i = first; i < view.count; ++i) {
    Status read = view.Read(i, entry);
    if (!read.ok()) return read.error();
    const OffsetPosition now = Decode(entry);
    if (now.offset <= previous.offset || now.position <= previous.position) return false;
    if (now.position >= log_size) return false;
    previous = now;
  }
  return true;
}

Result<bool> OffsetIndex::LastLooksRight(uint64_t log_size) {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  const size_t count = view.value().count;
  return LookRightFrom(count < 2 ? 0 : count - 2, view.value(), log_size);
}

Result<bool> OffsetIndex::AllLookRight(uint64_t log_size) {
  Result<IndexFile::View> view = file_.Snapshot();
  if (!view.ok()) return view.error();
  return LookRightFrom(0, view.value(), log_size);
}

}  // namespace millrace::log
